//! The state machine of a host, on a host of its own: a table of records, a table of executions, and processes that see
//! both. Requests fail or lose their answers, processes end, jobs are edited, and time passes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kron_core::{
    Claim, Concurrency, Dispatcher, Execution, ExecutionState, HostReport, HostRequest, HostView, Job,
    Outcome, Record, StartAnswer, Trigger,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::generators::config;

/// The jobs that edits choose from. All have the same name. kron-runner is tested with the same ones.
static TEXTS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("../../testdata/host/jobs.txt").lines().collect());
const BEGIN: i64 = 1_772_323_200;

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
    /// Whether executions that overlap under `forbid` are wrong: with two active processes at once they may.
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
        Process { dispatcher: Dispatcher::new(&self.names.to_string()), record: self.record.clone() }
    }

    fn second(&self) -> i64 {
        self.now / 1000
    }

    /// Makes one request of a process, if it has one. Says whether it had.
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
        assert_eq!(dispatcher.next(&view, &wanted), next, "to ask what to do next changes nothing");
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

    /// A period never gets another outcome.
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

    /// Lets the first process do all that is to be done at this time.
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

    /// At most one start for a period or a token, none before its time, one outcome, whatever happens in which order; and
    /// after it all is at rest again.
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
                let text = serde_json::to_string(&process.dispatcher).unwrap();
                prop_assert_eq!(serde_json::from_str::<Dispatcher>(&text).unwrap(), process.dispatcher.clone());
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
        let starts = job.starts(BEGIN + 1, end).map_while(Result::ok);
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

#[test]
fn the_next_start_is_searched_once() {
    let parse = |date: &str| Job::parse("host/test", &format!("0 0 * * * @only(date={date})")).unwrap();
    let (first, second) = (parse("2031-01-01"), parse("2030-01-01"));
    let record = Record::default();
    let view = |job, revision, hours: i64| HostView {
        job,
        revision,
        configuration: "0 0 * * *",
        created: BEGIN,
        record: &record,
        executions: &[],
        retention: None,
        requested_retention: None,
        claim_ahead: 5,
        run_now: None,
        now: (BEGIN + hours * 3600) * 1000,
    };
    let mut dispatcher = Dispatcher::new("a");
    let search = dispatcher.search(&view(&first, 1, 0)).unwrap();
    dispatcher.searched(search.run(&first));
    assert_eq!(dispatcher.search(&view(&first, 1, 1)), None);
    assert_eq!(dispatcher.next_start(&view(&first, 1, 1)).unwrap().chosen, 1_924_992_000);
    // An edit is searched for again.
    assert_eq!(dispatcher.next_start(&view(&second, 2, 1)), None);
    let search = dispatcher.search(&view(&second, 2, 1)).unwrap();
    dispatcher.searched(search.run(&second));
    assert_eq!(dispatcher.next_start(&view(&second, 2, 1)).unwrap().chosen, 1_893_456_000);
}

/// Before the first record, no configuration ends a start that is due. The schedule does.
#[test]
fn a_start_that_an_edit_takes_off_the_schedule_is_not_made_without_a_record() {
    let policy = "@policy(deadline=1h,concurrency=allow)";
    let [hourly, half, same] = ["0 * * * *", "30 * * * *", "*/60 * * * *"]
        .map(|schedule| Job::parse("host/test", &format!("{schedule} {policy}")).unwrap());
    let record = Record::default();
    let view = |job, revision, configuration| HostView {
        job,
        revision,
        configuration,
        created: BEGIN + 45 * 60,
        record: &record,
        executions: &[],
        retention: None,
        requested_retention: None,
        claim_ahead: 5,
        run_now: None,
        now: (BEGIN + 3600 + i64::from(revision > 1)) * 1000,
    };
    let due = Trigger::Period { nominal: BEGIN + 3600, chosen: BEGIN + 3600 };
    let mut first = Dispatcher::new("a");
    first.advance(&view(&hourly, 1, "0 * * * *"));
    assert_eq!(first.current(), Some(due.clone()));
    for (job, configuration, sent, expected) in [
        (&half, "30 * * * *", false, None),
        (&half, "30 * * * *", true, Some(&due)),
        (&same, "*/60 * * * *", false, Some(&due)),
    ] {
        let mut edited = first.clone();
        if sent {
            edited.starting(&due, BEGIN + 3600);
        }
        edited.advance(&view(job, 2, configuration));
        assert_eq!(edited.current().as_ref(), expected, "{configuration}, sent: {sent}");
    }
}

