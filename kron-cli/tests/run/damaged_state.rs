//! A state file that is damaged, or that other users can replace.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use super::place::{Place, jobs, until};

#[test]
fn a_damaged_state_file_is_refused_and_can_be_replaced() {
    let place = Place::new("damaged", "@yearly name=a command=true\n");
    let mut runner = place.start("log", &["--new-state"]);
    runner.line("kron run: ready");
    let output = place.output(&["suspend", "a"]);
    assert!(output.status.success(), "{output:?}");
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    let mut bytes = std::fs::read(place.path("kron.db")).unwrap();
    bytes[2 * 4096..][..900].fill(0xa5);
    std::fs::write(place.path("kron.db"), &bytes).unwrap();
    let output = place.output(&["run", "jobs.kron"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.starts_with("error: the state file is damaged: "), "{text}");
    assert!(text.contains("\n--> kron.db\n"), "{text}");
    assert!(
        text.contains("run the same command with `--new-state`: it keeps the damaged files aside"),
        "{text}"
    );
    assert_eq!(std::fs::read(place.path("kron.db")).unwrap(), bytes);
    // As the error says.
    let mut runner = place.start("second", &["--new-state"]);
    runner.line("kron run: ready");
    let kept = runner.line("the damaged state file is kept as ");
    let (_, kept) = kept.split_once("kept as ").unwrap();
    let (kept, rest) = kept.split_once(';').unwrap();
    assert_eq!(rest, " a new state begins");
    assert_eq!(std::fs::read(kept).unwrap(), bytes);
    let job = until("the job", || place.json(&["status"]).pop());
    assert_ne!(job["suspended"], true, "{job:?}");
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    // One that is sound stays.
    let mut runner = place.start("third", &["--new-state"]);
    runner.line("kron run: ready");
    assert!(!runner.text().contains("damaged"), "{}", runner.text());
    runner.kill();
}

/// Another program writes over the files of a runner.
#[test]
fn a_state_file_that_is_overwritten_is_noticed() {
    let place = Place::new("overwritten", &jobs("", "command=true"));
    let mut runner = place.start("log", &["--listen", "127.0.0.1:0"]);
    runner.line(": exit code 0, after ");
    let overwrite = |file| {
        let length = std::fs::metadata(place.path(file)).unwrap().len();
        let mut open = std::fs::File::options().write(true).open(place.path(file)).unwrap();
        std::io::Write::write_all(&mut open, &vec![0xa5; usize::try_from(length).unwrap()]).unwrap();
    };
    let damaged = "kron.db: the state file is damaged: ";
    // Between two of the files, the runner can write its own pages again.
    until("a damaged state", || {
        ["kron.db", "kron.db-wal", "kron.db-shm"].into_iter().for_each(&overwrite);
        runner.text().contains(damaged).then_some(())
    });
    let said = runner.line(damaged);
    assert!(said.ends_with("; nothing is started until it can be written"), "{said}");
    for path in ["/livez", "/readyz"] {
        let answer = runner.get(path);
        assert!(answer.starts_with("HTTP/1.1 503") && answer.contains(damaged), "{answer}");
    }
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(1), "{}", runner.text());
}

/// Root's runner refuses a folder that other users can write. That of another user says it in its log.
#[test]
fn a_folder_that_others_can_write_is_noticed() {
    let place = Place::new("open-folder", "@yearly name=a command=true\n");
    let mode = |mode: u32| std::fs::set_permissions(&place.0, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o777);
    let what = "other users can write the folder of the state file (mode 0777)";
    let help = format!("run `chmod go-w {}`", place.0.canonicalize().unwrap().display());
    let root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    if root {
        let output = place.output(&["run", "jobs.kron"]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(what) && text.contains(&help), "{output:?}");
        assert!(!place.path("kron.db").exists() && !place.path("kron.db.lock").exists());
        mode(0o755);
    }
    let runner = place.start("log", &[]);
    runner.line("kron run: ready");
    let text = runner.text();
    assert_eq!(text.contains(what) && text.contains(&help), !root, "{text}");
    mode(0o755);
}
