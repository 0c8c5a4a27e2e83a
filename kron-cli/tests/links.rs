//! The pages of the repository: their links lead somewhere, the index of docs/ names all of them, and docs/ stays short.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

/// Most words that people wrote in docs/: those of `cat docs/*.md docs/*/*.md | wc -w` without the generated ones.
const WORDS_MAX: usize = 47_071;
/// What stands below this mark of a reference page is made from the sources, where people read and maintain it. A longer page of this
/// kind is complete, not wordy.
const GENERATED: &str = "\n<!-- Generated: ";

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The files below a folder, by their paths from the root, without hidden ones and what builds leave behind.
fn files(folder: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if name.starts_with('.') || ["target", "__pycache__", "node_modules"].contains(&&*name) {
            continue;
        }
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.file_type().unwrap().is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn pages() -> Vec<String> {
    let mut found = Vec::new();
    files("", &mut found);
    found.retain(|path| path.ends_with(".md"));
    found
}

fn read(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap()
}

/// The lines of a page that are not in fenced blocks.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What the links of a page name: `path`, `path#anchor` or `#anchor`. Links in code between backticks are none.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', ']']) {
        let (sign, after) = (&rest[at..=at], &rest[at + 1..]);
        rest = after;
        if sign == "`" {
            // A code that ends in the same paragraph.
            let paragraph = after.split("\n\n").next().unwrap();
            rest = paragraph.find('`').map_or(after, |end| &after[end + 1..]);
        } else if let Some((link, after)) = after.strip_prefix('(').and_then(|link| link.split_once(')')) {
            found.push(link.to_string());
            rest = after;
        }
    }
    found
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut times = HashMap::new();
    for line in prose(text).lines() {
        let heading = line.trim_start_matches('#');
        if heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        // A link in a heading counts by its text.
        let words =
            heading.trim().split("](").map(|part| part.split_once(')').map_or(part, |(_, text)| text));
        let anchor: String = words
            .collect::<String>()
            .chars()
            .filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c))
            .map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() })
            .collect();
        let time = times.entry(anchor.clone()).or_insert(0);
        found.insert(if *time == 0 { anchor } else { format!("{anchor}-{time}") });
        *time += 1;
    }
    found
}

/// The path from the root that a link on a page names.
fn target(page: &str, link: &str) -> PathBuf {
    let mut path = Path::new(page).parent().unwrap().to_path_buf();
    for component in Path::new(link).components() {
        match component {
            Component::ParentDir => assert!(path.pop(), "{page}: {link} leaves the repository"),
            component => path.push(component),
        }
    }
    path
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for page in pages() {
        let text = read(&page);
        for link in links(&prose(&text)) {
            if ["https://", "http://"].iter().any(|scheme| link.starts_with(scheme)) {
                continue;
            }
            count += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = if path.is_empty() { PathBuf::from(&page) } else { target(&page, path) };
            if !root().join(&path).exists() {
                wrong.push(format!("{page}: no file for {link}"));
            } else if !anchor.is_empty() && !anchors(&read(path.to_str().unwrap())).contains(anchor) {
                wrong.push(format!("{page}: no heading for {link}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "{count} links");
}

/// Names of pages such as `docs/guide/tour.md`, wherever a file of the repository has one.
#[test]
fn every_page_that_a_file_names_exists() {
    let mut found = Vec::new();
    files("", &mut found);
    let mut count = 0;
    let mut wrong = Vec::new();
    for file in found {
        let Ok(text) = std::fs::read_to_string(root().join(&file)) else {
            // It is not text.
            continue;
        };
        for folder in ["docs/guide/", "docs/reference/", "docs/explain/"] {
            for after in text.split(folder).skip(1) {
                let name = after.split(|c: char| !c.is_ascii_lowercase() && c != '-').next().unwrap();
                if after[name.len()..].starts_with(".md") {
                    count += 1;
                    let page = format!("{folder}{name}.md");
                    if !root().join(&page).exists() {
                        wrong.push(format!("{file}: there is no {page}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 50, "{count} names of pages");
}

#[test]
fn the_index_of_the_docs_names_every_page() {
    let index = read("docs/README.md");
    let named: HashSet<PathBuf> = links(&index).iter().map(|link| target("docs/README.md", link)).collect();
    let mut found = Vec::new();
    files("docs", &mut found);
    found.retain(|path| path.ends_with(".md") && path != "docs/README.md");
    assert!(found.len() > 20, "{found:?}");
    for page in found {
        assert!(named.contains(Path::new(&page)), "docs/README.md does not name {page}");
    }
}

#[test]
fn the_docs_are_short() {
    let mut found = Vec::new();
    files("docs", &mut found);
    found.retain(|path| path.ends_with(".md"));
    let written = |page: &String| {
        let text = read(page);
        let written = match page.starts_with("docs/reference/") {
            true => text.split(GENERATED).next().unwrap_or_default(),
            false => &text,
        };
        written.split_whitespace().count()
    };
    let words: usize = found.iter().map(written).sum();
    assert!(words <= WORDS_MAX, "docs/ has {words} words, more than {WORDS_MAX}");
}

#[test]
fn links_and_anchors_are_read_as_github_reads_them() {
    let text = "# A *b* `c`, d\n\nSee [it](x.md#y), `[no](code)` and ![a picture](z.svg).\n\n```\n[no](fence)\n```\n\n## Twice\n\n## Twice\n\n\
                ## [Linked](x.md) 1.2\n";
    assert_eq!(links(&prose(text)), ["x.md#y", "z.svg", "x.md"]);
    let mut found: Vec<String> = anchors(text).into_iter().collect();
    found.sort();
    assert_eq!(found, ["a-b-c-d", "linked-12", "twice", "twice-1"]);
}
