"""Names and labels of Jobs, and cases for them: docs/reference/resource.md, "Names and labels"."""

import base64

import oracle_numbers

KEY = b"kron.name.v1".ljust(16, b"\0")


def name_hash(text):
    """The first 60 bits of SipHash-2-4-128 in RFC 4648 base 32, lower case."""
    digest = oracle_numbers.siphash128(KEY, text.encode("utf-8"))
    return base64.b32encode(digest).decode("ascii").lower()[:12]


def answer(case):
    name = case["name"]
    if "token" in case:
        key = f"run-now\n{case['token']}"
    elif "primerFor" in case:
        key = f"primer\n{case['primerFor']}"
    else:
        key = case["periodID"]
    kept = name[:50]
    hashed = name_hash(key if kept == name else f"{key}\n{name}")
    return {
        "jobName": f"{kept.rstrip('-.')}-{hashed}",
        "label": name if len(name) <= 63 else f"{kept}-{name_hash(name)}",
    }


NAMES = ["db-backup", "a", "reports.daily", "x" * 50, "x" * 51, "y" * 63, "y" * 64, "z" * 253,
         "a" * 49 + "." + "b" * 20, "a" * 46 + "-.-a" + "b" * 40]
CASES = [{"name": name, "periodID": period} for name in NAMES
         for period in ("2026-03-01T00:00:00Z", "1970-01-01T00:00:00Z")]
CASES += [{"name": name, "token": token} for name in NAMES[:7] for token in ("now", "2026-11-21.a")]
CASES += [{"name": name, "primerFor": period} for name in NAMES
          for period in ("2026-03-01T00:00:00Z", "1970-01-01T00:00:00Z")]
