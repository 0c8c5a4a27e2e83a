"""The words that people write for a name of Kron, and the errors that name the right one.

The compiled module calls the functions of this file where an argument or a job does not exist. Attributes that do not exist are
descriptors that raise: a `__getattr__` would cost a tenth of a microsecond in each call of a method.

Modules that only an error needs are imported by it.
"""

from __future__ import annotations

import importlib
import typing
from collections.abc import Iterable, Sequence

#: Words for a keyword argument. A call that has the argument names it; where several have the same word, the first one counts that
#: the call has.
_KEYWORDS: tuple[tuple[str, str], ...] = (
    ("timezone", "tz zone time_zone tzinfo zoneinfo"),
    ("window", "jitter randomized_delay random_delay randomizeddelaysec splay delay win"),
    ("distribution", "dist distrib"),
    ("name", "id job_id identity ident key hash_id job_name column"),
    ("only", "include allow allowed within"),
    ("avoid", "exclude forbid forbidden blackout except_"),
    ("days", "on_days nominal_days"),
    ("nodays", "no_days not_days except_days"),
    ("tz_database", "tzdb tz_data tzdata database"),
    ("calendars", "calendar holidays"),
    ("algorithm", "alg algo"),
    ("seed", "random_state rng hash_seed strategy"),
    ("strategy", "seed"),
    ("salt", "seed"),
    ("deadline", "misfire_grace_time starting_deadline_seconds grace grace_time max_delay lateness"),
    ("concurrency", "max_instances concurrency_policy overlap max_concurrency"),
    ("suspend", "suspended paused disabled enabled"),
    ("policy", "policies"),
    ("mode", "position direction align"),
    ("duration", "length width size window hours minutes seconds"),
    ("count", "n num limit periods number max_count how_many take head k size"),
    ("reverse", "reversed backward backwards descending desc back"),
    ("start", "start_date start_time begin since from_ after now base start_ts first"),
    ("end", "end_date end_time until stop to before last"),
    ("after", "start start_time since from_ now base now_ at begin"),
    ("at", "before now end until base"),
    ("now", "at when time"),
    ("per", "freq every bucket interval resolution bin by step period"),
    ("nominal", "nominal_time time when at"),
    ("handled_through", "last last_run last_handled through"),
    ("handled", "done executed"),
    ("since", "start from_ created"),
    ("active", "running is_running busy"),
    ("text", "spec schedule cron expression crontab column"),
    ("on_error", "errors error"),
)

