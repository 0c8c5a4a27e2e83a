//! Tests of the plan in a small [`World`]: whatever happens, a period gets one outcome, and never a second Job.

use kron_crd::{KronJobStatus, Outcome, Time};
use serde_json::Value;

use super::*;
use crate::client::Failure;
use crate::object::{Finished, JobView, KronJobView};

mod answers;
mod claims;
mod edges;
mod edits;
mod labels;
mod outcomes;
mod primers;
mod run_now;
mod waiting;
mod world;

use world::{World, refused, specs};

const START: i64 = 1_772_323_200;
