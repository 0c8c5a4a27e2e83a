//! All KronJobs and Jobs that the watches have shown, with what this process knows of each, and the times at which to
//! look at them again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use kron_core::Job;
use kron_host::{ListNeed, SearchResult, StartSearch};

use super::lists::{Lists, PATIENCE};
use crate::namespaces::Scope;
use crate::object::{JobView, Key, KronJobView, Version};
use crate::plan::{
    Answered, KronJobPlan, Lane, Moment, Objects, Observation, Observed, Reports, Request, Response, Sought,
    plan,
};
use crate::planted_bugs::is_planted;

/// How many deleted Jobs are kept: those of the time that a request may take.
const GONE: usize = 4096;
/// The templates that are kept, in bytes of compact JSON, those of all KronJobs together. Those of further KronJobs are read
/// when a Job is created, as large ones are.
const TEMPLATES_KEPT: usize = 24 << 20;
/// Up to so many Jobs of a KronJob take no more memory than they need. Whoever has more does not pay a copy of all for each.
const FEW_JOBS: usize = 8;
/// When a KronJob is looked at again that asked for a time that has passed, in milliseconds.
const PASSED: i64 = 1000;
/// The span of time in which writes of a status are counted, in milliseconds.
const SPAN: i64 = 10_000;
/// How many writes of one status are made in it. A start needs two or three.
const WRITES_IN_A_SPAN: u8 = 20;

/// What is known of the cluster. Everything in it can be read from the server again.
///
/// No lock, no clock and no task is in here, so a check of every interleaving drives the same code as the engine.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Boxed: the tree keeps room for more entries than it has.
    pub(super) objects: BTreeMap<Key, Box<Object>>,
    /// This process, as claims name it.
    holder: Arc<str>,
    /// The bytes of all templates in `objects`.
    templates: usize,
    /// Jobs by their owners, in the order of their names. Most KronJobs have two or three: vectors without room for more take the
    /// least memory.
    jobs: HashMap<Owner, Vec<JobView>>,
    /// The UID by which a Job of that namespace and name is filed, to find it again when its owner changes.
    owners: HashMap<Key, Arc<str>>,
    /// KronJobs by UID.
    pub(super) uids: HashMap<Arc<str>, Key>,
    /// The names of namespaces, each once, for all that is in them.
    namespaces: HashSet<Arc<str>>,
    /// UIDs of Jobs that were seen to be deleted, the last few: an answer that was under way then brings none of them back.
    gone: VecDeque<Box<str>>,
    /// What is served, if it is not all.
    scopes: Vec<Scope>,
    /// The KronJobs that wait for a list of their Jobs, and the lists that serve many of them.
    pub(super) lists: Lists,
    /// The lists that watches are reading.
    listings: BTreeMap<(Scope, Watched), Listing>,
    /// What was not read yet of what is to be served: nothing is planned there before.
    unread: BTreeSet<(Scope, Watched)>,
    /// What of that may not be read, as where the namespace does not exist yet.
    refused: BTreeSet<(Scope, Watched)>,
    /// Jobs that answers have shown since the last list of their scope began, and the watch has not: the list may be older than
    /// they are.
    unshown: BTreeSet<Key>,
    /// When to look at which KronJob, in milliseconds of Unix time.
    timers: BTreeSet<(i64, Key)>,
    /// Whether this process may write, and everything has been read.
    active: bool,
    /// The last term in which it was active: the answer to a request of an earlier term is dropped.
    term: u64,
}

/// Who controls a Job: its namespace, and the UID of a KronJob. A Job of another namespace than that KronJob's is none of its Jobs, and
/// as many as somebody forges there cost it nothing.
type Owner = (Arc<str>, Arc<str>);

/// What a watch shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Watched {
    /// KronJobs.
    KronJobs,
    /// The Jobs of KronJobs.
    Jobs,
}

impl Watched {
    /// All of them.
    pub const ALL: [Watched; 2] = [Watched::KronJobs, Watched::Jobs];

    /// The name of the watch, in the log and among the tasks.
    pub(super) const fn watch(self) -> &'static str {
        match self {
            Watched::KronJobs => "watch of KronJobs",
            Watched::Jobs => "watch of Jobs",
        }
    }
}

/// A list of the objects of a scope, as far as it was read. What it has not shown is kept, and not what it has: that is nothing
/// while a process reads its first list.
#[derive(Clone, Debug, Default)]
struct Listing {
    /// Those that were known when it began, and that it has not shown yet.
    unlisted: HashSet<Key>,
    /// The newest version in it, of Jobs.
    newest: Version,
}

/// What a [`State`] knows of a KronJob.
#[derive(Clone, Debug)]
pub struct Object {
    /// The KronJob.
    pub kronjob: KronJobView,
    /// What this process knows beyond its objects.
    pub observed: Observed,
    /// Which lanes have a request under way.
    pub busy: [bool; Lane::ALL.len()],
    /// When to look at it again, in milliseconds of Unix time.
    pub timer: Option<i64>,
    /// What it waits for, as far as lists are concerned.
    pub list_need: ListNeed,
    /// When its start, which is due and waits for a list of many, could have made a list of its own, in milliseconds of Unix time.
    pub list_wanted: Option<i64>,
    /// When the span began in which writes of its status are counted, in milliseconds of Unix time, and how many there were since. The
    /// engine's requests alone ask for it.
    pub status_writes: (i64, u8),
}

/// All that a [`State`] knows.
#[derive(Clone, Debug)]
pub struct Known<'a> {
    /// The KronJobs, by their keys.
    pub kronjobs: Vec<&'a Object>,
    /// The Jobs, by their namespaces and names.
    pub jobs: Vec<&'a JobView>,
    /// UIDs of the Jobs that were seen to be deleted, the last few, the oldest first.
    pub gone: Vec<&'a str>,
    /// Whether a list of Jobs is being read.
    pub is_listing_jobs: bool,
    /// Jobs that answers have shown since the last list of their scope began, and the watch has not.
    pub unshown: &'a BTreeSet<Key>,
    /// The term, if this process may write.
    pub term: Option<u64>,
}

/// What is to be done for a KronJob.
#[derive(Debug)]
pub enum Planned {
    /// A search, which can take seconds: outside the lock that all KronJobs share. Then a plan can be made.
    Search(Box<NeededSearch>),
    /// What is planned, and what is to be published.
    Plan(Box<(KronJobPlan, Reports)>),
}

