//! Affinities and topology spread of a primer: those of the execution, with the pods of the primer in the place of the pods of
//! the execution.
//!
//! Where pods of an execution are to be together, or apart, they select each other by their labels. The pods of a primer have
//! other labels, so they select each other by the name of their Job.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use kube::core::{Selector, SelectorExt as _};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::source::PrimerOf;

/// A label that the Job controller gives to every pod of a Job.
const JOB_NAME: &str = "batch.kubernetes.io/job-name";

/// The lists of an affinity, and where an entry of each has its term: preferences have weights.
const TERMS: [(&str, &str); 2] = [
    ("requiredDuringSchedulingIgnoredDuringExecution", ""),
    ("preferredDuringSchedulingIgnoredDuringExecution", "/podAffinityTerm"),
];

/// Decides which selectors mean the pods of the execution.
#[derive(Debug)]
pub(super) struct Selectors<'p> {
    namespace: &'p str,
    name: &'p str,
    main: BTreeMap<String, String>,
    primer: BTreeMap<String, String>,
}

impl<'p> Selectors<'p> {
    pub(super) fn new(of: PrimerOf<'p>) -> Selectors<'p> {
        let labels = |given: &[(&'static str, String)]| -> BTreeMap<String, String> {
            given.iter().map(|(key, value)| ((*key).to_string(), value.clone())).collect()
        };
        let of_template = &of.template["spec"]["template"]["metadata"]["labels"];
        let mut main = BTreeMap::deserialize(of_template).unwrap_or_default();
        main.extend(labels(of.main_labels));
        let mut primer = labels(of.labels);
        primer.insert(JOB_NAME.to_string(), of.name.to_string());
        Selectors { namespace: of.namespace, name: of.name, main, primer }
    }

    /// Whether a selector means the pods of the execution and not those of the primer.
    fn means_main(&self, selector: &Value) -> bool {
        matches(selector, &self.main) && !matches(selector, &self.primer)
    }

    /// The selector of the pods of this primer.
    fn own(&self) -> Value {
        json!({"matchLabels": {JOB_NAME: self.name}})
    }

    /// The affinity of the primer; absent if the execution has none.
    pub(super) fn affinity(&self, main: &Value) -> Option<Value> {
        let mut affinity = main.as_object()?.clone();
        for (list, term) in TERMS {
            for entry in entries(&mut affinity, "podAffinity", list).into_iter().flatten() {
                self.redirect(entry.pointer_mut(term));
            }
            if let Some(entries) = entries(&mut affinity, "podAntiAffinity", list) {
                // Apart from the pods of other executions, as before, and from each other.
                let mut more = entries.clone();
                more.retain_mut(|entry| self.redirect(entry.pointer_mut(term)));
                entries.extend(more);
            }
        }
        Some(affinity.into())
    }

    /// The topology spread constraints of the primer; absent if the execution has none.
    pub(super) fn spread(&self, main: &Value) -> Option<Value> {
        let mut constraints = main.as_array()?.clone();
        for constraint in constraints.iter_mut().filter_map(Value::as_object_mut) {
            if constraint.get("labelSelector").is_some_and(|selector| self.means_main(selector)) {
                constraint.insert("labelSelector".into(), self.own());
                // They narrow a selector by the labels of the pod: the pods of one Job have them all alike.
                constraint.remove("matchLabelKeys");
            }
        }
        Some(constraints.into())
    }

    /// Makes a term that selects the pods of the execution one of the same topology that selects those of the primer. Says
    /// whether it was one.
    fn redirect(&self, term: Option<&mut Value>) -> bool {
        let Some(term) = term.filter(|term| self.is_of_main(term)) else { return false };
        *term = json!({"labelSelector": self.own(), "topologyKey": term["topologyKey"]});
        true
    }

    /// Whether a term selects the pods of the execution, in the namespace of the KronJob.
    fn is_of_main(&self, term: &Value) -> bool {
        let listed = term["namespaces"].as_array().filter(|names| !names.is_empty());
        let here = match (listed, &term["namespaceSelector"]) {
            (None, Value::Null) => true,
            (listed, selector) => {
                let everywhere = selector.as_object().is_some_and(Map::is_empty);
                everywhere || listed.is_some_and(|names| names.iter().any(|name| name == self.namespace))
            }
        };
        here && self.means_main(&term["labelSelector"])
    }
}

/// The entries of a list of an affinity, if it has it.
fn entries<'a>(affinity: &'a mut Map<String, Value>, kind: &str, list: &str) -> Option<&'a mut Vec<Value>> {
    affinity.get_mut(kind)?.get_mut(list)?.as_array_mut()
}

