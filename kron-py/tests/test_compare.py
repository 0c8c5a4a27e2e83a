"""Lists of starts compared: against the command, in each form that a list has."""

from __future__ import annotations

import json
import pathlib
import subprocess

import kron
import pytest
from conftest import at

START, END = at("2026-10-24T00:00:00Z"), at("2026-10-28T00:00:00Z")
OLD = kron.Fleet([kron.Job("0 1 * * * @win(after,3h) @tz(Europe/Paris)", name="a/b"), kron.Job("@daily", name="c")])
NEW = kron.Fleet([kron.Job("0 1 * * * @win(after,3h) @tz(Europe/London)", name="a/b"), kron.Job("@daily @win(after,1h)", name="c")])


def test_every_form_of_a_list_gives_the_same() -> None:
    old, new = list(OLD.periods(START, END)), list(NEW.periods(START, END))
    changes = kron.compare_starts(old, new)
    starts = [
        {(it.name, it.nominal_time): it.chosen_time for it in decisions if it.chosen_time is not None}
        for decisions in (old, new)
    ]
    wanted = {
        (*key, starts[0].get(key), starts[1].get(key)) for key in starts[0] | starts[1] if starts[0].get(key) != starts[1].get(key)
    }
    assert {(name, it.nominal_time, it.old, it.new) for name, it in changes} == wanted and len(changes) == len(wanted) > 3
    assert [it.kind for name, it in changes if name == "c"] == ["moves"] * 4
    lines = [it.to_json() for it in new]
    objects = [json.loads(line) for line in lines]
    mixed: list[object] = [new[0], lines[1], *objects[2:]]
    for form in ("\n".join(lines), f"[{','.join(lines)}]", lines, iter(lines), objects, mixed):
        assert kron.compare_starts(old, form) == changes  # type: ignore[arg-type]
    assert kron.compare_starts("", []) == kron.compare_starts(new, lines) == ()


def test_the_same_as_the_command(tmp_path: pathlib.Path, command: str) -> None:
    for name, fleet in (("a", OLD), ("b", NEW)):
        (tmp_path / name).write_text("".join(it.to_json() + "\n" for it in fleet.periods(START, END)))
    ran = subprocess.run([command, "compare-tz", "a", "b"], cwd=tmp_path, capture_output=True, text=True)
    with open(tmp_path / "a") as old, open(tmp_path / "b") as new:
        changes = kron.compare_starts(old, new)
    # The command aligns its columns.
    printed = [" ".join(line.split()) for line in ran.stdout.splitlines()]
    assert (ran.returncode, printed) == (1, [f"{change} {name}" for name, change in changes])


@pytest.mark.parametrize(("form", "message"), [
    ("{", "new: this is not a list of decisions: the text ends too early, at line"),
    ('{"name": "a", "nominalTime": "2026-03-02T01:00:00Z"}', "an entry has no `chosenTime`"),
    ('{"name": "a", "nominalTime": "today", "chosenTime": null}', "`today` is not a time in RFC 3339"),
    ([{"name": "a"}], "an entry has no `nominalTime`"),
    (["[]", "[]"], "this is not a list of decisions"),
])
def test_err_what_is_not_a_list(form: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kron.compare_starts([], form)  # type: ignore[arg-type]


def test_err_other_types() -> None:
    for form in (1, None, [1], [None], [b"{}"]):
        with pytest.raises(TypeError, match="decision"):
            kron.compare_starts([], form)  # type: ignore[arg-type]