/// The search for the next start of a KronJob.
#[derive(Debug)]
pub struct NeededSearch {
    /// The UID of the KronJob.
    pub uid: Arc<str>,
    /// The job to search in.
    pub job: Job,
    /// The search.
    pub search: StartSearch,
}

/// Where a version of an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A list of all objects.
    List,
    /// A watch, or an answer.
    Change,
}

/// Whether one version of a KronJob is older than another one. Kubernetes has versions that can be compared as numbers since
/// 1.35, and had them in fact before; versions that are not numbers are taken as they come.
fn is_older(kronjob: &KronJobView, than: &KronJobView) -> bool {
    let [version, than] = [kronjob, than].map(|kronjob| Version::of(&kronjob.resource_version));
    version != Version(0) && version < than && !is_planted("stale-object-accepted")
}

impl State {
    /// Nothing is known yet; claims name this process so.
    pub fn new(holder: &str) -> State {
        State { holder: holder.into(), ..State::default() }
    }

    /// [`State::new`] for an operator that serves these. Nothing of a scope is planned before both its lists were read.
    pub fn serving(holder: &str, scopes: &[Scope]) -> State {
        let both = |scope: &Scope| Watched::ALL.map(|watched| (scope.clone(), watched));
        let unread = scopes.iter().flat_map(both).collect();
        State { unread, scopes: scopes.to_vec(), ..State::new(holder) }
    }

    /// The scope that a namespace is in.
    fn scope_of(scopes: &[Scope], namespace: &str) -> Scope {
        scopes.iter().find(|scope| scope.has(namespace)).cloned().unwrap_or(Scope::All)
    }

    /// Whether everything was read of the scope that a namespace is in.
    fn has_read(&self, namespace: &str) -> bool {
        !self.unread.iter().any(|(scope, _)| scope.has(namespace))
    }

    /// The scopes of which everything was read. A namespace that may not be read holds up no other.
    pub(super) fn read_scopes(&self) -> BTreeSet<Scope> {
        let is_read = |scope: &&Scope| !self.unread.iter().any(|(unread, _)| unread == *scope);
        self.scopes.iter().filter(is_read).cloned().collect()
    }

    /// Whether a scope is read, and every other one is read or refused.
    pub(super) fn is_complete(&self) -> bool {
        self.unread.is_subset(&self.refused) && !self.read_scopes().is_empty()
    }

    /// What the watch of a scope shows may not be read. What was read once stays read. Says whether it is news.
    pub(super) fn list_refused(&mut self, scope: &Scope, watched: Watched) -> bool {
        let of = (scope.clone(), watched);
        self.unread.contains(&of) && self.refused.insert(of)
    }

    /// The KronJob, in the version that is known.
    pub fn kronjob(&self, key: &Key) -> Option<&KronJobView> {
        self.objects.get(key).map(|object| &object.kronjob)
    }

    /// Whether versions of Jobs may be compared from here on: while a list of Jobs is being read, or after it.
    pub fn compares_jobs(&self) -> bool {
        self.is_listing_jobs() || !self.unshown.is_empty()
    }

    /// Whether a list of Jobs is being read.
    fn is_listing_jobs(&self) -> bool {
        self.listings.keys().any(|(_, watched)| *watched == Watched::Jobs)
    }