#: What to write for a word that stands for something else than an argument of the call. `""` is any call.
_SENTENCES: dict[str, dict[str, str]] = {
    "Job": {
        "salt": "write seed=kron.Seed(salt='v2')",
        **dict.fromkeys(
            ("deadline", "misfire_grace_time", "starting_deadline_seconds", "grace", "grace_time"),
            "a late start is a matter of the policy: write policy=kron.Policy(deadline='10m')",
        ),
        **dict.fromkeys(
            ("concurrency", "max_instances", "concurrency_policy", "overlap"),
            "write policy=kron.Policy(concurrency='forbid'), which is the default; 'allow' and 'replace' are the others",
        ),
        **dict.fromkeys(("suspend", "suspended", "paused", "disabled"), "write policy=kron.Policy(suspend=True)"),
        "coalesce": "a host starts at most one old period of a job, whatever the policy",
        **dict.fromkeys(
            ("start_date", "end_date", "start", "end"),
            "a job has no beginning and no end; give the range where you ask: job.starts(start, end)",
        ),
        **dict.fromkeys(
            ("cron", "schedule", "spec", "expression", "expr", "text", "crontab"),
            "the text is the first argument: write kron.Job('0 0 * * *', name='backup')",
        ),
        **dict.fromkeys(
            ("minute", "hour", "day", "month", "day_of_week", "day_of_month", "second", "week", "year"),
            "the text has the fields of cron: write kron.Job('0 0 * * *', name='backup')",
        ),
        **dict.fromkeys(
            ("hours", "between"), "it is a part of a constraint: write only={'hours': '9-17'} or avoid={'dow': 'SAT,SUN'}"
        ),
        **dict.fromkeys(
            ("dow", "dom", "months", "date", "dates"),
            "it is a part of a clause: write days={'dow': 'MON', 'dom': '1-7'} for nominal days, or avoid={'dow': 'SAT,SUN'}",
        ),
        **dict.fromkeys(
            ("last", "workday", "lastworkday", "near", "every", "from_", "roll"),
            "it is a part of a clause of days: write days={'dow': 'FRI', 'last': '1-7'}",
        ),
        "hash": "the name takes its place: write name='backup'",
        "func": "a job is only a schedule; kron.aio.Runner runs functions",
        "command": "a job is only a schedule; a job file has the field command, and kron.aio.Runner runs functions",
    },
    "Window": dict.fromkeys(
        ("hours", "minutes", "seconds", "days", "weeks"), "write the duration as a text or a timedelta: kron.Window.after('2h')"
    ),
    "Job.plan": dict.fromkeys(
        ("since", "handled", "handled_through", "active", "last", "last_run", "running"),
        "the state of the host has it: write kron.HostState(since), and state.record(step) for each step",
    ),
    **dict.fromkeys(
        ("Forecast.peak", "Forecast.peak_time"),
        {
            **dict.fromkeys(("nominal", "by_nominal", "by"), "make a second forecast, of nominal times: fleet.forecast(start, end, nominal=True)"),
            **dict.fromkeys(("per", "freq", "bucket"), "the buckets belong to the forecast: fleet.forecast(start, end, per='5m')"),
        },
    ),
    "Policy": {"coalesce": "a host starts at most one old period of a job, whatever the policy"},
    "Fleet": {
        "": "names are not keywords; write a mapping: kron.Fleet({'backup': '0 0 * * *'})",
    },
    "": {
        **dict.fromkeys(
            ("inclusive", "closed", "include_end"), "ranges include their start and not their end; give a later end to include more"
        ),
        **dict.fromkeys(
            ("tz", "timezone", "zone"), "times are in UTC; write start.chosen_time.astimezone(job.timezone) for local ones"
        ),
        **dict.fromkeys(("ret_type", "return_type", "as_type"), "it returns decisions, whose chosen_time is a datetime"),
        "seed": "the seed belongs to the job: write job.replace(seed='daily') or job.replace(seed=kron.Seed(salt='v2'))",
        "salt": "the salt belongs to the job: write job.replace(seed=kron.Seed(salt='v2'))",
        **dict.fromkeys(("count", "n", "limit", "periods"), "it finds one; write starts(start, count=5) or periods(start, count=5)"),
        "on": "write a range: periods(start, '24h')",
        **dict.fromkeys(("days", "hours", "minutes", "weeks", "duration", "length"), "the length is the end: write starts(start, '24h')"),
        **dict.fromkeys(("nominal", "by", "by_nominal"), "periods(start, end) are in order of their nominal times"),
    },
}

