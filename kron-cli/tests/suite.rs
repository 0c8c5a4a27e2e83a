//! Tests of the command: all but those of `binary` call the library's `run` in this process. Every instant is literal.

#![forbid(unsafe_code)]

mod binary;
mod explain;
mod lint;
mod next;
mod nonsense;
mod readme;
mod support;
mod usage;
mod verify;
