//! What the pods of a Job request of their nodes, by the formula of Kubernetes for pods with init containers and
//! sidecars.

use std::collections::BTreeMap;

use serde_json::Value;

use super::quantity::Quantity;

type Resources = BTreeMap<String, Quantity>;

/// The resources of a pod as a whole, by their names, such as `cpu` and `memory`. The overhead of the runtime class is not
/// counted.
///
/// ```
/// use kron_formats::kronjob::PodResources;
/// let pod = serde_json::json!({
///     "containers": [{"resources": {"requests": {"cpu": "1"}}}, {"resources": {"requests": {"cpu": "250m"}}}],
///     "initContainers": [{"resources": {"requests": {"cpu": "2"}}}],
/// });
/// assert_eq!(PodResources::of_pod(&pod).requests["cpu"].to_string(), "2");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PodResources {
    /// What it requests of its node. What the pod says of itself (`spec.resources`) outranks its containers, and a limit
    /// without a request is a request.
    pub requests: BTreeMap<String, Quantity>,
    /// The limits of one container that takes the place of the pod: the resources for which each container of the pod has a
    /// limit, so that a quota of limits accepts both. No limit is below its request.
    pub limits: BTreeMap<String, Quantity>,
}

impl PodResources {
    /// Reads the `spec` of a pod. What is not a quantity is left out: the API server rejects such a pod.
    ///
    /// ```
    /// use kron_formats::kronjob::PodResources;
    /// let pod = serde_json::json!({"containers": [{"resources": {"limits": {"memory": "1Gi"}}}]});
    /// let resources = PodResources::of_pod(&pod);
    /// assert_eq!(resources.requests, resources.limits);
    /// ```
    pub fn of_pod(pod: &Value) -> PodResources {
        let requests = requests(pod);
        let limits = limits(pod, &requests);
        PodResources { requests, limits }
    }
}

/// What all pods of a Job that run at once request together.
///
/// ```
/// use kron_formats::kronjob::JobRequests;
/// let template = serde_json::json!({"spec": {"parallelism": 3, "template": {"spec": {
///     "restartPolicy": "Never", "containers": [{"resources": {"requests": {"cpu": "250m"}}}],
/// }}}});
/// let requests = JobRequests::of_template(&template);
/// assert_eq!((requests.cpu.map(|cpu| cpu.thousandths()), requests.memory), (Some(750), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JobRequests {
    /// Processor time; `None` if no container names it.
    pub cpu: Option<Quantity>,
    /// Memory in bytes; `None` if no container names it.
    pub memory: Option<Quantity>,
    /// Requests and limits that are not quantities, and do not count. The API server rejects the Jobs of such a template.
    pub unread: Vec<UnreadQuantity>,
}

/// A request or a limit of a pod that is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnreadQuantity {
    /// The resource, such as `cpu`.
    pub resource: String,
    /// Its place in the job template: `spec.template.spec.containers[0].resources.requests.cpu`.
    pub field: String,
    /// The value, as JSON if it is not a string.
    pub text: String,
}

impl JobRequests {
    /// Reads a job template: the field `jobTemplate` of a KronJob or a CronJob.
    ///
    /// ```
    /// use kron_formats::kronjob::JobRequests;
    /// use serde_json::json;
    /// assert_eq!(JobRequests::of_template(&json!({})), JobRequests::default());
    /// let containers = json!([{"resources": {"requests": {"cpu": "lots"}}}]);
    /// let requests = JobRequests::of_template(&json!({"spec": {"template": {"spec": {"containers": containers}}}}));
    /// assert_eq!(requests.unread[0].field, "spec.template.spec.containers[0].resources.requests.cpu");
    /// assert_eq!((requests.cpu, &*requests.unread[0].text), (None, "lots"));
    /// ```
    pub fn of_template(template: &Value) -> JobRequests {
        let job = &template["spec"];
        let pod = &job["template"]["spec"];
        let requests = requests(pod);
        // OK because the number is within the range of u32.
        let pods = pods_at_once(job).clamp(0, u32::MAX.into()) as u32;
        let of = |name: &str| requests.get(name).map(|quantity| quantity.times(pods));
        JobRequests { cpu: of("cpu"), memory: of("memory"), unread: unread(pod) }
    }
}

