//! What lists of the executions in the store prove.

/// Which list of executions: the one that a dispatcher has asked for, or one that serves many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum ListKind {
    /// The answer to [`HostRequest::List`](crate::HostRequest::List).
    Own,
    /// One list of the executions of many jobs.
    Shared,
}

/// What the next start of a job lacks of a list of the executions. A list that serves many is made for those that lack one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ListNeed {
    /// Nothing.
    #[default]
    None,
    /// A start is due that needs a list once it is claimed.
    OnceClaimed,
    /// A list: this process has claimed the start of that Unix second, and none has begun since.
    Claimed(i64),
    /// Nothing more: a list that serves many is under way for it.
    Served,
}

/// What a list of the dispatcher's own that is under way will say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum OwnList {
    /// None is under way, or something happened since that it may not show.
    #[default]
    Nothing,
    /// What is active before the start that it was asked for.
    ForThisStart,
    /// The same for later starts, too.
    ForAllStarts,
}

/// Whether the host sees every execution that is active, because they were listed in the store. What this process sees of others,
/// or does not know of itself, ends the proof, and also that of the lists that are under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct ListProof {
    holds: bool,
    own: OwnList,
    /// Whether a shared list is under way that will prove it.
    shared: bool,
}

impl ListProof {
    pub(super) fn holds(self) -> bool {
        self.holds
    }

    /// Whether a shared list is under way that will prove it.
    pub(super) fn is_served(self) -> bool {
        self.shared
    }

    /// A list begins.
    pub(super) fn begin(&mut self, kind: ListKind) {
        match kind {
            ListKind::Own => self.own = OwnList::ForAllStarts,
            ListKind::Shared => self.shared = true,
        }
    }

    /// The own list was read.
    pub(super) fn read_own(&mut self) -> OwnList {
        let own = core::mem::take(&mut self.own);
        self.holds |= own == OwnList::ForAllStarts;
        own
    }

    /// A shared list was read.
    pub(super) fn read_shared(&mut self) {
        self.holds |= core::mem::take(&mut self.shared);
    }

    /// A list failed.
    pub(super) fn fail(&mut self, kind: ListKind) {
        match kind {
            ListKind::Own => self.own = OwnList::Nothing,
            ListKind::Shared => self.shared = false,
        }
    }

    /// An execution may exist that no list so far has shown.
    pub(super) fn end(&mut self) {
        *self = ListProof::default();
    }

    /// The same for later starts. The one that is being made was claimed since.
    pub(super) fn end_for_later_starts(&mut self) {
        (self.holds, self.shared) = (false, false);
        if self.own == OwnList::ForAllStarts {
            self.own = OwnList::ForThisStart;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_proves_nothing_that_happened_after_it_began() {
        let mut proof = ListProof::default();
        proof.begin(ListKind::Shared);
        proof.end();
        proof.begin(ListKind::Own);
        proof.read_shared();
        assert!(!proof.holds());
        assert_eq!((proof.read_own(), proof.holds()), (OwnList::ForAllStarts, true));
        proof.end();
        proof.begin(ListKind::Shared);
        proof.fail(ListKind::Shared);
        proof.read_shared();
        assert_eq!((proof.read_own(), proof.holds()), (OwnList::Nothing, false));
    }

    #[test]
    fn a_list_may_say_what_is_active_before_one_start_alone() {
        let mut proof = ListProof::default();
        proof.begin(ListKind::Own);
        proof.begin(ListKind::Shared);
        proof.end_for_later_starts();
        proof.read_shared();
        assert_eq!((proof.read_own(), proof.holds()), (OwnList::ForThisStart, false));
        proof.end_for_later_starts();
        assert_eq!(proof.read_own(), OwnList::Nothing);
    }
}
