#!/usr/bin/env python3
"""Builds and runs the library example of README.md as a separate crate, with exactly the dependencies it names.

The crate is made in `readme` in the target folder, outside the workspace, so that neither features nor dependencies of other crates help
it. It gets a copy of Cargo.lock, and so the versions that are tested.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def block(text: str, language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    if len(found) != 1:
        raise SystemExit(f"README.md has {len(found)} blocks of {language}, and this script knows one")
    return found[0]


def main() -> int:
    readme = (ROOT / "README.md").read_text()
    dependencies, program = block(readme, "toml"), block(readme, "rust")
    local = '{ path = "kron-core" }'
    if local not in dependencies:
        raise SystemExit(f"README.md does not name kron-core as {local}")
    crate = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).absolute() / "readme"
    (crate / "src").mkdir(parents=True, exist_ok=True)
    package = '[package]\nname = "readme"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n'
    dependencies = dependencies.replace(local, f'{{ path = "{ROOT / "kron-core"}" }}')
    (crate / "Cargo.toml").write_text(package + dependencies)
    (crate / "src" / "main.rs").write_text(program)
    shutil.copy(ROOT / "Cargo.lock", crate / "Cargo.lock")
    environment = {**os.environ, "CARGO_TARGET_DIR": str(crate / "target")}
    return subprocess.run(["cargo", "run", "--quiet"], cwd=crate, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
