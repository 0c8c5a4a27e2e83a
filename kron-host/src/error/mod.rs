//! The messages of this crate's errors. The type of all errors is [`kron_core::Error`].

mod primer;

pub(crate) use self::primer::LongLead;