/// A process that did not run for a while decides on what it saw before. Then it sees that another one had its work.
#[test]
fn a_period_that_another_process_claimed_is_looked_up_before_it_is_missed() {
    let job = Job::parse("host/test", "0 * * * * @policy(deadline=1m)").unwrap();
    let due = BEGIN + 3600;
    let view = |record, second: i64| HostView {
        job: &job,
        revision: 1,
        configuration: "0 * * * *",
        created: BEGIN,
        record,
        executions: &[],
        retention: None,
        requested_retention: None,
        claim_ahead: 5,
        run_now: None,
        now: second * 1000,
    };
    let (before, mut after) = (Record::default(), Record::default());
    after.claim = Some(Claim { nominal: due, holder: "b".into(), time: due - 5, retention: None });
    let mut process = Dispatcher::new("a");
    process.advance(&view(&before, due + 61));
    let outcomes = |process: &Dispatcher| -> Vec<Outcome> {
        let handled = process.unwritten().into_iter().map(|report| match report {
            HostReport::PeriodHandled { nominal, outcome, .. } if nominal == due => outcome,
            other => panic!("{other:?}"),
        });
        handled.collect()
    };
    assert_eq!(outcomes(&process), [Outcome::Missed]);
    process.advance(&view(&after, due + 62));
    assert_eq!(outcomes(&process), []);
    let trigger = Trigger::Period { nominal: due, chosen: due };
    let next = process.next(&view(&after, due + 62), &process.record(&view(&after, due + 62)));
    assert_eq!(next.request, Some(HostRequest::LookUp(trigger.clone())));
    // If it claimed the late start a moment ago, its request may still be on its way.
    let mut late = after.clone();
    late.claim = late.claim.map(|claim| Claim { time: due + 60, ..claim });
    for (second, expected) in [(due + 62, None), (due + 70, Some(HostRequest::LookUp(trigger.clone())))] {
        let mut process = process.clone();
        process.advance(&view(&late, second));
        let next = process.next(&view(&late, second), &process.record(&view(&late, second)));
        assert_eq!(next.request, expected);
        assert!(expected.is_some() || next.wake_up == Some((due + 70) * 1000), "{:?}", next.wake_up);
    }
    for (found, outcome) in [(Some("x"), Outcome::Executed), (None, Outcome::Missed)] {
        let mut process = process.clone();
        process.looked_up(&trigger, found);
        process.advance(&view(&after, due + 62));
        assert_eq!(outcomes(&process), [outcome]);
        // It is looked up once.
        process.advance(&view(&after, due + 63));
        assert_eq!(outcomes(&process), [outcome]);
    }
}

/// An answer that a process reads after a pause may have come before it.
#[test]
fn a_claim_is_confirmed_after_a_pause_by_a_write_that_begins_after_it() {
    for paused in [false, true] {
        let mut host = Alone::new("*/5 * * * * @policy(concurrency=allow)");
        host.look(BEGIN + 1);
        let wanted = host.dispatcher.record(&host.view(BEGIN + 1));
        host.dispatcher.writing(&wanted);
        host.record = wanted;
        if paused {
            host.dispatcher.paused();
        }
        host.dispatcher.written();
        host.look(BEGIN + 300);
        let wanted = host.dispatcher.record(&host.view(BEGIN + 300));
        let next = host.dispatcher.next(&host.view(BEGIN + 300), &wanted);
        assert_eq!(next.request.is_none(), paused, "{next:?}");
        // It is written again, and then the start is made.
        assert_eq!(host.dispatcher.claim_is_urgent(&host.view(BEGIN + 300), &wanted), paused);
        host.run(BEGIN + 300);
        assert_eq!(host.started, [BEGIN + 300]);
    }
}

