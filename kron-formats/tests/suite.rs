//! The tests of formats.

mod argo;
mod corpus;
mod cronjob;
mod crontab;
mod errors;
mod export;
mod expressions;
mod formats;
mod fuzz;
mod help_without_days;
mod imports;
mod jenkins;
mod kinds;
mod kronjob_calendars;
mod place;
mod read;
mod readers;
mod real_crontabs;
mod seeds;
mod support;
mod systemd;

#[path = "../../kron-core/tests/import_graph.rs"]
mod import_graph;