    /// All that is known, for a check of every interleaving, which reads each list in one step: two states in which it is the
    /// same go on alike.
    pub fn known(&self) -> Known<'_> {
        let State {
            objects,
            jobs: _,
            gone,
            listings: _,
            unshown,
            active,
            term,
            // In what is observed of each KronJob.
            holder: _,
            // In the timer of each KronJob.
            timers: _,
            // These follow from the KronJobs and the Jobs.
            templates: _,
            owners: _,
            uids: _,
            namespaces: _,
            // It reads everything before it leads.
            unread: _,
            refused: _,
            scopes: _,
            // Who waits follows from what is observed. When a shared list begins is left to the check.
            lists: _,
        } = self;
        let mut jobs: Vec<&JobView> = self.jobs.values().flatten().collect();
        jobs.sort_by(|one, other| (&one.namespace, &one.name).cmp(&(&other.namespace, &other.name)));
        Known {
            kronjobs: objects.values().map(|object| &**object).collect(),
            jobs,
            gone: gone.iter().map(|uid| &**uid).collect(),
            is_listing_jobs: self.is_listing_jobs(),
            unshown,
            term: active.then_some(*term),
        }
    }

    /// Enters something that concerns all KronJobs.
    pub fn observe_all(&mut self, observation: &Observation<'_>, now: DateTime<Utc>) {
        if let Observation::ClockSet = observation {
            self.lists.clock_set();
        }
        for object in self.objects.values_mut() {
            object.observed.observe(*observation, now.timestamp());
        }
    }

    /// The KronJobs that are known.
    pub fn keys(&self) -> Vec<Key> {
        self.objects.keys().cloned().collect()
    }

    /// The KronJobs of a scope that are known.
    pub fn keys_in(&self, scope: &Scope) -> Vec<Key> {
        let Scope::Namespace(namespace) = scope else { return self.keys() };
        let from = Key { namespace: namespace.clone(), name: "".into() };
        let all = self.objects.range(from..).map(|(key, _)| key);
        all.take_while(|key| key.namespace == *namespace).cloned().collect()
    }

    /// How many KronJobs and Jobs are known.
    pub fn counts(&self) -> (usize, usize) {
        (self.objects.len(), self.owners.len())
    }

    /// Takes a version of a KronJob, unless a newer one is known. A new UID is a new object. Says whether it is news.
    ///
    /// A list is never refused: after a restored backup, versions begin again before those that are known. Where it only
    /// was slower than an answer, the next write is refused, and the newest version is read.
    pub fn put_kronjob(&mut self, mut kronjob: KronJobView, source: Source) -> bool {
        let listing = (State::scope_of(&self.scopes, &kronjob.key.namespace), Watched::KronJobs);
        if let (Source::List, Some(listing)) = (source, self.listings.get_mut(&listing)) {
            listing.unlisted.remove(&kronjob.key);
        }
        let others = self.templates - self.kronjob(&kronjob.key).map_or(0, KronJobView::template_bytes);
        if others + kronjob.template_bytes() > TEMPLATES_KEPT {
            kronjob.forget_templates();
        }
        let templates = others + kronjob.template_bytes();
        match self.objects.get_mut(&kronjob.key) {
            Some(object) if object.kronjob.uid == kronjob.uid => {
                if source == Source::Change && is_older(&kronjob, &object.kronjob) {
                    return false;
                }
                // Equal texts of all versions are kept once.
                kronjob.key = object.kronjob.key.clone();
                kronjob.uid = object.kronjob.uid.clone();
                // An update of the status leaves the spec where it is in memory: what lives long would otherwise move to
                // places between what is freed soon, and the process would grow.
                if object.kronjob.spec == kronjob.spec {
                    std::mem::swap(&mut object.kronjob.spec, &mut kronjob.spec);
                }
                object.kronjob = kronjob;
            }
            _ => {
                self.remove_kronjob(&kronjob.key);
                kronjob.key.namespace = self.namespace(kronjob.key.namespace);
                self.uids.insert(kronjob.uid.clone(), kronjob.key.clone());
                let object = Object {
                    observed: Observed::new(self.holder.clone()),
                    busy: [false; Lane::ALL.len()],
                    timer: None,
                    list_need: ListNeed::None,
                    list_wanted: None,
                    status_writes: (0, 0),
                    kronjob,
                };
                self.objects.insert(object.kronjob.key.clone(), Box::new(object));
            }
        }
        self.templates = templates;
        true
    }

    /// The name of a namespace, as it is shared.
    fn namespace(&mut self, name: Arc<str>) -> Arc<str> {
        if let Some(known) = self.namespaces.get(&name) {
            return known.clone();
        }
        if self.namespaces.len() == self.namespaces.capacity() {
            // Before it grows: those of namespaces that are gone.
            self.namespaces.retain(|name| Arc::strong_count(name) > 1);
        }
        self.namespaces.insert(name.clone());
        name
    }

    /// Takes what the server itself answered about the KronJob of this UID. If it is gone, or its name belongs to another one
    /// by now, it is forgotten; the watch brings the other one.
    pub fn refresh_kronjob(&mut self, key: &Key, uid: &str, found: Option<KronJobView>) {
        if found.as_ref().is_none_or(|found| *found.uid != *uid) {
            self.remove_kronjob_of(key, uid);
        }
        if let Some(found) = found.filter(|found| self.object(&found.key, &found.uid).is_some()) {
            self.put_kronjob(found, Source::Change);
        }
    }

    /// What is known of the KronJob of that UID. Another one of its name may be there already.
    fn object(&mut self, key: &Key, uid: &str) -> Option<&mut Object> {
        self.objects.get_mut(key).map(|object| &mut **object).filter(|object| *object.kronjob.uid == *uid)
    }

    /// Forgets a KronJob, unless its name already belongs to a new one.
    pub fn remove_kronjob_of(&mut self, key: &Key, uid: &str) {
        if self.object(key, uid).is_some() {
            self.remove_kronjob(key);
        }
    }

    /// Forgets a KronJob.
    pub fn remove_kronjob(&mut self, key: &Key) {
        if let Some(object) = self.objects.remove(key) {
            self.uids.remove(&object.kronjob.uid);
            self.templates -= object.kronjob.template_bytes();
            if let Some(timer) = object.timer {
                self.timers.remove(&(timer, key.clone()));
            }
            let scope = State::scope_of(&self.scopes, &key.namespace);
            self.lists.set(&scope, &object.kronjob.uid, object.list_need, ListNeed::None);
        }
    }

    /// A list of all objects of a scope begins. It is a consistent read, so it is newer than all that the watch has shown, and
    /// may be older than the answers from now on.
    pub fn begin_list(&mut self, watched: Watched, scope: &Scope) {
        let unlisted = match watched {
            Watched::KronJobs => self.keys_in(scope).into_iter().collect(),
            Watched::Jobs => {
                self.unshown.retain(|key| !scope.has(&key.namespace));
                self.owners.keys().filter(|key| scope.has(&key.namespace)).cloned().collect()
            }
        };
        let listing = Listing { unlisted, newest: Version::default() };
        self.listings.insert((scope.clone(), watched), listing);
    }

    /// The list is complete: forgets the objects that it does not have, but for Jobs that are newer. Gives the KronJobs that the
    /// Jobs concerned.
    pub fn end_list(&mut self, watched: Watched, scope: &Scope) -> BTreeSet<Key> {
        let of = (scope.clone(), watched);
        let Listing { unlisted, newest } = self.listings.remove(&of).unwrap_or_default();
        self.unread.remove(&of);
        if watched == Watched::KronJobs {
            unlisted.iter().for_each(|key| self.remove_kronjob(key));
            return BTreeSet::new();
        }
        let may_be_newer = |key: &Key| {
            self.unshown.contains(key) && self.is_newer(key, newest) && !is_planted("answered-job-forgotten")
        };
        let answered = self.unshown.iter().filter(|key| scope.has(&key.namespace));
        // In an order, as runs repeat.
        let gone: BTreeSet<Key> =
            unlisted.iter().chain(answered).filter(|key| !may_be_newer(key)).cloned().collect();
        gone.iter().filter_map(|key| self.remove_job(key)).collect()
    }

    /// Whether the known version of a Job is newer. One that is no number may be.
    fn is_newer(&self, key: &Key, than: Version) -> bool {
        let version = self.job(key).map_or(Version(0), |job| job.version);
        version == Version(0) || version > than
    }

    fn job(&self, key: &Key) -> Option<&JobView> {
        let jobs = self.jobs.get(&(key.namespace.clone(), self.owners.get(key)?.clone()))?;
        place_of(jobs, &key.name).ok().map(|place| &jobs[place])
    }

    /// Takes a version of a Job from the list or the watch of a scope. Gives the KronJobs that are concerned.
    pub fn put_job(&mut self, job: JobView, source: Source, scope: &Scope) -> BTreeSet<Key> {
        let version = job.version;
        let (key, concerned) = self.file_job(job);
        self.unshown.remove(&key);
        let others = match source {
            Source::List => {
                let listing = self.listings.entry((scope.clone(), Watched::Jobs)).or_default();
                listing.newest = listing.newest.max(version);
                listing.unlisted.remove(&key);
                BTreeSet::new()
            }
            Source::Change => self.shown_to(version, scope),
        };
        concerned.into_iter().chain(others).collect()
    }

    /// The watch of a scope has shown a Job's deletion. Gives the KronJobs that are concerned.
    pub fn job_deleted(&mut self, job: &JobView, scope: &Scope) -> BTreeSet<Key> {
        let key = Key { namespace: job.namespace.clone(), name: job.name.clone() };
        // Another one of its name may be there already.
        let known = self.job(&key).is_some_and(|known| known.uid == job.uid);
        let concerned = known.then(|| self.remove_job(&key)).flatten();
        concerned.into_iter().chain(self.shown_to(job.version, scope)).collect()
    }

    /// The watch of a scope has shown all its changes up to that version, in their order. A Job that it has not shown by then was removed
    /// before the list: nothing will show it. Gives the KronJobs that such Jobs concerned.
    fn shown_to(&mut self, version: Version, scope: &Scope) -> BTreeSet<Key> {
        let shown = self.unshown.iter().filter(|key| scope.has(&key.namespace));
        let gone = shown.filter(|key| !self.is_newer(key, version));
        let gone: Vec<Key> = gone.cloned().collect();
        gone.iter().filter_map(|key| self.remove_job(key)).collect()
    }

    /// Files a version of a Job. Gives the Job's key, which shares its texts, and the KronJob that it concerns, if that is known.
    fn file_job(&mut self, mut job: JobView) -> (Key, Option<Key>) {
        // Equal texts are kept once.
        let owner: Owner = (job.namespace.clone(), job.owner.clone());
        let of_kronjob = self.uids.get(&job.owner).and_then(|key| self.kronjob(key)).map(owner_of);
        let of_others = || self.jobs.get_key_value(&owner).map(|(known, _)| known.clone());
        let known = of_kronjob.filter(|known| *known == owner).or_else(of_others);
        let owner = known.unwrap_or_else(|| (self.namespace(owner.0), owner.1));
        (job.namespace, job.owner) = owner.clone();
        let key = Key { namespace: job.namespace.clone(), name: job.name.clone() };
        if self.owners.get(&key).is_some_and(|filed| *filed != job.owner) {
            self.remove_job(&key);
        }
        self.owners.insert(key.clone(), job.owner.clone());
        let kronjob = self.owner(&job);
        let jobs = self.jobs.entry(owner).or_default();
        match place_of(jobs, &job.name) {
            Ok(place) => jobs[place] = job,
            Err(place) => {
                if jobs.len() < FEW_JOBS {
                    jobs.reserve_exact(1);
                }
                jobs.insert(place, job);
            }
        }
        (key, kronjob)
    }

    /// Whether a watch or an answer has shown a Job, or a watch its end.
    pub(super) fn knows(&self, job: &JobView) -> bool {
        let key = Key { namespace: job.namespace.clone(), name: job.name.clone() };
        let known = self.job(&key).filter(|known| known.owner == job.owner && known.uid == job.uid);
        known.is_some() || self.gone.contains(&job.uid) && !is_planted("deleted-job-returns")
    }

    /// Takes a Job from an answer, unless a watch has shown it already, or its end.
    pub fn put_job_if_new(&mut self, job: JobView) {
        if !self.knows(&job) {
            let (key, _) = self.file_job(job);
            let mut listed = self.listings.keys().filter(|(_, watched)| *watched == Watched::Jobs);
            if listed.any(|(scope, _)| scope.has(&key.namespace)) {
                self.unshown.insert(key);
            }
        }
    }

    /// Forgets a Job. Gives the KronJob that it concerned.
    fn remove_job(&mut self, key: &Key) -> Option<Key> {
        self.unshown.remove(key);
        let owner = (key.namespace.clone(), self.owners.remove(key)?);
        let jobs = self.jobs.get_mut(&owner)?;
        let job = jobs.remove(place_of(jobs, &key.name).ok()?);
        if jobs.is_empty() {
            self.jobs.remove(&owner);
        } else if jobs.len() < FEW_JOBS || jobs.len() < jobs.capacity() / 4 {
            jobs.shrink_to_fit();
        }
        if self.gone.len() == GONE {
            self.gone.pop_front();
        }
        self.gone.push_back(job.uid.clone());
        self.owner(&job)
    }

    /// The KronJob that controls a Job, if it is known. A Job belongs to no KronJob of another namespace.
    fn owner(&self, job: &JobView) -> Option<Key> {
        self.uids.get(&job.owner).filter(|key| *key.namespace == *job.namespace).cloned()
    }

    /// The term, if this process may write.
    pub fn term(&self) -> Option<u64> {
        self.active.then_some(self.term)
    }

    /// The last term that began here; 0 before the first one.
    pub fn last_term(&self) -> u64 {
        self.term
    }

    /// From now on this process may write, in a term with a number above that of all earlier ones. What it knew is of an earlier
    /// term, and gone.
    pub fn activate(&mut self, term: u64) {
        debug_assert!(!self.active && term > self.term, "a term is new");
        self.active = true;
        self.term = term;
    }

    /// From now on another process may write: nothing that is known can be relied on.
    pub fn deactivate(&mut self) {
        self.active = false;
        self.timers.clear();
        self.lists.clear();
        for object in self.objects.values_mut() {
            if !is_planted("term-knowledge-kept") {
                object.observed = Observed::new(self.holder.clone());
            }
            (object.timer, object.list_need, object.list_wanted) = (None, ListNeed::None, None);
        }
    }

    /// Plans what to do for a KronJob now, as far as no request of the same lane is under way, and sets its timer.
    pub fn plan(&mut self, key: &Key, now: DateTime<Utc>) -> Option<Planned> {
        let may_plan = self.active && self.has_read(&key.namespace);
        let object = self.objects.get_mut(key).filter(|_| may_plan)?;
        let jobs = self.jobs.get(&owner_of(&object.kronjob));
        let jobs: Vec<&JobView> = jobs.into_iter().flatten().collect();
        let objects = Objects::new(&object.kronjob, &jobs, &object.observed, now);
        if let Some(search) = object.observed.look(&objects) {
            let spec = object.kronjob.spec.as_ref().ok()?;
            // Without constraints, the next start is among the next few periods.
            if !spec.job.spec().constraints().is_empty() {
                let (uid, job) = (object.kronjob.uid.clone(), spec.job.clone());
                return Some(Planned::Search(Box::new(NeededSearch { uid, job, search })));
            }
            object.observed.searched(search.run(&spec.job));
        }
        let mut plan = plan(&objects, &object.observed);
        let scope = State::scope_of(&self.scopes, &key.namespace);
        self.lists.set(&scope, &object.kronjob.uid, object.list_need, plan.list_need);
        object.list_need = plan.list_need;
        if plan.requests.contains(&Request::List) {
            let wanted = *object.list_wanted.get_or_insert(now.timestamp_millis());
            let is_served = match plan.list_need {
                ListNeed::Served => true,
                ListNeed::Claimed(_) => self.lists.are_many(&scope, now.timestamp_millis()),
                ListNeed::None | ListNeed::OnceClaimed => false,
            };
            if is_served {
                plan.postpone_list(wanted.saturating_add(PATIENCE), now.timestamp_millis());
            }
        } else {
            object.list_wanted = None;
        }
        plan.requests.retain(|request| !object.busy[request.lane() as usize]);
        set_timer(&mut self.timers, object, later(plan.wake_up, now));
        Some(Planned::Plan(Box::new((plan, object.observed.take_reports()))))
    }

    /// Enters the result of a search, if the KronJob is still the one it was made for.
    pub fn searched(&mut self, key: &Key, uid: &str, result: SearchResult) {
        if let Some(object) = self.object(key, uid) {
            object.observed.searched(result);
        }
    }

    /// Decides the periods of a KronJob whose time has come, and sets its timer. Nothing else is done here, so that ten
    /// thousand of them take little time.
    pub fn evaluate(&mut self, key: &Key, now: DateTime<Utc>) {
        let may_plan = self.active && self.has_read(&key.namespace);
        let Some(object) = self.objects.get_mut(key).filter(|_| may_plan) else { return };
        let jobs = self.jobs.get(&owner_of(&object.kronjob));
        let jobs: Vec<&JobView> = jobs.into_iter().flatten().collect();
        let objects = Objects::new(&object.kronjob, &jobs, &object.observed, now);
        let wake_up = object.observed.evaluate(&objects);
        let wake_up = wake_up.map(|second| second.saturating_mul(1000));
        set_timer(&mut self.timers, object, later(wake_up, now));
    }

    /// Takes the KronJobs whose timers are due.
    pub fn due(&mut self, now: DateTime<Utc>) -> Vec<Key> {
        let mut due = Vec::new();
        while let Some((at, key)) = self.timers.pop_first() {
            if at > now.timestamp_millis() {
                self.timers.insert((at, key));
                break;
            }
            if let Some(object) = self.objects.get_mut(&key) {
                object.timer = None;
            }
            due.push(key);
        }
        due
    }

    /// When the next timer is due, in milliseconds of Unix time.
    pub fn next_timer(&self) -> Option<i64> {
        self.timers.first().map(|(at, _)| *at)
    }

    /// Counts a write of the status of a KronJob, or says from which millisecond of Unix time on one may be made. Two operators that see
    /// different things, because the watch of one is late or its clock is wrong, would otherwise undo each other's writes as fast as
    /// the API server answers.
    pub(super) fn count_status_write(&mut self, key: &Key, uid: &str, now: i64) -> Result<(), i64> {
        let Some(object) = self.object(key, uid) else { return Ok(()) };
        let (since, count) = &mut object.status_writes;
        // A clock that was set back begins a span, too.
        if !(0..SPAN).contains(&now.saturating_sub(*since)) {
            (*since, *count) = (now, 0);
        }
        if *count >= WRITES_IN_A_SPAN {
            return Err(since.saturating_add(SPAN));
        }
        *count += 1;
        Ok(())
    }

    /// A request of a lane begins or ends.
    pub fn set_busy(&mut self, key: &Key, uid: &str, lane: Lane, busy: bool) {
        if let Some(object) = self.object(key, uid) {
            object.busy[lane as usize] = busy;
        }
    }

    /// Enters what happens to a request, if the KronJob is still the one it was made for and the term the same.
    pub fn observe(
        &mut self,
        key: &Key,
        uid: &str,
        term: u64,
        observation: Observation<'_>,
        now: DateTime<Utc>,
    ) {
        let current = self.is_current(term);
        if let Some(object) = self.object(key, uid).filter(|_| current) {
            object.observed.observe(observation, now.timestamp());
        }
    }

    /// Enters the answer to a request, which was made in a term for a KronJob. Its failures count if the KronJob is still the same,
    /// and the term.
    pub fn answered(
        &mut self,
        kronjob: &KronJobView,
        term: u64,
        request: &Request,
        response: &Response,
        at: Moment<'_>,
    ) -> Answered {
        let KronJobView { key, uid, .. } = kronjob;
        let current = self.is_current(term);
        let mut answered = match self.object(key, uid).filter(|_| current) {
            Some(object) => object.observed.answered(&object.kronjob, request, response, at),
            None => Observed::default().answered(kronjob, request, response, at),
        };
        // The core assumes that what was read is visible from then on. The watch may be late by more than a start. What was created
        // is there in any term.
        let created = matches!(request, Request::Create { .. } | Request::Get { why: Sought::Taken(_), .. });
        for job in std::mem::take(&mut answered.jobs).into_iter().filter(|_| current || created) {
            self.put_job_if_new(job);
        }
        if let Response::KronJob(found) = response {
            self.refresh_kronjob(key, uid, found.as_deref().cloned());
        }
        answered
    }

    fn is_current(&self, term: u64) -> bool {
        self.active && (self.term == term || is_planted("term-not-checked"))
    }
}

