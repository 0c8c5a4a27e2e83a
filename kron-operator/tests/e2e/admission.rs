//! What the API server refuses, what it fills in, and what only the operator can see. (The whole corpus of cases is run
//! against the schema in the tests of the resource; here are its rules, once each, as a user meets them.)

use kube::api::{ObjectMeta, PostParams};
use serde_json::{Value, json};

use super::cluster::{SOON, has_condition, object, on_cluster, refusal};
use super::manifest::{kronjob, template};

#[test]
fn defaults_are_filled_in() {
    on_cluster(async |cluster| {
        let kronjob = cluster.create("db", json!({})).await;
        let spec = &kronjob.value["spec"];
        assert_eq!(spec["timezone"], "UTC");
        assert_eq!(spec["window"], json!({"mode": "after", "duration": "0s"}));
        assert_eq!(spec["distribution"]["name"], "uniform");
        assert_eq!(spec["seed"]["strategy"], "stable");
        assert_eq!(spec["seed"]["salt"], "");
        assert_eq!(spec["policy"], json!({"concurrency": "forbid", "deadline": "0s", "suspend": false}));
        assert_eq!(
            (&spec["successfulJobsHistoryLimit"], &spec["failedJobsHistoryLimit"]),
            (&json!(3), &json!(1))
        );
        // Each field of a group that is there in part.
        let part = json!({"window": {"duration": "1h"}, "seed": {"salt": "x"}, "policy": {"deadline": "5m"}});
        let kronjob = cluster.create("part", part).await;
        let spec = &kronjob.value["spec"];
        assert_eq!(spec["window"]["mode"], "after");
        assert_eq!(spec["seed"]["strategy"], "stable");
        assert_eq!(
            (&spec["policy"]["concurrency"], &spec["policy"]["suspend"]),
            (&json!("forbid"), &json!(false))
        );
        assert_eq!(kronjob.value["apiVersion"], "kron.io/v1alpha1");
    });
}

#[test]
fn defaults_mean_what_their_absence_means() {
    on_cluster(async |cluster| {
        // The manifest of the user and the object that the server stores give the same decisions.
        let spec = json!({"schedule": "0 0 * * *", "window": {"duration": "3h"}});
        let written = kronjob("db", &cluster.namespace, &spec);
        let kept = cluster.create("db", spec).await;
        let written = super::manifest::Manifest { value: written };
        assert_eq!(written.starts(0, 5), kept.starts(0, 5));
    });
}

/// Every refusal names the field.
async fn assert_refused(cluster: &super::cluster::Cluster, spec: Value, words: &[&str]) {
    let answer = cluster.try_create("refused", spec.clone()).await;
    let (code, message) = match answer {
        Ok(_) => panic!("{spec} is accepted"),
        refused => refusal(refused.map(|manifest| manifest.value)),
    };
    assert!(matches!(code, 400 | 422), "{spec}: {code} {message}");
    for word in words {
        assert!(message.contains(word), "{spec}: {message:?} lacks {word:?}");
    }
}

#[test]
fn schedule_and_template_are_required() {
    on_cluster(async |cluster| {
        for field in ["schedule", "jobTemplate"] {
            let mut manifest = kronjob("db", &cluster.namespace, &json!({}));
            manifest["spec"].as_object_mut().unwrap().remove(field);
            let created = cluster.kronjobs().create(&PostParams::default(), &object(manifest)).await;
            let (code, message) = refusal(created);
            assert_eq!(code, 422);
            assert!(message.contains(&format!("spec.{field}: Required value")), "{message}");
        }
    });
}

#[test]
fn an_invalid_schedule_is_refused() {
    on_cluster(async |cluster| {
        for schedule in [
            "",
            "* * * *",
            "* * * * * *",
            "61 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * * 13 *",
            "* * * * 8",
            "*/0 * * * *",
            "5-1 * * * *",
            "@reboot",
            "@every 5m",
            "TZ=Europe/Paris 0 0 * * *",
            "0 0 * * * @win(after,1h)",
        ] {
            assert_refused(cluster, json!({"schedule": schedule}), &["spec.schedule"]).await;
        }
        for (index, schedule) in
            ["0 0 * * *", "*/5 9-17 * * MON-FRI", "@daily", "0 0 1,15 JAN-JUN *"].iter().enumerate()
        {
            cluster.create(&format!("good-{index}"), json!({"schedule": schedule})).await;
        }
    });
}

#[test]
fn an_invalid_time_zone_is_refused() {
    on_cluster(async |cluster| {
        for zone in ["Mars/Olympus", "Local", "+02:00", "", "europe/ paris"] {
            assert_refused(cluster, json!({"timezone": zone}), &["spec.timezone"]).await;
        }
        cluster.create("good", json!({"timezone": "America/Argentina/Buenos_Aires"})).await;
    });
}