/// A process alone on a host without faults.
struct Alone {
    job: Job,
    dispatcher: Dispatcher,
    record: Record,
    /// The nominal times of the starts that were made.
    started: Vec<i64>,
    /// How often the executions were listed.
    lists: usize,
    reports: Vec<HostReport>,
}

impl Alone {
    fn new(text: &str) -> Alone {
        let job = Job::parse("host/test", text).unwrap();
        let (dispatcher, record) = (Dispatcher::new("a"), Record::default());
        Alone { job, dispatcher, record, started: Vec::new(), lists: 0, reports: Vec::new() }
    }

    /// The process ends, and another one begins.
    fn restart(&mut self) {
        self.dispatcher = Dispatcher::new("b");
    }

    fn view(&self, second: i64) -> HostView<'_> {
        HostView {
            job: &self.job,
            revision: 1,
            configuration: "",
            created: BEGIN,
            record: &self.record,
            executions: &[],
            retention: None,
            requested_retention: None,
            claim_ahead: 5,
            run_now: None,
            now: second * 1000,
        }
    }

    /// Looks at the time, and does nothing about it. Gives the number of searches.
    fn look(&mut self, second: i64) -> usize {
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

    /// Does all there is to be done at that second.
    fn run(&mut self, second: i64) {
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
        panic!("it comes to no end");
    }

    /// How many periods have that outcome, as reported, and how many are only counted.
    fn count(&self, outcome: Outcome) -> usize {
        let is = |report: &&HostReport| matches!(report, HostReport::PeriodHandled { outcome: it, .. } if *it == outcome);
        self.reports.iter().filter(is).count()
    }

    fn counted(&self) -> u64 {
        let counted =
            |report: &HostReport| if let HostReport::OlderMissed(count) = report { *count } else { 0 };
        self.reports.iter().map(counted).sum()
    }
}

const HOUR: i64 = 3600;

/// The next start of a suspended job is over when its claim may have been spent. Nothing happens at that time again.
#[test]
fn a_suspended_job_does_not_wait_for_a_time_that_has_passed() {
    let mut host = Alone::new("*/5 * * * *");
    host.run(BEGIN + 298);
    assert!(host.record.claim.is_some());
    host.restart();
    host.job = Job::parse("host/test", "*/5 * * * * @policy(suspend=true)").unwrap();
    for second in [299, 300, 301, 330, 599, 600] {
        host.look(BEGIN + second);
        for after in [0, 287] {
            let view = HostView { now: (BEGIN + second) * 1000 + after, ..host.view(BEGIN + second) };
            let wanted = host.dispatcher.record(&view);
            let wake_up = host.dispatcher.next(&view, &wanted).wake_up;
            assert!(wake_up.is_none_or(|at| at > view.now), "{second}: {wake_up:?}");
        }
    }
}

/// What a process listed does not have the executions that another one started since. Its host may not show them yet.
#[test]
fn executions_are_listed_again_after_the_claim_of_another_process() {
    let mut host = Alone::new("*/5 * * * *");
    host.run(BEGIN + 300);
    assert_eq!((host.started.len(), host.lists), (1, 1));
    let first = host.dispatcher.clone();
    host.restart();
    // The claim of a process that is gone is replaced shortly before the start.
    host.run(BEGIN + 595);
    host.run(BEGIN + 600);
    assert_eq!((host.started.len(), host.lists), (2, 2));
    host.dispatcher = first;
    host.look(BEGIN + 601);
    host.run(BEGIN + 895);
    host.run(BEGIN + 900);
    assert_eq!((host.started.len(), host.lists), (3, 3));
    // Once is enough.
    host.run(BEGIN + 1200);
    assert_eq!((host.started.len(), host.lists), (4, 3));
}

