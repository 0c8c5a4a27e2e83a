//! A host without faults, on which one process runs at a time.

use kron_core::{Job, Outcome};
use kron_host::{Dispatcher, HostReport, HostRequest, HostView, ListKind, Record, StartAnswer, Trigger};

use super::view;

/// A host without faults and its only process.
pub(super) struct Alone {
    pub(super) job: Job,
    revision: i64,
    pub(super) dispatcher: Dispatcher,
    pub(super) record: Record,
    /// The nominal times of the starts that were made.
    pub(super) started: Vec<i64>,
    /// How often the executions were listed.
    pub(super) lists: usize,
    reports: Vec<HostReport>,
}

impl Alone {
    pub(super) fn new(text: &str) -> Alone {
        let job = Job::parse("host/test", text).unwrap();
        let (dispatcher, record) = (Dispatcher::new("a"), Record::default());
        Alone { job, revision: 1, dispatcher, record, started: Vec::new(), lists: 0, reports: Vec::new() }
    }

    /// Changes the job.
    pub(super) fn edit(&mut self, text: &str) {
        self.job = Job::parse("host/test", text).unwrap();
        self.revision += 1;
    }

    /// Ends the process and starts another one.
    pub(super) fn restart(&mut self) {
        self.dispatcher = Dispatcher::new("b");
    }

    pub(super) fn view(&self, second: i64) -> HostView<'_> {
        HostView { revision: self.revision, ..view(&self.job, &self.record, second) }
    }

    /// Advances the process to a second without making requests. Returns the number of searches.
    pub(super) fn look(&mut self, second: i64) -> usize {
        let mut dispatcher = self.dispatcher.clone();
        let view = self.view(second);
        dispatcher.advance(&view);
        let mut searches = 0;
        while let Some(search) = dispatcher.search(&view) {
            dispatcher.searched(search.run(&self.job));
            dispatcher.advance(&view);
            searches += 1;
        }
        self.reports.append(&mut dispatcher.take_reports());
        self.dispatcher = dispatcher;
        searches
    }

    /// Makes all requests and writes of a second.
    pub(super) fn run(&mut self, second: i64) {
        for _ in 0..1000 {
            self.look(second);
            let mut dispatcher = self.dispatcher.clone();
            let view = self.view(second);
            let wanted = dispatcher.record(&view);
            assert!(wanted.handled.len() <= 100, "{}", wanted.handled.len());
            if wanted != self.record || dispatcher.claim_is_urgent(&view, &wanted) {
                dispatcher.writing(&wanted);
                dispatcher.written();
                self.record = wanted;
            } else {
                match dispatcher.next(&view, &wanted).request {
                    None => return,
                    Some(HostRequest::List) => {
                        self.lists += 1;
                        dispatcher.listing(ListKind::Own);
                        assert_eq!(dispatcher.listed(&[]), None);
                    }
                    Some(HostRequest::Start(trigger)) => {
                        let Trigger::Period { nominal, .. } = trigger else { panic!("{trigger:?}") };
                        self.started.push(nominal);
                        dispatcher.starting(&trigger, second);
                        let answer = StartAnswer::Started { execution: "x".into() };
                        dispatcher.start_answered(&trigger, answer, second, self.job.spec().policy());
                    }
                    other => panic!("{other:?}"),
                }
            }
            self.dispatcher = dispatcher;
        }
        panic!("the process does not become idle");
    }

    /// The number of reported periods with this outcome.
    pub(super) fn count(&self, outcome: Outcome) -> usize {
        let is = |report: &&HostReport| matches!(report, HostReport::Handled(handled) if handled.outcome == outcome);
        self.reports.iter().filter(is).count()
    }

    /// The number of missed periods that are counted without being reported one by one.
    pub(super) fn counted(&self) -> u64 {
        let counted =
            |report: &HostReport| if let HostReport::OlderMissed(count) = report { *count } else { 0 };
        self.reports.iter().map(counted).sum()
    }
}
