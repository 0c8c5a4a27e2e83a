//! `kron run`: commands as processes. When a job starts is decided by kron-core, and kron-runner asks it.

pub(crate) mod children;
mod connections;
pub(crate) mod control;
mod directories;
pub(crate) mod ends;
pub(crate) mod fields;
pub(crate) mod handler;
pub(crate) mod jobs;
pub(crate) mod left_behind;
pub(crate) mod leftovers;
mod lines;
pub(crate) mod log;
pub(crate) mod metrics;
pub(crate) mod proc_fs;
pub(crate) mod process;
pub(crate) mod reload;
pub(crate) mod request;
pub(crate) mod service_manager;
mod shown;
pub(crate) mod state;
pub(crate) mod store_health;
pub(crate) mod threads;
pub(crate) mod turns;
pub(crate) mod user;
pub(crate) mod web;
pub(crate) mod words;
