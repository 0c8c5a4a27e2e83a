//! The user as whom the runner starts commands: its own.

use std::fmt;

/// A user of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct User {
    id: u32,
    /// The name, if `/etc/passwd` has it.
    name: Option<String>,
}

impl User {
    /// The user of this process.
    pub(crate) fn current() -> User {
        let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        User::of(rustix::process::geteuid().as_raw(), &passwd)
    }

    /// The user of that number, with the name that the lines of `/etc/passwd` give it.
    pub(super) fn of(id: u32, passwd: &str) -> User {
        let mut lines = passwd.lines().map(|line| line.split(':').collect::<Vec<_>>());
        let found = lines.find(|line| line.get(2).and_then(|number| number.parse().ok()) == Some(id));
        User { id, name: found.and_then(|line| line.first().map(|name| (*name).to_string())) }
    }

    /// Whether a field means this user, by name or number.
    pub(super) fn is(&self, word: &str) -> bool {
        self.name.as_deref() == Some(word) || self.id.to_string() == word
    }
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => write!(f, "{}", self.id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_have_names_and_numbers() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\n\nbroken\nbackup:x:34:34::/var:/bin/sh\n";
        let backup = User::of(34, passwd);
        assert!(backup.is("backup") && backup.is("34") && !backup.is("root") && !backup.is(""));
        assert_eq!((backup.to_string(), User::of(35, passwd).to_string()), ("backup".into(), "35".into()));
        assert!(User::current().is(&rustix::process::geteuid().as_raw().to_string()));
    }
}
