"""What every value type promises."""

from __future__ import annotations

import copy
import datetime  # noqa: F401  (the reprs name it)
import json
import pathlib
import pickle

import kron
import pytest
from conftest import VALUES

#: Pickles of this version in protocol 4, as hexadecimal text. Receipts are not among them: they name the time zone database.
GOLDEN: dict[str, str] = json.loads((pathlib.Path(__file__).parent / "golden_pickles.json").read_text())


class TestEveryValue:
    def test_repr_evaluates_to_an_equal_value(self, value: object) -> None:
        assert eval(repr(value)) == value

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_pickles(self, value: object, protocol: int) -> None:
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and hash(again) == hash(value) and type(again) is type(value)

    @pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
    def test_copies(self, value: object, copied: type[object]) -> None:
        assert copied(value) == value  # type: ignore[call-arg]

    def test_hashes_as_it_compares(self, value: object) -> None:
        assert {value, eval(repr(value))} == {value}

    def test_differs_from_all_others(self, value: object) -> None:
        assert [other for other in VALUES.values() if other == value] == [value]
        assert value != 1 and value != "x" and value is not None

    def test_is_immutable(self, value: object) -> None:
        with pytest.raises((AttributeError, TypeError)):
            value.brand_new = 1  # type: ignore[attr-defined]
        for name in dir(value):
            if not name.startswith("_") and not callable(getattr(value, name)):
                with pytest.raises(AttributeError):
                    setattr(value, name, None)

    def test_is_final(self, value: object) -> None:
        with pytest.raises(TypeError):
            type("Sub", (type(value),), {})

    def test_names_its_home(self, value: object) -> None:
        assert type(value).__module__ == "kron" and getattr(kron, type(value).__name__) is type(value)
        assert repr(value).startswith("kron.")


class TestText:
    @pytest.mark.parametrize("name", [name for name in VALUES if name.split()[0] in
                                      {"Cron", "Window", "Distribution", "Seed", "Constraints", "Policy"}])
    def test_parse_reads_the_text(self, name: str) -> None:
        value = VALUES[name]
        assert type(value).parse(str(value)) == value  # type: ignore[attr-defined]

    def test_texts_are_canonical(self) -> None:
        assert str(kron.Cron("0 0 * * FRI-7")) == "0 0 * * 0,5,6"
        assert str(kron.Window("after", "1.5h")) == "after,1h30m0s"
        assert str(kron.Distribution.skew_early(2)) == "skewEarly"
        assert str(kron.Seed("daily", salt="a b")) == 'daily,salt="a b"'
        assert str(kron.Policy()) == ""
        assert str(kron.Job("@daily @win(after,90m)", name="x")) == "0 0 * * * @win(after,1h30m0s)"

    def test_a_job_of_more_text_than_people_may_write_comes_back(self) -> None:
        clauses = [kron.Clause(hours="0,2,4,6,8,10,12,14,16,18,20,22", dow="0,2,4", between=",".join(
            f"{hour:02}:{minute:02}-{hour:02}:{minute + 1:02}" for hour in range(2) for minute in range(0, 40, 8)))
            for _ in range(128)]
        dates = [kron.Clause(dates="2026-01-01..2026-02-01", months="1,3,5,7,9,11", dom="1,3,5,7,9,11,13,15,17,19,21,23",
                             hours="0,2,4,6,8,10,12,14,16,18,20,22", dow="0,2,4", between=clauses[0].parts["between"])
                 for _ in range(128)]
        job = kron.Job("@daily", name="x", constraints=kron.Constraints(only=clauses, avoid=dates), seed=kron.Seed(salt="\u2603" * 340))
        job = job.replace(constraints=kron.Constraints(only=dates, avoid=dates))
        assert len(str(job).encode()) > 65_536
        assert pickle.loads(pickle.dumps(job)) == job == eval(repr(job))
        assert kron.verify(job.next_period().receipt().to_json()).agrees


class TestGoldenPickles:
    """Later versions must read the pickles of this one; a change of these bytes is a break."""

    def test_every_value_has_one(self) -> None:
        assert set(GOLDEN) == set(VALUES) - {"Receipt"}

    @pytest.mark.parametrize("name", list(GOLDEN))
    def test_bytes(self, name: str) -> None:
        golden = bytes.fromhex(GOLDEN[name])
        assert pickle.dumps(VALUES[name], 4).hex() == GOLDEN[name]
        assert pickle.loads(golden) == VALUES[name]
