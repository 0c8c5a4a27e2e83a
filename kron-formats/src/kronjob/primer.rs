//! `spec.primer`: how long before each start a Job keeps a node ready, and what that Job runs.

use kron_core::error::StructureError;
use kron_core::{Duration, Error};
use serde_json::Value;

use super::{PrimerLead, job_template, known_fields, object, required, string};
use crate::error::ManifestError;
use crate::limits::{IMAGE_CHARS, VALUE_CHARS};

/// The primer of a KronJob. Its job template is checked as an API server checks it, and not kept.
///
/// ```
/// use kron_core::Parser;
/// use kron_formats::kronjob::KronJob;
/// let manifest = serde_json::json!({
///     "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "report", "namespace": "prod"},
///     "spec": {"schedule": "@daily", "primer": {"lead": "10m"}, "jobTemplate": {"spec": {"template": {"spec": {
///         "restartPolicy": "Never", "containers": [{"name": "report", "image": "report:1"}],
///     }}}}},
/// });
/// let primer = KronJob::from_value(&Parser::new(), &manifest)?.primer.unwrap();
/// assert_eq!((primer.lead.to_string().as_str(), primer.image), ("10m0s", None));
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Primer {
    /// How long before each start its Job is made.
    pub lead: PrimerLead,
    /// The image that the Job runs, if the manifest names one.
    pub image: Option<String>,
    /// Whether the manifest has a job template for it.
    pub has_job_template: bool,
}

impl Primer {
    /// Reads the field `primer` of the spec of a KronJob; `None` if the spec has none. Other fields are not looked at.
    ///
    /// # Errors
    ///
    /// An error for what an API server refuses: a lead that is missing, 0s or longer than 24h, an image together with a
    /// job template, a job template from which no Job can be made.
    ///
    /// ```
    /// use kron_formats::kronjob::Primer;
    /// let spec = serde_json::json!({"schedule": "@daily", "primer": {"lead": "90m", "image": "warm:1"}});
    /// let primer = Primer::from_spec(&spec)?.unwrap();
    /// assert_eq!((primer.lead.duration().as_secs(), primer.image.as_deref()), (5400, Some("warm:1")));
    /// let error = Primer::from_spec(&serde_json::json!({"primer": {"lead": "25h"}})).unwrap_err();
    /// assert_eq!(error.field(), "primer.lead");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn from_spec(spec: &Value) -> Result<Option<Primer>, Error> {
        spec.get("primer").filter(|primer| !primer.is_null()).map(Primer::read).transpose()
    }

    pub(super) fn read(value: &Value) -> Result<Primer, Error> {
        let fields = object("primer", value)?;
        known_fields(fields, "primer", &["lead", "image", "jobTemplate"])?;
        let lead = string("primer.lead", required(fields, "primer", "lead")?)?;
        check_length("primer.lead", lead, VALUE_CHARS)?;
        let lead = PrimerLead::new(Duration::parse_field(lead, "primer.lead")?)?;
        let given = |field: &str| fields.get(field).filter(|value| !value.is_null());
        let image = given("image").map(|image| string("primer.image", image)).transpose()?;
        if let Some(image) = image {
            check_length("primer.image", image, IMAGE_CHARS)?;
            if image.is_empty() {
                let want = "the name of an image";
                return Err(Error::new(
                    "primer.image",
                    StructureError::Type { found: "an empty string", want },
                ));
            }
        }
        let template = given("jobTemplate");
        template.map_or(Ok(()), |template| job_template::check("primer.jobTemplate", template))?;
        if image.is_some() && template.is_some() {
            return Err(Error::new("primer", ManifestError::PrimerOfTwo));
        }
        Ok(Primer { lead, image: image.map(ToString::to_string), has_job_template: template.is_some() })
    }
}

fn check_length(field: &'static str, text: &str, max: usize) -> Result<(), Error> {
    let found = text.chars().count();
    if found > max { Err(Error::new(field, ManifestError::TooLong { max, found })) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(primer: Value) -> Result<Option<Primer>, String> {
        Primer::from_spec(&json!({ "primer": primer })).map_err(|error| error.to_string())
    }

    #[test]
    fn errors_name_the_place_the_text_and_the_help() {
        for (primer, message) in [
            (json!({}), "primer: field `lead` is missing"),
            (json!([]), "primer: expected an object, but found a list"),
            (json!({"lead": 10}), "primer.lead: expected a string, but found a number; write it in quotes"),
            (
                json!({"lead": "10"}),
                "primer.lead: `10` is not a duration: every number needs one of the units `ns`, `us`, `ms`, `s`, `m`, \
                 `h`; write `10s`",
            ),
            (
                json!({"lead": "25h"}),
                "primer.lead: `25h0m0s` is not above 0s and at most 24h; write for example `10m`",
            ),
            (json!({"leed": "1h"}), "primer: unknown field `leed`; did you mean `lead`?"),
            (
                json!({"lead": "1h", "image": ""}),
                "primer.image: expected the name of an image, but found an empty string",
            ),
            (json!({"lead": "1h", "jobTemplate": {}}), "primer.jobTemplate: field `spec` is missing"),
        ] {
            assert_eq!(read(primer).unwrap_err(), message);
        }
        let template = json!({"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c"}]}}}});
        assert_eq!(
            read(json!({"lead": "1h", "image": "i", "jobTemplate": template})).unwrap_err(),
            "primer: a primer has an image or a job template, not both; leave one of them out"
        );
        assert!(read(json!({"lead": "1h", "jobTemplate": template})).unwrap().unwrap().has_job_template);
        assert_eq!(read(Value::Null), Ok(None));
    }
}
