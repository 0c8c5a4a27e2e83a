//! What takes faults, access rules, another definition of the resource, or hours: on the model only.

mod absence;
mod access;
mod answers;
mod fairness;
mod logs;
mod oddities;
mod primers;
