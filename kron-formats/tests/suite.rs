//! The tests of conversions.

mod argo;
mod corpus;
mod cronjob;
mod crontab;
mod errors;
mod export;
mod fuzz;
mod jenkins;
mod kronjob_calendars;
mod readers;
mod seeds;
mod support;
mod systemd;
