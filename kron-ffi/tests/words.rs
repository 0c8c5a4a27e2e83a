//! The C interface has a function for every modifier and every distribution of the core. A new one does not compile here until its
//! function is named. Parts of clauses are set by their names.

use kron_core::draw::DistributionName;
use kron_core::job::Modifier;

fn has(function: &str) -> bool {
    include_str!("../include/kron.h").contains(&format!("kron_result {function}("))
}

#[test]
fn each_modifier_has_a_function_of_the_builder() {
    for modifier in Modifier::ALL {
        let function = match modifier {
            Modifier::Timezone => "kron_job_builder_timezone",
            Modifier::Days | Modifier::Nodays => "kron_job_builder_days",
            Modifier::Window => "kron_job_builder_window_ns",
            // One for each distribution: see below.
            Modifier::Distribution => continue,
            Modifier::Seed => "kron_job_builder_seed",
            Modifier::Policy => "kron_job_builder_policy",
            Modifier::Algorithm => "kron_job_builder_algorithm",
            Modifier::Only => "kron_job_builder_only",
            Modifier::Avoid => "kron_job_builder_avoid",
        };
        assert!(has(function), "{function}");
    }
    assert!(!has("kron_job_builder"));
}

#[test]
fn each_distribution_has_a_function_of_the_builder() {
    for name in DistributionName::ALL {
        let function = match name {
            DistributionName::Uniform => "kron_job_builder_uniform",
            DistributionName::Normal => "kron_job_builder_normal",
            DistributionName::SkewEarly => "kron_job_builder_skew_early",
            DistributionName::SkewLate => "kron_job_builder_skew_late",
            DistributionName::Exponential => "kron_job_builder_exponential",
        };
        assert!(has(function), "{function}");
    }
}
