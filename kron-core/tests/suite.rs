//! Kron's integration tests: the shared vectors, properties against models, differences to other crates.

mod bounds;
mod calendars;
mod code_lines;
mod cron_corpus;
mod differential;
mod docs;
mod generators;
mod guesses;
mod import_graph;
mod imports;
mod oracle;
mod properties_cron;
mod properties_days;
mod properties_decide;
mod properties_plan;
mod properties_starts;
mod properties_text;
mod properties_values;
mod properties_zone;
mod size;
mod statistics;
mod tzif_data;
mod vectors;
