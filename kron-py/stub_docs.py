"""Writes the docstrings of the compiled module into its stub, ``python/kron/_kron.pyi``, where editors look for them.

    python kron-py/stub_docs.py

The docstrings are those of the Rust sources, as the installed package has them. A test checks that the stub is up to date.
"""

from __future__ import annotations

import ast
import inspect
import pathlib
import textwrap
import types

STUB = pathlib.Path(__file__).resolve().parent / "python" / "kron" / "_kron.pyi"
Documented = ast.ClassDef | ast.FunctionDef


def document(stub: str, module: types.ModuleType) -> str:
    """The stub with the docstrings of the module in place of its own."""
    return _documented(_bare(stub), module)


def _definitions(body: list[ast.stmt]) -> list[Documented]:
    found: list[Documented] = []
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.append(node)
        if isinstance(node, ast.ClassDef):
            found.extend(_definitions(node.body))
    return found


def _bare(stub: str) -> str:
    """The stub without docstrings."""
    lines = stub.splitlines(keepends=True)
    # From the end, so that the numbers of the lines before stay as they are.
    for node in reversed(_definitions(ast.parse(stub).body)):
        if ast.get_docstring(node) is None:
            continue
        text = node.body[0]
        del lines[text.lineno - 1 : text.end_lineno]
        if isinstance(node, ast.FunctionDef):
            header = lines[text.lineno - 2]
            lines[text.lineno - 2] = header.rstrip() + " ...\n"
    return "".join(lines)


def _documented(stub: str, module: types.ModuleType) -> str:
    """A stub without docstrings, with those of the module."""
    lines = stub.splitlines(keepends=True)
    body = ast.parse(stub).body
    owners = {id(member): node.name for node in body if isinstance(node, ast.ClassDef) for member in node.body}
    for node in reversed(_definitions(body)):
        owner = owners.get(id(node))
        # Python documents special methods itself, and other names with an underscore are private.
        if node.name.startswith("_") or (owner or "").startswith("_"):
            continue
        doc = inspect.getdoc(getattr(getattr(module, owner) if owner else module, node.name))
        if not doc:
            continue
        indent = " " * (node.col_offset + 4)
        block = textwrap.indent(_literal(doc), indent, lambda line: line.strip() != "")
        first = node.body[0].lineno - 1
        if isinstance(node, ast.FunctionDef):
            # `def f(self) -> int: ...` becomes a header and a body.
            header = lines[first].rstrip()
            lines[first] = header.removesuffix("...").rstrip() + "\n"
            lines.insert(first + 1, block)
        else:
            # Before the decorators and comments of the first member.
            lines.insert(node.lineno, block)
    return "".join(lines)


def _literal(doc: str) -> str:
    """A docstring as source."""
    escaped = doc.replace("\\", "\\\\").replace('"""', r"\"\"\"")
    closing = '\n"""\n' if "\n" in doc or escaped.endswith('"') else '"""\n'
    return f'"""{escaped}{closing}'


if __name__ == "__main__":
    from kron import _kron

    STUB.write_text(document(STUB.read_text(encoding="utf-8"), _kron), encoding="utf-8")
