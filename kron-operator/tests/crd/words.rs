//! The schema has every word of the core that a KronJob may use. A new one fails here until the resource has it, or until it
//! is named below as one that the resource refuses.

use kron_core::constraint::ClausePart;
use kron_core::draw::{DistributionName, DistributionParam};
use kron_core::job::Modifier;
use kron_core::plan::PolicyKey;
use kron_core::{Algorithm, Concurrency, SeedStrategy, WindowMode};
use kron_crd::custom_resource_definition;
use serde_json::Value;

use super::cases::openapi_schema;

/// The schema of a field of the spec.
fn field<'s>(schema: &'s Value, path: &str) -> &'s Value {
    let pointer: String = path.split('.').map(|name| format!("/properties/{name}")).collect();
    schema
        .pointer(&format!("/properties/spec{}", pointer.replace("[]", "/items")))
        .unwrap_or_else(|| panic!("the schema has no field {path}"))
}

#[test]
fn every_word_of_the_core_is_in_the_schema() {
    let definition = custom_resource_definition(false);
    let schema = openapi_schema(&definition);
    for modifier in Modifier::ALL {
        let path = match modifier {
            Modifier::Timezone => "timezone",
            // The resource refuses rules of days, which no plain schedule keeps.
            Modifier::Days | Modifier::Nodays => continue,
            Modifier::Window => "window",
            Modifier::Distribution => "distribution",
            Modifier::Seed => "seed",
            Modifier::Policy => "policy",
            Modifier::Algorithm => "algorithm",
            Modifier::Only => "constraints.only",
            Modifier::Avoid => "constraints.avoid",
        };
        field(schema, path);
    }
    // The resource refuses calendars, which are files of the user.
    for part in ClausePart::WORDS.iter().filter(|part| **part != ClausePart::Calendar.as_str()) {
        for clauses in ["only", "avoid"] {
            let clauses = format!("constraints.{clauses}[]");
            let of_part = field(schema, &format!("{clauses}.{part}"));
            assert!(of_part["maxLength"].is_u64(), "{part} has no bound");
            assert!(of_part["x-kubernetes-validations"].is_array(), "{part} has no rule");
            let rules = field(schema, &clauses)["x-kubernetes-validations"].to_string();
            assert!(rules.contains(&format!("has(self.{part})")), "no rule takes a clause of {part} alone");
        }
    }
    for key in PolicyKey::WORDS {
        field(schema, &format!("policy.{key}"));
    }
    // The resource refuses windows before the nominal time.
    let modes: Vec<&str> =
        WindowMode::WORDS.iter().copied().filter(|mode| *mode != WindowMode::Before.as_str()).collect();
    for (path, words) in [
        ("window.mode", &*modes),
        ("distribution.name", DistributionName::WORDS),
        ("seed.strategy", SeedStrategy::WORDS),
        ("policy.concurrency", Concurrency::WORDS),
        ("algorithm", Algorithm::WORDS),
    ] {
        let mut listed: Vec<&str> =
            field(schema, path)["enum"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let mut words = words.to_vec();
        listed.sort_unstable();
        words.sort_unstable();
        assert_eq!(listed, words, "{path}");
    }
    // Parameters are a map; rules say which there are.
    let rules = field(schema, "distribution")["x-kubernetes-validations"].to_string();
    for param in DistributionParam::WORDS {
        assert!(rules.contains(&format!("'{param}'")), "no rule names {param}");
    }
}
