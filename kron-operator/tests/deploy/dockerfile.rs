//! The Dockerfile, by its lines: what the image holds and who runs in it.

use super::read;

/// The instructions, each on one line.
fn instructions() -> Vec<(String, String)> {
    let text = read("Dockerfile");
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    lines
        .join("\n")
        .replace("\\\n", " ")
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let (name, rest) = line.trim().split_once(' ').unwrap_or_else(|| panic!("{line}"));
            (name.to_string(), rest.trim().to_string())
        })
        .collect()
}

fn stages() -> Vec<Vec<(String, String)>> {
    let mut stages: Vec<Vec<(String, String)>> = Vec::new();
    for instruction in instructions() {
        if instruction.0 == "FROM" {
            stages.push(Vec::new());
        }
        stages.last_mut().expect("the first instruction is FROM").push(instruction);
    }
    stages
}

fn all<'a>(stage: &'a [(String, String)], name: &str) -> Vec<&'a str> {
    stage.iter().filter(|(found, _)| found == name).map(|(_, rest)| rest.as_str()).collect()
}

#[test]
fn the_image_holds_the_operator_and_licences() {
    let stages = stages();
    assert_eq!(stages.len(), 2);
    let last = &stages[1];
    assert_eq!(all(last, "FROM"), ["scratch"]);
    assert_eq!(
        all(last, "COPY"),
        [
            "--from=build /src/LICENSE /src/target/NOTICES /licenses/",
            "--from=build /src/target/release/kron-operator /kron-operator",
        ]
    );
    assert!(all(&stages[0], "RUN").iter().any(|run| run.ends_with("> target/NOTICES")));
    assert!(all(last, "RUN").is_empty() && all(last, "ADD").is_empty(), "there is no shell to run anything");
    assert_eq!(all(last, "ENTRYPOINT"), ["[\"/kron-operator\"]"]);
    let command: Vec<String> = serde_json::from_str(all(last, "CMD")[0]).unwrap();
    assert_eq!(command, ["run"]);
}

#[test]
fn it_runs_as_a_user_by_number_who_is_not_root() {
    let stages = stages();
    let [user] = all(&stages[1], "USER")[..] else { panic!("one USER") };
    // runAsNonRoot can be checked by number only.
    let (user, group) = user.split_once(':').unwrap();
    assert!(user.parse::<u32>().unwrap() > 0 && group.parse::<u32>().unwrap() > 0);
    let last = stages[1].iter().position(|(name, _)| name == "USER");
    assert!(last < stages[1].iter().position(|(name, _)| name == "ENTRYPOINT"));
}

#[test]
fn it_is_built_from_the_lock_file_and_links_nothing() {
    let build = &stages()[0];
    let (image, name) = all(build, "FROM")[0].split_once(" AS ").unwrap();
    assert_eq!(name, "build");
    // Rust's images on Alpine build for musl, statically.
    let (tag, digest) = image.split_once("@sha256:").expect("named by its digest");
    assert!(digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digest}");
    let version = tag.strip_prefix("docker.io/library/rust:").unwrap().strip_suffix("-alpine").unwrap();
    let number = |text: &str| -> Vec<u32> { text.split('.').map(|part| part.parse().unwrap()).collect() };
    assert!(number(version) >= number(env!("CARGO_PKG_RUST_VERSION")), "{version}");
    let cargo: Vec<&str> = all(build, "RUN").into_iter().filter(|run| run.starts_with("cargo ")).collect();
    let [install, cargo] = cargo[..] else { panic!("{cargo:?}") };
    assert!(install.starts_with("cargo install --locked cargo-auditable@"), "{install}");
    assert!(cargo.starts_with("cargo auditable build "), "{cargo}");
    for flag in ["--locked", "--release", "--package kron-operator"] {
        assert!(cargo.contains(flag), "{flag}");
    }
}

#[test]
fn versions_and_ports_agree() {
    let text = read("Dockerfile");
    let version = env!("CARGO_PKG_VERSION");
    assert!(text.contains(&format!("org.opencontainers.image.version=\"{version}\"")));
    assert!(text.contains(&format!("-t kron-operator:{version} .")));
    let service = super::parse(&read("deploy/base/service.yaml"));
    assert_eq!(all(&stages()[1], "EXPOSE"), [service["spec"]["ports"][0]["port"].to_string()]);
}

/// Every member of the workspace is in the context, or cargo refuses the workspace.
#[test]
fn the_context_has_every_member() {
    let workspace = read("../Cargo.toml");
    let members = workspace.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    let let_in: Vec<String> = read("Dockerfile.dockerignore")
        .lines()
        .filter_map(|line| line.strip_prefix('!').map(str::to_string))
        .collect();
    for member in members.split(',').map(|member| member.trim().trim_matches('"')) {
        let folder = member.split('/').next().unwrap();
        assert!(let_in.iter().any(|path| path == folder), "{folder}");
    }
    for file in ["Cargo.toml", "Cargo.lock", "LICENSE", "scripts/notices.py"] {
        assert!(let_in.iter().any(|path| path == file), "{file}");
    }
}
