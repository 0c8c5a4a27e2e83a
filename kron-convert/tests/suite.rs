//! The tests of conversions.

mod argo;
mod cronjob;
mod crontab;
mod export;
mod fuzz;
mod jenkins;
mod readers;
mod seeds;
mod support;
mod systemd;
