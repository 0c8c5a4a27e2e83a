//! The model, driven as the operator drives it: through clients of kube, on the paused clock.

mod objects;
mod world;
