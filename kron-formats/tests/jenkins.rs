//! Schedules of Jenkins become windows: as many starts as builds, one where each build could have been.

use chrono::NaiveDateTime;
use kron_core::Severity;
use kron_formats::convert::{Format, Options};

use crate::readers::{minutes, nominal_times, range};
use crate::support::{Random, converted, from, loaded, messages, refusal};

fn options() -> Options {
    Options { timezone: Some("UTC".to_string()), ..from(Format::Jenkins) }
}

#[test]
fn forms_of_h() {
    for (text, want) in [
        ("H 3 * * *", "0 3 * * * @win(after,59m59s) @seed(fixed)"),
        ("H H * * *", "0 0 * * * @win(after,23h59m59s) @seed(fixed)"),
        ("H/15 * * * *", "*/15 * * * * @win(after,14m59s) @seed(fixed)"),
        ("H/1 * * * *", "0 * * * * @win(after,59m59s) @seed(fixed)"),
        ("H(0-29) 3 * * *", "0 3 * * * @win(after,29m59s) @seed(fixed)"),
        ("H(0-29)/10 * * * *", "0-20/10 * * * * @win(after,9m59s) @seed(fixed)"),
        ("H(15-59)/15 * * * *", "15-45/15 * * * * @win(after,14m59s) @seed(fixed)"),
        ("H/7 * * * *", "*/7 * * * * @win(after,3m59s) @seed(fixed)"),
        ("H H(0-7) * * 1-5", "0 0 * * 1-5 @win(after,7h59m59s) @seed(fixed)"),
        ("H H/6 * * *", "0 */6 * * * @win(after,5h59m59s) @seed(fixed)"),
        ("0 H/6 * * *", "0 */6 * * * @win(after,5h) @seed(fixed)"),
        ("H/30 H * * *", "0,30 0 * * * @win(after,23h29m59s) @seed(fixed)"),
        ("H H * * H", "0 0 * * 0 @win(after,167h59m59s) @seed(fixed)"),
        ("H H H * *", "0 0 1 * * @win(after,671h59m59s) @seed(fixed)"),
        ("H H H H *", "0 0 1 1 * @win(after,8687h59m59s) @seed(fixed)"),
        ("H H(2-4) * * H(1-5)", "0 2 * * 1 @win(after,98h59m59s) @seed(fixed)"),
        ("@hourly", "0 * * * * @win(after,59m59s) @seed(fixed)"),
        ("@daily", "0 0 * * * @win(after,23h59m59s) @seed(fixed)"),
        ("@midnight", "0 0 * * * @win(after,2h59m59s) @seed(fixed)"),
        ("@weekly", "0 0 * * 0 @win(after,167h59m59s) @seed(fixed)"),
        ("@monthly", "0 0 1 * * @win(after,671h59m59s) @seed(fixed)"),
        ("@yearly", "0 0 1 1 * @win(after,8687h59m59s) @seed(fixed)"),
        ("30 3 * * 7", "30 3 * * 0"),
    ] {
        let converted = converted(text, &options());
        assert_eq!(converted.text.split(" @policy").next(), Some(want), "{text}: {:?}", converted.findings);
    }
}

#[test]
fn zones_comments_and_names() {
    let text = "TZ=Europe/London\n# nightly\nH 3 * * *\n\nH 4 * * *\n";
    let options = Options { namespace: Some("ci".into()), ..options() };
    let converted = converted(text, &options);
    let win = "@win(after,59m59s) @seed(fixed) @policy(deadline=1m)";
    assert_eq!(
        converted.text,
        format!(
            "# nightly\n0 3 * * * @tz(Europe/London) {win} name=ci/file\n\n0 4 * * * @tz(Europe/London) {win} name=ci/file-2\n"
        )
    );
    let both = self::converted("H 3 * * *\n0 3 * * 1\n", &options);
    assert_eq!(
        messages(&both, Severity::Warning),
        [
            "line 2: this line and line 1 can match the same minute: Jenkins then builds once, Kron starts two jobs"
        ]
    );
}

