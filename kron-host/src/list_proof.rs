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

/// Whether the host sees every execution that is active, because they were listed in the store. What this process sees of others,
/// or does not know of itself, ends the proof, and also that of the lists that are under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub(super) struct ListProof {
    holds: bool,
    /// Whether a list of each kind is under way that will prove it.
    own: bool,
    shared: bool,
}

impl ListProof {
    fn under_way(&mut self, kind: ListKind) -> &mut bool {
        match kind {
            ListKind::Own => &mut self.own,
            ListKind::Shared => &mut self.shared,
        }
    }

    pub(super) fn holds(self) -> bool {
        self.holds
    }

    /// Whether a shared list is under way that will prove it.
    pub(super) fn is_served(self) -> bool {
        self.shared
    }

    /// A list begins.
    pub(super) fn begin(&mut self, kind: ListKind) {
        *self.under_way(kind) = true;
    }

    /// A list was read. Returns whether nothing has ended its proof since it began.
    pub(super) fn read(&mut self, kind: ListKind) -> bool {
        let proves = core::mem::take(self.under_way(kind));
        self.holds |= proves;
        proves
    }

    /// A list failed.
    pub(super) fn fail(&mut self, kind: ListKind) {
        *self.under_way(kind) = false;
    }

    /// An execution may exist that no list so far has shown.
    pub(super) fn end(&mut self) {
        *self = ListProof::default();
    }

    /// The same, if that is so.
    pub(super) fn end_if(&mut self, is_so: bool) {
        if is_so {
            self.end();
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
        assert!(!proof.read(ListKind::Shared) && !proof.holds());
        assert!(proof.read(ListKind::Own) && proof.holds());
        proof.end();
        proof.begin(ListKind::Shared);
        proof.fail(ListKind::Shared);
        assert!(!proof.read(ListKind::Shared) && !proof.read(ListKind::Own) && !proof.holds());
    }
}
