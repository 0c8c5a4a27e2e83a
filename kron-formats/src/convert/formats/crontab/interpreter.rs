//! Options and their values, and the scripts of interpreters.

/// The options of a program that have a value.
pub(super) struct Valued {
    /// The letters of short ones. The value is the rest of the word, or the next word.
    pub(super) letters: &'static str,
    /// The long ones, with blanks between them.
    pub(super) long: &'static str,
}

impl Valued {
    /// Whether the word behind an option is its value. Beginnings of long options mean the option; `--login` is one itself.
    pub(super) fn has_next(&self, option: &str) -> bool {
        match option.strip_prefix("--") {
            Some("login") => false,
            Some(name) => !name.is_empty() && self.long.split(' ').any(|long| long.starts_with(name)),
            None => option.find(|c| self.letters.contains(c)).is_some_and(|at| at + 1 == option.len()),
        }
    }
}

/// A program that runs a script or a text.
struct Interpreter {
    name: &'static str,
    valued: Valued,
    /// Letters whose value is the rest of the word.
    attached: &'static str,
    /// Letters whose value is the text of a program, and the long options for it.
    text: (&'static str, &'static [&'static str]),
    /// The letter and the long option whose value is what runs.
    script: (&'static str, &'static str),
    /// Whether there are other long options, some with values.
    has_more: bool,
}

const PYTHON: Interpreter = Interpreter {
    name: "python",
    valued: Valued { letters: "WXQ", long: "check-hash-based-pycs" },
    attached: "",
    text: ("c", &[]),
    script: ("m", ""),
    has_more: false,
};

const INTERPRETERS: [Interpreter; 7] = [
    Interpreter {
        name: "node",
        valued: Valued {
            letters: "rC",
            long: "require import conditions loader env-file env-file-if-exists",
        },
        attached: "",
        text: ("ep", &["eval", "print"]),
        script: ("", ""),
        has_more: true,
    },
    // The `i` of Perl and Ruby has a value, too: an ending in which an `e` is rare.
    Interpreter {
        name: "perl",
        valued: Valued { letters: "I", long: "" },
        attached: "MmFCDVdx",
        text: ("eE", &[]),
        script: ("", ""),
        has_more: false,
    },
    Interpreter {
        name: "php",
        valued: Valued {
            letters: "dczStFTb",
            long: "define php-ini zend-extension server docroot process-file rf rc re rz ri",
        },
        attached: "",
        text: ("rBRE", &["run", "process-begin", "process-code", "process-end"]),
        script: ("f", "file"),
        has_more: false,
    },
    PYTHON,
    Interpreter { name: "python2", ..PYTHON },
    Interpreter { name: "python3", ..PYTHON },
    Interpreter {
        name: "ruby",
        valued: Valued {
            letters: "IrCEX",
            long: "encoding external-encoding internal-encoding enable disable backtrace-limit",
        },
        attached: "FKTW",
        text: ("e", &[]),
        script: ("", ""),
        has_more: false,
    },
];

/// Endings of scripts.
const ENDINGS: [&str; 8] = [".js", ".cjs", ".mjs", ".ts", ".php", ".pl", ".py", ".rb"];

/// Whether a long option of Node.js has no value for sure.
fn is_flag(name: &str) -> bool {
    ["no-", "trace-", "experimental-"].iter().any(|begin| name.starts_with(begin))
        || ["enable-source-maps", "expose-gc"].contains(&name)
}

/// Whether a program runs scripts, and is no shell.
pub(super) fn is_interpreter(program: &str) -> bool {
    INTERPRETERS.iter().any(|it| it.name == program)
}

/// The word that says what an interpreter runs: a script, or a module of Python. None where it is the text of a program, or the input.
pub(super) fn script<'w>(program: &str, words: &'w [String]) -> Option<&'w str> {
    let interpreter = INTERPRETERS.iter().find(|it| it.name == program)?;
    let mut words = words.iter().map(String::as_str);
    let mut is_sure = true;
    while let Some(word) = words.next() {
        match interpreter.says(word) {
            Says::End if word == "-" => return None,
            // What follows are values for a text that comes from the input.
            Says::End if word == "--" && program == "php" => return None,
            Says::End if word == "--" => return words.next(),
            Says::End => {
                return Some(word).filter(|word| is_sure || ENDINGS.iter().any(|end| word.ends_with(end)));
            }
            Says::Text => return None,
            Says::Script("") => return words.next(),
            Says::Script(script) => return Some(script),
            Says::Valued => drop(words.next()),
            Says::Flag => {}
            Says::Unknown => is_sure = false,
        }
    }
    None
}

/// What a word behind an interpreter says.
enum Says<'w> {
    Flag,
    /// The next word is a value.
    Valued,
    /// There is the text of a program.
    Text,
    /// This is what runs; if it is empty, the next word is.
    Script(&'w str),
    /// Perhaps the next word is a value.
    Unknown,
    /// The options have ended.
    End,
}

impl Interpreter {
    fn says<'w>(&self, word: &'w str) -> Says<'w> {
        let Some(option) = word.strip_prefix('-').filter(|option| !matches!(*option, "" | "-")) else {
            return Says::End;
        };
        if let Some(long) = option.strip_prefix('-') {
            let (name, value) = long.split_once('=').unwrap_or((long, ""));
            return if self.text.1.contains(&name) {
                Says::Text
            } else if name == self.script.1 {
                Says::Script(value)
            } else if self.valued.has_next(word) {
                Says::Valued
            } else if self.has_more && name == long && !is_flag(name) {
                Says::Unknown
            } else {
                Says::Flag
            };
        }
        for (at, c) in option.char_indices() {
            let rest = &option[at + c.len_utf8()..];
            if self.text.0.contains(c) {
                return Says::Text;
            } else if self.script.0.contains(c) {
                return Says::Script(rest);
            } else if self.attached.contains(c) {
                break;
            } else if self.valued.letters.contains(c) {
                return if rest.is_empty() { Says::Valued } else { Says::Flag };
            }
        }
        Says::Flag
    }
}