#[test]
fn an_invalid_window_is_refused() {
    on_cluster(async |cluster| {
        for duration in ["-1s", "1", "1d", "soon", "9000h", "9999999999h", ""] {
            assert_refused(cluster, json!({"window": {"duration": duration}}), &["spec.window.duration"])
                .await;
        }
        assert_refused(cluster, json!({"window": {"mode": "before"}}), &["spec.window.mode"]).await;
        assert_refused(
            cluster,
            json!({"window": {"mode": "around", "duration": "99999999h"}}),
            &["spec.window"],
        )
        .await;
        for (index, window) in [
            json!({"mode": "around", "duration": "0s"}),
            json!({"duration": "1h30m"}),
            json!({"duration": "1500ms"}),
        ]
        .iter()
        .enumerate()
        {
            cluster
                .create(&format!("good-{index}"), json!({"schedule": "0 0 * * *", "window": window}))
                .await;
        }
    });
}

#[test]
fn an_invalid_distribution_is_refused() {
    on_cluster(async |cluster| {
        let named = |name: &str| json!({"distribution": {"name": name}});
        let with = |name: &str, key: &str, value: &str| json!({"distribution": {"name": name, "params": {key: value}}});
        assert_refused(cluster, named("gaussian"), &["spec.distribution.name"]).await;
        for spec in [
            with("uniform", "mu", "1"),
            with("normal", "sigma", "0"),
            with("normal", "sigma", "wide"),
            with("normal", "shape", "1"),
            with("exponential", "lambda", "-1"),
            with("skewEarly", "sigma", "1"),
        ] {
            assert_refused(cluster, spec, &["spec.distribution"]).await;
        }
        for name in ["uniform", "normal", "skewEarly", "skewLate", "exponential"] {
            cluster.create(&name.to_lowercase(), named(name)).await;
        }
    });
}

#[test]
fn an_invalid_seed_policy_or_limit_is_refused() {
    on_cluster(async |cluster| {
        assert_refused(cluster, json!({"seed": {"strategy": "monthly"}}), &["spec.seed.strategy"]).await;
        assert_refused(cluster, json!({"policy": {"concurrency": "queue"}}), &["spec.policy.concurrency"])
            .await;
        for deadline in ["-5s", "1w", "x"] {
            assert_refused(cluster, json!({"policy": {"deadline": deadline}}), &["spec.policy.deadline"])
                .await;
        }
        assert_refused(cluster, json!({"policy": {"suspend": "yes"}}), &["spec.policy.suspend"]).await;
        assert_refused(
            cluster,
            json!({"successfulJobsHistoryLimit": -1}),
            &["spec.successfulJobsHistoryLimit"],
        )
        .await;
        assert_refused(cluster, json!({"failedJobsHistoryLimit": -1}), &["spec.failedJobsHistoryLimit"])
            .await;
        assert_refused(cluster, json!({"algorithm": "md5/1"}), &["spec.algorithm"]).await;
    });
}

#[test]
fn invalid_constraints_are_refused() {
    on_cluster(async |cluster| {
        for clause in [
            json!({"hours": "25"}),
            json!({"dow": "FUNDAY"}),
            json!({"dom": "32"}),
            json!({"months": "13"}),
            json!({"between": "9-17"}),
            json!({"date": "2026-02-30"}),
            json!({"dates": "2026-07-14..2026-07-01"}),
            json!({}),
        ] {
            for list in ["only", "avoid"] {
                let spec = json!({"constraints": {list: [clause]}});
                assert_refused(cluster, spec, &[&format!("spec.constraints.{list}[0]")]).await;
            }
        }
    });
}

#[test]
fn an_invalid_template_is_refused() {
    on_cluster(async |cluster| {
        let with = |pointer: &str, field: &str, value: Value| {
            let mut template = template();
            template.pointer_mut(pointer).unwrap()[field] = value;
            json!({"jobTemplate": template})
        };
        let selector = json!({"matchLabels": {"a": "b"}});
        assert_refused(cluster, with("/spec", "selector", selector), &["spec.jobTemplate.spec"]).await;
        assert_refused(cluster, with("/spec", "manualSelector", json!(true)), &["spec.jobTemplate.spec"])
            .await;
        let pod = "/spec/template/spec";
        assert_refused(cluster, with(pod, "restartPolicy", json!("Always")), &["restartPolicy"]).await;
        assert_refused(cluster, with(pod, "containers", json!([])), &["containers"]).await;
        assert_refused(cluster, json!({"jobTemplate": {}}), &["spec.jobTemplate"]).await;
        for policy in ["Never", "OnFailure"] {
            cluster.create(&policy.to_lowercase(), with(pod, "restartPolicy", json!(policy))).await;
        }
        // Unknown fields are kept, for servers that know them.
        let kept = cluster.create("newer", with(pod, "fieldOfTheFuture", json!({"deep": [1, 2.5]}))).await;
        let found = kept.value.pointer("/spec/jobTemplate/spec/template/spec/fieldOfTheFuture");
        assert_eq!(found, Some(&json!({"deep": [1, 2.5]})));
    });
}

