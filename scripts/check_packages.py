#!/usr/bin/env python3
"""Checks what the registries would get: the files and metadata of each crate, and the pages that the registries show.

    python3 scripts/check_packages.py            # the lists of files, without a network
    python3 scripts/check_packages.py --dry-run  # also `cargo publish --workspace --dry-run --no-verify`

A crate that is published has its licence, its README, metadata, no tests or test data, and at most 1.6 MB of sources.
Pages have no relative links, which lead nowhere on a registry, and no links to headings that do not exist.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Everything else is part of the repository only, and says `publish = false`.
PUBLISHED = ["kron-cli", "kron-core", "kron-ffi", "kron-fleet", "kron-formats", "kron-host", "kron-runner", "kron-tzdb"]
# Pages that registries show: those of the crates, and those of the packages for Python, JavaScript and Go.
PAGES = [f"{crate}/README.md" for crate in [*PUBLISHED, "kron-py", "kron-js", "kron-go"]]
ALLOWED = {"src", "examples", "include", "cmake"}
MOST_BYTES = 1_600_000
# What `cargo package` writes itself.
WRITTEN = {".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig"}


def cargo(*arguments: str) -> str:
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def metadata_problems(package: dict) -> list[str]:
    """What is missing in the metadata of a crate."""
    problems = [f"no {key}" for key in ("description", "license", "readme", "rust_version") if not package[key]]
    if not 1 <= len(package["keywords"]) <= 5:
        problems.append("a registry takes one to five keywords")
    if not 1 <= len(package["categories"]) <= 5:
        problems.append("a registry takes one to five categories")
    if not (package["metadata"] or {}).get("docs", {}).get("rs"):
        problems.append("no [package.metadata.docs.rs]")
    for dependency in package["dependencies"]:
        # A dependency for tests needs no version: it is left out of the package.
        if dependency.get("path") and dependency["req"] == "*" and dependency["kind"] != "dev":
            problems.append(f"the dependency {dependency['name']} has a path and no version")
        if dependency.get("path") and dependency["name"] not in PUBLISHED:
            problems.append(f"the dependency {dependency['name']} is not published")
    return problems


def file_problems(name: str, folder: Path, listed: list[str]) -> list[str]:
    """What is wrong with the list of files of a crate."""
    problems = [f"no {file}" for file in ("LICENSE", "README.md", "Cargo.toml") if file not in listed]
    if not any(file.startswith("src/") for file in listed):
        problems.append("no sources")
    for file in listed:
        top = file.split("/")[0]
        known = top in ALLOWED if "/" in file else (folder / file).is_file() or file in WRITTEN
        if not known:
            problems.append(f"{file} is not for users of {name}")
    size = sum((folder / file).stat().st_size for file in listed if (folder / file).is_file() and file not in WRITTEN)
    if size > MOST_BYTES:
        problems.append(f"{size} bytes, more than {MOST_BYTES}")
    if (folder / "LICENSE").read_bytes() != (ROOT / "LICENSE").read_bytes():
        problems.append("another LICENSE than the project's")
    return problems


def anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub and the registries make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page_problems(page: str) -> list[str]:
    """Links of a page that lead nowhere on a registry."""
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL)
    anchors = {anchor(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    problems = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("#") and link[1:] not in anchors:
            problems.append(f"no heading {link}")
        elif not link.startswith(("#", "https://")):
            problems.append(f"the relative link {link}")
    return problems


def main() -> int:
    packages = json.loads(cargo("metadata", "--locked", "--no-deps", "--format-version", "1"))["packages"]
    found = sorted(package["name"] for package in packages if package["publish"] is None)
    problems = [] if found == PUBLISHED else [f"published are {found}, and this script knows {PUBLISHED}"]
    for package in packages:
        name, folder = package["name"], Path(package["manifest_path"]).parent
        if name in PUBLISHED:
            listed = cargo("package", "--quiet", "--allow-dirty", "--list", "--package", name).split("\n")[:-1]
            said = metadata_problems(package) + file_problems(name, folder, listed)
            problems += [f"{name}: {problem}" for problem in said]
            print(f"{name}: {len(listed)} files")
    problems += [f"{page}: {problem}" for page in PAGES for problem in page_problems(page)]
    for problem in problems:
        print(f"FAILED {problem}")
    if not problems and "--dry-run" in sys.argv[1:]:
        cargo("publish", "--workspace", "--dry-run", "--no-verify", "--allow-dirty", "--locked")
    print(f"{len(PUBLISHED) + len(PAGES)} packages and pages checked, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
