"""Errors: the core's message and data, in Python's types."""

from __future__ import annotations

import copy
import datetime
import pickle
import sys
import typing

import kron
import pytest
import whenever


class TestKronError:
    @pytest.mark.parametrize(("make", "code", "field", "span", "message"), [
        (lambda: kron.Cron("61 * * * *"), 103, "schedule.minute", (0, 2), "schedule.minute: `61` at column 1 is not in 0 to 59"),
        (lambda: kron.Cron("0 9 * * FRI-SUN"), 104, "schedule.dayOfWeek", (8, 15),
         "schedule.dayOfWeek: range `FRI-SUN` at column 9 runs backwards; write `FRI-7`"),
        (lambda: kron.Job("@daily @win(after,3x)", name="x"), 300, "window.duration", (18, 20), "window.duration: `3x` at column 19 is"),
        (lambda: kron.Window.parse("after,3x"), 300, "window.duration", (6, 8), "window.duration: `3x` at column 7 is"),
        (lambda: kron.Window("besides"), 302, "window.mode", (0, 7), "window.mode: "),
        (lambda: kron.Window("after", "8785h"), 305, "window.duration", None, "window.duration: `8785h` is longer than 8784h"),
        (lambda: kron.Job("@daily", name=""), 306, "name", (0, 0), "name: the name is empty"),
        (lambda: kron.Job("@daily", name="x" * 1025), 305, "name", (0, 1025), "name: "),
        (lambda: kron.Job("@daily", name="a\nb"), 306, "name", (0, 3), "name: "),
        (lambda: kron.Distribution.skew_early(0), 303, "distribution.params.shape", None, "distribution.params.shape: `0` "),
        (lambda: kron.Distribution.skew_late(float("nan")), 303, "distribution.params.shape", None, "distribution.params.shape: `NaN` "),
        (lambda: kron.Distribution.exponential(float("inf")), 303, "distribution.params.lambda", None, "distribution.params.lambda: `inf` "),
        (lambda: kron.Distribution.exponential(dir="up"), 302, "distribution.params.dir", (0, 2), "distribution.params.dir: "),
        (lambda: kron.Distribution.normal(sigma="0s"), 305, "distribution.params.sigma", None, "distribution.params.sigma: `sigma` must be"),
        (lambda: kron.Distribution.from_params("uniform", {"shape": "2"}), 304, "distribution.params", (0, 5), "distribution.params: "),
        (lambda: kron.Seed(salt="x" * 1025), 305, "seed.salt", (0, 1025), "seed.salt: "),
        (lambda: kron.Policy(deadline="-1s"), 300, "duration", (0, 3), "duration: `-1s` at column 1 is not a duration: a sign"),
        (lambda: kron.Clause(), 400, "", None, ""),
        (lambda: kron.Clause(hours="24"), 403, "hours", (0, 2), "hours: `24` at column 1"),
        (lambda: kron.Clause.from_parts({"hour": "1"}), 401, "", (0, 4), "unknown part `hour`"),
        (lambda: kron.Constraints(only=[{"hours": 1}] * 129), 405, "constraints.only", None, "constraints.only: "),
        (lambda: kron.Job("@daily", name="x", algorithm="md5"), 302, "algorithm", (0, 3), "algorithm: "),
        (lambda: kron.Job("@daily", name="x", distribution="normal", algorithm="sha256-splitmix64/1"), 307, "algorithm", None, "algorithm: "),
        (lambda: kron.Receipt.from_json("{"), 500, "", (0, 1), "line 1: the JSON ends too early at column 1"),
    ])
    def test_carries_the_cores_data(
        self, make: typing.Callable[[], object], code: int, field: str, span: tuple[int, int] | None, message: str
    ) -> None:
        with pytest.raises(kron.KronError) as caught:
            make()
        error = caught.value
        assert (error.code, error.field, error.span) == (code, field, span)
        assert str(error).startswith(message) and error.args == (str(error),)
        assert error.reason and (error.help is None or str(error).endswith(error.help))
        assert isinstance(error, ValueError)

    def test_the_span_is_of_bytes(self) -> None:
        text = "@daily @seed(stable,salt=\u00e9\u2603) @win(after,3x)"
        with pytest.raises(kron.KronError) as caught:
            kron.Job(text, name="x")
        assert caught.value.span is not None
        assert text.encode()[slice(*caught.value.span)] == b"3x" and "column 41" in str(caught.value)

    @pytest.mark.parametrize("copied", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
    def test_pickles(self, copied: typing.Callable[[kron.KronError], kron.KronError]) -> None:
        with pytest.raises(kron.KronError) as caught:
            kron.Cron("0 9 * * FRI-SUN")
        error, again = caught.value, copied(caught.value)
        assert type(again) is kron.KronError and vars(again) == vars(error) and str(again) == str(error)

    @pytest.mark.parametrize("text", ["\0", "\ud800", "\U0001f40d" * 100, "x" * 70_000, "@" * 1000, "(" * 1000, "\u202e* * * * *"])
    def test_nothing_crashes(self, text: str) -> None:
        for make in (kron.Cron, kron.Window.parse, kron.Seed.parse, kron.Policy.parse, kron.Constraints.parse,
                     kron.Distribution.parse, kron.Receipt.from_json, lambda text: kron.Job(text, name="x")):
            with pytest.raises((kron.KronError, UnicodeEncodeError)) as caught:
                make(text)
            assert len(str(caught.value)) < 1000


NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
JOB = kron.Job("@daily", name="x")
any_kron: typing.Any = kron
any_job: typing.Any = JOB


class TestTypeError:
    """Says what was expected and what was given; a note names the argument."""

    @pytest.mark.parametrize(("call", "message"), [
        (lambda: any_kron.Job("@daily", name=1), "expected a str, not int 1"),
        (lambda: any_kron.Job(b"@daily", name="x"), "expected a job's text or a kron.Cron, not bytes b'@daily'"),
        (lambda: any_kron.Job("@daily", name="x", window=90), "expected a kron.Window, its text, or a duration such as '3h' or a timedelta, not int 90; write the unit, as in '90s' for seconds"),
        (lambda: any_kron.Job("@daily", name="x", seed=1), "expected a kron.Seed or its text, not int 1"),
        (lambda: any_kron.Job("@daily", name="x", timezone=NOON), "expected a zoneinfo.ZoneInfo with a key, or an IANA name, not datetime.datetime"),
        (lambda: JOB.replace(name=typing.cast("str", 1)), "expected a str, not int 1"),
        (lambda: any_kron.Cron(None), "expected a str, not None"),
        (lambda: any_kron.Cron.parse(1.5), "expected a str, not float 1.5"),
        (lambda: any_kron.Window(3), "expected a str, not int 3"),
        (lambda: any_kron.Window("after", 3), "expected a duration such as '10m' or a timedelta, not int 3; write the unit, as in '3s' for seconds"),
        (lambda: any_kron.Seed("daily", salt=b"x"), "expected a str, not bytes b'x'"),
        (lambda: any_kron.Distribution.skew_early("2"), "expected a number, not str '2'"),
        (lambda: any_kron.Distribution.normal(mu=1), "expected a str, not int 1"),
        (lambda: any_kron.Distribution.from_params("normal", "sigma=1m"), "expected a mapping of names to texts, not str 'sigma=1m'"),
        (lambda: any_kron.Distribution.from_params("exponential", {"lambda": 8}), "expected a str, not int 8"),
        (lambda: any_kron.Policy(suspend="no"), "expected True or False, not str 'no'"),
        (lambda: any_kron.Policy(deadline=60), "expected a duration such as '10m' or a timedelta, not int 60; write the unit, as in '60s' for seconds"),
        (lambda: any_kron.Constraints(only="hours=1"), "only: expected a kron.Clause, a mapping of its parts such as {'dow': 'MON-FRI'}, or an iterable of these, not str 'hours=1'; "
                                                       "write the text as constraints='@only(hours=1)'"),
        (lambda: any_kron.Constraints(only=1), "only: expected a kron.Clause, a mapping of its parts such as {'dow': 'MON-FRI'}, or an iterable of these, not int 1"),
        (lambda: any_kron.Job("@daily", name="x", avoid=[1]), "avoid: expected a kron.Clause, a mapping of its parts such as {'dow': 'MON-FRI'}, or an iterable of these, not int 1"),
        (lambda: any_kron.Clause(hour=1), "Clause.__new__() got an unexpected keyword argument 'hour'"),
        (lambda: any_kron.Clause(hours=1.5), "hours: expected a text, an int, or an iterable of both, not float 1.5"),
        (lambda: any_kron.Clause.from_parts("hours=1"), "expected a mapping of parts by name, not str 'hours=1'"),
        (lambda: any_kron.Clause.from_parts({1: 2}), "expected a str, not int 1"),
        (lambda: any_job.next_start(1_772_323_200), "expected an instant, as an aware datetime or a text in RFC 3339, not int 1772323200; a number has no unit: write datetime.fromtimestamp(seconds, timezone.utc)"),
        (lambda: any_job.next_start(NOON.date()), "expected an instant, as an aware datetime or a text in RFC 3339, not datetime.date(2026, 3, 1); a date is a whole day: write datetime(year, month, day, tzinfo=timezone.utc)"),
        (lambda: any_job.next_start(True), "expected an instant, as an aware datetime or a text in RFC 3339, not bool True"),
        (lambda: any_job.next_start(whenever.PlainDateTime(2026, 3, 1)), "expected an instant, as an aware datetime or a text in RFC 3339, not whenever.PlainDateTime PlainDateTime(\"2026-03-01 00:00:00\"); it has no zone: write .assume_utc() or .assume_tz(...)"),
        (lambda: any_job.next_start_timestamp(NOON), "expected Unix seconds as an int, not datetime.datetime"),
        (lambda: any_job.starts(NOON, NOON, reverse=1), "expected True or False, not int 1"),
        (lambda: any_job.plan(NOON), "expected a kron.HostState, not datetime.datetime"),
        (lambda: any_kron.HostState(NOON, handled=3), "expected an iterable of instants, not int 3"),
        (lambda: any_kron.HostState(NOON).record(3), "expected a kron.Step, one of plan.steps, not int 3"),
        (lambda: any_kron.HostState(NOON, handled=[3]), "expected an instant, as an aware datetime or a text in RFC 3339, not int 3; a number has no unit"),
        (lambda: any_kron.HostState(NOON, active=None), "expected True or False, not None"),
        (lambda: any_job.policy.evaluate(NOON), "expected a kron.Period or a kron.Decision, not datetime.datetime"),
        (lambda: any_job.decide_many(3), "expected kron.Timestamps, an array of times or of 64-bit integers, or an iterable of times, not int 3"),
        (lambda: any_kron.lint("@daily"), "expected a kron.Job, not str '@daily'"),
        (lambda: any_kron.lint(JOB, 1), "expected a str, not int 1"),
        (lambda: any_kron.verify(1), "expected a kron.Receipt or its JSON, not int 1"),
        (lambda: any_kron.Receipt.from_json({}), "expected a str, not dict {}"),
        (lambda: any_kron.loads(b"@daily"), "expected a str, not bytes b'@daily'"),
        (lambda: any_kron.loads("@daily", namespace=1), "expected a str, not int 1"),
        (lambda: any_kron.Fleet("@daily"), "expected an iterable of kron.Job, or a mapping of names to texts, not str '@daily'; write kron.loads(text).fleet"),
        (lambda: any_kron.Fleet([None]), "expected a kron.Job, or a pair of a name and a text, not None"),
        (lambda: any_kron.TzDatabase.compiled_in().offset(1), "expected a str, not int 1"),
    ])
    def test_says_what_was_expected_and_given(self, call: typing.Callable[[], object], message: str) -> None:
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value).startswith(message)

    def test_long_values_are_left_out(self) -> None:
        for value in (b"x" * 100, object(), JOB.replace(name="x" * 100)):
            with pytest.raises(TypeError) as caught:
                any_job.next_start(value)
            name = f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")
            assert str(caught.value) == f"expected an instant, as an aware datetime or a text in RFC 3339, not {name}"

    def test_a_value_that_names_its_type_is_enough(self) -> None:
        with pytest.raises(TypeError) as caught:
            any_job.next_start(JOB)
        assert str(caught.value) == "expected an instant, as an aware datetime or a text in RFC 3339, not kron.Job('0 0 * * *', name='x')"

    def test_a_value_that_does_not_print(self) -> None:
        class Silent:
            def __repr__(self) -> str:
                raise RuntimeError

        with pytest.raises(TypeError, match=r"expected a str, not ") as caught:
            any_kron.Cron(Silent())
        assert str(caught.value).endswith("Silent")

    @pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have notes from Python 3.11 on")
    def test_a_note_names_the_argument(self) -> None:
        with pytest.raises(TypeError) as caught:
            any_kron.Job("@daily", name="x", window=90)
        assert getattr(caught.value, "__notes__", None) == ["while processing 'window'"]


class TestLoadError:
    def test_has_all_errors(self) -> None:
        with pytest.raises(kron.LoadError) as caught:
            kron.loads("61 * * * * name=a\n@daily name=b\n@daily\n")
        error = caught.value
        assert [(it.line, it.code) for it in error.errors] == [(1, 103), (3, 210)]
        assert (error.code, error.line, error.span, error.document) == (103, 1, (0, 2), None)
        assert str(error) == "\n".join(str(it) for it in error.errors)
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kron.LoadError and [str(it) for it in again.errors] == [str(it) for it in error.errors]
