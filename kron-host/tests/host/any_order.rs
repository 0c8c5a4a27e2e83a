//! A host with a table of records, a table of executions, and processes that see both. Requests fail or lose their
//! answers, processes end, jobs are edited, and time passes, in any order.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kron_core::{Concurrency, Job, Outcome};
use kron_host::{
    Dispatcher, Execution, ExecutionState, HostRequest, HostView, ListKind, Record, StartAnswer, Trigger,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::BEGIN;
use crate::config::config;

/// The jobs that edits choose from. All have the same name. The tests of kron-runner use the same list.
static TEXTS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("../../../testing/data/host/jobs.txt").lines().collect());

/// An execution in the table.
#[derive(Clone, Debug)]
struct Row {
    id: String,
    trigger: Trigger,
    ended: Option<i64>,
}

impl Row {
    fn name(trigger: &Trigger) -> String {
        match trigger {
            Trigger::Period { nominal, .. } => format!("period-{nominal}"),
            Trigger::RunNow { token } => format!("now-{token}"),
        }
    }

    fn state(&self) -> ExecutionState {
        if self.ended.is_some() { ExecutionState::Ended } else { ExecutionState::Active }
    }
}

#[derive(Clone, Debug)]
struct Process {
    dispatcher: Dispatcher,
    /// The record and its version, as this process read them last.
    record: (Record, u64),
}

#[derive(Clone, Copy, Debug)]
enum Luck {
    /// Everything succeeds.
    Good,
    /// A request gets lost.
    RequestLost,
    /// A request is carried out, and its answer gets lost.
    AnswerLost,
    /// A request is refused.
    Refused,
}

#[derive(Clone, Debug)]
enum Event {
    Act { process: usize, luck: Luck, write_first: bool },
    Wait(i64),
    EndExecutions,
    Edit(usize),
    RunNow(u32),
    EndProcess(usize),
    Pause(usize),
    Reread(usize),
}

struct Host {
    jobs: Vec<Job>,
    text: usize,
    revision: i64,
    record: (Record, u64),
    rows: Vec<Row>,
    processes: Vec<Process>,
    names: u32,
    retention: Option<i64>,
    run_now: Option<String>,
    now: i64,
    made: BTreeMap<String, u32>,
    outcomes: BTreeMap<i64, Outcome>,
    /// Whether one process runs at a time: two at once may overlap executions under `forbid`.
    alone: bool,
}

impl Host {
    fn new(processes: usize, text: usize, retention: Option<i64>) -> Host {
        let mut host = Host {
            jobs: TEXTS.iter().map(|text| Job::parse("host/test", text).unwrap()).collect(),
            text,
            revision: 1,
            record: (Record::default(), 0),
            rows: Vec::new(),
            processes: Vec::new(),
            names: 0,
            retention,
            run_now: None,
            now: BEGIN * 1000,
            made: BTreeMap::new(),
            outcomes: BTreeMap::new(),
            alone: processes == 1,
        };
        for _ in 0..processes {
            let process = host.new_process();
            host.processes.push(process);
        }
        host
    }

    fn new_process(&mut self) -> Process {
        self.names += 1;
        Process { dispatcher: Dispatcher::new(self.names.to_string()), record: self.record.clone() }
    }

    fn second(&self) -> i64 {
        self.now / 1000
    }

    /// Makes one request of a process, if it has one. Returns whether it had one.
    fn act(&mut self, index: usize, luck: Luck, write_first: bool) -> bool {
        let mut process = self.processes[index].clone();
        let job = self.jobs[self.text].clone();
        let rows = self.rows.clone();
        let names: Vec<String> = rows.iter().map(|row| Row::name(&row.trigger)).collect();
        let executions: Vec<Execution<'_>> = rows
            .iter()
            .zip(&names)
            .map(|(row, name)| Execution {
                id: &row.id,
                name,
                nominal: match &row.trigger {
                    Trigger::Period { nominal, .. } => Some(*nominal),
                    Trigger::RunNow { .. } => None,
                },
                run_now: match &row.trigger {
                    Trigger::Period { .. } => None,
                    Trigger::RunNow { token } => Some(token),
                },
                state: row.state(),
            })
            .collect();
        let configuration = format!("{} {}", job.spec().schedule(), job.spec().seed().strategy());
        let view = HostView {
            job: &job,
            revision: self.revision,
            configuration: &configuration,
            created: BEGIN,
            record: &process.record.0,
            executions: &executions,
            retention: self.retention,
            requested_retention: self.retention,
            claim_ahead: 20,
            run_now: self.run_now.as_deref(),
            now: self.now,
        };
        let dispatcher = &mut process.dispatcher;
        dispatcher.advance(&view);
        while let Some(search) = dispatcher.search(&view) {
            dispatcher.searched(search.run(&job));
            dispatcher.advance(&view);
        }
        let wanted = dispatcher.record(&view);
        let write = wanted != process.record.0 || dispatcher.claim_is_urgent(&view, &wanted);
        let next = dispatcher.next(&view, &wanted);
        assert_eq!(dispatcher.next(&view, &wanted), next, "asking for the next request changes nothing");
        let has_request = next.request.is_some();
        let (retry_at, now, policy) = (self.now + 700, self.second(), *job.spec().policy());
        if matches!(next.request, Some(HostRequest::Start(_))) && process.record.1 != self.record.1 {
            // A host starts nothing on an old record.
            process.record = self.record.clone();
            self.processes[index] = process;
            return true;
        }
        match next.request {
            Some(request) if !(write && write_first) => {
                self.request(&mut process.dispatcher, request, luck, (&executions, &policy), retry_at, now);
            }
            _ if write => self.write(&mut process, wanted, luck),
            _ => {}
        }
        self.processes[index] = process;
        write || has_request
    }

