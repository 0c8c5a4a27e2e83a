//! The tests of the command: one binary, so that it is linked once.

mod docs;
mod tzdb;