/// The owner of the Jobs of a KronJob.
fn owner_of(kronjob: &KronJobView) -> Owner {
    (kronjob.key.namespace.clone(), kronjob.uid.clone())
}

/// Where the Job of a name is among those of its owner, or would be.
fn place_of(jobs: &[JobView], name: &str) -> Result<usize, usize> {
    jobs.binary_search_by(|job| (*job.name).cmp(name))
}

/// A time to look at a KronJob again, in milliseconds. A KronJob that asks for a time that has passed waits for
/// something else, and is looked at again only after a pause.
fn later(wake_up: Option<i64>, now: DateTime<Utc>) -> Option<i64> {
    let now = now.timestamp_millis();
    wake_up.map(|at| if at > now { at } else { now.saturating_add(PASSED) })
}

fn set_timer(timers: &mut BTreeSet<(i64, Key)>, object: &mut Object, at: Option<i64>) {
    if object.timer == at {
        return;
    }
    if let Some(before) = object.timer.take() {
        timers.remove(&(before, object.kronjob.key.clone()));
    }
    if let Some(at) = at {
        timers.insert((at, object.kronjob.key.clone()));
    }
    object.timer = at;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kronjob(constraints: serde_json::Value) -> KronJobView {
        let template = json!({"spec": {"template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}],
        }}}});
        let manifest = json!({
            "apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
            "metadata": {"name": "db", "namespace": "prod", "uid": "k", "resourceVersion": "1", "generation": 1,
                "creationTimestamp": "2026-03-01T00:00:00Z"},
            "spec": {"schedule": "0 * * * *", "constraints": constraints, "jobTemplate": template},
        });
        KronJobView::read(&serde_json::from_value(manifest).unwrap(), &kron_core::Parser::new())
    }

    fn job(name: &str, owner: &str, version: &str) -> JobView {
        let owners = json!([{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "db", "uid": owner,
            "controller": true}]);
        let metadata = json!({"name": name, "namespace": "prod", "uid": format!("uid-{name}"),
            "resourceVersion": version, "ownerReferences": owners});
        JobView::read(&serde_json::from_value(json!({"metadata": metadata, "spec": {}})).unwrap())
    }

    /// The names of the Jobs that are known.
    fn known(state: &State) -> Vec<&str> {
        state.known().jobs.iter().map(|job| &*job.name).collect()
    }

    /// The watch begins again with a list of version 20 that is slow: meanwhile, answers show these Jobs.
    fn with_a_slow_list(answered: &[JobView]) -> (State, BTreeSet<Key>) {
        let mut state = State::new("a");
        let kronjob = kronjob(json!({}));
        let keys = BTreeSet::from([kronjob.key.clone()]);
        state.put_kronjob(kronjob, Source::List);
        state.put_job_if_new(job("before", "k", "9"));
        state.begin_list(Watched::Jobs, &Scope::All);
        answered.iter().for_each(|job| state.put_job_if_new(job.clone()));
        state.put_job(job("listed", "k", "20"), Source::List, &Scope::All);
        assert_eq!(state.end_list(Watched::Jobs, &Scope::All), keys, "`before` was removed before the list");
        (state, keys)
    }

    #[test]
    fn a_job_that_was_created_after_a_list_is_known_before_the_watch_shows_it() {
        let (mut state, keys) = with_a_slow_list(&[job("new", "k", "21"), job("other", "k", "23")]);
        assert_eq!(known(&state), ["listed", "new", "other"]);
        assert_eq!(state.put_job(job("new", "k", "21"), Source::Change, &Scope::All), keys);
        state.put_job(job("listed", "k", "22"), Source::Change, &Scope::All);
        assert_eq!(known(&state), ["listed", "new", "other"]);
        // The watch shows changes in their order: `other` was removed before the list.
        assert_eq!(state.put_job(job("listed", "k", "24"), Source::Change, &Scope::All), keys);
        assert_eq!(known(&state), ["listed", "new"]);
    }

    #[test]
    fn a_job_that_a_newer_list_does_not_have_is_gone() {
        let (mut state, keys) = with_a_slow_list(&[job("old", "k", "19"), job("new", "k", "21")]);
        assert_eq!(known(&state), ["listed", "new"]);
        state.begin_list(Watched::Jobs, &Scope::All);
        state.put_job(job("listed", "k", "22"), Source::List, &Scope::All);
        assert_eq!(state.end_list(Watched::Jobs, &Scope::All), keys);
        assert_eq!(known(&state), ["listed"]);
    }

    fn in_namespace(namespace: &str, job: JobView) -> JobView {
        JobView { namespace: namespace.into(), ..job }
    }

    /// An operator of a list of namespaces reads and watches each on its own.
    #[test]
    fn the_list_of_one_namespace_says_nothing_of_another() {
        let [prod, test] = ["prod", "test"].map(|name| Scope::Namespace(name.into()));
        let mut state = State::serving("a", &[prod.clone(), test.clone()]);
        let named = |namespace: &str, uid: &str| KronJobView {
            key: Key::new(namespace, "db"),
            uid: uid.into(),
            ..kronjob(json!({}))
        };
        state.put_kronjob(named("prod", "k"), Source::Change);
        state.put_kronjob(named("test", "l"), Source::Change);
        state.put_job(job("a", "k", "5"), Source::Change, &prod);
        state.put_job(in_namespace("test", job("b", "l", "6")), Source::Change, &test);
        // Both are read at the same time, and an answer shows a Job of each that is newer than the lists.
        for scope in [&prod, &test] {
            state.begin_list(Watched::KronJobs, scope);
            state.begin_list(Watched::Jobs, scope);
        }
        state.put_job_if_new(job("new", "k", "21"));
        state.put_job_if_new(in_namespace("test", job("new", "l", "22")));
        state.put_job(job("listed", "k", "20"), Source::List, &prod);
        state.end_list(Watched::KronJobs, &prod);
        state.end_list(Watched::Jobs, &prod);
        assert_eq!(state.keys(), [Key::new("test", "db")], "the list of `prod` has none");
        assert_eq!(known(&state), ["listed", "new", "b", "new"]);
        // What the watch of one shows is no proof of what the other has shown.
        state.put_job(job("listed", "k", "30"), Source::Change, &prod);
        assert_eq!(known(&state), ["listed", "b", "new"]);
        state.put_kronjob(named("test", "l"), Source::List);
        state.end_list(Watched::KronJobs, &test);
        state.end_list(Watched::Jobs, &test);
        assert_eq!(state.keys(), state.keys_in(&test));
        assert_eq!(known(&state), ["listed", "new"]);
    }

    /// Nobody who may create Jobs elsewhere makes a KronJob slow.
    #[test]
    fn jobs_of_another_namespace_are_kept_apart() {
        let mut state = State::new("a");
        state.put_kronjob(kronjob(json!({})), Source::Change);
        state.put_job_if_new(job("own", "k", "5"));
        (0..100).for_each(|number| {
            let forged = JobView { uid: number.to_string().into(), ..job(&number.to_string(), "k", "6") };
            state.put_job_if_new(in_namespace("other", forged));
        });
        assert_eq!(state.jobs[&owner_of(state.kronjob(&Key::new("prod", "db")).unwrap())].len(), 1);
        assert_eq!(state.counts(), (1, 101));
    }

    #[test]
    fn nothing_is_planned_before_its_scope_is_read() {
        let now = DateTime::from_timestamp(1_772_323_200, 0).unwrap();
        let [prod, test] = ["prod", "test"].map(|name| Scope::Namespace(name.into()));
        let mut state = State::serving("a", &[prod.clone(), test]);
        state.activate(1);
        let kronjob = kronjob(json!({}));
        let key = kronjob.key.clone();
        state.begin_list(Watched::KronJobs, &prod);
        state.put_kronjob(kronjob, Source::List);
        state.end_list(Watched::KronJobs, &prod);
        assert!(state.plan(&key, now).is_none(), "its Jobs are not known");
        state.begin_list(Watched::Jobs, &prod);
        state.end_list(Watched::Jobs, &prod);
        assert!(state.plan(&key, now).is_some(), "whatever the other namespace does");
    }

    #[test]
    fn a_job_with_a_version_that_is_no_number_stays_until_the_next_list() {
        let (mut state, _) = with_a_slow_list(&[job("new", "k", "x")]);
        state.put_job(job("listed", "k", "24"), Source::Change, &Scope::All);
        assert_eq!(known(&state), ["listed", "new"]);
        state.begin_list(Watched::Jobs, &Scope::All);
        state.end_list(Watched::Jobs, &Scope::All);
        assert_eq!(known(&state), [""; 0]);
    }

    #[test]
    fn the_deletion_of_another_job_of_the_same_name_removes_nothing() {
        let mut state = State::new("a");
        state.put_job_if_new(job("a", "k", "5"));
        let other = JobView { uid: "other".into(), ..job("a", "k", "4") };
        state.job_deleted(&other, &Scope::All);
        assert_eq!(known(&state), ["a"]);
        state.job_deleted(&job("a", "k", "6"), &Scope::All);
        assert_eq!(known(&state), [""; 0]);
    }

    /// A new leader lists Jobs before its first start only. The watch may show one of them after the next start.
    #[test]
    fn what_a_list_shows_is_known_before_the_watch_shows_it() {
        let mut state = State::new("a");
        state.activate(1);
        let kronjob = kronjob(json!({}));
        let key = kronjob.key.clone();
        state.put_kronjob(kronjob, Source::Change);
        let kronjob = state.kronjob(&key).unwrap().clone();
        let jobs = [job("ours", "k", "1"), job("other", "l", "2")];
        let list = |state: &mut State, term| {
            let at = Moment { now: 1_772_323_200, retry_at: &|_, _, _| 0 };
            state.answered(&kronjob, term, &Request::List, &Response::Jobs(jobs.to_vec()), at);
        };
        list(&mut state, 0);
        assert_eq!(known(&state), [""; 0], "an answer of an earlier term");
        list(&mut state, 1);
        assert_eq!(known(&state), ["ours"]);
        // The watch has shown its end: a later answer does not bring it back.
        state.job_deleted(&jobs[0], &Scope::All);
        list(&mut state, 1);
        assert_eq!(known(&state), [""; 0]);
    }

    #[test]
    fn a_status_that_is_written_again_and_again_waits_for_the_next_span() {
        let mut state = State::new("a");
        let kronjob = kronjob(json!({}));
        let key = kronjob.key.clone();
        state.put_kronjob(kronjob, Source::Change);
        let mut write = |now| state.count_status_write(&key, "k", now);
        for number in 0..i64::from(WRITES_IN_A_SPAN) {
            assert_eq!(write(1_000_000 + number), Ok(()));
        }
        assert_eq!(write(1_000_500), Err(1_010_000));
        assert_eq!(write(1_009_999), Err(1_010_000));
        assert_eq!(write(1_010_000), Ok(()));
        // The clock was set back.
        for _ in 0..WRITES_IN_A_SPAN {
            assert_eq!(write(500), Ok(()));
        }
        assert_eq!(write(500), Err(10_500));
    }

    #[test]
    fn a_namespace_that_is_refused_holds_up_no_other() {
        let [a, b] = ["a", "b"].map(|name| Scope::Namespace(name.into()));
        let mut state = State::serving("a", &[a.clone(), b.clone()]);
        let read = |state: &State| (state.read_scopes().into_iter().collect::<Vec<_>>(), state.is_complete());
        state.end_list(Watched::KronJobs, &a);
        assert_eq!(read(&state), (vec![], false));
        state.end_list(Watched::Jobs, &a);
        assert_eq!(read(&state), (vec![a.clone()], false));
        assert!(state.list_refused(&b, Watched::KronJobs));
        assert_eq!(read(&state), (vec![a.clone()], false));
        assert!(state.list_refused(&b, Watched::Jobs));
        assert_eq!(read(&state), (vec![a.clone()], true));
        for watched in Watched::ALL {
            state.end_list(watched, &b);
        }
        let all = vec![a, b.clone()];
        assert_eq!(read(&state), (all.clone(), true));
        // Permissions that are taken away later change nothing of what is known.
        assert!(!state.list_refused(&b, Watched::Jobs));
        assert_eq!(read(&state), (all, true));
    }

    #[test]
    fn where_everything_is_refused_nothing_is_complete() {
        let mut state = State::serving("a", &[Scope::All]);
        assert_eq!(Watched::ALL.map(|watched| state.list_refused(&Scope::All, watched)), [true; 2]);
        assert!(!state.is_complete());
    }

    #[test]
    fn jobs_of_a_kronjob_take_the_memory_that_they_need() {
        let mut state = State::new("a");
        let owner: Owner = ("prod".into(), "k".into());
        let capacity = |state: &State| state.jobs.get(&owner).map_or(0, Vec::capacity);
        let mut moves = 0;
        for number in 0..1000 {
            let before = capacity(&state);
            state.put_job_if_new(job(&format!("job-{}", number * 7919 % 1000), "k", "5"));
            moves += usize::from(capacity(&state) != before);
            assert!(number >= FEW_JOBS || capacity(&state) == number + 1);
        }
        assert!(state.jobs[&owner].is_sorted_by(|one, other| one.name < other.name) && moves < 20, "{moves}");
        for number in 0..1000 {
            let before = capacity(&state);
            state.job_deleted(&job(&format!("job-{number}"), "k", "6"), &Scope::All);
            moves += usize::from(capacity(&state) != before);
        }
        assert!(state.jobs.is_empty() && moves < 40, "{moves}");
    }

    #[test]
    fn names_of_namespaces_are_shared_and_forgotten() {
        let mut state = State::new("a");
        for number in 0..1000 {
            let mut of_each = Vec::new();
            for name in ["one", "two"] {
                let mut kronjob = kronjob(json!({}));
                (kronjob.key, kronjob.uid) = (Key::new(&format!("pr-{number}"), name), name.into());
                of_each.push(kronjob.key.clone());
                state.put_kronjob(kronjob, Source::Change);
            }
            let kept = of_each.iter().map(|key| &state.kronjob(key).unwrap().key.namespace);
            let [one, two] = kept.collect::<Vec<_>>()[..] else { panic!("both are known") };
            assert!(Arc::ptr_eq(one, two));
            of_each.iter().for_each(|key| state.remove_kronjob(key));
        }
        assert!(state.namespaces.len() < 32, "{}", state.namespaces.len());
    }

    #[test]
    fn a_search_that_can_take_seconds_is_left_to_the_caller() {
        let now = DateTime::from_timestamp(1_772_323_200, 0).unwrap();
        for (constraints, searches) in [(json!({}), false), (json!({"only": [{"date": "2030-01-01"}]}), true)]
        {
            let mut state = State::new("a");
            state.activate(1);
            let kronjob = kronjob(constraints);
            let key = kronjob.key.clone();
            state.put_kronjob(kronjob, Source::Change);
            let mut planned = state.plan(&key, now).unwrap();
            if searches {
                let Planned::Search(needed) = planned else { panic!("{planned:?}") };
                state.searched(&key, &needed.uid, needed.search.run(&needed.job));
                planned = state.plan(&key, now).unwrap();
            }
            let Planned::Plan(planned) = planned else { panic!("{planned:?}") };
            let next = planned.0.status.unwrap().next_chosen_time.unwrap().to_string();
            let expected = if searches { "2030-01-01T00:00:00Z" } else { "2026-03-01T01:00:00Z" };
            assert_eq!(next, expected);
        }
    }

    #[test]
    fn a_kronjob_whose_name_belongs_to_another_one_is_forgotten() {
        let with_uid = |uid: &str| {
            let mut kronjob = kronjob(json!({}));
            kronjob.uid = uid.into();
            kronjob
        };
        let mut state = State::new("a");
        let key = with_uid("old").key;
        let known = |state: &State| state.kronjob(&key).map(|kronjob| kronjob.uid.clone());
        state.put_kronjob(with_uid("old"), Source::Change);
        state.refresh_kronjob(&key, "old", Some(with_uid("old")));
        assert_eq!(known(&state).as_deref(), Some("old"));
        state.refresh_kronjob(&key, "old", Some(with_uid("new")));
        assert_eq!(known(&state), None);
        // An answer about the old one comes after the watch has shown the new one.
        state.put_kronjob(with_uid("new"), Source::Change);
        state.refresh_kronjob(&key, "old", Some(with_uid("new")));
        state.refresh_kronjob(&key, "old", None);
        assert_eq!(known(&state).as_deref(), Some("new"));
        state.refresh_kronjob(&key, "new", None);
        assert_eq!(known(&state), None);
    }

    #[test]
    fn templates_of_too_many_kronjobs_are_not_kept() {
        const BYTES: usize = 8192;
        let mut kronjob = kronjob(json!({}));
        kronjob.spec.as_mut().unwrap().template = Some("x".repeat(BYTES).into());
        let key = |number: usize| Key::new("prod", &number.to_string());
        let numbered = |number: usize| KronJobView {
            key: key(number),
            uid: number.to_string().into(),
            ..kronjob.clone()
        };
        let kept = |state: &State, number: usize| {
            state.kronjob(&key(number)).unwrap().spec.as_ref().unwrap().template.is_some()
        };
        let fit = TEMPLATES_KEPT / BYTES;
        let mut state = State::new("a");
        for number in 0..fit + 2 {
            state.put_kronjob(numbered(number), Source::List);
        }
        let all: Vec<bool> = [0, fit - 1, fit, fit + 1].map(|number| kept(&state, number)).into();
        assert_eq!(all, [true, true, false, false]);
        // One that is kept remains so in its next version.
        state.put_kronjob(numbered(0), Source::Change);
        assert!(kept(&state, 0));
        // One that is deleted leaves room for another one.
        state.remove_kronjob(&key(1));
        for number in [fit, fit + 1] {
            state.put_kronjob(numbered(number), Source::Change);
        }
        assert_eq!((kept(&state, fit), kept(&state, fit + 1)), (true, false));
    }

    #[test]
    fn a_kronjob_that_a_list_does_not_have_is_gone() {
        let named =
            |name: &str| KronJobView { key: Key::new("prod", name), uid: name.into(), ..kronjob(json!({})) };
        let mut state = State::new("a");
        for name in ["gone", "kept"] {
            state.put_kronjob(named(name), Source::Change);
        }
        state.begin_list(Watched::KronJobs, &Scope::All);
        for name in ["kept", "new"] {
            state.put_kronjob(named(name), Source::List);
        }
        state.end_list(Watched::KronJobs, &Scope::All);
        assert_eq!(state.keys(), [Key::new("prod", "kept"), Key::new("prod", "new")]);
    }

    #[test]
    fn a_full_list_is_taken_although_its_versions_went_back() {
        let at = |version: &str| {
            let mut kronjob = kronjob(json!({}));
            kronjob.resource_version = version.into();
            kronjob
        };
        let mut state = State::new("a");
        let key = at("900").key;
        assert!(state.put_kronjob(at("900"), Source::Change));
        // A watch or an answer that is slow.
        assert!(!state.put_kronjob(at("899"), Source::Change));
        assert_eq!(state.kronjob(&key).unwrap().resource_version, "900");
        // A restored backup.
        assert!(state.put_kronjob(at("7"), Source::List));
        assert!(state.put_kronjob(at("8"), Source::Change));
        assert_eq!(state.kronjob(&key).unwrap().resource_version, "8");
    }

    #[test]
    fn the_periods_of_a_long_absence_are_left_to_the_caller() {
        // Ten months after it was created, nothing has been handled.
        let now = DateTime::from_timestamp(1_772_323_200 + 300 * 86_400 + 1, 0).unwrap();
        for (constraints, searches) in [(json!({}), 0), (json!({"only": [{"hours": "8"}]}), 2)] {
            let mut state = State::new("a");
            state.activate(1);
            let kronjob = kronjob(constraints);
            let key = kronjob.key.clone();
            state.put_kronjob(kronjob, Source::Change);
            let mut made = 0;
            let (plan, _) = *loop {
                // The timers' lane decides nothing of this, and does not wait for it.
                state.evaluate(&key, now);
                match state.plan(&key, now).unwrap() {
                    Planned::Plan(planned) => break planned,
                    Planned::Search(needed) => {
                        let decided = |state: &State| state.objects[&key].observed.clone();
                        let before = format!("{:?}", decided(&state));
                        state.evaluate(&key, now);
                        assert_eq!(format!("{:?}", decided(&state)), before);
                        state.searched(&key, &needed.uid, needed.search.run(&needed.job));
                        made += 1;
                    }
                }
            };
            assert_eq!(made, searches);
            let status = plan.status.unwrap();
            // The last period is missed, or unschedulable.
            assert_eq!(status.last_nominal_time.unwrap().0, now.timestamp() - 1);
            assert!(status.periods.is_empty(), "{status:?}");
        }
    }
}