#: Words for an attribute, by class; `kron` is the module.
_ATTRIBUTES: dict[str, dict[str, str]] = {
    "kron": {
        **dict.fromkeys(
            ("parse", "JobSpec", "Spec", "Schedule", "from_string", "from_text", "spec", "job"),
            "kron.Job(text, name='backup'), a text with its name",
        ),
        **dict.fromkeys(("CronTrigger", "Trigger"), "kron.Job(text, name='backup'); kron.apscheduler.KronTrigger is for APScheduler"),
        **dict.fromkeys(
            ("croniter", "CronTab", "crontab", "CronExpression"), "kron.Cron('0 0 * * *'), or kron.Job(text, name='backup') with a window"
        ),
        **dict.fromkeys(
            ("is_valid", "validate", "valid", "check"), "kron.Cron(text) or kron.Job(text, name='backup'), which raise kron.KronError"
        ),
        **dict.fromkeys(
            ("next", "get_next", "next_start", "next_fire_time", "iter", "range", "starts", "prev"),
            "kron.Job(text, name='backup').next_start() and .starts(start, end)",
        ),
        **dict.fromkeys(("Dist", "normal", "uniform", "skew_early", "exponential"), "kron.Distribution.normal(sigma='20m') and so on"),
        **dict.fromkeys(("Concurrency", "ConcurrencyPolicy"), "the text 'forbid', 'allow' or 'replace': kron.Policy(concurrency='forbid')"),
        **dict.fromkeys(("Mode", "WindowMode"), "kron.Window.after('2h'), kron.Window.around('2h') and kron.Window.before('2h')"),
        **dict.fromkeys(("ActionKind", "Execute", "Wait", "Record", "Outcome"), "action.kind, a text such as 'execute', 'wait' or 'record'"),
        **dict.fromkeys(("ParseError", "Error", "ValidationError", "KronException"), "kron.KronError, which is a ValueError"),
        **dict.fromkeys(("read_crontab", "read", "read_file", "open", "from_file", "load_file"), "kron.load(path)"),
        **dict.fromkeys(("load_fleet", "load_jobs", "read_jobs"), "kron.load(path).fleet"),
        **dict.fromkeys(("now", "utcnow"), "datetime.datetime.now(datetime.timezone.utc); an instant that is omitted is the present"),
        **dict.fromkeys(("from_frame", "read_csv", "from_pandas", "from_polars"), "kron.Fleet.from_frame(frame)"),
        **dict.fromkeys(("Scheduler", "Runner", "run"), "kron.aio.Runner, after import kron.aio"),
        **dict.fromkeys(("Constraint", "Only", "Avoid"), "kron.Clause and kron.Constraints, or only={...} and avoid={...} of kron.Job"),
        **dict.fromkeys(("DayRules", "NoDays", "Nodays", "Day"), "kron.Days, or days={...} and nodays={...} of kron.Job"),
        **dict.fromkeys(("forecast",), "kron.Fleet(jobs).forecast(start, end)"),
        **dict.fromkeys(("compare", "compare_fleets", "diff_fleets", "difference"), "kron.diff(old, new, start, end)"),
        **dict.fromkeys(("explain",), "kron.Job(text, name='backup').explain(nominal)"),
        **dict.fromkeys(("TimeZone", "Zone", "ZoneInfo", "tz"), "the name of the zone: kron.Job(text, name='backup', timezone='Europe/Berlin')"),
        **dict.fromkeys(("Duration", "timedelta"), "a datetime.timedelta, or a text such as '1h30m'"),
        **dict.fromkeys(("Action_", "Decision_"), "kron.Action"),
    },
    "Job": {
        **dict.fromkeys(
            ("next", "get_next", "next_fire_time", "get_next_fire_time", "next_run", "next_run_time", "next_time", "next_decision"),
            "next_start(after)",
        ),
        **dict.fromkeys(
            ("prev", "get_prev", "previous", "previous_start", "last_start", "prev_fire_time", "last", "get_last", "last_run"),
            "prev_start(at)",
        ),
        **dict.fromkeys(("tz", "zone", "time_zone", "tzinfo"), "timezone"),
        **dict.fromkeys(("cron", "expression", "crontab"), "schedule"),
        **dict.fromkeys(("text", "spec", "source", "canonical", "to_string"), "str(job), its canonical text"),
        **dict.fromkeys(("dist",), "distribution"),
        **dict.fromkeys(("only", "avoid"), "constraints.only and constraints.avoid"),
        **dict.fromkeys(("deadline", "concurrency", "suspend", "suspended", "paused"), "policy.deadline, policy.concurrency and policy.suspend"),
        **dict.fromkeys(("id", "identity", "key", "job_id"), "name"),
        **dict.fromkeys(("salt",), "seed.salt"),
        **dict.fromkeys(("decisions", "iter", "all_next", "fire_times", "between", "range"), "starts(start, end) or periods(start, end)"),
        **dict.fromkeys(("nominals", "times"), "nominal_times(start, end)"),
        **dict.fromkeys(("matches", "match", "is_due"), "nominal in job.periods(nominal, '1s'), or schedule"),
        **dict.fromkeys(("with_name", "with_window", "copy", "evolve"), "replace(name=...), replace(window=...) and so on"),
        **dict.fromkeys(("describe", "description"), "explain(nominal)"),
        **dict.fromkeys(("period_at", "current", "current_window", "open_period"), "current_period(now)"),
        **dict.fromkeys(("evaluate", "tick", "due", "pending"), "plan(state, now)"),
        **dict.fromkeys(
            ("chosen_time", "nominal_time", "start_time", "chosen"), "next_start(after).chosen_time, or decide(nominal).chosen_time"
        ),
        **dict.fromkeys(("without_window", "no_window"), "replace(window='0s')"),
    },
    "Fleet": {
        **dict.fromkeys(
            ("next", "next_start", "get_next", "first"), "next_starts(after), one of each job; min(fleet.next_starts(after)) is the first"
        ),
        **dict.fromkeys(("add", "add_job", "append", "insert", "update", "set"), "with_job(job), which returns a fleet"),
        **dict.fromkeys(("remove", "remove_job", "discard", "pop", "delete"), "without(name), which returns a fleet"),
        **dict.fromkeys(("keys",), "names"),
        **dict.fromkeys(("values", "get_jobs"), "jobs"),
        **dict.fromkeys(("items",), "names and jobs: for job in fleet"),
        **dict.fromkeys(("get", "get_job", "job", "find"), "fleet[name], and name in fleet"),
        **dict.fromkeys(("map", "apply", "with_window", "with_policy", "with_timezone", "assign"), "replace(window='30m'), for all jobs"),
        **dict.fromkeys(
            ("to_pandas", "to_polars", "to_frame", "to_df", "to_dataframe", "to_csv"),
            "starts(start, end).to_pandas() for its starts, and {'name': fleet.names, 'text': list(map(str, fleet))} for its jobs",
        ),
        **dict.fromkeys(("diff", "compare"), "kron.diff(fleet, other, start, end)"),
        **dict.fromkeys(("plan", "due", "tick"), "plan of each job: for job in fleet: job.plan(state, now)"),
        **dict.fromkeys(("save", "to_file", "dump", "write", "dumps", "to_text"), "to_job_file(), the text of a job file"),
        **dict.fromkeys(("load", "parse", "from_file", "loads"), "kron.load(path).fleet or kron.loads(text).fleet"),
        **dict.fromkeys(("from_pandas", "from_polars", "from_csv", "from_dataframe", "from_df", "read_csv"), "kron.Fleet.from_frame(frame)"),
        **dict.fromkeys(("load_table", "histogram", "buckets", "resample"), "forecast(start, end, per='5m')"),
        **dict.fromkeys(("peak", "peak_time", "busiest", "heat_map"), "forecast(start, end), which has peak(), peak_time() and heat_map()"),
        **dict.fromkeys(("without_windows", "without_window", "no_windows"), "replace(window='0s'), for all jobs"),
        **dict.fromkeys(("nominal", "nominals"), "periods(start, end), or forecast(start, end, nominal=True)"),
        **dict.fromkeys(("lint", "check"), "kron.lint_fleet(fleet)"),
    },
    "Decision": {
        **dict.fromkeys(
            ("time", "start", "chosen", "start_time", "at", "scheduled", "scheduled_time", "datetime", "when", "run_time", "fire_time"),
            "chosen_time",
        ),
        **dict.fromkeys(("nominal", "period_start", "cron_time"), "nominal_time"),
        **dict.fromkeys(("window", "interval", "end"), "window_start and window_end, or job.window"),
        **dict.fromkeys(("offset", "delay", "jitter"), "chosen_time - nominal_time"),
        **dict.fromkeys(("reason", "why"), "unschedulable, the reason if there is no start"),
        **dict.fromkeys(("is_unschedulable", "schedulable", "ok"), "unschedulable"),
        **dict.fromkeys(("explain", "explanation"), "job.explain(decision.nominal_time)"),
        **dict.fromkeys(("_asdict", "asdict", "as_dict", "dict", "model_dump"), "to_dict()"),
        **dict.fromkeys(("json",), "to_json()"),
        **dict.fromkeys(("id", "key"), "period_id"),
        **dict.fromkeys(("hash", "seed", "digest"), "seed_hash"),
        **dict.fromkeys(("job_name", "identity"), "name"),
        **dict.fromkeys(("timestamp", "isoformat", "strftime", "astimezone", "date", "year"), "chosen_time, a datetime"),
    },
    "Decisions": {
        **dict.fromkeys(("head", "take", "limit"), "series[:10]"),
        **dict.fromkeys(("tail",), "series[-10:]"),
        **dict.fromkeys(("tolist", "list", "collect"), "to_list()"),
        **dict.fromkeys(("to_csv", "to_frame", "to_dataframe", "to_df", "df"), "to_pandas() or to_polars(), and their to_csv or write_csv"),
        **dict.fromkeys(("to_series", "chosen_times", "times"), "to_numpy(), the chosen times"),
        **dict.fromkeys(("count", "size", "length"), "len(series)"),
        **dict.fromkeys(("first",), "series[0]"),
        **dict.fromkeys(("last",), "series[-1]"),
        **dict.fromkeys(("to_json", "to_dicts", "to_dict"), "to_json() or to_dict() of each decision"),
    },
    "Forecast": {
        **dict.fromkeys(
            ("max", "maximum", "busiest", "peak_minute", "peak_hour", "peak_bucket", "peak_at", "argmax", "idxmax"), "peak() and peak_time()"
        ),
        **dict.fromkeys(("starts_at", "at", "count_at", "bucket_at"), "jobs(time) for the jobs of a bucket, or starts[i] beside times[i]"),
        **dict.fromkeys(
            ("as_written", "cron", "before", "without_windows"), "a second forecast: fleet.forecast(start, end, nominal=True)"
        ),
        **dict.fromkeys(
            ("to_csv", "write_csv", "to_frame", "to_dataframe", "to_df", "df"),
            "to_pandas().to_csv(), whose index has the times, or to_polars().write_csv()",
        ),
        **dict.fromkeys(("counts", "values"), "starts"),
        **dict.fromkeys(("buckets", "index"), "times"),
        **dict.fromkeys(("plot", "show"), "to_pandas().plot(), or kron.plot.buckets(forecast)"),
        **dict.fromkeys(("bucket", "freq", "every"), "per"),
    },
    "Diff": {
        **dict.fromkeys(
            ("added", "removed", "changed", "renamed"), "jobs, each with its change: [it.name for it in diff.jobs if it.change == 'added']"
        ),
        **dict.fromkeys(("starts", "changes", "moves"), "jobs, each with its starts"),
        **dict.fromkeys(("empty", "is_empty"), "bool(diff), or diff.same_starts"),
        **dict.fromkeys(("summary", "describe", "show", "report", "to_string"), "print(diff)"),
    },
    "HostState": {
        **dict.fromkeys(("save", "dump", "to_file", "dumps"), "to_json(), and store the text before you start a command"),
        **dict.fromkeys(("load", "open", "loads", "from_file"), "kron.HostState.from_json(text)"),
        **dict.fromkeys(("done", "record_start", "mark", "handle", "update", "executed", "add"), "record(step), with a step of job.plan(state, now)"),
        **dict.fromkeys(("record_finish", "finished", "ended", "running", "is_active", "is_running", "set_active"), "active, which is set: state.active = False"),
        **dict.fromkeys(("last_run", "last", "last_start"), "handled_through and handled"),
        **dict.fromkeys(("plan",), "job.plan(state, now)"),
    },
    "Plan": {
        **dict.fromkeys(("actions", "items", "todo"), "steps, each with its period and action"),
        **dict.fromkeys(
            ("wake_at", "next", "next_wake", "wakeup", "next_evaluation", "wait_until", "sleep_until", "sleep", "wait", "delay"), "wake_up"
        ),
        **dict.fromkeys(("due", "pending", "to_start", "starts"), "steps, whose action.starts says whether to start the period"),
        **dict.fromkeys(("missed",), "steps whose action.outcome is 'missed', and older_missed"),
    },
    "Step": {
        **dict.fromkeys(("decision",), "period"),
        **dict.fromkeys(("kind", "outcome", "wait_until", "starts"), "action.kind, action.starts, action.outcome and action.wait_until"),
        **dict.fromkeys(("job", "name"), "period.job and period.name"),
        **dict.fromkeys(("chosen_time", "start", "time", "nominal_time", "period_id"), "period.chosen_time, period.nominal_time and so on"),
    },
    "Action": {
        **dict.fromkeys(("type", "action", "name", "verb"), "kind"),
        **dict.fromkeys(("until", "at", "when"), "wait_until"),
        **dict.fromkeys(("job", "decision", "period"), "period of the step"),
        **dict.fromkeys(("is_start", "is_execute", "execute", "should_start"), "starts"),
    },
    "Loaded": {
        **dict.fromkeys(
            ("starts", "periods", "next_starts", "forecast", "spread", "names", "with_job", "without", "to_job_file"), "fleet.starts(...) and so on"
        ),
        **dict.fromkeys(("errors", "warnings"), "findings; errors are raised as kron.LoadError"),
    },
}


