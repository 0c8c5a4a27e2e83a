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

#[test]
fn a_bad_directory_is_an_error_at_the_start() {
    let dir = Dir::new("bad");
    dir.write("damaged/Europe/Paris", "TZif, but no more");
    let damaged = dir.0.join("damaged");
    // There is no cluster: the database is read before anything else.
    let kubeconfig = dir.write("kubeconfig", "{}");
    let run = ["run", "--listen", "127.0.0.1:0", "--kubeconfig", kubeconfig.to_str().unwrap()];
    let missing = kron_operator(&[&run[..], &["--tzdb", "/does/not/exist"]].concat(), &[]);
    let text = String::from_utf8_lossy(&missing.stderr);
    assert_eq!(missing.status.code(), Some(1), "{text}");
    assert!(text.starts_with("kron-operator: --tzdb: /does/not/exist: "), "{text}");
    assert!(text.ends_with("; name a directory of TZif files, such as `/usr/share/zoneinfo`\n"), "{text}");

    let bad = kron_operator(&run, &[("KRON_TZDB", &damaged)]);
    let text = String::from_utf8_lossy(&bad.stderr);
    assert_eq!(bad.status.code(), Some(1), "{text}");
    let start = format!("kron-operator: KRON_TZDB: {}: tzdb.Europe/Paris: ", damaged.display());
    assert!(text.starts_with(&start), "{text}");
}