/// Each line is compared with those before it.
#[test]
fn lines_beyond_the_limit_are_refused() {
    let lines =
        |count: usize| (0..count).map(|at| format!("{} {} * * *\n", at % 60, at / 60)).collect::<String>();
    assert_eq!(converted(&lines(1000), &options()).converted, 1000);
    let converted = converted(&lines(1003), &options());
    assert_eq!((converted.converted, converted.refused), (1000, 1));
    let found = converted.findings.iter().find(|found| found.finding.severity == Severity::Error);
    let found = found.expect("an error");
    assert_eq!(found.line, Some(1001));
    assert!(
        found.finding.message.starts_with("the job has more than 1000 lines of schedules: this one"),
        "{found:?}"
    );
}

#[test]
fn refusals() {
    let p = |text: &str| refusal(text, &options()).replace("line 1: ", "");
    assert!(
        p("H(0-29) H(0-7) * * *")
            .starts_with("the hour is random, and the minute is random in a part of the hour")
    );
    assert!(p("0 3 * * H").starts_with("the day is random, and the minute is not any minute"));
    assert!(p("H 3 H * 1").starts_with("the random days are not the days of a window"));
    assert!(p("H 3 1 H *").starts_with("the random days are not the days of a window"));
    assert_eq!(p("H,30 * * * *"), "minute: `H,30` has `H` in a list; write a line for each item");
    for (text, want) in [
        (
            "H(40-20)/5 * * * *",
            "minute: `H(40-20)/5` runs backwards; write `H(40-59)/5` or `H(0-20)/5`; `H(20-40)/5` has the other values",
        ),
        (
            "0 H(22-3) * * *",
            "hour: `H(22-3)` runs backwards; write `H(22-23)` or `H(0-3)`; `H(3-22)` has the other values",
        ),
        ("H(5) * * * *", "minute: `H(5)` is not a value of this field; write for example `H(0-59)`"),
        ("H/90 * * * *", "minute: `H/90` has a wrong step; write a step from 1 to 60"),
        ("H H(0-7)/0 * * *", "hour: `H(0-7)/0` has a wrong step; write a step from 1 to 24"),
        ("0 3 * JAN *", "month: `JAN` is not a value of this field; write values from 1 to 12"),
        ("5/15 3 * * *", "minute: `5/15` is not a value of this field; write `5-59/15`"),
        ("0 22-3 * * *", "hour: `22-3` runs backwards; write `22,23,0-3`"),
    ] {
        assert_eq!(p(text), want);
    }
    assert!(p("H 3 * *").starts_with("`H 3 * *` does not have five fields"));
}

/// A field as Jenkins hashes it: its bits, and the field in the schedule.
fn field(random: &mut Random, low: u32, high: u32, hashed: u32) -> (u64, String) {
    let all = |from: u32, to: u32, step: u32| {
        (from..=to).step_by(step as usize).fold(0_u64, |bits, value| bits | 1 << value)
    };
    let (first, second) = (low + random.below(hashed - low + 1), low + random.below(hashed - low + 1));
    let (from, to) = (first.min(second), first.max(second));
    let one = |random: &mut Random, from: u32, to: u32| 1_u64 << (from + random.below(to - from + 1));
    match random.below(7) {
        0 => (all(low, high, 1), "*".into()),
        1 => (1 << first, first.to_string()),
        2 => (all(from, to, 1), format!("{from}-{to}")),
        3 => (one(random, low, hashed), "H".into()),
        4 => (one(random, from, to), format!("H({from}-{to})")),
        case => {
            let (from, to) = if case == 5 { (low, hashed) } else { (from, to) };
            let count = to - from + 1;
            let step = 1 + random.below(count);
            // Jenkins has one build more for the first offsets, if the step does not divide the range; Kron has as many as
            // those.
            let offsets = if count.is_multiple_of(step) { step } else { count % step };
            let text = if case == 5 { format!("H/{step}") } else { format!("H({from}-{to})/{step}") };
            let bits =
                if step == 1 { one(random, from, to) } else { all(from + random.below(offsets), to, step) };
            (bits, text)
        }
    }
}

