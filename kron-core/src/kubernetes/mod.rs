//! What hosts on Kubernetes write into objects: names, labels and annotations.

pub(crate) mod names;
