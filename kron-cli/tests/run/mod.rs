//! `kron run` as a process, and the commands that read its state file.

mod commands;
mod damaged_state;
mod ends;
mod files;
mod hung;
mod limits;
mod place;
mod process_1;
mod reload;
mod run_now;
mod service_manager;
mod shortage;
mod state_file;
mod suspend;