/// How many pods of a Job run at once when it begins, given the `spec` of the Job.
///
/// ```
/// use kron_formats::kronjob::pods_at_once;
/// use serde_json::json;
/// assert_eq!(pods_at_once(&json!({})), 1);
/// assert_eq!(pods_at_once(&json!({"parallelism": 5, "completions": 2})), 2);
/// ```
pub fn pods_at_once(job: &Value) -> i64 {
    let parallelism = job["parallelism"].as_i64().unwrap_or(1);
    job["completions"].as_i64().map_or(parallelism, |completions| completions.min(parallelism))
}

/// The resources of a container, from `requests` or `limits`. What is not a quantity is left out.
fn listed(resources: &Value, list: &str) -> Resources {
    let all = resources[list].as_object().into_iter().flatten();
    all.filter_map(|(name, value)| Some((name.clone(), Quantity::read(value)?))).collect()
}

/// What is not a quantity, of a pod and of all its containers.
fn unread(pod: &Value) -> Vec<UnreadQuantity> {
    let of_list = |list: &'static str| {
        let place = move |index| format!("spec.template.spec.{list}[{index}].resources");
        containers(pod, list).enumerate().map(move |(index, container)| (place(index), container))
    };
    let all = of_list("initContainers").chain(of_list("containers"));
    let all = all.chain([("spec.template.spec.resources".to_string(), pod)]);
    let listed = all.flat_map(|(place, holder)| {
        ["requests", "limits"].map(|list| (format!("{place}.{list}"), holder["resources"][list].as_object()))
    });
    let values = listed.flat_map(|(place, list)| {
        list.into_iter()
            .flatten()
            .map(move |(resource, value)| (format!("{place}.{resource}"), resource, value))
    });
    values
        .filter(|(_, _, value)| !value.is_null() && Quantity::read(value).is_none())
        .map(|(field, resource, value)| UnreadQuantity {
            resource: resource.clone(),
            field,
            text: value.as_str().map_or_else(|| value.to_string(), ToString::to_string),
        })
        .collect()
}

/// What a container requests: a limit without a request is one, too.
fn requested(container: &Value) -> Resources {
    let mut resources = listed(&container["resources"], "limits");
    resources.extend(listed(&container["resources"], "requests"));
    resources
}

fn add(to: &mut Resources, more: &Resources) {
    for (name, quantity) in more {
        let sum = to.entry(name.clone()).or_default();
        *sum = sum.plus(*quantity);
    }
}

fn raise(to: &mut Resources, least: &Resources) {
    for (name, quantity) in least {
        let most = to.entry(name.clone()).or_default();
        *most = (*most).max(*quantity);
    }
}

fn containers<'p>(pod: &'p Value, list: &str) -> impl Iterator<Item = &'p Value> + use<'p> {
    pod[list].as_array().into_iter().flatten()
}

/// What a pod has in all, given what one container has: the greater of what its containers and sidecars have together, and of
/// what each init container has together with the sidecars that were started before it. A sidecar is an init container with
/// `restartPolicy: Always`. The overhead of the runtime class is not counted here.
fn in_all(pod: &Value, of_container: fn(&Value) -> Resources) -> Resources {
    let mut running = Resources::new();
    containers(pod, "containers").for_each(|container| add(&mut running, &of_container(container)));
    let (mut sidecars, mut starting) = (Resources::new(), Resources::new());
    for container in containers(pod, "initContainers") {
        let own = of_container(container);
        if container["restartPolicy"] == "Always" {
            add(&mut running, &own);
            add(&mut sidecars, &own);
            raise(&mut starting, &sidecars);
        } else {
            let mut with_sidecars = own;
            add(&mut with_sidecars, &sidecars);
            raise(&mut starting, &with_sidecars);
        }
    }
    raise(&mut running, &starting);
    running
}

