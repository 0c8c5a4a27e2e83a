//! The CEL rules of the resource, field by field, as an API server runs them at admission.
//!
//! * A rule sits on the string it checks: the message then shows the value, and the server's estimate of its cost takes
//!   the size of the pieces that `split()` and `findAll()` give back from the string's `maxLength`. A list of such
//!   pieces, kept in a variable and indexed, has no size and breaks the budget: strings are kept in variables, not lists.
//! * `self.findAll(r'[^ \t]+')[i]` is field i of the schedule; `(field + ',').matches('^(item,)+$')` checks a comma list
//!   with the grammar of an item written once.
//! * A rule accepts what an earlier one refuses, so that one mistake gives one message.
//! * An error in a rule is not `false`: the server shows it instead of the message, and does not forgive it where an old
//!   object keeps its value. So everything that can fail (`duration()`, `double()`, `int()`) comes after a regular
//!   expression that lets only good texts reach it.
//! * A `messageExpression` that fails, or gives a line break, falls back to `message`: each must be complete.
//!
//! The cases of `testing/data/kronjob` tested these rules on API servers. After a change, run `scripts/run_corpus.py`
//! against a server again, because only a server knows its limits on cost.

pub(super) mod clause;
pub(super) mod distribution;
pub(super) mod duration;
pub(super) mod immutable;
mod items;
pub(super) mod primer;
pub(super) mod rule;
pub(super) mod schedule;
pub(super) mod seed;
pub(super) mod template;
pub(super) mod timezone;
