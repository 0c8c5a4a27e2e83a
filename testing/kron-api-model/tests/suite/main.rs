//! The model, driven as the operator drives it: through clients of kube, on the paused clock.

mod access;
mod controllers;
mod custom;
mod deletion;
mod events;
mod faults;
mod lists;
mod objects;
mod programs;
mod validation;
mod watches;
mod world;
mod writes;