/// Whether a label selector matches labels. None matches nothing, an empty one everything.
fn matches(selector: &Value, labels: &BTreeMap<String, String>) -> bool {
    let read = Option::<LabelSelector>::deserialize(selector).ok().flatten();
    read.and_then(|selector| Selector::try_from(selector).ok())
        .is_some_and(|selector| selector.matches(labels))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
    const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

    fn with<T>(test: impl FnOnce(&Selectors<'_>) -> T) -> T {
        let template = json!({"spec": {"template": {"metadata": {"labels": {"app": "report"}}}}});
        let labels = [("kron.io/primer-for", "20260301T000000Z".to_string())];
        let main_labels = [("kron.io/name", "report".to_string())];
        let of = PrimerOf {
            template: &template,
            image: "pause",
            lead: 600,
            namespace: "prod",
            name: "report-x",
            main_labels: &main_labels,
            labels: &labels,
        };
        test(&Selectors::new(of))
    }

    fn own() -> Value {
        json!({"matchLabels": {"batch.kubernetes.io/job-name": "report-x"}})
    }

    fn term(selector: Value) -> Value {
        json!({"topologyKey": "kubernetes.io/hostname", "labelSelector": selector})
    }

    #[test]
    fn selectors_match_as_in_kubernetes() {
        let labels = [("a", "1"), ("b", "2")].map(|(key, value)| (key.to_string(), value.to_string())).into();
        let expression = |key: &str, operator: &str, values: Value| json!({"matchExpressions": [{"key": key, "operator": operator, "values": values}]});
        for (selector, expected) in [
            (Value::Null, false),
            (json!({}), true),
            (json!({"matchLabels": {"a": "1"}}), true),
            (json!({"matchLabels": {"a": "1", "c": "3"}}), false),
            (expression("a", "In", json!(["0", "1"])), true),
            (expression("c", "In", json!(["1"])), false),
            (expression("a", "NotIn", json!(["1"])), false),
            (expression("c", "NotIn", json!(["1"])), true),
            (expression("b", "Exists", Value::Null), true),
            (expression("c", "Exists", Value::Null), false),
            (expression("b", "DoesNotExist", Value::Null), false),
            (expression("c", "DoesNotExist", Value::Null), true),
            (expression("a", "Gt", json!(["0"])), false),
            (
                json!({"matchLabels": {"a": "1"}, "matchExpressions": [{"key": "b", "operator": "DoesNotExist"}]}),
                false,
            ),
        ] {
            assert_eq!(matches(&selector, &labels), expected, "{selector}");
        }
    }

    #[test]
    fn pods_that_are_to_be_apart_are_so_in_the_primer_too() {
        let selector = json!({"matchLabels": {"app": "report"}});
        let main = json!({"podAntiAffinity": {REQUIRED: [term(selector.clone())]}});
        let affinity = with(|selectors| selectors.affinity(&main)).unwrap();
        // And apart from the pods of an execution that is active still.
        assert_eq!(affinity["podAntiAffinity"][REQUIRED], json!([term(selector), term(own())]));
    }

    #[test]
    fn pods_that_are_to_be_together_do_not_wait_for_the_execution() {
        let main = json!({"podAffinity": {
            REQUIRED: [term(json!({"matchLabels": {"app": "report"}})), term(json!({"matchLabels": {"app": "cache"}}))],
            PREFERRED: [{"weight": 7, "podAffinityTerm": term(json!({"matchLabels": {"kron.io/name": "report"}}))}],
        }});
        let affinity = with(|selectors| selectors.affinity(&main)).unwrap();
        assert_eq!(
            affinity["podAffinity"],
            json!({
                REQUIRED: [term(own()), term(json!({"matchLabels": {"app": "cache"}}))],
                PREFERRED: [{"weight": 7, "podAffinityTerm": term(own())}],
            })
        );
    }

    #[test]
    fn weights_and_node_affinity_stay() {
        let preferred =
            json!({"weight": 3, "podAffinityTerm": term(json!({"matchLabels": {"app": "report"}}))});
        let nodes = json!({REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}});
        let main = json!({"nodeAffinity": nodes, "podAntiAffinity": {PREFERRED: [preferred]}});
        let affinity = with(|selectors| selectors.affinity(&main)).unwrap();
        assert_eq!(affinity["nodeAffinity"], nodes);
        let added = json!({"weight": 3, "podAffinityTerm": term(own())});
        assert_eq!(affinity["podAntiAffinity"][PREFERRED], json!([preferred, added]));
    }

    #[test]
    fn only_terms_of_this_namespace_mean_the_execution() {
        let selector = json!({"matchLabels": {"app": "report"}});
        for (field, value, added) in [
            ("namespaces", json!(["other"]), false),
            ("namespaces", json!(["other", "prod"]), true),
            ("namespaces", json!([]), true),
            ("namespaceSelector", json!({}), true),
            ("namespaceSelector", json!({"matchLabels": {"a": "b"}}), false),
        ] {
            let mut term = term(selector.clone());
            term[field] = value.clone();
            let main = json!({"podAntiAffinity": {REQUIRED: [term]}});
            let affinity = with(|selectors| selectors.affinity(&main)).unwrap();
            let terms = affinity["podAntiAffinity"][REQUIRED].as_array().unwrap();
            assert_eq!(terms.len(), 1 + usize::from(added), "{field}: {value}");
        }
    }

    #[test]
    fn pods_spread_over_the_same_topology() {
        let constraint = |selector: Value| json!({"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector});
        let mut keyed = constraint(json!({"matchLabels": {"app": "report"}}));
        keyed["matchLabelKeys"] = json!(["batch.kubernetes.io/job-name"]);
        let other = constraint(json!({"matchLabels": {"app": "other"}}));
        let all = constraint(json!({}));
        let main = json!([keyed, other, all]);
        let spread = with(|selectors| selectors.spread(&main)).unwrap();
        assert_eq!(spread, json!([constraint(own()), other, all]));
    }

    #[test]
    fn what_is_absent_or_odd_stays_so() {
        with(|selectors| {
            assert_eq!(selectors.affinity(&Value::Null), None);
            assert_eq!(selectors.spread(&Value::Null), None);
            let odd = json!({"podAffinity": {REQUIRED: [7, {}], PREFERRED: [{}]}, "podAntiAffinity": []});
            assert!(selectors.affinity(&odd).is_some());
            assert!(selectors.spread(&json!([7, {}])).is_some());
        });
    }
}