def unexpected_keyword(call: str, names: Sequence[str]) -> TypeError:
    """The error of keyword arguments that a function does not have."""
    name = names[0]
    accepted = _parameters(call)
    return TypeError(f"kron.{call}() got an unexpected keyword argument {name!r}; {_right_keyword(call, name, accepted)}")


def _right_keyword(call: str, name: str, accepted: Sequence[str]) -> str:
    import difflib

    word = name.lower()
    # `decide` and `replace` take the parts of a job too.
    of_call = _SENTENCES.get("Job" if call in ("decide", "Job.replace") else call, {})
    if word in of_call:
        return of_call[word]
    for keyword, words in _KEYWORDS:
        if keyword in accepted and word in words.split():
            return f"write {keyword}="
    if word in _SENTENCES[""]:
        return _SENTENCES[""][word]
    near = difflib.get_close_matches(word, accepted, n=1)
    if near:
        return f"did you mean {near[0]}?"
    if "" in of_call:
        return of_call[""]
    return f"it takes {', '.join(accepted)}" if accepted else "it takes none"


def unexpected_argument(call: str, more: tuple[object, ...]) -> TypeError:
    """The error of positional arguments that a function does not have."""
    given = "the text first" if call == "Job" else "the text and the nominal time first"
    write = "kron.Job('0 0 * * *', name='backup')" if call == "Job" else "kron.decide('0 0 * * *', nominal, name='backup')"
    return TypeError(f"kron.{call}() takes {given} and the rest as keyword arguments, not {_short(more[0])}; write {write}")


