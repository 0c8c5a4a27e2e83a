//! What takes faults, access rules, another definition of the resource, or hours: on the model only.

mod access;
mod absence;
mod answers;
mod oddities;
