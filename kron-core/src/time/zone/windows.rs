//! Names of Windows for time zones.

/// The names without ` Standard Time`, and the IANA names that CLDR gives for them.
fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("windows.txt").lines().filter_map(|line| line.split_once(" = "))
}

/// The IANA name of a zone that Windows names.
pub(super) fn iana_name(name: &str) -> Option<&'static str> {
    let place = name.strip_suffix(" Standard Time")?;
    names().find(|(known, _)| known.eq_ignore_ascii_case(place)).map(|(_, iana)| iana)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Zone;

    #[test]
    fn each_name_is_a_zone() {
        for (name, iana) in names() {
            Zone::parse(iana).unwrap_or_else(|error| panic!("{name}: {error}"));
            let written = alloc::format!("{name} Standard Time");
            let error = Zone::parse(&written).unwrap_err();
            assert_eq!(error.help(), Some(alloc::format!("did you mean `{iana}`?")), "{name}");
        }
        assert!(names().is_sorted() && names().count() == 44);
        assert_eq!((iana_name("Eastern"), iana_name("Mars Standard Time")), (None, None));
    }
}
