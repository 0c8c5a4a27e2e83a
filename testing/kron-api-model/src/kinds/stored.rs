//! Kinds that a test names: their fields, where their types are at hand.

use k8s_openapi::api::admissionregistration::v1 as admission;
use k8s_openapi::api::apps::v1 as apps;
use k8s_openapi::api::batch::v1 as batch;
use k8s_openapi::api::core::v1 as core;
use k8s_openapi::api::discovery::v1 as discovery;
use k8s_openapi::api::networking::v1 as networking;
use k8s_openapi::api::policy::v1 as policy;
use k8s_openapi::api::rbac::v1 as rbac;
use serde_json::Value;

use crate::kinds::typed;
use crate::resource::Resource;

/// Removes what the type of a kind does not have, and names it. Objects of kinds without a type here stay as they are.
pub(crate) fn prune(resource: &Resource, object: &mut Value) -> Result<Vec<String>, String> {
    match (&*resource.group, &*resource.kind) {
        ("", "ConfigMap") => typed::prune::<core::ConfigMap>(object),
        ("", "Pod") => typed::prune::<core::Pod>(object),
        ("", "Secret") => typed::prune::<core::Secret>(object),
        ("", "Service") => typed::prune::<core::Service>(object),
        ("", "ServiceAccount") => typed::prune::<core::ServiceAccount>(object),
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy") => {
            typed::prune::<admission::ValidatingAdmissionPolicy>(object)
        }
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding") => {
            typed::prune::<admission::ValidatingAdmissionPolicyBinding>(object)
        }
        ("apps", "Deployment") => typed::prune::<apps::Deployment>(object),
        ("batch", "CronJob") => typed::prune::<batch::CronJob>(object),
        ("discovery.k8s.io", "EndpointSlice") => typed::prune::<discovery::EndpointSlice>(object),
        ("networking.k8s.io", "NetworkPolicy") => typed::prune::<networking::NetworkPolicy>(object),
        ("policy", "PodDisruptionBudget") => typed::prune::<policy::PodDisruptionBudget>(object),
        ("rbac.authorization.k8s.io", "ClusterRole") => typed::prune::<rbac::ClusterRole>(object),
        ("rbac.authorization.k8s.io", "ClusterRoleBinding") => {
            typed::prune::<rbac::ClusterRoleBinding>(object)
        }
        ("rbac.authorization.k8s.io", "Role") => typed::prune::<rbac::Role>(object),
        ("rbac.authorization.k8s.io", "RoleBinding") => typed::prune::<rbac::RoleBinding>(object),
        _ => Ok(Vec::new()),
    }
}