#[test]
fn windows_that_overlap_too_often_are_an_invalid_spec() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"window": {"duration": "100m"}})).await;
        let invalid = |status: &Value| {
            status["conditions"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|c| c["type"] == "InvalidSpec" && c["status"] == "True")
        };
        let status = cluster.status("db", SOON, "the condition", invalid).await;
        assert!(has_condition(&status, "Ready", "False", "InvalidSpec"), "{status}");
        let message = super::cluster::condition(&status, "InvalidSpec").unwrap()["message"].as_str().unwrap();
        assert!(message.contains("101") && message.contains("100"), "both numbers: {message}");
        let text = cluster.event(&kronjob, "InvalidSpec", &[]).await;
        assert!(text.contains("101"), "{text}");
        assert!(status["claim"].is_null() && status["nextPeriodID"].is_null(), "{status}");
        assert_eq!(status["observedGeneration"], 1);
        let start = cluster.now().div_euclid(60) * 60 + 60;
        cluster.reach(start + 3).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
        // An hour and a half is just short enough.
        cluster.edit("db", json!({"window": {"duration": "99m"}})).await;
        let valid = |status: &Value| has_condition(status, "InvalidSpec", "False", "Valid");
        let status = cluster.status("db", SOON, "it is valid", valid).await;
        assert!(status["claim"].is_object(), "{status}");
    });
}

#[test]
fn the_status_is_written_through_its_subresource_alone() {
    on_cluster(async |cluster| {
        let mut manifest = kronjob("db", &cluster.namespace, &json!({}));
        manifest["status"] = json!({"lastOutcome": "executed"});
        let mut created = cluster.kronjobs().create(&PostParams::default(), &object(manifest)).await.unwrap();
        assert!(created.data["status"].is_null(), "a status that is sent along is dropped");
        created.data["status"] = json!({"lastOutcome": "cancelled"});
        created.metadata = ObjectMeta { managed_fields: None, ..created.metadata };
        let (code, message) =
            refusal(cluster.kronjobs().replace_status("db", &PostParams::default(), &created).await);
        assert_eq!(code, 422, "{message}");
        assert!(message.contains("status.lastOutcome"), "{message}");
        for outcome in ["executed", "skipped", "missed", "unschedulable"] {
            let mut current = cluster.kronjobs().get("db").await.unwrap();
            current.data["status"] = json!({"lastOutcome": outcome});
            cluster.kronjobs().replace_status("db", &PostParams::default(), &current).await.unwrap();
        }
    });
}

/// What a column's path finds in an object: fields, `[*]`, and the one filter that is used.
fn at(value: &Value, path: &str) -> Vec<Value> {
    let mut found = vec![value.clone()];
    let path = path.replace("[?(@.type==\"Ready\")]", ".?Ready").replace("[*]", ".*");
    for step in path.split('.').filter(|step| !step.is_empty()) {
        found = found
            .into_iter()
            .flat_map(|value| match (step, &value) {
                ("*", Value::Array(items)) => items.clone(),
                ("?Ready", Value::Array(items)) => {
                    items.iter().filter(|item| item["type"] == "Ready").cloned().collect()
                }
                (_, value) => vec![value[step].clone()],
            })
            .filter(|value| !value.is_null())
            .collect();
    }
    found
}

#[test]
fn the_columns_show_what_people_ask_for() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.with_time_in_this_minute(10).await;
        let kronjob = cluster.create("db", json!({})).await;
        cluster.job_of(&kronjob, kronjob.start(cluster.now() + 3)).await;
        cluster.status("db", SOON, "the outcome", |status| status["lastOutcome"] == "executed").await;
        let definitions = cluster.api(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            "customresourcedefinitions",
            None,
        );
        let definition = definitions.get("kronjobs.kron.io").await.unwrap();
        let columns = definition.data.pointer("/spec/versions/0/additionalPrinterColumns").unwrap().clone();
        let columns = columns.as_array().unwrap();
        let names: Vec<&str> = columns.iter().map(|column| column["name"].as_str().unwrap()).collect();
        let wanted = [
            "Schedule",
            "Timezone",
            "Window",
            "Suspend",
            "Ready",
            "Active",
            "Last outcome",
            "Next start",
            "Age",
        ];
        assert_eq!(names[..9], wanted);
        let object = cluster.get("db").await.value;
        for column in &columns[..9] {
            let found = at(&object, column["jsonPath"].as_str().unwrap());
            assert_eq!(found.len(), 1, "{column} in {object}");
        }
    });
}
