//! The blocks of a page, and which of them a test has taken.

use std::cell::RefCell;
use std::path::Path;

pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The language of blocks that are indented instead of fenced.
const INDENTED: &str = "indented";

struct Block {
    language: String,
    text: String,
    taken: bool,
}

impl Block {
    /// Whether it has a command for a cluster.
    fn is_for_clusters(&self) -> bool {
        self.text.lines().any(|line| {
            let line = line.trim_start_matches("$ ").trim_start();
            ["kubectl ", "helm ", "docker "].iter().any(|program| line.starts_with(program))
        })
    }
}

/// A page of the documentation.
/// Pages that are about clusters from the first line to the last.
const WHOLE: [&str; 6] = [
    "docs/guide/kubernetes-migrate.md",
    "docs/guide/kubernetes.md",
    "kron-operator/integrations/README.md",
    "docs/guide/kubernetes-operations.md",
    "docs/guide/kubernetes-primers.md",
    "docs/reference/resource.md",
];

pub struct Page {
    name: String,
    text: String,
    /// Whether all of it is about clusters.
    whole: bool,
    blocks: RefCell<Vec<Block>>,
}

impl Page {
    pub fn read(name: &str) -> Page {
        let text = std::fs::read_to_string(root().join(name)).unwrap();
        let blocks = RefCell::new(blocks(&text));
        let whole = WHOLE.contains(&name);
        Page { name: name.to_string(), text, whole, blocks }
    }

    /// Whether a test has to take a block. Other tests run the commands of Kron itself: `testing/kron-simulate/tests/docs.rs` and
    /// `kron-cli/tests/readme.rs`.
    fn counts(&self, block: &Block) -> bool {
        match &*block.language {
            "sh" | "" | INDENTED if self.whole => true,
            "sh" | "console" | INDENTED => block.is_for_clusters(),
            _ => false,
        }
    }

    /// The next block of a language that begins so.
    #[track_caller]
    fn take(&self, languages: &[&str], begins: &str) -> String {
        let mut blocks = self.blocks.borrow_mut();
        let block = blocks.iter_mut().find(|block| {
            !block.taken && languages.contains(&&*block.language) && block.text.starts_with(begins)
        });
        let block = block.unwrap_or_else(|| panic!("{} has no block that begins with {begins:?}", self.name));
        block.taken = true;
        block.text.clone()
    }

    /// The commands of the next block that begins so, of which there must be so many. A pipe or a loop is one command.
    #[track_caller]
    pub fn commands<const N: usize>(&self, begins: &str) -> [String; N] {
        let text = self.take(&["sh", INDENTED], begins);
        let mut commands: Vec<String> = Vec::new();
        let mut open = false;
        for line in text.lines() {
            match commands.last_mut().filter(|_| open) {
                Some(command) => *command = format!("{command}\n{line}"),
                None => commands.push(line.to_string()),
            }
            let line = line.trim_end();
            open = if line.starts_with("while ") {
                true
            } else if line.starts_with("done") {
                false
            } else {
                let in_loop = open && commands.last().is_some_and(|command| command.starts_with("while "));
                in_loop || line.ends_with(['|', '\\'])
            };
        }
        commands.try_into().unwrap_or_else(|found| panic!("{}: other commands: {found:?}", self.name))
    }

    /// The next block without a language that begins so: what a command prints.
    #[track_caller]
    pub fn shown(&self, begins: &str) -> String {
        self.take(&[""], begins)
    }

    /// The command of the next console block that begins so, and what it prints.
    #[track_caller]
    pub fn console(&self, begins: &str) -> (String, String) {
        let text = self.take(&["console"], &format!("$ {begins}"));
        let (command, output) = text.split_once('\n').unwrap();
        (command.trim_start_matches("$ ").to_string(), output.to_string())
    }

    /// The next file of a language that begins so.
    #[track_caller]
    pub fn file(&self, language: &str, begins: &str) -> String {
        self.take(&[language], begins)
    }

    /// A command in the text of the page, between backticks, where it may be broken into lines.
    #[track_caller]
    pub fn inline(&self, command: &str) -> String {
        assert!(self.says(&format!("`{command}`")), "{} has no `{command}`", self.name);
        command.to_string()
    }

    /// Whether the text has these words, however it is broken into lines.
    pub fn says(&self, words: &str) -> bool {
        let text: Vec<&str> = self.text.split_whitespace().collect();
        text.join(" ").contains(words)
    }

    pub fn has_cluster_commands(&self) -> bool {
        let blocks = self.blocks.borrow();
        blocks.iter().any(|block| self.counts(block) && block.is_for_clusters())
    }

    pub fn assert_nothing_is_left(&self) {
        for block in self.blocks.borrow().iter() {
            assert!(block.taken || !self.counts(block), "{}: no test runs this:\n{}", self.name, block.text);
        }
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut fenced: Option<Block> = None;
    let mut continues = false;
    for line in text.lines() {
        let fence = line.trim_start().strip_prefix("```");
        match (fence, fenced.as_mut()) {
            (Some(_), Some(_)) => blocks.extend(fenced.take()),
            (Some(language), None) => {
                let language = language.trim().to_string();
                fenced = Some(Block { language, text: String::new(), taken: false });
            }
            (None, Some(block)) => block.text.push_str(&format!("{line}\n")),
            (None, None) => {
                // Four columns of code, after three of a list.
                let code = line.strip_prefix("       ").or_else(|| line.strip_prefix("    "));
                if let Some(code) = code {
                    if !continues {
                        blocks.push(Block { language: INDENTED.into(), text: String::new(), taken: false });
                    }
                    blocks.last_mut().unwrap().text.push_str(&format!("{code}\n"));
                }
                continues = code.is_some();
            }
        }
    }
    blocks
}
