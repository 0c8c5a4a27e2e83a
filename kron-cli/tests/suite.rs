//! Tests of the command. Most call the library's `run` in this process; `binary`, `completions`, `run` and single tests
//! of other files start the built binary. Every instant is literal, but for those of `run`.

#![forbid(unsafe_code)]

mod audit;
mod binary;
mod calendar;
mod completions;
mod convert;
mod cronjobs;
mod diff;
#[cfg(target_os = "linux")]
mod examples;
mod explain;
mod forecast;
mod forecast_text;
mod fuzz;
mod grammar;
mod imports;
mod layout;
mod links;
mod lint;
mod man;
mod next;
mod next_ranges;
mod next_tables;
mod nonsense;
mod pictures;
mod place;
mod prime;
mod reading;
mod readme;
#[cfg(target_os = "linux")]
mod run;
mod spread;
mod spread_placed;
mod support;
mod tzdb;
mod usage;
mod verify;
mod wait;
mod watch;
mod zones;

#[path = "../../kron-core/tests/import_graph.rs"]
mod import_graph;

#[path = "../../kron-core/tests/tzif_data.rs"]
mod tzif_data;
