//! The namespaces that the operator serves: all of them, or those of a list.

use std::str::FromStr;
use std::sync::Arc;

use kron_formats::names::is_label_value;

/// The most namespaces of a list. Each costs two watches, which are two connections to the API server.
pub const MOST: usize = 100;

/// The longest name of a namespace, in bytes: a DNS label.
const LONGEST: usize = 63;

/// What a list or a watch shows: the objects of one namespace, or of all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// All namespaces.
    All,
    /// One namespace.
    Namespace(Arc<str>),
}

impl Scope {
    /// Whether objects of a namespace are shown.
    pub fn has(&self, namespace: &str) -> bool {
        self.namespace().is_none_or(|name| name == namespace)
    }

    /// The one namespace, if it is one.
    pub fn namespace(&self) -> Option<&str> {
        match self {
            Scope::All => None,
            Scope::Namespace(name) => Some(name),
        }
    }
}

/// The namespaces that an operator serves. By default all of them.
///
/// ```
/// use kron_operator::namespaces::Namespaces;
///
/// let two: Namespaces = "team-a,team-b".parse()?;
/// assert_eq!(two.scopes().len(), 2);
/// assert_eq!(Namespaces::default().scopes().len(), 1);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Namespaces(Vec<Arc<str>>);

/// Whether a text is a DNS label: a label's value that is not empty and has these characters only.
fn is_dns_label(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && is_label_value(text) && text.bytes().all(inner)
}

impl FromStr for Namespaces {
    type Err = String;

    /// Reads names with commas between them.
    fn from_str(text: &str) -> Result<Namespaces, String> {
        let count = text.split(',').count();
        if count > MOST {
            let help = "leave --namespaces out to serve all, or run a second operator";
            return Err(format!("{count} namespaces are more than {MOST} ({help})"));
        }
        let mut names: Vec<Arc<str>> = Vec::new();
        for name in text.split(',') {
            if !is_dns_label(name) {
                let name = name.chars().take(LONGEST).collect::<String>();
                let help = "write them such as `team-a,team-b`: lower-case letters, digits and `-`";
                return Err(format!("`{}` is no name of a namespace ({help})", name.escape_debug()));
            }
            if names.iter().any(|known| **known == *name) {
                return Err(format!("`{name}` is named twice (leave one of them out)"));
            }
            names.push(name.into());
        }
        Ok(Namespaces(names))
    }
}

impl Namespaces {
    /// What is listed and watched: each namespace on its own, or all at once.
    pub fn scopes(&self) -> Vec<Scope> {
        match &self.0[..] {
            [] => vec![Scope::All],
            names => names.iter().cloned().map(Scope::Namespace).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        for text in ["team-a", "team-a,team-b", "a,0,x-1"] {
            let read: Namespaces = text.parse().unwrap();
            let scopes = read.scopes();
            assert!(scopes.iter().map(|scope| scope.namespace().unwrap()).eq(text.split(',')));
        }
        assert_eq!(Namespaces::default().scopes(), [Scope::All]);
    }

    #[test]
    fn what_is_no_list_is_refused() {
        let long = "a".repeat(64);
        for text in ["", "a,", ",a", "a, b", "A", "a.b", "-a", "a-", "a,*", "a/b", &long] {
            let error = text.parse::<Namespaces>().unwrap_err();
            assert!(error.contains("is no name of a namespace (write them such as"), "{text}: {error}");
        }
        assert_eq!("a,b,a".parse::<Namespaces>(), Err("`a` is named twice (leave one of them out)".into()));
        let numbered = |count: usize| (0..count).map(|at| format!("n-{at}")).collect::<Vec<_>>().join(",");
        assert_eq!(numbered(MOST).parse::<Namespaces>().unwrap().scopes().len(), MOST);
        let error = numbered(MOST + 1).parse::<Namespaces>().unwrap_err();
        assert_eq!(
            error,
            "101 namespaces are more than 100 (leave --namespaces out to serve all, or run a second operator)"
        );
    }

    #[test]
    fn a_scope_has_its_namespace() {
        let one = Scope::Namespace("a".into());
        assert!(one.has("a") && !one.has("ab") && Scope::All.has("ab"));
    }
}