#[test]
fn every_build_lies_in_the_window_of_its_period() {
    let mut random = Random::new(7);
    let mut compared = 0;
    for _ in 0..400 {
        let minute = field(&mut random, 0, 59, 59);
        let hour = field(&mut random, 0, 23, 23);
        let dom = if random.one_in(3) { field(&mut random, 1, 31, 28) } else { (u64::MAX, "*".into()) };
        let month = if random.one_in(5) { field(&mut random, 1, 12, 12) } else { (u64::MAX, "*".into()) };
        let dow = if random.one_in(3) && dom.1 == "*" {
            field(&mut random, 0, 6, 6)
        } else {
            (u64::MAX, "*".into())
        };
        let text = [&minute.1, &hour.1, &dom.1, &month.1, &dow.1].map(String::as_str).join(" ");
        let has = |field: &(u64, String), value: u32| field.0 >> value & 1 == 1;
        let converted = converted(&text, &options());
        if converted.refused > 0 {
            continue;
        }
        let mut builds = minutes(|at| {
            let date = has(&dom, at.dom) && has(&month, at.month) && has(&dow, at.dow);
            has(&minute, at.minute) && has(&hour, at.hour) && date
        });
        let jobs = loaded(&converted).jobs;
        let job = &jobs[0].job;
        let window = chrono::TimeDelta::seconds(job.spec().window().duration().as_secs());
        let mut nominal = nominal_times(job);
        // Windows that begin before the range, and those that end after it.
        builds.retain(|build| nominal.first().is_some_and(|first| build >= first));
        while builds.len() < nominal.len() && nominal.last().is_some_and(|last| *last + window >= range().1) {
            nominal.pop();
        }
        assert_eq!(builds.len(), nominal.len(), "{text}\n{}", converted.text);
        let mut pairs = builds.iter().zip(&nominal);
        let outside = pairs.find(|(build, nominal): &(&NaiveDateTime, &NaiveDateTime)| {
            *build < *nominal || **build > **nominal + window
        });
        assert_eq!(outside, None, "{text}\n{}", converted.text);
        compared += 1;
    }
    assert!(compared > 150, "{compared} compared");
}

const FIXED: &str = "@win(after,59m59s) @seed(fixed) @policy(deadline=1m)";

