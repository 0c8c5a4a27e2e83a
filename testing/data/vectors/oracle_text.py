"""The text form of a job: written from a spec in varying but valid spellings, and read back to prove it means the same."""

import re
import zlib

ORDER = ["tz", "win", "dist", "seed", "policy", "alg", "only", "avoid"]


def quote(value):
    out = ""
    for ch in value:
        if ch in '"\\':
            out += "\\" + ch
        elif ch == "\n":
            out += "\\n"
        elif ch == "\t":
            out += "\\t"
        elif ch < " " or "\x7f" <= ch <= "\x9f":
            out += f"\\u{{{ord(ch):x}}}"
        else:
            out += ch
    return f'"{out}"'


def word(value):
    """A free value, bare where it is plain beyond doubt."""
    return value if re.fullmatch("[A-Za-z0-9._/-]+", value) else quote(value)


def write_text(name, spec):
    """A text form of the spec. The name of the case decides the order of modifiers and other matters of taste."""
    taste = zlib.crc32(name.encode("utf-8"))
    groups = {}
    if "timezone" in spec:
        groups["tz"] = [f"@tz({spec['timezone']})"]
    if "window" in spec:
        groups["win"] = [f"@win({spec['window']['mode']},{spec['window']['duration']})"]
    if "distribution" in spec:
        params = list(spec["distribution"].get("params", {}).items())
        if taste & 1:
            params.reverse()
        groups["dist"] = ["@dist(" + ",".join([spec["distribution"]["name"]] + [f"{k}={v}" for k, v in params]) + ")"]
    if "seed" in spec:
        salt = f",salt={word(spec['seed']['salt'])}" if "salt" in spec["seed"] else ""
        groups["seed"] = [f"@seed({spec['seed'].get('strategy', 'stable')}{salt})"]
    if "policy" in spec:
        shown = {k: str(v).lower() if isinstance(v, bool) else v for k, v in spec["policy"].items()}
        groups["policy"] = ["@policy(" + ",".join(f"{k}={v}" for k, v in shown.items()) + ")"]
    if "algorithm" in spec:
        groups["alg"] = [f"@alg({spec['algorithm']})"]
    constraints = spec.get("constraints", {})
    if "only" in constraints:
        groups["only"] = ["@only(" + ";".join(f"{k}={v}" for k, v in c.items()) + ")" for c in constraints["only"]]
    if "avoid" in constraints:
        clauses = ["&".join(f"{k}={v}" for k, v in c.items()) for c in constraints["avoid"]]
        groups["avoid"] = ([f"@avoid({c})" for c in clauses] if taste & 2 else [f"@avoid({';'.join(clauses)})"])
    order = list(ORDER)
    for i in range(taste % 8):
        order.insert(i, order.pop((i * 5 + taste // 8) % 8))
    modifiers = [text for key in order for text in groups.get(key, [])]
    return " ".join([spec["schedule"]] + modifiers)


def read_text(text):
    """The spec of a text form. It reads the spellings that occur in the vectors, not every mistake."""
    spec, rest = {}, text
    macro = re.match("@(yearly|annually|monthly|weekly|daily|midnight|hourly)", rest)
    cut = macro.end() if macro else (rest + " @").index(" @")
    spec["schedule"], rest = rest[:cut], rest[cut:].strip()
    constraints = {}
    while rest:
        key = re.match(r"@([a-z]+)\(", rest)
        rest = rest[key.end():]
        pieces, rest = read_pieces(rest)
        key = key.group(1)
        if key == "tz":
            spec["timezone"] = pieces[0][0]
        elif key == "alg":
            spec["algorithm"] = pieces[0][0]
        elif key in ("only", "avoid"):
            whole = "".join(value + mark for value, mark in pieces)
            for group in whole.split(";") if key == "avoid" else [whole.replace(";", "&")]:
                constraints.setdefault(key, []).append(dict(part.split("=") for part in group.split("&")))
        else:
            values = [value for value, _ in pieces]
            if key == "win":
                spec["window"] = {"mode": values[0], "duration": values[1]}
            elif key == "dist":
                spec["distribution"] = {"name": values[0]}
                if values[1:]:
                    spec["distribution"]["params"] = dict(v.split("=") for v in values[1:])
            elif key == "seed":
                spec["seed"] = {"strategy": values[0]}
                if values[1:]:
                    spec["seed"]["salt"] = values[1].partition("=")[2]
            elif key == "policy":
                spec["policy"] = dict(v.split("=") for v in values)
                if "suspend" in spec["policy"]:
                    spec["policy"]["suspend"] = spec["policy"]["suspend"] == "true"
            else:
                raise ValueError(f"unknown modifier {key!r}")
    if constraints:
        spec["constraints"] = constraints
    return spec


def read_pieces(rest):
    """The text between brackets, split at commas, semicolons and ampersands, quotes undone; and what follows."""
    pieces, value, i = [], "", 0
    while True:
        ch = rest[i]
        if ch == '"':
            i += 1
            while rest[i] != '"':
                if rest[i] != "\\":
                    value += rest[i]
                    i += 1
                elif rest[i + 1] == "u":
                    code = re.match(r"\\u\{([0-9a-f]+)\}", rest[i:])
                    value += chr(int(code.group(1), 16))
                    i += code.end()
                else:
                    value += {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}[rest[i + 1]]
                    i += 2
            i += 1
        elif ch in ",;&)":
            pieces.append((value, "" if ch == ")" else ch))
            value = ""
            i += 1
            if ch == ")":
                return pieces, rest[i:].strip()
        else:
            value += ch
            i += 1


def same_job(a, b):
    """Whether two specs agree once defaults are filled in."""
    def full(spec):
        seed, window, dist = spec.get("seed", {}), spec.get("window", {}), spec.get("distribution", {})
        constraints, policy = spec.get("constraints", {}), spec.get("policy", {})
        return [spec["schedule"], spec.get("timezone", "UTC"), window.get("mode", "after"),
                window.get("duration", "0s"), dist.get("name", "uniform"), dist.get("params", {}),
                seed.get("strategy", "stable"), seed.get("salt", ""), constraints.get("only", []),
                constraints.get("avoid", []), policy.get("concurrency", "forbid"), policy.get("deadline", "0s"),
                policy.get("suspend", False), spec.get("algorithm", "siphash-chacha8/1")]

    return full(a) == full(b)
