//! Faults: what goes wrong between a caller and the store.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;

use crate::call::Call;
use crate::matcher::Match;
use crate::server::Server;
use crate::status::Status;

/// A piece of code that runs in the middle of a request. The model is not locked meanwhile.
pub type Hook = Arc<dyn Fn(Server, Arc<Call>) -> BoxFuture<'static, ()> + Send + Sync>;

/// What happens to a request.
#[derive(Clone)]
#[non_exhaustive]
pub enum Effect {
    /// It is answered with this error and not executed.
    Reject(Status),
    /// The connection fails before it is executed.
    Refuse,
    /// It is executed, and the connection fails before the answer arrives.
    LoseAnswer,
    /// It is executed after this time.
    DelayBefore(Duration),
    /// It is executed, and its answer arrives after this time.
    DelayAfter(Duration),
    /// It is not executed and never answered.
    Hang,
    /// It is executed and never answered.
    HangAfter,
    /// This runs just before it is executed.
    Before(Hook),
    /// This runs just after it was executed, before its answer arrives.
    After(Hook),
}

impl Effect {
    /// [`Effect::Before`] with code that does not wait.
    pub fn before(hook: impl Fn(&Server, &Call) + Send + Sync + 'static) -> Effect {
        Effect::Before(immediate(hook))
    }

    /// [`Effect::After`] with code that does not wait.
    pub fn after(hook: impl Fn(&Server, &Call) + Send + Sync + 'static) -> Effect {
        Effect::After(immediate(hook))
    }
}

fn immediate(hook: impl Fn(&Server, &Call) + Send + Sync + 'static) -> Hook {
    Arc::new(move |server, call| {
        hook(&server, &call);
        Box::pin(std::future::ready(()))
    })
}

impl std::fmt::Debug for Effect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Effect::Reject(status) => write!(f, "Reject({status})"),
            Effect::Refuse => f.write_str("Refuse"),
            Effect::LoseAnswer => f.write_str("LoseAnswer"),
            Effect::DelayBefore(time) => write!(f, "DelayBefore({time:?})"),
            Effect::DelayAfter(time) => write!(f, "DelayAfter({time:?})"),
            Effect::Hang => f.write_str("Hang"),
            Effect::HangAfter => f.write_str("HangAfter"),
            Effect::Before(_) => f.write_str("Before(..)"),
            Effect::After(_) => f.write_str("After(..)"),
        }
    }
}

/// The number of an injected fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaultId(pub(crate) u64);

#[derive(Debug)]
struct Fault {
    id: FaultId,
    requests: Match,
    effect: Effect,
    /// None: for ever.
    left: Option<usize>,
    hits: usize,
}

/// All faults of a server, in the order of their injection.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    serial: u64,
    faults: Vec<Fault>,
}

impl Faults {
    pub(crate) fn inject(&mut self, requests: Match, effect: Effect, times: Option<usize>) -> FaultId {
        self.serial += 1;
        let id = FaultId(self.serial);
        self.faults.push(Fault { id, requests, effect, left: times, hits: 0 });
        id
    }

    /// The effects on a request, which count down faults with a limited number.
    pub(crate) fn take(&mut self, call: &Call) -> Vec<Effect> {
        let mut effects = Vec::new();
        for fault in &mut self.faults {
            if fault.left == Some(0) || !fault.requests.matches(call) {
                continue;
            }
            fault.left = fault.left.map(|left| left - 1);
            fault.hits += 1;
            effects.push(fault.effect.clone());
        }
        effects
    }

    /// Spends a fault for good; its hits can still be asked for.
    pub(crate) fn end(&mut self, id: FaultId) {
        for fault in self.faults.iter_mut().filter(|fault| fault.id == id) {
            fault.left = Some(0);
        }
    }

    pub(crate) fn end_all(&mut self) {
        for fault in &mut self.faults {
            fault.left = Some(0);
        }
    }

    pub(crate) fn hits(&self, id: FaultId) -> usize {
        self.faults.iter().find(|fault| fault.id == id).map_or(0, |fault| fault.hits)
    }
}

/// How a caller is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partition {
    /// Connections fail at once and running watches break.
    Refuse,
    /// Nothing gets through in either direction. When the partition ends, what still waits goes through: requests are
    /// executed late, as packets that are sent again.
    Hang,
}

/// How a watch is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The stream ends as if its time were over.
    End,
    /// The stream breaks with an error.
    Break,
}

/// The number of a stall of watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StallId(pub(crate) u64);
