//! Access rules: what a caller may do, once rules are given for it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::call::{Call, Verb};
use crate::json;
use crate::selectors::Selection;
use crate::status::Status;

#[derive(Clone, Debug)]
struct Binding {
    /// None: in all namespaces.
    namespace: Option<String>,
    rules: Vec<Value>,
}

/// The rules by caller. Callers without rules may do everything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    bindings: BTreeMap<String, Vec<Binding>>,
}

impl Access {
    pub(crate) fn allow(&mut self, caller: &str, namespace: Option<&str>, rules: Vec<Value>) {
        let namespace = namespace.map(str::to_owned);
        self.bindings.entry(caller.to_owned()).or_default().push(Binding { namespace, rules });
    }

    /// Refuses a call that no rule allows. `verb` is that of the call, or create where a write makes the object.
    pub(crate) fn check(&self, call: &Call, verb: Verb) -> Result<(), Status> {
        let Some(bindings) = self.bindings.get(&call.caller) else { return Ok(()) };
        let allowed = bindings.iter().any(|binding| {
            let within = binding.namespace.as_ref().is_none_or(|namespace| *namespace == call.namespace);
            within && binding.rules.iter().any(|rule| allows(rule, call, verb))
        });
        if allowed { Ok(()) } else { Err(refusal(call, verb)) }
    }
}

/// The name that rules see: creates and collections have none.
fn name(call: &Call, verb: Verb) -> &str {
    match verb {
        Verb::Create | Verb::DeleteCollection => "",
        Verb::List | Verb::Watch if call.name.is_empty() => {
            call.parameter("fieldSelector").and_then(Selection::single_name).unwrap_or_default()
        }
        _ => &call.name,
    }
}

fn allows(rule: &Value, call: &Call, verb: Verb) -> bool {
    let lists = |key: &str, texts: &[&str]| {
        json::list(rule, &[key]).iter().any(|item| item.as_str().is_some_and(|item| texts.contains(&item)))
    };
    let path = call.resource_path();
    let any_parent = format!("*/{}", call.subresource);
    let resources: &[&str] =
        if call.subresource.is_empty() { &["*", &path] } else { &["*", &path, &any_parent] };
    let names = json::list(rule, &["resourceNames"]);
    lists("verbs", &["*", verb.as_str()])
        && lists("apiGroups", &["*", &call.group])
        && lists("resources", resources)
        && (names.is_empty() || names.iter().any(|text| text == name(call, verb)))
}

fn refusal(call: &Call, verb: Verb) -> Status {
    let scope = if call.namespace.is_empty() {
        "at the cluster scope".to_owned()
    } else {
        format!("in the namespace {:?}", call.namespace)
    };
    let cause = format!(
        "User {:?} cannot {} resource {:?} in API group {:?} {scope}",
        call.caller,
        verb.as_str(),
        call.resource_path(),
        call.group
    );
    Status::forbidden(&call.group, &call.resource, name(call, verb), &cause)
}
