"""The names that the package shows, and its documentation."""

from __future__ import annotations

import ast
import doctest
import graphlib
import importlib
import importlib.util
import inspect
import pathlib
import re
import subprocess
import sys
import typing

import kron
import pytest
from generators import DAYS_PART_NAMES, PART_NAMES, words

HERE = pathlib.Path(__file__).resolve().parent


def test_all_public_names_are_listed() -> None:
    public = {name for name in dir(kron) if not name.startswith("_") and not inspect.ismodule(getattr(kron, name))}
    assert public | {"__version__"} == set(kron.__all__) and len(kron.__all__) == len(set(kron.__all__))


def test_everything_public_is_documented() -> None:
    for name in kron.__all__:
        value = getattr(kron, name)
        if isinstance(value, str):
            continue
        assert inspect.getdoc(value), name
        for member, attribute in vars(value).items() if inspect.isclass(value) else ():
            if not member.startswith("_"):
                documented = inspect.getdoc(attribute) or inspect.ismemberdescriptor(attribute)
                assert documented, f"{name}.{member}"


def test_a_name_that_does_not_exist_names_the_right_one() -> None:
    from kron import _synonyms

    for owner, words in _synonyms._ATTRIBUTES.items():
        of = kron if owner == "kron" else getattr(kron, owner)
        for name in words:
            # None of them has a name that exists.
            if owner in ("kron", "Job", "Fleet", "Decision", "Decisions", "Forecast", "HostState"):
                with pytest.raises(AttributeError, match=re.escape(f"; use {words[name]}")):
                    getattr(of, name)
            else:
                assert not hasattr(of, name)
    for value in (kron.Fleet(), kron.Job("@daily", name="x"), kron.Job("@daily", name="x").next_start()):
        assert not {"next", "add", "time", "get"} & set(dir(value)) and {"starts", "name"} & set(dir(value))
    # Every word of the tables leads to a name that exists.
    keywords = [keyword for keyword, _ in _synonyms._KEYWORDS]
    calls = ["Job", "Window", "Seed", "Policy", "HostState", "Job.starts", "Job.plan", "Job.decide", "Job.prev_start", "Job.next_start", "Fleet.forecast", "Fleet.from_frame",
             "Constraints", "Job.current_period"]
    assert set(keywords) <= {name for call in calls for name in _synonyms._parameters(call)}


def test_importing_it_imports_no_numpy() -> None:
    code = "import kron, sys; kron.Job('@daily', name='x').next_start(); assert not {'numpy', 'matplotlib', 'json', 'difflib'} & set(sys.modules)"
    # The package may be in PYTHONPATH alone.
    subprocess.run([sys.executable, "-s", "-c", code], check=True)


DOCTESTS = {"kron": 70, "kron._kron": 10, "kron._load": 3, "kron.aio": 4, "kron.apscheduler": 4, "kron.celery": 3}


@pytest.mark.parametrize(("name", "at_least"), DOCTESTS.items())
def test_doctests(name: str, at_least: int) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0 and result.attempted >= at_least


def test_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE.parent)
    result = doctest.testfile(str(HERE.parent / "README.md"), module_relative=False)
    assert result.failed == 0 and result.attempted >= 20


def test_the_stub_has_the_docstrings() -> None:
    """Of the Rust sources, as the package has them; `python kron-py/stub_docs.py` writes them."""
    spec = importlib.util.spec_from_file_location("stub_docs", HERE.parent / "stub_docs.py")
    assert spec is not None and spec.loader is not None
    stub_docs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stub_docs)
    stub = stub_docs.STUB.read_text(encoding="utf-8")
    assert stub == stub_docs.document(stub, importlib.import_module("kron._kron")), "run `python kron-py/stub_docs.py`"
    # Not only the same as what wrote it: the docstrings are those that Python shows.
    classes = {node.name: node for node in ast.parse(stub).body if isinstance(node, ast.ClassDef)}
    members = {(name, node.name): node for name, it in classes.items() for node in it.body if isinstance(node, ast.FunctionDef)}
    assert ast.get_docstring(classes["Job"]) == inspect.getdoc(kron.Job)
    for owner, name in (("Job", "next_start"), ("Decision", "chosen_time"), ("Timestamps", "to_numpy"), ("Seed", "parse")):
        assert ast.get_docstring(members[owner, name]) == inspect.getdoc(getattr(getattr(kron, owner), name))


@pytest.mark.installed
def test_licence_and_readme_are_installed() -> None:
    from importlib import metadata

    package = metadata.distribution("kron-py")
    (licence,) = [file for file in package.files or [] if file.name == "LICENSE"]
    assert licence.read_text() == (HERE.parents[1] / "LICENSE").read_text()
    description = package.metadata.get_payload()  # type: ignore[attr-defined]
    assert description.strip() == (HERE.parent / "README.md").read_text(encoding="utf-8").strip()


def test_no_circle_of_imports_between_the_files_of_the_extension() -> None:
    files = {path.stem: path.read_text() for path in (HERE.parent / "src").glob("*.rs") if path.stem != "lib"}
    imports = {name: {it for it in re.findall(r"\bcrate::(\w+)", text) if it in files} - {name} for name, text in files.items()}
    assert len(files) > 15 and imports["job"] and imports["decision"]
    graphlib.TopologicalSorter(imports).prepare()  # raises CycleError, which names the files


@pytest.mark.installed
def test_version() -> None:
    from importlib import metadata

    assert metadata.version("kron-py") == kron.__version__


def test_version_of_the_time_zone_database() -> None:
    assert kron.TZDB_VERSION.startswith("20")


@pytest.mark.parametrize(("alias", "make"), [
    ("_Concurrency", lambda: kron.Policy(concurrency="?")), ("_Direction", lambda: kron.Distribution.exponential(dir="?")),
    ("_Roll", lambda: kron.Days(roll="?")), ("_Mode", lambda: kron.Window("?", "1h")), ("_Mu", lambda: kron.Distribution.normal(mu="?")),
    ("_DistributionName", lambda: kron.Distribution.from_params("?", {})), ("_Strategy", lambda: kron.Seed("?")), ("_Algorithm", lambda: kron.Job("@daily", name="x", algorithm="?")),
])
def test_types_have_the_words_of_the_core(alias: str, make: typing.Callable[[], object]) -> None:
    (stub,) = [
        node for node in ast.parse((pathlib.Path(kron.__file__).parent / "_kron.pyi").read_text()).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == alias
    ]
    assert isinstance(stub.value, ast.Subscript)
    assert sorted(ast.literal_eval(stub.value.slice)) == sorted(words(make))


def test_every_part_of_clauses_is_an_argument() -> None:
    # The signature is that of the compiled class; stubtest compares the stub with it.
    # `from` is a keyword of Python.
    for of, names in ((kron.Clause, PART_NAMES), (kron.Days, [{"from": "from_"}.get(name, name) for name in DAYS_PART_NAMES])):
        assert list(inspect.signature(of).parameters) == names
        assert all(f"`{name}`" in (of.__doc__ or "") for name in names)
        stub = ast.parse((HERE.parent / "python/kron/_kron.pyi").read_text())
        [clause] = [node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == of.__name__]
        [new] = [node for node in clause.body if isinstance(node, ast.FunctionDef) and node.name == "__new__"]
        assert [argument.arg for argument in new.args.kwonlyargs] == names


def test_every_distribution_is_an_expression() -> None:
    for name in words(lambda: kron.Distribution.from_params("?", {})):
        distribution = kron.Distribution.from_params(name, {})
        assert eval(repr(distribution), {"kron": kron}) == distribution
