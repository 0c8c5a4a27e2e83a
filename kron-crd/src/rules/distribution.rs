//! Rules of `spec.distribution`: which parameters a distribution takes, and their values.

use super::items::{DECIMAL, DURATION};
use super::rule::Rule;

/// The names of the parameters, then each parameter. They are rules of the object, because they need the name of the
/// distribution; their path is that of the parameters.
pub(crate) fn distribution() -> [Rule; 6] {
    let names = r"
        !has(self.params) || self.params.all(k,
        (self.name in ['skewEarly', 'skewLate'] && k == 'shape') ||
        (self.name == 'normal' && k in ['mu', 'sigma']) ||
        (self.name == 'exponential' && k in ['lambda', 'dir']))";
    let says = r#"
        self.name +
        (self.name == 'uniform' ? " takes no parameters"
        : self.name == 'normal' ? " takes only mu and sigma"
        : self.name == 'exponential' ? " takes only lambda and dir" : " takes only shape")"#;
    let message = "skewEarly and skewLate take shape; normal takes mu and sigma; exponential takes lambda and dir; uniform takes none";
    let parameter = |not: &str, name: &str, is_right: &str, message| {
        let rule = format!("!has(self.params) || {not} || !('{name}' in self.params) || {is_right}");
        Rule::new(&rule, message).at(".params")
    };
    let above_0 = |name: &str| {
        format!("(self.params['{name}'].matches(r'^{DECIMAL}$') && double(self.params['{name}']) > 0.0)")
    };
    let sigma = format!(
        "(self.params['sigma'].matches(r'^{DURATION}$') && duration(self.params['sigma']) > duration('0s'))"
    );
    let (skew, normal) = ("!(self.name in ['skewEarly', 'skewLate'])", "self.name != 'normal'");
    let exponential = "self.name != 'exponential'";
    let (dir, mu) = (
        "self.params['dir'] in ['early', 'late']",
        "self.params['mu'] in ['nominal', 'start', 'mid', 'end']",
    );
    [
        Rule::new(names, message).at(".params").saying(says),
        parameter(skew, "shape", &above_0("shape"), "shape must be a finite decimal number above 0"),
        parameter(
            exponential,
            "lambda",
            &above_0("lambda"),
            "lambda must be a finite decimal number above 0",
        ),
        parameter(exponential, "dir", dir, "dir must be early or late"),
        parameter(normal, "mu", mu, "mu must be nominal, start, mid or end"),
        parameter(normal, "sigma", &sigma, "sigma must be a Go duration above 0, such as 90s, 15m or 1h30m"),
    ]
}
