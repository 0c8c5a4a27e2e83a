//! The names of an expression: those that nothing declares, as a server finds them when it compiles.

use cel::common::ast::{EntryExpr, Expr, IdedEntryExpr, IdedExpr};

/// What every expression may name: the two values, and the types.
const DECLARED: [&str; 12] =
    ["self", "oldSelf", "bool", "bytes", "double", "dyn", "int", "list", "map", "string", "type", "uint"];

/// The first name that is neither declared nor bound by a loop around it.
pub(super) fn undeclared<'e>(expression: &'e IdedExpr, bound: &mut Vec<&'e str>) -> Option<&'e str> {
    match &expression.expr {
        Expr::Unspecified | Expr::Literal(_) => None,
        Expr::Ident(name) => {
            let known =
                name.starts_with('@') || DECLARED.contains(&name.as_str()) || bound.contains(&name.as_str());
            (!known).then_some(name.as_str())
        }
        Expr::Select(select) => undeclared(&select.operand, bound),
        Expr::List(list) => list.elements.iter().find_map(|item| undeclared(item, bound)),
        Expr::Map(map) => map.entries.iter().find_map(|entry| of_entry(entry, bound)),
        Expr::Struct(of) => of.entries.iter().find_map(|entry| of_entry(entry, bound)),
        Expr::Call(call) => {
            let target = call.target.as_deref().filter(|target| !is_namespace(target));
            target.into_iter().chain(&call.args).find_map(|part| undeclared(part, bound))
        }
        Expr::Comprehension(over) => {
            let outer = undeclared(&over.iter_range, bound).or_else(|| undeclared(&over.accu_init, bound));
            if outer.is_some() {
                return outer;
            }
            let before = bound.len();
            bound.push(&over.iter_var);
            bound.extend(over.iter_var2.as_deref());
            bound.push(&over.accu_var);
            let inner = [&over.loop_cond, &over.loop_step, &over.result];
            let found = inner.into_iter().find_map(|part| undeclared(part, bound));
            bound.truncate(before);
            found
        }
    }
}

fn of_entry<'e>(entry: &'e IdedEntryExpr, bound: &mut Vec<&'e str>) -> Option<&'e str> {
    match &entry.expr {
        EntryExpr::StructField(field) => undeclared(&field.value, bound),
        EntryExpr::MapEntry(entry) => {
            undeclared(&entry.key, bound).or_else(|| undeclared(&entry.value, bound))
        }
    }
}

/// `optional.of(x)` and `strings.quote(x)` are functions with a point in their names.
fn is_namespace(target: &IdedExpr) -> bool {
    matches!(&target.expr, Expr::Ident(name) if ["optional", "strings"].contains(&name.as_str()))
}
