//! Selectors, pages, versions.

use http::Request;
use kube::api::{ListParams, ObjectMeta, PostParams, VersionMatch};
use serde_json::{Value, json};

use crate::world::{job, jobs, kronjob, kronjobs, refusal, server, with_kronjobs};

fn names<K: kube::ResourceExt>(items: &[K]) -> Vec<String> {
    items.iter().map(|item| item.name_any()).collect()
}

#[tokio::test(start_paused = true)]
async fn selectors_choose() {
    let server = server();
    let jobs = jobs(&server.client("test"));
    for (name, owner) in [("a", "x"), ("b", "y"), ("c", "x")] {
        let mut object = job(name);
        object.metadata = ObjectMeta {
            labels: Some([("kron.io/name".to_owned(), owner.to_owned())].into()),
            ..object.metadata
        };
        jobs.create(&PostParams::default(), &object).await.unwrap();
    }
    let by_label = ListParams::default().labels("kron.io/name=x");
    // Twice, as the second question is answered from an index; and once more after changes to what is indexed.
    for _ in 0..2 {
        assert_eq!(names(&jobs.list(&by_label).await.unwrap().items), ["a", "c"]);
    }
    server.edit("batch/v1", "jobs", "default", "a", |job| {
        job["metadata"]["labels"] = json!({"kron.io/name": "y"})
    });
    server.delete("batch/v1", "jobs", "default", "c");
    jobs.create(&PostParams::default(), &{
        let mut object = job("d");
        object.metadata.labels = Some([("kron.io/name".to_owned(), "x".to_owned())].into());
        object
    })
    .await
    .unwrap();
    assert_eq!(names(&jobs.list(&by_label).await.unwrap().items), ["d"]);
    let both = ListParams::default().labels("kron.io/name in (x, y),kron.io/name!=x");
    assert_eq!(names(&jobs.list(&both).await.unwrap().items), ["a", "b"]);
    let by_field = ListParams::default().fields("metadata.name=b");
    assert_eq!(names(&jobs.list(&by_field).await.unwrap().items), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn pages_are_one_snapshot() {
    let server = server();
    let jobs = jobs(&server.client("test"));
    for name in ["a", "b", "c", "d", "e"] {
        jobs.create(&PostParams::default(), &job(name)).await.unwrap();
    }
    let mut params = ListParams::default().limit(2);
    let first = jobs.list(&params).await.unwrap();
    assert_eq!(first.metadata.remaining_item_count, Some(3));
    server.delete("batch/v1", "jobs", "default", "c");
    server.edit("batch/v1", "jobs", "default", "d", |job| job["metadata"]["labels"] = json!({"new": "yes"}));
    server.create(crate::world::job_value("bb")).unwrap();
    params.continue_token = first.metadata.continue_.clone();
    let second = jobs.list(&params).await.unwrap();
    assert_eq!(names(&second.items), ["c", "d"]);
    assert_eq!(second.items[1].metadata.labels, None);
    assert_eq!(second.metadata.resource_version, first.metadata.resource_version);
    params.continue_token = second.metadata.continue_.clone();
    let third = jobs.list(&params).await.unwrap();
    assert_eq!(names(&third.items), ["e"]);
    assert_eq!(third.metadata.continue_.unwrap_or_default(), "");

    params.continue_token = first.metadata.continue_;
    server.compact();
    let request = Request::get("/apis/batch/v1/namespaces/default/jobs?limit=2&continue=3%2Fdefault%2Fb");
    let error = server.client("test").request::<Value>(request.body(Vec::new()).unwrap()).await;
    let (code, reason, message) = refusal(error);
    assert_eq!((code, reason.as_str()), (410, "Expired"));
    assert!(message.starts_with("The provided continue parameter is too old"), "{message}");
    assert_eq!(refusal(jobs.list(&params).await).0, 410);
}

#[tokio::test(start_paused = true)]
async fn versions_exact_old_and_future() {
    let server = server();
    let jobs = jobs(&server.client("test"));
    jobs.create(&PostParams::default(), &job("a")).await.unwrap();
    let then = server.version();
    server.delete("batch/v1", "jobs", "default", "a");
    jobs.create(&PostParams::default(), &job("b")).await.unwrap();
    let exact = ListParams::default().matching(VersionMatch::Exact).at(&then.to_string());
    let old = jobs.list(&exact).await.unwrap();
    assert_eq!(names(&old.items), ["a"]);
    assert_eq!(old.metadata.resource_version, Some(then.to_string()));
    let newer = ListParams::default().matching(VersionMatch::NotOlderThan).at(&then.to_string());
    assert_eq!(names(&jobs.list(&newer).await.unwrap().items), ["b"]);
    server.compact();
    let (code, reason, message) = refusal(jobs.list(&exact).await);
    assert_eq!(
        (code, reason.as_str(), message.as_str()),
        (410, "Expired", "The resourceVersion for the provided list is too old.")
    );
    let future = ListParams::default().matching(VersionMatch::NotOlderThan).at("1000");
    let (code, reason, message) = refusal(jobs.list(&future).await);
    let current = server.version();
    assert_eq!(
        (code, reason, message),
        (504, "Timeout".into(), format!("Timeout: Too large resource version: 1000, current: {current}"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_cache_may_be_old_where_that_is_allowed() {
    let server = server();
    let jobs = jobs(&server.client("stale"));
    jobs.create(&PostParams::default(), &job("a")).await.unwrap();
    server.freeze_reads("stale");
    let frozen = server.version();
    jobs.create(&PostParams::default(), &job("b")).await.unwrap();
    let any = ListParams::default().match_any();
    let list = jobs.list(&any).await.unwrap();
    assert_eq!(names(&list.items), ["a"]);
    assert_eq!(list.metadata.resource_version, Some(frozen.to_string()));
    assert_eq!(names(&jobs.list(&ListParams::default()).await.unwrap().items), ["a", "b"]);
    let fresh = ListParams::default().matching(VersionMatch::NotOlderThan).at(&server.version().to_string());
    assert_eq!(refusal(jobs.list(&fresh).await).0, 504);
    let others = crate::world::jobs(&server.client("other"));
    assert_eq!(names(&others.list(&any).await.unwrap().items), ["a", "b"]);
    server.thaw_reads("stale");
    assert_eq!(names(&jobs.list(&any).await.unwrap().items), ["a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn items_have_the_form_of_servers() {
    let server = with_kronjobs();
    let client = server.client("test");
    jobs(&client).create(&PostParams::default(), &job("a")).await.unwrap();
    kronjobs(&client).create(&PostParams::default(), &kronjob("k")).await.unwrap();
    let get = |uri: &str, accept: &str| Request::get(uri).header("accept", accept).body(Vec::new()).unwrap();
    let jobs_uri = "/apis/batch/v1/namespaces/default/jobs";
    let list: Value = client.request(get(jobs_uri, "application/json")).await.unwrap();
    assert_eq!((&list["kind"], &list["apiVersion"]), (&json!("JobList"), &json!("batch/v1")));
    assert_eq!(list["items"][0].get("kind"), None, "elements of built-in lists have no type");
    assert_eq!(list["items"][0]["spec"]["parallelism"], 1);
    let list: Value = client.request(get("/apis/kron.io/v1alpha1/kronjobs", "*/*")).await.unwrap();
    assert_eq!(list["items"][0]["kind"], "KronJob");
    let accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    let list: Value = client.request(get(jobs_uri, accept)).await.unwrap();
    assert_eq!(list["kind"], "PartialObjectMetadataList");
    assert_eq!(list["items"][0]["kind"], "PartialObjectMetadata");
    assert_eq!(list["items"][0]["metadata"]["name"], "a");
    assert_eq!(list["items"][0].get("spec"), None);
    assert_eq!(refusal(client.request::<Value>(get(jobs_uri, "application/yaml")).await).0, 406);
}

#[tokio::test(start_paused = true)]
async fn many_objects() {
    let server = with_kronjobs();
    for index in 0..3_000 {
        server.create(serde_json::to_value(kronjob(&format!("k-{index:05}"))).unwrap()).unwrap();
    }
    let api = kronjobs(&server.client("test"));
    let mut params = ListParams::default().limit(500);
    let mut found = Vec::new();
    loop {
        let page = api.list(&params).await.unwrap();
        found.extend(names(&page.items));
        match page.metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => params.continue_token = Some(token),
            None => break,
        }
    }
    assert_eq!(found, (0..3_000).map(|index| format!("k-{index:05}")).collect::<Vec<_>>());
}