def missing_argument(call: str, argument: str) -> TypeError:
    """The error of a call without an argument that it needs."""
    write = "kron.Job('0 0 * * *', name='backup')" if call == "Job" else "kron.decide('0 0 * * *', nominal, name='backup')"
    why = {
        "text": "expected a job's text or a kron.Cron as the first argument",
        "name": "missing the keyword argument 'name', on which the start times depend",
        "nominal": "missing the nominal time, the second argument",
    }[argument]
    return TypeError(f"kron.{call}(): {why}; write {write}")


class Missing:
    """An attribute that a class does not have, in its place: to ask for it raises the error with the right word."""

    def __init__(self, owner: str, name: str) -> None:
        self.owner = owner
        self.name = name
        self.__doc__ = f"There is no such attribute; use {_ATTRIBUTES[owner][name]}."

    def __get__(self, instance: object, owner: type | None = None) -> typing.NoReturn:
        raise no_attribute(self.owner, self.name)

    def __repr__(self) -> str:
        return f"(no attribute: use {_ATTRIBUTES[self.owner][self.name]})"


def install(classes: Iterable[type]) -> None:
    """Puts the attributes that the compiled classes do not have in their place. ``dir`` of an object does not show them."""

    def names(self: object) -> list[str]:
        known = vars(type(self))
        return [name for name in object.__dir__(self) if not isinstance(known.get(name), Missing)]

    for owner in classes:
        for name in _ATTRIBUTES[owner.__name__]:
            if name not in vars(owner):
                setattr(owner, name, Missing(owner.__name__, name))
        setattr(owner, "__dir__", names)


