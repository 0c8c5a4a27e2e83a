//! Names of Windows for time zones.

/// The names without ` Standard Time`, and the IANA names that CLDR gives for them.
static NAMES: &[(&str, &str)] = &[
    ("AUS Central", "Australia/Darwin"),
    ("AUS Eastern", "Australia/Sydney"),
    ("Alaskan", "America/Anchorage"),
    ("Arab", "Asia/Riyadh"),
    ("Arabian", "Asia/Dubai"),
    ("Argentina", "America/Buenos_Aires"),
    ("Atlantic", "America/Halifax"),
    ("Canada Central", "America/Regina"),
    ("Central", "America/Chicago"),
    ("Central America", "America/Guatemala"),
    ("Central Europe", "Europe/Budapest"),
    ("Central European", "Europe/Warsaw"),
    ("China", "Asia/Shanghai"),
    ("E. Africa", "Africa/Nairobi"),
    ("E. Australia", "Australia/Brisbane"),
    ("E. South America", "America/Sao_Paulo"),
    ("Eastern", "America/New_York"),
    ("Egypt", "Africa/Cairo"),
    ("FLE", "Europe/Kyiv"),
    ("GMT", "Europe/London"),
    ("GTB", "Europe/Bucharest"),
    ("Greenwich", "Atlantic/Reykjavik"),
    ("Hawaiian", "Pacific/Honolulu"),
    ("India", "Asia/Kolkata"),
    ("Iran", "Asia/Tehran"),
    ("Israel", "Asia/Jerusalem"),
    ("Korea", "Asia/Seoul"),
    ("Mountain", "America/Denver"),
    ("New Zealand", "Pacific/Auckland"),
    ("Newfoundland", "America/St_Johns"),
    ("Pacific", "America/Los_Angeles"),
    ("Pakistan", "Asia/Karachi"),
    ("Romance", "Europe/Paris"),
    ("Russian", "Europe/Moscow"),
    ("SA Pacific", "America/Bogota"),
    ("SE Asia", "Asia/Bangkok"),
    ("Singapore", "Asia/Singapore"),
    ("South Africa", "Africa/Johannesburg"),
    ("Taipei", "Asia/Taipei"),
    ("Tokyo", "Asia/Tokyo"),
    ("Turkey", "Europe/Istanbul"),
    ("US Mountain", "America/Phoenix"),
    ("W. Central Africa", "Africa/Lagos"),
    ("W. Europe", "Europe/Berlin"),
];

/// The IANA name of a zone that Windows names.
pub(super) fn iana_name(name: &str) -> Option<&'static str> {
    let place = name.strip_suffix(" Standard Time")?;
    NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(place)).map(|(_, iana)| *iana)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Zone;

    #[test]
    fn each_name_is_a_zone() {
        for (name, iana) in NAMES {
            Zone::parse(iana).unwrap_or_else(|error| panic!("{name}: {error}"));
            let written = alloc::format!("{name} Standard Time");
            let error = Zone::parse(&written).unwrap_err();
            assert_eq!(error.help(), Some(alloc::format!("did you mean `{iana}`?")), "{name}");
        }
        assert!(NAMES.is_sorted());
        assert_eq!((iana_name("Eastern"), iana_name("Mars Standard Time")), (None, None));
    }
}
