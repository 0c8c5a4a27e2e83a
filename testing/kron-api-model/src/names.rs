//! What names, labels and keys may look like. Each function gives the sentence of the server, or none if all is well.

const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', \
     and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must \
     start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or \
     '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex \
     used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const NAME_PART: &str = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end \
     with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
     '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/// Names of most objects.
pub(crate) fn subdomain(text: &str) -> Option<String> {
    if text.len() > 253 {
        return Some("must be no more than 253 bytes".into());
    }
    let is_right = !text.is_empty() && text.split('.').all(is_label);
    (!is_right).then(|| SUBDOMAIN.into())
}

/// Names of namespaces and containers.
pub(crate) fn label(text: &str) -> Option<String> {
    if text.len() > 63 {
        return Some("must be no more than 63 bytes".into());
    }
    (!is_label(text)).then(|| LABEL.into())
}

/// Values of labels.
pub(crate) fn label_value(text: &str) -> Option<String> {
    if text.len() > 63 {
        return Some("must be no more than 63 bytes".into());
    }
    (!text.is_empty() && !is_token(text)).then(|| LABEL_VALUE.into())
}

/// Keys of labels and annotations, finalizers: `name` or `prefix/name`.
pub(crate) fn qualified_name(text: &str) -> Option<String> {
    let mut parts = text.split('/');
    let (first, second, third) = (parts.next(), parts.next(), parts.next());
    let (prefix, name) = match (first, second, third) {
        (Some(name), None, _) => (None, name),
        (Some(prefix), Some(name), None) => (Some(prefix), name),
        _ => {
            return Some(
                "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end \
                 with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc') with an optional DNS \
                 subdomain prefix and '/' (e.g. 'example.com/MyName')"
                    .into(),
            );
        }
    };
    match prefix {
        Some("") => return Some("prefix part must be non-empty".into()),
        Some(prefix) => {
            if let Some(cause) = subdomain(prefix) {
                return Some(format!("prefix part {cause}"));
            }
        }
        None => {}
    }
    if name.is_empty() {
        Some("name part must be non-empty".into())
    } else if name.len() > 63 {
        Some("name part must be no more than 63 bytes".into())
    } else {
        (!is_token(name)).then(|| NAME_PART.into())
    }
}

fn is_label(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    is_framed(text, inner, |byte| inner(byte) || byte == b'-')
}

fn is_token(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric();
    is_framed(text, inner, |byte| inner(byte) || b"-_.".contains(&byte))
}

fn is_framed(text: &str, end: impl Fn(u8) -> bool, middle: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|&byte| end(byte))
        && bytes.last().is_some_and(|&byte| end(byte))
        && bytes.iter().all(|&byte| middle(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_servers_take_them() {
        let long = "a".repeat(64);
        for (text, is_subdomain, is_label_value) in [
            ("backup", true, true),
            ("a.b-c", true, true),
            ("aaa.-hash", false, true),
            ("A", false, true),
            ("-a", false, false),
            ("a-", false, false),
            ("", false, true),
            ("a_b", false, true),
            ("20260301T000000Z", false, true),
            ("2026-03-01T00:00:00Z", false, false),
            (long.as_str(), true, false),
        ] {
            assert_eq!(subdomain(text).is_none(), is_subdomain, "{text}");
            assert_eq!(label_value(text).is_none(), is_label_value, "{text}");
        }
        assert!(subdomain(&"a".repeat(254)).is_some());
        assert!(label("a.b").is_some());
    }

    #[test]
    fn keys_as_servers_take_them() {
        for (text, is_right) in [
            ("app", true),
            ("kron.io/name", true),
            ("Kron.io/name", false),
            ("kron.io/", false),
            ("/name", false),
            ("a/b/c", false),
            ("kron.io/Run_now", true),
            ("", false),
        ] {
            assert_eq!(qualified_name(text).is_none(), is_right, "{text}");
        }
    }
}
