//! `kron run` as a process, and the commands that read its state file.

mod commands;
mod damaged_state;
mod files;
mod limits;
mod place;
mod run_now;
mod state_file;
mod suspend;
