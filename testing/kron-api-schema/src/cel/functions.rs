//! The functions of Kubernetes' CEL that the crate lacks, or has otherwise than Go.

use cel::common::ast::{CallExpr, Expr};
use cel::common::types::{
    CelBool, CelDouble, CelDuration, CelInt, CelList, CelString, CelTimestamp, CelUInt, DYN_TYPE, INT_TYPE,
    STRING_TYPE,
};
use cel::common::value::{CowVal, Val};
use cel::parser::Macro;
use cel::{DeclarationError, Env, ExecutionError, extensions};

use super::re2;
use crate::go;

/// The standard library, the strings extension, regular expressions, and conversions as in Go.
pub(super) fn environment() -> Result<Env, DeclarationError> {
    let mut env = Env::stdlib();
    env.add_extension(extensions::strings)?;
    env.add_member_overload("matches", "matches_re2", STRING_TYPE, vec![STRING_TYPE], matches)?;
    env.add_overload("matches", "matches_re2_global", vec![STRING_TYPE, STRING_TYPE], matches)?;
    env.add_member_overload("find", "string_find_string", STRING_TYPE, vec![STRING_TYPE], find)?;
    env.add_member_overload("findAll", "string_find_all_string", STRING_TYPE, vec![STRING_TYPE], find_all)?;
    env.add_member_overload(
        "findAll",
        "string_find_all_string_int",
        STRING_TYPE,
        vec![STRING_TYPE, INT_TYPE],
        find_all,
    )?;
    // The crate's own conversions cannot be replaced; calls are renamed as they are compiled.
    for (name, ours) in [("duration", "goDuration"), ("double", "goDouble"), ("int", "goInt")] {
        env.add_macro(Macro::global(name, 1, move |helper, _, args| {
            let call = CallExpr { func_name: ours.to_owned(), target: None, args: std::mem::take(args) };
            Ok(Some(helper.next_expr(Expr::Call(call))))
        }))?;
    }
    env.add_overload("goDuration", "go_duration", vec![DYN_TYPE], duration)?;
    env.add_overload("goDouble", "go_double", vec![DYN_TYPE], double)?;
    env.add_overload("goInt", "go_int", vec![DYN_TYPE], int)?;
    Ok(env)
}

type Answer<'b, 'v> = Result<CowVal<'b, 'v>, ExecutionError>;

fn text<'a>(function: &str, args: &'a [CowVal<'_, '_>], at: usize) -> Result<&'a str, ExecutionError> {
    let value = args.get(at).and_then(|value| value.downcast_ref::<CelString>());
    value.map(CelString::inner).ok_or_else(|| no_overload(function, args))
}

fn no_overload(function: &str, args: &[CowVal<'_, '_>]) -> ExecutionError {
    let types = args.iter().map(|value| value.get_type().name().to_owned()).collect();
    ExecutionError::no_such_overload(function, types)
}

fn regex(args: &[CowVal<'_, '_>]) -> Result<std::sync::Arc<regex::Regex>, ExecutionError> {
    re2::compile(text("matches", args, 1)?).map_err(|error| ExecutionError::function_error("matches", error))
}

fn matches<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Answer<'b, 'v> {
    Ok(CowVal::owned(CelBool::from(regex(&args)?.is_match(text("matches", &args, 0)?))))
}

fn find<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Answer<'b, 'v> {
    let found = regex(&args)?.find(text("find", &args, 0)?).map_or("", |found| found.as_str()).to_owned();
    Ok(CowVal::owned(CelString::from(found)))
}

fn find_all<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Answer<'b, 'v> {
    let most = match args.get(2).and_then(|value| value.downcast_ref::<CelInt>()) {
        // Below 0 there is no limit.
        Some(most) => usize::try_from(*most.inner()).unwrap_or(usize::MAX),
        None => usize::MAX,
    };
    let found: Vec<Box<dyn Val>> = regex(&args)?
        .find_iter(text("findAll", &args, 0)?)
        .take(most)
        .map(|found| Box::new(CelString::from(found.as_str().to_owned())) as Box<dyn Val>)
        .collect();
    Ok(CowVal::owned(CelList::from(found)))
}

fn duration<'b, 'v>(mut args: Vec<CowVal<'b, 'v>>) -> Answer<'b, 'v> {
    if args.first().is_some_and(|value| value.downcast_ref::<CelDuration>().is_some()) {
        return Ok(args.remove(0));
    }
    let nanos = go::duration(text("duration", &args, 0)?)
        .map_err(|error| ExecutionError::function_error("duration", error))?;
    Ok(CowVal::owned(CelDuration::from(chrono::Duration::nanoseconds(nanos))))
}

fn double<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Answer<'b, 'v> {
    let Some(value) = args.first() else { return Err(no_overload("double", &args)) };
    let number = if let Some(text) = value.downcast_ref::<CelString>() {
        go::float(text.inner()).map_err(|error| ExecutionError::function_error("double", error))?
    } else if let Some(number) = value.downcast_ref::<CelDouble>() {
        *number.inner()
    } else if let Some(number) = value.downcast_ref::<CelInt>() {
        *number.inner() as f64
    } else if let Some(number) = value.downcast_ref::<CelUInt>() {
        *number.inner() as f64
    } else {
        return Err(no_overload("double", &args));
    };
    Ok(CowVal::owned(CelDouble::from(number)))
}

fn int<'b, 'v>(args: Vec<CowVal<'b, 'v>>) -> Answer<'b, 'v> {
    let Some(value) = args.first() else { return Err(no_overload("int", &args)) };
    let out_of_range = || ExecutionError::function_error("int", "integer overflow");
    let number = if let Some(text) = value.downcast_ref::<CelString>() {
        go::int(text.inner()).map_err(|error| ExecutionError::function_error("int", error))?
    } else if let Some(number) = value.downcast_ref::<CelInt>() {
        *number.inner()
    } else if let Some(number) = value.downcast_ref::<CelUInt>() {
        i64::try_from(*number.inner()).map_err(|_| out_of_range())?
    } else if let Some(number) = value.downcast_ref::<CelDouble>() {
        // As cel-go: towards 0, and the two ends are out of range, because they are not exact numbers.
        let number = *number.inner();
        if !(number > i64::MIN as f64 && number < i64::MAX as f64) {
            return Err(out_of_range());
        }
        number as i64
    } else if let Some(time) = value.downcast_ref::<CelTimestamp>() {
        time.inner().timestamp()
    } else {
        return Err(no_overload("int", &args));
    };
    Ok(CowVal::owned(CelInt::from(number)))
}
