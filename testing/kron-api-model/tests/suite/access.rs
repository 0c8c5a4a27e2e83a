//! Access rules.

use kube::api::{Api, ListParams, PostParams};
use serde_json::json;

use crate::world::{job, jobs, kronjob, kronjobs, refusal, with_kronjobs};

#[tokio::test(start_paused = true)]
async fn what_no_rule_allows_is_refused() {
    let server = with_kronjobs();
    let client = server.client("system:serviceaccount:kron:operator");
    kronjobs(&server.client("admin")).create(&PostParams::default(), &kronjob("k")).await.unwrap();
    server.allow(
        "system:serviceaccount:kron:operator",
        vec![
            json!({"apiGroups": ["kron.io"], "resources": ["kronjobs"], "verbs": ["get", "list"]}),
            json!({"apiGroups": ["kron.io"], "resources": ["kronjobs/status"], "verbs": ["update"]}),
            json!({"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["get"], "resourceNames": ["a"]}),
        ],
    );
    let api = kronjobs(&client);
    let mut object = api.get("k").await.unwrap();
    object.data["status"] = json!({"lastOutcome": "executed"});
    api.replace_status("k", &PostParams::default(), &object).await.unwrap();
    let (code, reason, message) = refusal(api.replace("k", &PostParams::default(), &object).await);
    assert_eq!((code, reason.as_str()), (403, "Forbidden"));
    assert_eq!(
        message,
        "kronjobs.kron.io \"k\" is forbidden: User \"system:serviceaccount:kron:operator\" cannot update resource \
         \"kronjobs\" in API group \"kron.io\" in the namespace \"default\""
    );
    let all: Api<k8s_openapi::api::batch::v1::Job> = Api::all(client.clone());
    assert_eq!(
        refusal(all.list(&ListParams::default()).await).2,
        "jobs.batch is forbidden: User \"system:serviceaccount:kron:operator\" cannot list resource \"jobs\" in API \
         group \"batch\" at the cluster scope"
    );
    let jobs = jobs(&client);
    assert_eq!(refusal(jobs.get("a").await).0, 404, "allowed, but not there");
    assert_eq!(refusal(jobs.get("b").await).0, 403);
    assert_eq!(refusal(jobs.create(&PostParams::default(), &job("a")).await).0, 403);
}

#[tokio::test(start_paused = true)]
async fn roles_hold_in_their_namespace() {
    let server = with_kronjobs();
    server.create_namespace("team").unwrap();
    let client = server.client("operator");
    let rules = vec![json!({"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["*"]})];
    server.allow_in("operator", "team", rules);
    let api = |namespace: &str| -> Api<k8s_openapi::api::batch::v1::Job> {
        Api::namespaced(client.clone(), namespace)
    };
    api("team").create(&PostParams::default(), &job("a")).await.unwrap();
    assert_eq!(refusal(api("default").list(&ListParams::default()).await).0, 403);
}
