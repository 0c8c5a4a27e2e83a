//! `kron run` as a process, and the commands that read its state file.

mod commands;
mod ends;
