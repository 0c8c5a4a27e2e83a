//! Faults: what goes wrong with a request between its caller and the objects.
//!
//! A new fault is declared in [`Fault`], and the compiler asks what it does; the test of faults and the simulation of the
//! operator ask for it by its [`FaultKind`].

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;

use crate::call::Call;
use crate::matcher::Match;
use crate::objects::Objects;
use crate::status::Status;

/// A piece of code that runs in the middle of a request. The model is not locked meanwhile.
pub type Hook = Arc<dyn Fn(Objects, Arc<Call>) -> BoxFuture<'static, ()> + Send + Sync>;

/// Declares the faults, and the kind of each under the same name.
macro_rules! faults {
    ($($(#[$doc:meta])+ $name:ident $(($content:ty))?,)+) => {
        /// What happens to a request.
        #[derive(Clone)]
        pub enum Fault {
            $($(#[$doc])+ $name $(($content))?,)+
        }

        /// A [`Fault`] without what belongs to it, such as a time.
        ///
        /// ```
        /// use kron_api_model::{Fault, FaultKind};
        /// assert_eq!(Fault::LoseAnswer.kind(), FaultKind::LoseAnswer);
        /// assert!(FaultKind::ALL.contains(&FaultKind::LoseAnswer));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FaultKind {
            $($(#[$doc])+ $name,)+
        }

        impl FaultKind {
            /// All kinds, in the order of their declaration.
            pub const ALL: &[FaultKind] = &[$(FaultKind::$name,)+];
        }

        impl Fault {
            /// Its kind.
            pub const fn kind(&self) -> FaultKind {
                match self {
                    $(Fault::$name { .. } => FaultKind::$name,)+
                }
            }
        }
    };
}

faults! {
    /// It is answered with this error and not executed.
    Reject(Status),
    /// The connection fails before it is executed.
    Refuse,
    /// It is executed, and the connection fails before the answer arrives.
    LoseAnswer,
    /// It is executed after this time. If its parameter `timeout` is over before, it is refused then, and never executed.
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

/// What a fault does at one point of a request.
#[derive(Clone)]
pub(crate) enum Step {
    /// Nothing.
    Pass,
    /// The request ends with this error.
    Answer(Status),
    /// The request ends with a failed connection.
    Disconnect,
    /// The request waits.
    Wait(Duration),
    /// The request waits for ever.
    WaitForever,
    /// This runs.
    Run(Hook),
}

/// What a fault does to a request.
#[derive(Clone)]
pub(crate) struct Steps {
    pub(crate) before_execution: Step,
    pub(crate) after_execution: Step,
}

impl Steps {
    fn before(before_execution: Step) -> Steps {
        Steps { before_execution, after_execution: Step::Pass }
    }

    fn after(after_execution: Step) -> Steps {
        Steps { before_execution: Step::Pass, after_execution }
    }
}

impl Fault {
    /// [`Fault::Before`] with code that does not wait.
    pub fn before(hook: impl Fn(&Objects, &Call) + Send + Sync + 'static) -> Fault {
        Fault::Before(immediate(hook))
    }

    /// [`Fault::After`] with code that does not wait.
    pub fn after(hook: impl Fn(&Objects, &Call) + Send + Sync + 'static) -> Fault {
        Fault::After(immediate(hook))
    }

    /// What it does.
    fn steps(&self) -> Steps {
        match self {
            Fault::Reject(status) => Steps::before(Step::Answer(status.clone())),
            Fault::Refuse => Steps::before(Step::Disconnect),
            Fault::LoseAnswer => Steps::after(Step::Disconnect),
            Fault::DelayBefore(time) => Steps::before(Step::Wait(*time)),
            Fault::DelayAfter(time) => Steps::after(Step::Wait(*time)),
            Fault::Hang => Steps::before(Step::WaitForever),
            Fault::HangAfter => Steps::after(Step::WaitForever),
            Fault::Before(hook) => Steps::before(Step::Run(hook.clone())),
            Fault::After(hook) => Steps::after(Step::Run(hook.clone())),
        }
    }
}

fn immediate(hook: impl Fn(&Objects, &Call) + Send + Sync + 'static) -> Hook {
    Arc::new(move |objects, call| {
        hook(&objects, &call);
        Box::pin(std::future::ready(()))
    })
}

impl std::fmt::Debug for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = self.kind();
        match self {
            Fault::Reject(status) => write!(f, "{kind:?}({status})"),
            Fault::DelayBefore(time) | Fault::DelayAfter(time) => write!(f, "{kind:?}({time:?})"),
            Fault::Refuse | Fault::LoseAnswer | Fault::Hang | Fault::HangAfter => write!(f, "{kind:?}"),
            Fault::Before(_) | Fault::After(_) => write!(f, "{kind:?}(..)"),
        }
    }
}

/// The number of an injected fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaultId(pub(crate) u64);

/// A fault and the requests that it happens to.
#[derive(Debug)]
struct Injected {
    id: FaultId,
    requests: Match,
    fault: Fault,
    /// None: for ever.
    left: Option<usize>,
    hits: usize,
}

/// All faults of a server, in the order of their injection.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    serial: u64,
    faults: Vec<Injected>,
}

impl Faults {
    pub(crate) fn inject(&mut self, requests: Match, fault: Fault, times: Option<usize>) -> FaultId {
        self.serial += 1;
        let id = FaultId(self.serial);
        self.faults.push(Injected { id, requests, fault, left: times, hits: 0 });
        id
    }

    /// What happens to a request. Counts down faults with a limited number.
    pub(crate) fn take(&mut self, call: &Call) -> Vec<Steps> {
        let mut steps = Vec::new();
        for injected in &mut self.faults {
            if injected.left == Some(0) || !injected.requests.matches(call) {
                continue;
            }
            injected.left = injected.left.map(|left| left - 1);
            injected.hits += 1;
            steps.push(injected.fault.steps());
        }
        steps
    }

    /// Spends a fault for good; its hits can still be asked for.
    pub(crate) fn end(&mut self, id: FaultId) {
        for injected in self.faults.iter_mut().filter(|injected| injected.id == id) {
            injected.left = Some(0);
        }
    }

    pub(crate) fn end_all(&mut self) {
        for injected in &mut self.faults {
            injected.left = Some(0);
        }
    }

    pub(crate) fn hits(&self, id: FaultId) -> usize {
        self.faults.iter().find(|injected| injected.id == id).map_or(0, |injected| injected.hits)
    }
}
