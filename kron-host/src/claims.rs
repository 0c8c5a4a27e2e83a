//! Whose claims are: what this process knows of those that it wrote.

use alloc::sync::Arc;

use crate::record::Claim;

/// Who holds a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// Nobody: there is none.
    Nobody,
    /// This process, as an answer has confirmed.
    Mine,
    /// This process, which has sent it. No answer has confirmed it.
    Sent,
    /// This process by its name. It has not sent it, or does not remember that.
    Unsent,
    /// Another process.
    Another,
}

/// The claims of periods that this process wrote. Periods are named by their nominal times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Claims {
    /// The name of this process.
    pub(super) name: Arc<str>,
    /// The last one that was sent. This process knows what was done for it since.
    sent: Option<i64>,
    /// Whether an answer has confirmed that one.
    confirmed: bool,
    /// The one in the write that is under way.
    writing: Option<i64>,
    /// The last one that another process took from this one.
    lost: Option<i64>,
}

impl Claims {
    pub(super) fn new(name: Arc<str>) -> Claims {
        Claims { name, ..Claims::default() }
    }

    /// Who holds a claim.
    pub(super) fn holder(&self, claim: Option<&Claim>) -> Holder {
        match claim {
            None => Holder::Nobody,
            Some(claim) if self.is_of_another(claim) => Holder::Another,
            Some(claim) if self.confirmed && self.sent == Some(claim.nominal) => Holder::Mine,
            Some(claim) if self.sent(claim.nominal) => Holder::Sent,
            Some(_) => Holder::Unsent,
        }
    }

    /// Whether this process has sent a claim of that period, and knows what was done for it since.
    pub(super) fn sent(&self, nominal: i64) -> bool {
        [self.sent, self.writing].contains(&Some(nominal))
    }

    /// Whether another process holds a claim.
    pub(super) fn is_of_another(&self, claim: &Claim) -> bool {
        *claim.holder != *self.name
    }

    /// Whether another process holds a claim that this one has sent.
    pub(super) fn is_lost(&self, claim: &Claim) -> bool {
        self.is_of_another(claim) && self.sent == Some(claim.nominal)
    }

    /// Whether another process took the claim of that period from this one.
    pub(super) fn was_lost(&self, nominal: i64) -> bool {
        self.lost == Some(nominal)
    }

    /// A record with that claim is about to be written.
    pub(super) fn write(&mut self, claim: Option<&Claim>) {
        let own = claim.filter(|claim| !self.is_of_another(claim));
        self.writing = own.map(|claim| claim.nominal);
    }

    /// It was written.
    pub(super) fn written(&mut self) {
        if let Some(claim) = self.writing.take() {
            (self.sent, self.confirmed) = (Some(claim), true);
        }
    }

    /// It was not written, or its answer confirms nothing: then it may have been.
    pub(super) fn not_written(&mut self, uncertain: bool, overtaken: bool) {
        let claim = self.writing.take();
        if uncertain {
            self.sent = claim.or(self.sent);
        }
        self.confirmed &= !uncertain && !overtaken;
    }

    /// Takes note of the claim in the record. Says whether another process has just taken it from this one.
    pub(super) fn notice(&mut self, claim: &Claim) -> bool {
        let news = self.is_lost(claim) && !self.was_lost(claim.nominal);
        if news {
            (self.lost, self.confirmed) = (Some(claim.nominal), false);
        }
        news
    }
}