/// After an absence, the start that is caught up for can have any number of later periods behind it that are over.
#[test]
fn a_start_that_is_caught_up_for_is_made_whatever_is_over_behind_it() {
    for (text, hours) in [
        ("* * * * * @only(hours=8) @policy(deadline=24h)", 15),
        ("* * * * * @only(hours=8) @policy(deadline=24h,concurrency=allow)", 11),
        ("* * * * * @only(hours=8) @policy(deadline=400h,concurrency=allow)", 9 + 14 * 24),
        ("* * * * * @only(date=2026-03-01;hours=8) @policy(deadline=9000h)", 300 * 24),
    ] {
        let now = BEGIN + hours * HOUR;
        let day = if hours > 300 && text.contains("400h") { 14 } else { 0 };
        let last = BEGIN + day * 86_400 + 9 * HOUR - 60;
        // The write and the claim may take a while, in which more periods pass.
        for pause in [0, 240] {
            let mut host = Alone::new(text);
            host.look(now);
            host.run(now + pause);
            assert_eq!(host.started, [last], "{text} {pause}");
            // The first one comes a minute after the beginning, and the window of the last one has not passed.
            let periods = ((now + pause - BEGIN) / 60 - 1) as u64;
            let named = host.count(Outcome::Unschedulable) + host.count(Outcome::Missed) + 1;
            assert_eq!(host.count(Outcome::Executed), 1, "{text} {pause}");
            // All are handled, none twice, and only the newest of each kind are named.
            assert_eq!(named as u64 + host.counted(), periods, "{text} {pause}");
            assert!(named <= 1 + 3 * 100 + 4, "{text} {pause} {named}");
            // The next process finds nothing to do.
            host.restart();
            host.run(now + pause + 1);
            assert_eq!(host.started, [last], "{text} {pause}");
        }
    }
}

/// Nothing is started twice and nothing is lost if the process ends in the middle of that.
#[test]
fn another_process_goes_on_after_an_absence() {
    let now = BEGIN + 15 * HOUR;
    let mut host = Alone::new("* * * * * @only(hours=8) @policy(deadline=24h)");
    host.look(now);
    // The claim is written, and the process ends.
    let wanted = host.dispatcher.record(&host.view(now));
    host.dispatcher.writing(&wanted);
    host.record = wanted;
    host.restart();
    host.run(now + 60);
    assert_eq!(host.started, [BEGIN + 9 * HOUR - 60]);
}

/// Other jobs of the host do not wait for the decision of a long absence.
#[test]
fn the_periods_of_a_long_absence_are_decided_by_a_search() {
    for (text, hours, searches) in [
        // One for the next start.
        ("* * * * * @only(hours=8-17) @policy(deadline=1h)", 3, 1),
        ("* * * * * @only(hours=8-17) @policy(deadline=1h)", 4, 2),
        ("* * * * * @only(hours=8-17) @policy(deadline=1h)", 20_012, 2),
        ("0 * * * * @win(after,90m) @avoid(dow=SUN)", 200, 1),
        ("0 * * * * @win(after,90m) @avoid(dow=SUN)", 210, 2),
        // Without constraints, they are counted.
        ("* * * * * @win(after,90m)", 20_000, 1),
        ("* * * * * @only(hours=8-17) @policy(deadline=1h,suspend=true)", 20_000, 1),
    ] {
        let now = BEGIN + hours * HOUR + 1;
        let mut host = Alone::new(text);
        let view = host.view(now);
        let mut dispatcher = Dispatcher::new("a");
        dispatcher.advance(&view);
        // Until the search is made, nothing was decided.
        let before = dispatcher.clone();
        dispatcher.advance(&view);
        assert_eq!(dispatcher, before, "{text} {hours}");
        assert!(searches == 1 || !dispatcher.has_due_starts(), "{text} {hours}");
        assert_eq!(host.look(now), searches, "{text} {hours}");
        // Once is enough, and a moment later there is little to decide.
        assert_eq!(host.look(now), 0, "{text} {hours}");
        assert!(host.look(now + 120) <= 1, "{text} {hours}");
    }
}