    fn write(&mut self, process: &mut Process, wanted: Record, luck: Luck) {
        process.dispatcher.writing(&wanted);
        let current = process.record.1 == self.record.1;
        match luck {
            Luck::RequestLost => process.dispatcher.not_written(true, false),
            Luck::Refused => process.dispatcher.not_written(false, false),
            _ if !current => {
                process.dispatcher.not_written(false, true);
                process.record = self.record.clone();
            }
            Luck::Good | Luck::AnswerLost => {
                self.outcomes_of(&wanted);
                self.record = (wanted, self.record.1 + 1);
                if let Luck::Good = luck {
                    process.dispatcher.written();
                    process.record = self.record.clone();
                } else {
                    process.dispatcher.not_written(true, false);
                }
            }
        }
    }

    /// Checks that no period gets a second outcome.
    fn outcomes_of(&mut self, record: &Record) {
        let last = record.last_nominal.zip(record.last_outcome);
        let listed = record.handled.iter().map(|period| (period.nominal, period.outcome));
        for (nominal, outcome) in listed.chain(last) {
            let before = *self.outcomes.entry(nominal).or_insert(outcome);
            assert_eq!(before, outcome, "{nominal} has another outcome");
        }
    }

    fn request(
        &mut self,
        dispatcher: &mut Dispatcher,
        request: HostRequest,
        luck: Luck,
        (executions, policy): (&[Execution<'_>], &kron_core::Policy),
        retry_at: i64,
        now: i64,
    ) {
        if let (false, Luck::RequestLost | Luck::AnswerLost | Luck::Refused) =
            (matches!(request, HostRequest::Start(_)), luck)
        {
            dispatcher.request_failed("no luck", now, retry_at, policy);
            return;
        }
        match request {
            HostRequest::Start(trigger) => {
                dispatcher.starting(&trigger, now);
                let name = Row::name(&trigger);
                let failed = |uncertain| StartAnswer::Failed {
                    error: "no luck".into(),
                    uncertain,
                    retry_at: Some(retry_at),
                };
                let answer = match luck {
                    Luck::RequestLost => failed(true),
                    Luck::Refused => failed(false),
                    Luck::Good | Luck::AnswerLost => {
                        self.start(&trigger, name.clone());
                        if let Luck::Good = luck {
                            StartAnswer::Started { execution: name }
                        } else {
                            failed(true)
                        }
                    }
                };
                dispatcher.start_answered(&trigger, answer, now, policy);
            }
            HostRequest::LookUp(trigger) => {
                let name = Row::name(&trigger);
                let found = executions.iter().find(|execution| execution.name == name);
                dispatcher.looked_up(&trigger, found.map(|execution| execution.name));
            }
            HostRequest::List => {
                dispatcher.listing(ListKind::Own);
                dispatcher.listed(executions);
            }
            HostRequest::Check { id, name } => {
                let found = executions.iter().find(|execution| execution.id == id);
                dispatcher.checked(&id, &name, found.map_or(ExecutionState::Ended, |found| found.state));
            }
            HostRequest::Stop { id, .. } => {
                self.rows.retain(|row| row.id != id);
                dispatcher.stopped(&id);
            }
        }
    }

    fn start(&mut self, trigger: &Trigger, name: String) {
        if self.rows.iter().any(|row| Row::name(&row.trigger) == name) {
            return;
        }
        if let Trigger::Period { nominal, chosen } = trigger {
            assert!(*chosen <= self.second(), "{nominal} is started before its chosen time");
            assert!(
                self.jobs.iter().any(|job| job.decide(*nominal).unwrap().chosen_timestamp() == Some(*chosen)),
                "{nominal} is chosen by no job"
            );
            assert!(!self.outcomes.contains_key(nominal), "{nominal} has its outcome");
        }
        let forbids = self.jobs[self.text].spec().policy().concurrency() == Concurrency::Forbid;
        if self.alone && forbids {
            assert!(self.rows.iter().all(|row| row.ended.is_some()), "{trigger:?} overlaps");
        }
        let made = self.made.entry(name.clone()).or_default();
        *made += 1;
        assert_eq!(*made, 1, "{name} is started again");
        let id = format!("id-{}", self.made.len());
        self.rows.push(Row { id, trigger: trigger.clone(), ended: None });
    }

    fn happen(&mut self, event: &Event) {
        match event {
            Event::Act { process, luck, write_first } => {
                self.act(process % self.processes.len(), *luck, *write_first);
            }
            Event::Wait(millis) => self.now += millis,
            Event::EndExecutions => {
                let now = self.second();
                self.rows.iter_mut().for_each(|row| _ = row.ended.get_or_insert(now));
            }
            Event::Edit(text) => (self.text, self.revision) = (*text, self.revision + 1),
            // A token is not used again.
            Event::RunNow(token) => {
                self.names += 1;
                self.run_now = Some(format!("{token}-{}", self.names));
            }
            Event::EndProcess(process) => {
                let process = process % self.processes.len();
                self.processes[process] = self.new_process();
            }
            Event::Pause(process) => {
                let process = process % self.processes.len();
                self.processes[process].dispatcher.paused();
            }
            Event::Reread(process) => {
                let process = process % self.processes.len();
                self.processes[process].record = self.record.clone();
            }
        }
        if let Some(retention) = self.retention {
            let now = self.second();
            self.rows.retain(|row| row.ended.is_none_or(|ended| now < ended + retention));
        }
    }

    /// Makes all requests of the first process at this time.
    fn run_until_idle(&mut self) {
        self.processes[0].record = self.record.clone();
        for _ in 0..100 {
            if !self.act(0, Luck::Good, true) {
                return;
            }
        }
        panic!("there is always something to do");
    }
}

fn luck() -> impl Strategy<Value = Luck> {
    prop_oneof![
        6 => Just(Luck::Good),
        1 => Just(Luck::RequestLost),
        1 => Just(Luck::AnswerLost),
        1 => Just(Luck::Refused),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        12 => (0..2usize, luck(), any::<bool>())
            .prop_map(|(process, luck, write_first)| Event::Act { process, luck, write_first }),
        3 => (1..2_000i64).prop_map(Event::Wait),
        3 => (2_000..200_000i64).prop_map(Event::Wait),
        1 => Just(Event::EndExecutions),
        1 => (0..TEXTS.len()).prop_map(Event::Edit),
        1 => (0..9u32).prop_map(Event::RunNow),
        1 => (0..2usize).prop_map(Event::EndProcess),
        1 => (0..2usize).prop_map(Event::Pause),
        2 => (0..2usize).prop_map(Event::Reread),
    ]
}

fn retention() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![Just(None), Just(Some(0)), Just(Some(45))]
}

proptest! {
    #![proptest_config(config(400))]

    /// In any order of events, each period and each token is started at most once and not before its time, and has one
    /// outcome. Afterwards the process becomes idle.
    #[test]
    fn a_period_is_started_once_in_whatever_order_things_happen(
        processes in 1..3usize,
        text in 0..TEXTS.len(),
        retention in retention(),
        events in vec(event(), 1..150),
    ) {
        let mut host = Host::new(processes, text, retention);
        for event in &events {
            host.happen(event);
            #[cfg(feature = "serde")]
            for process in &host.processes {
                let text = serde_json::to_string(&process.record.0).unwrap();
                prop_assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), process.record.0.clone());
            }
        }
        // Longer than any back-off.
        host.happen(&Event::Wait(20_000));
        host.run_until_idle();
    }
}

#[test]
fn a_host_without_faults_makes_every_start_in_its_second() {
    for (text, source) in TEXTS.iter().enumerate() {
        let mut host = Host::new(1, text, Some(0));
        let end = BEGIN + 2 * 3600;
        while host.second() < end {
            host.run_until_idle();
            host.happen(&Event::EndExecutions);
            host.run_until_idle();
            host.now += 1000;
        }
        let job = &host.jobs[text];
        let starts = job.starts(BEGIN + 1..end).map_while(Result::ok);
        let expected: Vec<i64> = match job.spec().policy().suspend() {
            true => Vec::new(),
            false => starts.map(|start| start.nominal_timestamp()).collect(),
        };
        let mut expected: Vec<String> = expected.iter().map(|nominal| format!("period-{nominal}")).collect();
        expected.sort();
        let made: Vec<String> = host.made.keys().cloned().collect();
        assert_eq!(made, expected, "{source}");
    }
}