def no_attribute(owner: str, name: str) -> AttributeError:
    """The error of an attribute that a class, or the module ``kron``, does not have."""
    where = "module 'kron'" if owner == "kron" else f"'kron.{owner}' object"
    right = "" if name.startswith("__") else _right_attribute(owner, name)
    return AttributeError(f"{where} has no attribute {name!r}{right}")


def _right_attribute(owner: str, name: str) -> str:
    import difflib

    known = _ATTRIBUTES.get(owner, {})
    right = known.get(name) or known.get(name.lower())
    if right:
        return f"; use {right}"
    near = difflib.get_close_matches(name, _public_names(owner), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def no_job(name: str, names: Sequence[str]) -> KeyError:
    """The error of a fleet without a job of this name."""
    import difflib

    # Of a large fleet, the first ones: a search among all would take seconds.
    near = difflib.get_close_matches(name, names[:2000], n=1)
    return KeyError(f"the fleet has no job {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def _parameters(call: str) -> list[str]:
    """The names of the arguments of a function below ``kron``."""
    import inspect

    function: typing.Any = importlib.import_module("kron")
    for part in call.split("."):
        function = getattr(function, part)
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]


def _public_names(owner: str) -> Iterable[str]:
    kron = importlib.import_module("kron")
    found = dir(kron) if owner == "kron" else dir(getattr(kron, owner))
    return [name for name in found if not name.startswith("_")]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else type(value).__name__
