//! Schedules as the CronJob controller of Kubernetes reads them, and Argo Workflows with the same parser.

/// A schedule in two parts.
pub(super) struct ControllerSchedule<'t> {
    /// The time zone of a `TZ=` or `CRON_TZ=` before the fields. Empty if it is written without one.
    pub(super) zone: Option<&'t str>,
    /// The fields as Kron reads them.
    pub(super) cron: String,
    /// Whether the text of the fields is not what was written.
    pub(super) is_rewritten: bool,
}

impl<'t> ControllerSchedule<'t> {
    /// The controller separates fields by any white space, and reads `?` as `*` in every field.
    pub(super) fn read(text: &'t str) -> ControllerSchedule<'t> {
        let (zone, fields) = match text.strip_prefix("CRON_TZ=").or_else(|| text.strip_prefix("TZ=")) {
            None => (None, text),
            Some(rest) => {
                let (zone, fields) = rest.split_once(' ').unwrap_or((rest, ""));
                (Some(zone), fields)
            }
        };
        // Kron has `?` in the fields of days only.
        let field = |(index, field): (usize, &str)| match index {
            0 | 1 | 3 => field.replace('?', "*"),
            _ => field.to_string(),
        };
        let read: Vec<String> = fields.split_whitespace().enumerate().map(field).collect();
        let is_blank = |c: char| c == ' ' || c == '\t';
        let same = fields.chars().all(|c| !c.is_whitespace() || is_blank(c))
            && fields.split_whitespace().eq(read.iter().map(String::as_str));
        ControllerSchedule { zone, cron: read.join(" "), is_rewritten: !same || zone.is_some() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_schedules() {
        let p = |text| {
            let read = ControllerSchedule::read(text);
            (read.zone, read.cron, read.is_rewritten)
        };
        assert_eq!(p("0 3 * * *"), (None, "0 3 * * *".into(), false));
        assert_eq!(p("0  3\t? ? ?"), (None, "0 3 ? * ?".into(), true));
        assert_eq!(p("0 3\n* * *"), (None, "0 3 * * *".into(), true));
        assert_eq!(p("TZ=UTC 0 3 * * *"), (Some("UTC"), "0 3 * * *".into(), true));
        assert_eq!(p("CRON_TZ= @daily"), (Some(""), "@daily".into(), true));
        assert_eq!(p("TZ=UTC"), (Some("UTC"), String::new(), true));
    }
}