/// What the pod requests of a node, but for its overhead. What the pod says of itself (`spec.resources`) outranks its
/// containers.
fn requests(pod: &Value) -> Resources {
    let mut requests = in_all(pod, requested);
    for (name, limit) in listed(&pod["resources"], "limits") {
        requests.entry(name).or_insert(limit);
    }
    requests.extend(listed(&pod["resources"], "requests"));
    requests
}

/// Resources of which requests and limits are always the same: extended ones, such as `nvidia.com/gpu`, and huge pages.
fn is_limited(name: &str) -> bool {
    name.starts_with("hugepages-") || name.contains('/') && !name.starts_with("kubernetes.io/")
}

/// The limits of one container that takes the place of the pod.
fn limits(pod: &Value, requests: &Resources) -> Resources {
    let all = || containers(pod, "containers").chain(containers(pod, "initContainers"));
    let mut limits = in_all(pod, |container| listed(&container["resources"], "limits"));
    limits.retain(|name, _| all().all(|container| !container["resources"]["limits"][name].is_null()));
    limits.extend(listed(&pod["resources"], "limits"));
    for (name, limit) in &mut limits {
        *limit = (*limit).max(requests.get(name).copied().unwrap_or_default());
    }
    limits.extend(requests.iter().filter(|(name, _)| is_limited(name)).map(|(name, q)| (name.clone(), *q)));
    limits
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    /// The resources in the form of a container.
    fn resources(pod: &Value) -> Value {
        let PodResources { requests, limits } = PodResources::of_pod(pod);
        let mut lists = Map::new();
        for (list, values) in [("requests", requests), ("limits", limits)] {
            let values: Map<String, Value> =
                values.into_iter().map(|(name, quantity)| (name, json!(quantity.to_string()))).collect();
            if !values.is_empty() {
                lists.insert(list.to_string(), values.into());
            }
        }
        lists.into()
    }

    fn cpu(requests: &str) -> Value {
        json!({"resources": {"requests": {"cpu": requests}}})
    }

    fn sidecar(requests: &str) -> Value {
        let mut container = cpu(requests);
        container["restartPolicy"] = json!("Always");
        container
    }

    fn requested_cpu(pod: Value) -> String {
        resources(&pod)["requests"]["cpu"].as_str().unwrap_or("none").to_string()
    }

    #[test]
    fn containers_add_up() {
        assert_eq!(requested_cpu(json!({"containers": [cpu("1"), cpu("250m"), {}]})), "1250m");
        assert_eq!(resources(&json!({"containers": [{}]})), json!({}));
    }

    /// The cases of the documentation of Kubernetes, "Resource sharing within containers": the highest request of an init
    /// container counts if it is more than the containers have together, as init containers run one after the other.
    #[test]
    fn init_containers_run_one_after_the_other() {
        let pod =
            |init: Value| requested_cpu(json!({"containers": [cpu("1"), cpu("1")], "initContainers": init}));
        assert_eq!(pod(json!([cpu("1"), cpu("1500m")])), "2");
        assert_eq!(pod(json!([cpu("1"), cpu("3")])), "3");
    }

    /// The example of KEP-753, which defines sidecars: an init container runs together with the sidecars before it, the
    /// containers together with all of them.
    #[test]
    fn sidecars_run_beside_what_comes_after_them() {
        let pod = |init: Value, main: &str| {
            requested_cpu(json!({"containers": [cpu(main)], "initContainers": init}))
        };
        assert_eq!(pod(json!([sidecar("1")]), "2"), "3", "together with the container");
        assert_eq!(
            pod(json!([sidecar("1"), cpu("5")]), "2"),
            "6",
            "together with the init container after it"
        );
        assert_eq!(pod(json!([cpu("5"), sidecar("1")]), "2"), "5", "not together with the one before it");
        assert_eq!(pod(json!([cpu("5"), sidecar("1"), cpu("10"), sidecar("1")]), "1"), "11");
        assert_eq!(pod(json!([cpu("5"), sidecar("4"), cpu("1"), sidecar("3")]), "2"), "9");
    }

    #[test]
    fn resources_are_counted_apart() {
        let container =
            |cpu: &str, memory: &str| json!({"resources": {"requests": {"cpu": cpu, "memory": memory}}});
        let pod = json!({"containers": [container("1", "1Gi")], "initContainers": [container("2", "512Mi")]});
        assert_eq!(resources(&pod), json!({"requests": {"cpu": "2", "memory": "1073741824"}}));
    }

    #[test]
    fn a_limit_without_a_request_is_a_request() {
        let limits = |value: Value| json!({"resources": {"limits": value}});
        let pod = json!({"containers": [limits(json!({"cpu": "2"})), cpu("1")]});
        assert_eq!(resources(&pod), json!({"requests": {"cpu": "3"}}), "and no limit, as not all have one");
        let both =
            json!({"containers": [{"resources": {"limits": {"cpu": "2"}, "requests": {"cpu": "500m"}}}]});
        assert_eq!(resources(&both), json!({"requests": {"cpu": "500m"}, "limits": {"cpu": "2"}}));
    }

    #[test]
    fn extended_resources_and_huge_pages_have_equal_limits() {
        let pod = json!({"containers": [
            {"resources": {"limits": {"nvidia.com/gpu": 1}}},
            {"resources": {"limits": {"nvidia.com/gpu": "2"}, "requests": {"cpu": "1", "hugepages-2Mi": "4Mi"}}},
        ]});
        let found = resources(&pod);
        assert_eq!(found["requests"], json!({"cpu": "1", "hugepages-2Mi": "4194304", "nvidia.com/gpu": "3"}));
        assert_eq!(found["limits"], json!({"hugepages-2Mi": "4194304", "nvidia.com/gpu": "3"}));
    }

    #[test]
    fn what_the_pod_says_of_itself_outranks_its_containers() {
        let pod = json!({"resources": {"requests": {"cpu": "4"}, "limits": {"memory": "2Gi"}}, "containers": [cpu("1"), cpu("1")]});
        assert_eq!(
            resources(&pod),
            json!({"requests": {"cpu": "4", "memory": "2147483648"}, "limits": {"memory": "2147483648"}})
        );
    }

    #[test]
    fn what_is_no_quantity_is_left_out() {
        assert_eq!(
            resources(&json!({"containers": [cpu("many"), cpu("1")], "initContainers": 7})),
            json!({"requests": {"cpu": "1"}})
        );
        assert_eq!(resources(&json!({})), json!({}));
    }

    #[test]
    fn what_is_no_quantity_is_named_with_its_place() {
        let pod = json!({
            "resources": {"limits": {"memory": true}},
            "containers": [cpu("1"), {"resources": {"requests": {"cpu": "lots", "memory": null}, "limits": {"cpu": "2 "}}}],
            "initContainers": [cpu("-1"), {"resources": 7}],
        });
        let found = JobRequests::of_template(&json!({"spec": {"template": {"spec": pod}}})).unread;
        let found: Vec<_> = found.iter().map(|it| (&*it.resource, &*it.field, &*it.text)).collect();
        assert_eq!(
            found,
            [
                ("cpu", "spec.template.spec.initContainers[0].resources.requests.cpu", "-1"),
                ("cpu", "spec.template.spec.containers[1].resources.requests.cpu", "lots"),
                ("cpu", "spec.template.spec.containers[1].resources.limits.cpu", "2 "),
                ("memory", "spec.template.spec.resources.limits.memory", "true"),
            ]
        );
    }

    #[test]
    fn all_pods_that_run_at_once_count() {
        let millicores = |job: Value| {
            let mut template = json!({"spec": {"template": {"spec": {"containers": [cpu("250m")]}}}});
            for (key, value) in job.as_object().unwrap() {
                template["spec"][key] = value.clone();
            }
            JobRequests::of_template(&template).cpu.unwrap().thousandths()
        };
        assert_eq!(millicores(json!({})), 250);
        assert_eq!(millicores(json!({"parallelism": 4})), 1000);
        assert_eq!(millicores(json!({"parallelism": 4, "completions": 2})), 500);
        assert_eq!(millicores(json!({"parallelism": 0})), 0);
        assert_eq!(millicores(json!({"parallelism": -4})), 0);
        assert_eq!(millicores(json!({"parallelism": i64::MAX})), 250 * u64::from(u32::MAX));
    }
}