#[test]
fn triggers_of_a_declarative_pipeline() {
    let text = "\
#!/usr/bin/env groovy
// triggers { cron('1 1 * * *') }
pipeline {
  agent any
  /* triggers { cron('2 2 * * *') } */
  triggers {
    cron('H 3 * * *') // at night
    cron '''\\
TZ=Europe/London
# in the week
H 4 * * 1-5

H 5 * * *'''
    cron(spec: \"H 6 * * *\\nH 7 * * *\")
  }
  stages { stage('a') { steps { sh 'triggers { cron(\"3 3 * * *\") }' } } }
}
";
    assert_eq!(kron_formats::convert::recognize(text), Some(Format::Jenkins));
    let converted = converted(text, &options());
    let london = format!("@tz(Europe/London) {FIXED}");
    assert_eq!(
        converted.text,
        format!(
            "0 3 * * * {FIXED} name=file\n# in the week\n0 4 * * 1-5 {london} name=file-2\n0 5 * * * {london} name=file-3\n\
             0 6 * * * {FIXED} name=file-4\n0 7 * * * {FIXED} name=file-5\n"
        )
    );
    assert_eq!(converted.refused, 0);
    // Places are those of the file.
    let wrong = self::converted(&text.replace("H 5", "H 55"), &options());
    assert!(messages(&wrong, Severity::Error)[0].starts_with("line 13: hour: `55` is not a value"));
}

#[test]
fn triggers_of_a_scripted_pipeline() {
    let text = "properties([\n  disableConcurrentBuilds(),\n  pipelineTriggers([\n    cron('H 3 * * *'),\n    [$class: \
                'TimerTrigger', spec: 'H 4 * * *'],\n    pollSCM('H/5 * * * *')\n  ])\n])\nnode { sh 'make' }\n";
    let converted = converted(text, &options());
    assert_eq!(converted.text, format!("0 3 * * * {FIXED} name=file\n"));
    assert_eq!(
        messages(&converted, Severity::Error),
        [
            "line 5: the trigger is written as a map with `$class`; write it as `cron('...')`",
            "line 6: `pollSCM` builds only if the sources have changed; leave it in Jenkins"
        ]
    );
}

#[test]
fn triggers_that_cannot_be_said() {
    let in_block = |trigger: &str| refusal(&format!("pipeline {{ triggers {{\n{trigger}\n}} }}"), &options());
    for (trigger, reason) in [
        ("pollSCM 'H/5 * * * *'", "`pollSCM` builds only if the sources have changed"),
        ("parameterizedCron('''H 3 * * * %A=b''')", "`parameterizedCron` gives parameters to its builds"),
        (
            "upstream(upstreamProjects: 'a', threshold: hudson.model.Result.SUCCESS)",
            "`upstream` is not a time",
        ),
        ("githubPush()", "`githubPush` is not a time"),
        ("cron(env.BRANCH_NAME == 'main' ? 'H 3 * * *' : '')", "the times of `cron` are known only when the"),
        ("cron(\"H ${hour} * * *\")", "the times of `cron` are known only when the pipeline runs"),
        ("cron \"H $hour * * *\"", "the times of `cron` are known only when the pipeline runs"),
        ("cron(nightly)", "the times of `cron` are known only when the pipeline runs"),
    ] {
        let said = in_block(trigger);
        assert!(said.starts_with(&format!("line 2: {reason}")), "{trigger}: {said}");
    }
    for (list, reason) in [
        ("isMain ? [cron('H 3 * * *')] : []", "the triggers are known only when the pipeline runs"),
        ("nightly", "the triggers are known only when the pipeline runs"),
        ("triggersOf(env)", "`triggersOf` is not a time"),
    ] {
        let said = refusal(&format!("properties([pipelineTriggers({list})])"), &options());
        assert!(said.starts_with(&format!("line 1: {reason}")), "{list}: {said}");
    }
    for nothing in
        ["pipeline { agent any }", "properties([pipelineTriggers([])])", "# no line\n", "<project/>"]
    {
        let converted = converted(nothing, &options());
        assert_eq!((converted.text.as_str(), converted.refused), ("", 0));
        assert_eq!(messages(&converted, Severity::Warning), ["it has no schedule, so nothing is converted"]);
    }
}

#[test]
fn jobs_in_xml() {
    let text = "\
<?xml version='1.1' encoding='UTF-8'?>
<flow-definition plugin=\"workflow-job@1400\">
  <description>&lt;triggers&gt; &#x1;</description>
  <disabled>false</disabled>
  <properties>
    <org.jenkinsci.plugins.workflow.job.properties.PipelineTriggersJobProperty>
      <triggers>
        <hudson.triggers.TimerTrigger>
          <spec>TZ=Europe/London&#xd;
# a &amp; b&#xd;
H 3 * * *&#10;<![CDATA[H 4 * * *]]>
</spec>
        </hudson.triggers.TimerTrigger>
        <hudson.triggers.SCMTrigger>
          <spec>H/5 * * * *</spec>
          <ignorePostCommitHooks>false</ignorePostCommitHooks>
        </hudson.triggers.SCMTrigger>
        <org.jenkinsci.plugins.parameterizedscheduler.ParameterizedTimerTrigger>
          <spec/>
          <parameterizedSpecification>H 5 * * * %A=b</parameterizedSpecification>
        </org.jenkinsci.plugins.parameterizedscheduler.ParameterizedTimerTrigger>
        <com.cloudbees.jenkins.GitHubPushTrigger/>
      </triggers>
    </org.jenkinsci.plugins.workflow.job.properties.PipelineTriggersJobProperty>
  </properties>
  <script>triggers { cron('H 6 * * *') }</script>
  <triggers/>
</flow-definition>
";
    assert_eq!(kron_formats::convert::recognize(text), Some(Format::Jenkins));
    let converted = converted(text, &options());
    let london = format!("@tz(Europe/London) {FIXED}");
    assert_eq!(
        converted.text,
        format!("# a & b\n0 3 * * * {london} name=file\n0 4 * * * {london} name=file-2\n")
    );
    let refusals = messages(&converted, Severity::Error);
    let starts = [
        "line 14: `pollSCM` builds only",
        "line 18: `parameterizedCron` gives parameters",
        "line 22: `GitHubPushTrigger` is not a time",
    ];
    assert_eq!(refusals.len(), starts.len());
    for (refusal, start) in refusals.iter().zip(starts) {
        assert!(refusal.starts_with(start), "{refusal}");
    }
    let wrong = self::converted(&text.replace("H 4", "H 44"), &options());
    assert!(messages(&wrong, Severity::Error)[0].starts_with("line 11: hour: `44` is not a value"));
}

#[test]
fn disabled_jobs_and_broken_files() {
    let trigger = "<hudson.triggers.TimerTrigger><spec>0 3 * * *</spec></hudson.triggers.TimerTrigger>";
    let text = format!("<project><disabled>true</disabled><triggers>{trigger}</triggers></project>");
    let converted = converted(&text, &options());
    assert_eq!(converted.text, "0 3 * * * @policy(deadline=1m,suspend=true) name=file\n");
    assert_eq!(
        messages(&converted, Severity::Note)[0],
        "the job is disabled in Jenkins, so it is suspended here"
    );
    // What is disabled is the job, and no part of it.
    let part =
        format!("<project><scm><disabled>true</disabled></scm><triggers>{trigger}</triggers></project>");
    assert!(!self::converted(&part, &options()).text.contains("suspend"));
    for (text, reason) in [
        ("<project>\n<triggers>", "line 2: the XML cannot be read: it ends inside of `triggers`"),
        ("<project>\n<triggers>\n</project>", "`</project>` stands where `</triggers>` belongs"),
        ("<project>\n& </project>", "line 2: the XML cannot be read: `&` has no `;`"),
        ("<project/>\n</project>", "line 2: the XML cannot be read: `</project>` ends nothing"),
        ("<project>\n<triggers", "line 2: the XML cannot be read: a tag has no `>`"),
        ("<project>\n<!-- ", "line 2: the XML cannot be read: a comment has no `-->`"),
        ("<project a='\n>", "line 1: the XML cannot be read: a value has no `'`"),
        ("<project>\n<!x>", "line 2: the XML cannot be read: it has a tag that is none of XML"),
    ] {
        let said = refusal(text, &options());
        assert!(said.contains(reason), "{said}");
    }
}

/// The end of a line is looked at once. Otherwise, this takes minutes.
#[test]
fn blank_lines_of_a_pipeline_are_read_once() {
    let text = format!("pipeline {{\n{}}}\n", "\n".repeat(400_000));
    assert_eq!(converted(&text, &options()).refused, 0);
}

/// Day 7 is Sunday: Saturday to Sunday is a range that does not run backwards.
#[test]
fn random_days_can_end_on_sunday() {
    for (days, want) in [
        ("H(6-7)", "0 0 * * 6 @win(after,47h59m59s)"),
        ("H(1-7)", "0 0 * * 1 @win(after,167h59m59s)"),
        ("H(0-7)", "0 0 * * 0 @win(after,167h59m59s)"),
        ("H(7-7)", "0 0 * * 0 @win(after,23h59m59s)"),
    ] {
        let text = format!("TZ=UTC\nH H * * {days}\n");
        let converted = converted(&text, &from(Format::Jenkins));
        assert!(converted.text.starts_with(want), "{days}: {}", converted.text);
    }
    // Both lines can match a Sunday.
    let text = "TZ=UTC\nH H * * H(6-7)\n0 3 * * 0\n";
    let found = messages(&converted(text, &from(Format::Jenkins)), Severity::Warning);
    assert!(found.iter().any(|found| found.contains("can match the same minute")), "{found:?}");
    assert!(refusal("H H * * H(6-8)\n", &from(Format::Jenkins)).contains("day of week: `H(6-8)`"));
}
