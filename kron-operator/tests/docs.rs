//! The documents agree with the code.

use std::path::Path;

use crate::crd::cases::status_fields;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn the_page_names_the_compiled_in_tz_database() {
    let text = std::fs::read_to_string(root().join("docs/guide/kubernetes-operations.md")).unwrap();
    let database = kron_core::TzDatabase::COMPILED_IN;
    assert!(text.contains(&format!("Release {} is compiled in.", kron_operator::tzdb::version(&database))));
    let identified = kron_operator::tzdb::identify(&database);
    assert!(text.contains(&format!("\n{identified}\n")), "the Lease's annotation is {identified}");
}

#[test]
fn the_page_of_the_resource_names_every_field_of_the_status() {
    let page = std::fs::read_to_string(root().join("docs/reference/resource.md")).unwrap();
    // Every other part is inside quotes.
    let quoted: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    let is_named = |field: &str| {
        quoted.iter().any(|text| {
            let path = text.trim_start_matches('.').strip_prefix("status.");
            *text == field || path.is_some_and(|path| path.split(['.', '[']).next() == Some(field))
        })
    };
    let missing: Vec<String> = status_fields().into_iter().filter(|field| !is_named(field)).collect();
    assert!(missing.is_empty(), "docs/reference/resource.md does not name {missing:?}");
}

/// Whether the links lead somewhere is tested for all pages.
#[test]
fn the_first_page_of_platform_teams_answers_ten_questions_with_links() {
    let page = std::fs::read_to_string(root().join("docs/guide/kubernetes.md")).unwrap();
    let (_, section) = page.split_once("\n## Ten questions\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let [_, question, answer, _] = row.split('|').collect::<Vec<_>>()[..] else { panic!("{row}") };
        assert!(question.ends_with("? ") && answer.contains("]("), "{row}");
    }
}

/// The source files below a folder, without what programs have made.
fn sources(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn the_tests_that_the_pages_name_exist() {
    let mut code = String::new();
    sources(root(), &mut code);
    for (page, least) in [("conformance.md", 100), ("protocol.md", 15)] {
        let text = std::fs::read_to_string(root().join("docs/explain").join(page)).unwrap();
        // Every other part is inside quotes. Names of tests are sentences, whose words underscores join.
        let quoted = text.split('`').skip(1).step_by(2);
        let is_name = |name: &&str| {
            name.matches('_').count() > 1
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        };
        let names = quoted.filter_map(|text| text.rsplit("::").next()).filter(is_name);
        let mut count = 0;
        for name in names {
            assert!(code.contains(&format!("fn {name}()")), "{page}: {name}");
            count += 1;
        }
        assert!(count >= least, "{page}: {count}");
    }
}
