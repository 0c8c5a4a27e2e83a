//! An operator of a list of namespaces.

use std::time::Duration;

use kron_api_model::{Match, Server, Verb};
use kron_operator::namespaces::Namespaces;
use serde_json::{Value, json};

use crate::deploy::rules;
use crate::e2e::cluster::{Cluster, Replica, SOON, on_model};

/// The namespaces of these tests: one for the operator and its Lease, three with KronJobs.
struct Rooms {
    a: Cluster,
    b: Cluster,
    c: Cluster,
}

impl Rooms {
    fn of(cluster: &Cluster) -> Rooms {
        let named = |suffix: &str| cluster.in_namespace(format!("{}-{suffix}", cluster.namespace));
        Rooms { a: named("a"), b: named("b"), c: named("c") }
    }

    fn list(&self, rooms: &[&Cluster]) -> Namespaces {
        let names: Vec<&str> = rooms.iter().map(|room| room.namespace.as_str()).collect();
        names.join(",").parse().unwrap()
    }
}

/// Gives the operator its Lease, and its work in these namespaces, as RoleBindings to a ClusterRole do.
fn allow(server: &Server, own: &Cluster, rooms: &[&Cluster]) {
    server.allow_in("a", &own.namespace, rules("Role"));
    for room in rooms {
        server.allow_in("a", &room.namespace, rules("ClusterRole"));
    }
    server.allow("test", vec![json!({"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]})]);
}

/// The requests of the operator that the server refused.
fn refused(server: &Server) -> Vec<String> {
    let log = server.requests(&Match::any().caller("a"));
    let refused = log.iter().filter(|record| matches!(record.code, Some(401 | 403)));
    refused.map(ToString::to_string).collect()
}

async fn ready(cluster: &Cluster, replica: &Replica) {
    cluster.until(SOON, "it is ready", async || replica.operator.health().ready().then_some(())).await;
}

fn often() -> Value {
    json!({"policy": {"concurrency": "allow"}})
}

#[test]
fn nothing_is_asked_for_outside_of_the_list() {
    on_model(async |cluster, server| {
        let rooms = Rooms::of(cluster);
        for room in [&rooms.a, &rooms.b, &rooms.c] {
            server.create_namespace(&room.namespace).unwrap();
        }
        allow(server, cluster, &[&rooms.a, &rooms.b]);
        let replica = cluster.replica_for("a", rooms.list(&[&rooms.a, &rooms.b]));
        ready(cluster, &replica).await;
        let theirs = rooms.c.create("db", often()).await;
        // The same name in both: they have nothing in common.
        let (in_a, in_b) = (rooms.a.create("db", often()).await, rooms.b.create("db", often()).await);
        for (room, kronjob) in [(&rooms.a, &in_a), (&rooms.b, &in_b)] {
            room.job_of(kronjob, kronjob.start(cluster.now() + 1)).await;
        }
        cluster.reach(cluster.now() + 600).await;
        assert!(rooms.c.jobs(&theirs).await.is_empty());
        assert!(rooms.c.get("db").await.value["status"].is_null());
        assert_eq!(refused(server), [""; 0]);
        let served = [&rooms.a.namespace, &rooms.b.namespace];
        for record in server.requests(&Match::any().caller("a")) {
            let call = &record.call;
            let lease = call.resource == "leases" && call.namespace == cluster.namespace;
            // Which version the server has.
            let version = call.resource.is_empty();
            assert!(lease || version || served.contains(&&call.namespace), "{record}");
        }
    });
}

#[test]
fn a_namespace_that_is_missing_or_forbidden_holds_up_no_other() {
    on_model(async |cluster, server| {
        let rooms = Rooms::of(cluster);
        for room in [&rooms.a, &rooms.b] {
            server.create_namespace(&room.namespace).unwrap();
        }
        // B may not be read yet, and C is not there.
        allow(server, cluster, &[&rooms.a]);
        let waiting = rooms.b.create("db", often()).await;
        let replica = cluster.replica_for("a", rooms.list(&[&rooms.b, &rooms.a, &rooms.c]));
        ready(cluster, &replica).await;
        let ours = rooms.a.create("db", often()).await;
        for start in ours.starts(cluster.now() + 1, 3) {
            rooms.a.job_of(&ours, start).await;
        }
        assert!(rooms.b.jobs(&waiting).await.is_empty());
        // Then they are there, and are served within half a minute.
        server.create_namespace(&rooms.c.namespace).unwrap();
        allow(server, cluster, &[&rooms.b, &rooms.c]);
        let late = rooms.c.create("db", often()).await;
        let from = cluster.now() + 35;
        for (room, kronjob) in [(&rooms.b, &waiting), (&rooms.c, &late), (&rooms.a, &ours)] {
            room.job_of(kronjob, kronjob.start(from)).await;
        }
        assert!(replica.operator.health().ready());
    });
}

#[test]
fn kronjobs_wait_until_the_jobs_of_their_namespace_are_read() {
    on_model(async |cluster, server| {
        let rooms = Rooms::of(cluster);
        for room in [&rooms.a, &rooms.b] {
            server.create_namespace(&room.namespace).unwrap();
        }
        allow(server, cluster, &[&rooms.a]);
        let read: Vec<Value> =
            rules("ClusterRole").into_iter().filter(|rule| rule["resources"][0] != "jobs").collect();
        server.allow_in("a", &rooms.b.namespace, read);
        let (in_a, in_b) = (rooms.a.create("db", often()).await, rooms.b.create("db", often()).await);
        let replica = cluster.replica_for("a", rooms.list(&[&rooms.a, &rooms.b]));
        ready(cluster, &replica).await;
        rooms.a.job_of(&in_a, in_a.start(cluster.now() + 1)).await;
        cluster.reach(cluster.now() + 120).await;
        assert!(rooms.b.get("db").await.value["status"].is_null(), "nothing is planned on half the objects");
        let writes = Match::any().caller("a").verb(Verb::Create).resource("jobs");
        let foreign = server.requests(&writes).iter().any(|it| it.call.namespace == rooms.b.namespace);
        assert!(!foreign);
        allow(server, cluster, &[&rooms.b]);
        rooms.b.job_of(&in_b, in_b.start(cluster.now() + 35)).await;
    });
}

#[test]
fn a_namespace_that_is_deleted_holds_up_no_other() {
    on_model(async |cluster, server| {
        let rooms = Rooms::of(cluster);
        for room in [&rooms.a, &rooms.b] {
            server.create_namespace(&room.namespace).unwrap();
        }
        let replica = cluster.replica_for("a", rooms.list(&[&rooms.a, &rooms.b]));
        ready(cluster, &replica).await;
        let ours = rooms.a.create("db", often()).await;
        rooms.b.create("db", often()).await;
        rooms.b.observed("db").await;
        let namespaces = cluster.api("v1", "Namespace", "namespaces", None);
        namespaces.delete(&rooms.b.namespace, &kube::api::DeleteParams::default()).await.unwrap();
        let gone = async || rooms.b.kronjobs().get_opt("db").await.unwrap().is_none().then_some(());
        cluster.until(Duration::from_secs(60), "its KronJob is gone", gone).await;
        for start in ours.starts(cluster.now() + 1, 2) {
            rooms.a.job_of(&ours, start).await;
        }
        assert!(replica.operator.health().ready());
    });
}
