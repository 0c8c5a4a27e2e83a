//! The Common Expression Language as API servers run it: the crate `cel` with the functions of Kubernetes' libraries that
//! rules use, and Go's own readings of numbers, durations and regular expressions in place of Rust's.
//!
//! Why `cel` and not `kube-cel`: the latter walks a schema by itself, but in an order and with verdicts of its own (no
//! pruning, no ratcheting, no errors that hide rules), rests on an older `cel`, and reads durations through floating
//! point, so that `8784.0000000001h` is no longer than `8784h`.
//!
//! What API servers do and this does not: checks of types and functions at compile time (a wrong expression fails when it
//! runs), the estimate and the limits of cost, the libraries for URLs, IP addresses, quantities, semantic versions,
//! formats, sets and JSON patches, and hexadecimal floating point in `double()`.

mod functions;
mod re2;
mod scope;

use std::sync::{Arc, LazyLock};

use cel::common::types::CelOptional;
use cel::common::value::Val;
use cel::{Context, Env, ExecutionError, Program, Value};

pub(crate) use re2::compile as compile_regex;

/// The environment of all expressions, or why it could not be made.
static ENVIRONMENT: LazyLock<Result<Arc<Env>, String>> =
    LazyLock::new(|| functions::environment().map(Arc::new).map_err(|error| error.to_string()));

/// A compiled expression over `self` and `oldSelf`.
#[derive(Debug)]
pub(crate) struct Expression {
    program: Program,
    uses_old: bool,
}

/// `oldSelf`, as an expression sees it.
pub(crate) enum Old {
    /// There is none.
    Absent,
    /// It is a value.
    Value(Value),
    /// It is an optional, for rules with `optionalOldSelf`.
    Optional(Option<Value>),
}

impl Expression {
    /// Compiles an expression.
    pub(crate) fn compile(text: &str) -> Result<Expression, String> {
        let environment = ENVIRONMENT.as_ref().map_err(Clone::clone)?;
        let program =
            environment.compile(text).map_err(|error| format!("`{text}` does not compile: {error}"))?;
        let uses_old = program.references().has_variable("oldSelf");
        if let Some(name) = scope::undeclared(program.expression(), &mut Vec::new()) {
            return Err(format!("`{text}` does not compile: undeclared reference to '{name}'"));
        }
        Ok(Expression { program, uses_old })
    }

    /// Whether it mentions `oldSelf`: it is then a rule on transitions.
    pub(crate) fn uses_old(&self) -> bool {
        self.uses_old
    }

    /// Its value, or the sentence of its error.
    pub(crate) fn evaluate(&self, this: Value, old: Old) -> Result<Value, String> {
        let environment = ENVIRONMENT.as_ref().map_err(Clone::clone)?;
        let mut context = Context::with_env(Arc::clone(environment));
        context.add_variable_from_value("self", this);
        match old {
            Old::Absent => {}
            Old::Value(value) => context.add_variable_from_value("oldSelf", value),
            Old::Optional(None) => context.add_variable_as_val("oldSelf", Box::new(CelOptional::none())),
            Old::Optional(Some(value)) => {
                let value: Box<dyn Val> =
                    value.try_into().map_err(|_| "internal error: oldSelf is not a value".to_owned())?;
                context.add_variable_as_val("oldSelf", Box::new(CelOptional::of(value)));
            }
        }
        self.program.execute(&context).map_err(|error| sentence(&error))
    }
}

/// An error as cel-go says it.
fn sentence(error: &ExecutionError) -> String {
    match error {
        ExecutionError::FunctionError { message, .. } => message.clone(),
        ExecutionError::NoSuchKey(key) => format!("no such key: {key}"),
        ExecutionError::IndexOutOfBounds(Value::Int(index)) => format!("index out of bounds: {index}"),
        ExecutionError::DivisionByZero(_) => "division by zero".to_owned(),
        ExecutionError::RemainderByZero(_) => "modulus by zero".to_owned(),
        ExecutionError::Overflow(..) => "integer overflow".to_owned(),
        ExecutionError::NoSuchOverload(_) => "no such overload".to_owned(),
        other => other.to_string(),
    }
}
