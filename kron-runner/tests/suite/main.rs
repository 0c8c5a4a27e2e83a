//! Tests of the runner: in simulated time with stores that fail, and with real processes.

mod behaviour;
mod crashes;
mod disk;
mod kills;
mod sqlite;
mod world;
