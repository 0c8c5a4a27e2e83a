//! Rules of `spec.distribution`: which parameters a distribution takes, and their values.

use super::rule::Rule;

/// The names of the parameters, then each parameter. They are rules of the object, because they need the name of the
/// distribution; their path is that of the parameters.
pub(in crate::crd) const DISTRIBUTION: &[Rule] = &[
    Rule {
        rule: r#"
            !has(self.params) || self.params.all(k,
            (self.name in ['skewEarly', 'skewLate'] && k == 'shape') ||
            (self.name == 'normal' && k in ['mu', 'sigma']) ||
            (self.name == 'exponential' && k in ['lambda', 'dir']))"#,
        field_path: Some(".params"),
        message: "skewEarly and skewLate take shape; normal takes mu and sigma; exponential takes lambda and dir; uniform takes none",
        message_expression: Some(
            r#"
            self.name +
            (self.name == 'uniform' ? " takes no parameters"
            : self.name == 'normal' ? " takes only mu and sigma"
            : self.name == 'exponential' ? " takes only lambda and dir" : " takes only shape")"#,
        ),
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            !has(self.params) || !(self.name in ['skewEarly', 'skewLate']) || !('shape' in self.params) ||
            (self.params['shape'].matches(r'^([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$') &&
            double(self.params['shape']) > 0.0)"#,
        field_path: Some(".params"),
        message: "shape must be a finite decimal number above 0",
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            !has(self.params) || self.name != 'exponential' || !('lambda' in self.params) ||
            (self.params['lambda'].matches(r'^([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$') &&
            double(self.params['lambda']) > 0.0)"#,
        field_path: Some(".params"),
        message: "lambda must be a finite decimal number above 0",
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            !has(self.params) || self.name != 'exponential' || !('dir' in self.params) ||
            self.params['dir'] in ['early', 'late']"#,
        field_path: Some(".params"),
        message: "dir must be early or late",
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            !has(self.params) || self.name != 'normal' || !('mu' in self.params) ||
            self.params['mu'] in ['nominal', 'start', 'mid', 'end']"#,
        field_path: Some(".params"),
        message: "mu must be nominal, start, mid or end",
        ..Rule::NEW
    },
    Rule {
        rule: r#"
            !has(self.params) || self.name != 'normal' || !('sigma' in self.params) ||
            (self.params['sigma'].matches(r'^(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$') &&
            duration(self.params['sigma']) > duration('0s'))"#,
        field_path: Some(".params"),
        message: "sigma must be a Go duration above 0, such as 90s, 15m or 1h30m",
        ..Rule::NEW
    },
];
