//! The fuzz target on stable: texts of each format, changed a few times by a deterministic mutator.

#[path = "../../testing/fuzz/targets_convert.rs"]
mod targets;
#[path = "../../testing/fuzz/targets_base.rs"]
mod targets_base;

use kron_formats::convert::Format;

use crate::formats::CASES;
use crate::support::Random;

/// Further texts than those of `formats.rs`.
const SEEDS: [&str; 12] = [
    "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a, uid: x}\nspec:\n  schedule: 0 3 * * * # c\n  suspend: true\n  \
     # d\n  concurrencyPolicy: Forbid # e\n  timeZone: UTC\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, \
     containers: [{name: c}]}}}}\nstatus: {}\n",
    "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{\"apiVersion\":\"batch/v1\",\"kind\":\"CronJob\",\"metadata\":{\"name\":\"a\",\
     \"uid\":1},\"spec\":{\"schedule\":\"@daily\",\"suspend\":false,\"jobTemplate\":{\"spec\":{\"template\":{\"spec\":{\"restartPolicy\":\"Never\",\
     \"containers\":[{\"name\":\"c\"}]}}}}},\"status\":{}}]}",
    "# c\nSHELL=/bin/bash\nCRON_TZ=Europe/Paris\nRANDOM_DELAY=5\n*/5 3,4 1-7 jan mon-fri x \\% 'y'%in%\n@daily z\n0~30 ~ * * * w\n",
    "17 * * * * root cd / && run-parts --report /etc/cron.hourly\n0 3 * * fri-sun root sleep $((RANDOM \\% 300 + 5)) && 'x' > y\n\
     0 0 31 2 * a:b if [ -x z ]; then sh -c \"z $(shuf -i 0-9 -n 1)\"; fi\n",
    "TZ=Europe/London\nH H(0-7) * * 1-5\nH/15 * * * *\n@weekly\n0 H/6 1 * *\n",
    "[Unit]\n[Timer]\nOnCalendar=Mon..Fri *-*-1..7 03/2:00,30:00 Europe/Paris\nRandomizedDelaySec=1h 30min\nPersistent=true\n\
     [Service]\nExecStart=/bin/a \"b c\" ${D} \\\n e\nEnvironment=A=1\n",
    "apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: {name: etl}\nspec:\n  schedules: ['0 3 * * *', '@daily']\n  \
     timezone: UTC\n  workflowSpec: {}\n",
    "// c\npipeline {\n  triggers {\n    cron('''TZ=UTC\nH 3 * * *''')\n    pollSCM 'H/5 * * * *'\n  }\n}\nproperties([pipelineTriggers([\
     cron(\"H $x\"), [$class: 'T', spec: /a/]])])\n",
    "<?xml version='1.1' encoding='UTF-8'?>\n<project><disabled>true</disabled><triggers><hudson.triggers.TimerTrigger><spec>\
     TZ=UTC&#xd;\nH 3 * * 1-5 &amp;</spec></hudson.triggers.TimerTrigger><a.SCMTrigger/></triggers></project>\n",
    "# c\n0 0/5 14,18 ? * 6L 2027-2030/2\n0 15 10 L-3W,15W,LW,L-2 * ?\n0 0 9 L,1 * MON#1,5L\n0 0 9 ? JAN-mar FRI-MON\n@daily\n",
    "cron(0 10 ? * 2#1 2027-2029)\nat(2027-01-31T03:00:00)\nrate(7 minutes)\n",
    "[Timer]\nOnCalendar=Fri 2027..2029/2-*~01..07 03:00\nOnCalendar=*-*~09/2 4:00\nOnCalendar=semi-annually\n",
];

const WORDS: [&str; 54] = [
    "*",
    "/",
    "-",
    ",",
    "H",
    "H(",
    ")",
    "~",
    "..",
    "%",
    "\\",
    "\"",
    "'",
    "\n",
    "\r\n",
    "  ",
    "- ",
    ": ",
    "#",
    "{",
    "}",
    "[",
    "]",
    "&a ",
    "*a",
    "|\n",
    "---\n",
    "@daily",
    "=",
    "59",
    "0",
    "é",
    "null",
    "<<: ",
    "kind: CronJob\n",
    "OnCalendar=",
    "'''",
    "triggers {",
    "pipelineTriggers([",
    "cron('",
    "<spec>",
    "</triggers>",
    "&#10;",
    "L",
    "LW",
    "L-",
    "W",
    "?",
    "#2",
    "FRI",
    "cron(",
    "hour=",
    "2027",
    "+",
];

#[test]
fn changed_texts() {
    let seeds: Vec<&str> = SEEDS.into_iter().chain(CASES.iter().map(|(_, text, _)| *text)).collect();
    let mut random = Random::new(1);
    for format in 0..=u8::MAX {
        seeds.iter().for_each(|seed| targets::convert_text(&[&[format], seed.as_bytes()].concat()));
    }
    for _ in 0..20_000 {
        let mut text = random.changed(&seeds, &WORDS);
        text.insert(0, random.below(256) as u8);
        targets::convert_text(&text);
    }
    // Nothing is quadratic in what it refuses.
    for word in WORDS {
        // Each format, and none.
        for format in 0..=Format::ALL.len() as u8 {
            targets::convert_text(&[&[format], word.repeat(60_000 / word.len()).as_bytes()].concat());
        }
    }
}

/// Files of what is there already.
#[test]
fn changed_rows() {
    const ROWS: [&str; 5] = [
        "time,load\n00:00,3\n07:30,0.5\n23:59,1e2\n",
        "\u{feff}time,price\r\nMON 00:00, 1\r\nsun 23:59,.5\r\n",
        "2026-03-01T00:00:00Z,1\n\"2026-03-01T01:00:00+01:00\",2\n\n2026-03-02T00:00:00Z,3\n",
        r#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[60,"2"],[120.5,"1"]]}]}}"#,
        r#"{"status":"error","error":"bad query"}"#,
    ];
    const WORDS: [&str; 20] = [
        ",", "\n", "\r", "\"", ":", " ", "0", "9", "e308", ".", "-", "+", "NaN", "inf", "[", "]", "{", "}",
        "é", "TUE ",
    ];
    let mut random = Random::new(2);
    for _ in 0..20_000 {
        targets_base::base_text(&random.changed(&ROWS, &WORDS));
    }
    // Nothing is quadratic in what it refuses.
    for word in WORDS {
        targets_base::base_text(word.repeat(200_000 / word.len()).as_bytes());
        targets_base::base_text(format!("{{{}", word.repeat(200_000 / word.len())).as_bytes());
    }
}
