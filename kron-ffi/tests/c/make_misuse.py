"""Writes a C program that calls every function of kron.h wrongly, from the header alone, so that no function is left out.

Each call is made once rightly and must succeed. Then, one argument at a time: NULL, lengths and sizes that cannot be,
texts that are not UTF-8, random bytes, integers that are not one of the choices, extreme numbers. Where a code is known it must be
that one. No failure may write an output, and each must leave an error with its code, or none where none is asked for.
What may be NULL is read from the comment of the function, so this is tested, too.
"""

import re
import sys

SPEC = r'"{\"schedule\": \"@daily\", \"window\": {\"duration\": \"3h\"}}"'
KRONJOB = (r'"{\"schedule\": \"@daily\", \"jobTemplate\": {\"spec\": {\"template\": {\"spec\": {\"restartPolicy\": '
           r'\"Never\", \"containers\": [{\"name\": \"c\", \"image\": \"i\"}]}}}}}"')
TEXTS = {
    "name": '"a/b"', "text": '"0 0 * * * @win(after,3h)"', "cron": '"0 0 * * *"', "schedule": '"@daily"',
    "timezone": '"Asia/Tokyo"', "value": '"9-17"', "salt": '"blue"', "ns": '"prod"', "key": '"owner"',
    "version": '"2026z"', "path": "zoneinfo", "kron_clause_builder_part.name": '"hours"',
    "kron_duration_parse.text": '"1h30m"', "kron_fleet_load_file.path": "fleet_file",
    "kron_job_builder_distribution.text": '"skewEarly,shape=3"', "kron_job_builder_constraints.text": '"@only(hours=9-17)"', "kron_job_builder_days.text": '"@days(last=1)"', "kron_fleet_parse.text": "FLEET", "kron_receipt_verify.json": "receipt",
    "kron_host_state_from_json.json": '"{\\"since\\": 7}"', "kron_calendars_parse.text": "CALENDARS", "kron_calendars_content_hash.name": '"x"', "kron_clause_builder_calendar.name": '"x"',
    "kron_job_from_spec_json.json": SPEC, "kron_job_from_kronjob_spec_json.json": KRONJOB,
}
NUMBERS = {"mode": "1", "strategy": "1", "mu": "1", "dir": "1", "algorithm": "0", "handled": "0", "active": "0",
           "shape": "2.5", "lambda": "2.5", "index": "0", "from": "0", "to": "864000", "after": "864000", "since": "864000", "nominal": "0", "at": "864000", "duration_ns": "60000000000",
           "until": "864000", "lead_ns": "600000000000", "now": "3600", "per_ns": "60000000000", "fixed": "1", "peak": "1000"}
NOT_UTF8 = [r'"\xff"', r'"a\xc0\x80"', r'"\xed\xa0\x80"', r'"9-\xf0\x9f\x98"', r'"\xf4\x90\x80\x80"']

HEAD = r"""
#include "zones.h"

#define CALENDARS "x = 2026-12-25\ny = 2026-12-26..2026-12-27\n"
#define FLEET "@daily name=a/b owner=me\n0 3 * * * @win(after,1h) name=c/d\n"

/* What functions are called with; made again for each call, because some calls use things up. */
static kron_job *job, *job_on_time;
static kron_schedule *schedule;
static kron_fleet *fleet, *other_fleet;
static kron_plan *plan;
static kron_calendars *calendars;
static kron_parser *parser;
static kron_spread *spread;
static kron_diff *diff;
static kron_primed *primed;
static kron_tzdb *tzdb;
static const char *zoneinfo;
static char fleet_file[] = "/tmp/kron-misuse-XXXXXX";
static unsigned char zone_data[TZIF_BYTES];
static kron_tzif tzifs[3];
static kron_string *string;
static kron_error *mistake;
static kron_job_builder *job_builder;
static kron_clause_builder *clause_builder;
static kron_fleet_builder *fleet_builder;
static kron_nominal_series *nominal_series;
static kron_period_series *period_series;
static kron_start_series *start_series;
static kron_fleet_start_series *fleet_start_series;
static kron_fleet_period_series *fleet_period_series;
static kron_string *receipt_string;
static const char *receipt;
static kron_decision decisions[3], decision;
static kron_policy policy;
static kron_host_state *host_state;
static kron_step step;
static const int64_t numbers[3] = {0, 86400, 172800};

static void fresh(void) {
    kron_error *error = NULL;
    make_tzif(zone_data, 32400, 32400);
    tzifs[0] = tzif("Test/Other", zone_data);
    tzifs[1] = tzif("Asia/Tokyo", zone_data);
    tzifs[2] = tzif("Test/Zone", zone_data);
    OK(kron_tzdb_from_tzif("2026z", tzifs, 3, KRON_TZIF_SIZE, &tzdb, &error));
    OK(kron_job_parse("a/b", "0 0 * * * @win(after,3h) @only(hours=0-1)", NULL, &job, &error));
    OK(kron_job_parse("a/b", "0 3 * * *", NULL, &job_on_time, &error));
    OK(kron_schedule_parse("30 2 * * *", "Europe/Paris", NULL, &schedule, &error));
    OK(kron_schedule_prime(schedule, INT64_C(600000000000), &primed, &error));
    OK(kron_fleet_parse(FLEET, "", NULL, &fleet, &error));
    OK(kron_fleet_parse("@daily name=c/d", "", NULL, &other_fleet, &error));
    OK(kron_calendars_parse(CALENDARS, &calendars, &error));
    OK(kron_parser_new(NULL, calendars, &parser, &error));
    OK(kron_fleet_spread(fleet, 0, 86400, INT64_C(3600000000000), 0, 1000, &spread, &error));
    OK(kron_fleet_diff(fleet, other_fleet, 0, 864000, &diff, &error));
    OK(kron_job_text(job, &string, &error));
    OK(kron_job_receipt_json(job, 0, &receipt_string, &error));
    receipt = kron_string_data(receipt_string);
    CHECK(kron_job_parse("a/b", "61 * * * *", NULL, &job, &mistake) == KRON_ERROR_CRON_OUT_OF_RANGE);
    OK(kron_job_builder_new("@daily", &job_builder, &error));
    OK(kron_clause_builder_new(&clause_builder, &error));
    OK(kron_clause_builder_part(clause_builder, "dow", "1-5", &error));
    OK(kron_fleet_builder_new(&fleet_builder, &error));
    OK(kron_schedule_series(schedule, 0, &nominal_series, &error));
    OK(kron_job_periods(job, 0, 864000, &period_series, &error));
    OK(kron_job_starts(job, 0, 864000, &start_series, &error));
    OK(kron_fleet_starts(fleet, 0, 864000, &fleet_start_series, &error));
    OK(kron_fleet_periods(fleet, 0, 864000, &fleet_period_series, &error));
    OK(kron_job_decide(job, 0, &decision, KRON_DECISION_SIZE, &error));
    OK(kron_job_policy(job, &policy, KRON_POLICY_SIZE, &error));
    OK(kron_host_state_new(0, &host_state, &error));
    decisions[0] = decisions[1] = decisions[2] = decision;
    OK(kron_job_plan(job, host_state, 864000, &plan, &error));
    CHECK(kron_plan_length(plan) > 0);
    OK(kron_plan_step(plan, 0, &step, KRON_STEP_SIZE, &error));
}

static void make_fleet_file(void) {
    int file = mkstemp(fleet_file);
    CHECK(file >= 0 && write(file, FLEET, strlen(FLEET)) == (ssize_t)strlen(FLEET) && close(file) == 0);
}

static void stale(void) {
    /* In an order that frees owners first. */
    kron_tzdb_free(tzdb);
    kron_job_free(job);
    kron_job_free(job_on_time);
    kron_schedule_free(schedule);
    kron_fleet_free(fleet);
    kron_fleet_free(other_fleet);
    kron_calendars_free(calendars);
    kron_parser_free(parser);
    kron_spread_free(spread);
    kron_diff_free(diff);
    kron_plan_free(plan);
    kron_host_state_free(host_state);
    kron_primed_free(primed);
    kron_string_free(string);
    kron_string_free(receipt_string);
    kron_error_free(mistake);
    mistake = NULL;
    kron_job_builder_free(job_builder);
    kron_clause_builder_free(clause_builder);
    kron_fleet_builder_free(fleet_builder);
    kron_nominal_series_free(nominal_series);
    kron_period_series_free(period_series);
    kron_start_series_free(start_series);
    kron_fleet_start_series_free(fleet_start_series);
    kron_fleet_period_series_free(fleet_period_series);
}

/* Builders whose call was refused must still build what they would have built. */
static void builders_are_as_before(void) {
    kron_error *error = NULL;
    kron_job *built = NULL;
    kron_fleet *built_fleet = NULL;
    kron_string *text = NULL;
    OK(kron_job_builder_only(job_builder, clause_builder, &error));
    OK(kron_job_builder_build(job_builder, "a/b", &built, &error));
    OK(kron_job_text(built, &text, &error));
    CHECK_STRING(text, "0 0 * * * @only(dow=1-5)");
    OK(kron_fleet_builder_add(fleet_builder, built, &error));
    OK(kron_fleet_builder_build(fleet_builder, &built_fleet, &error));
    CHECK(kron_fleet_length(built_fleet) == 1);
    kron_fleet_free(built_fleet);
    kron_job_free(built);
}

/* Any of a function's outputs, filled with a pattern so that a write shows. */
enum { POISON = 0x5a };

static uint64_t state = 88172645463325252u;

static unsigned below(unsigned end) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % end;
}

static char noise[64];
static size_t noise_length;
static unsigned noises = 100;

/* Random bytes, more often those that the grammars know, with a NUL behind them. */
static void make_noise(int with_nul) {
    static const char words[] = "0123456789*/,-@()= :;.hmsT\"\\{}[]abduelqwinSUN\n";
    noise_length = below(sizeof noise - 1);
    for (size_t i = 0; i < noise_length; i++) {
        noise[i] = below(4) ? words[below(sizeof words - 1)] : (char)(below(255) + 1);
        if (with_nul && below(50) == 0) noise[i] = '\0';
    }
    noise[noise_length] = '\0';
}
"""

HANDLES = {"kron_job": "job", "kron_schedule": "schedule", "kron_fleet": "fleet", "kron_plan": "plan", "kron_host_state": "host_state", "kron_primed": "primed", "kron_string": "string",
           "kron_tzdb": "tzdb", "kron_calendars": "calendars", "kron_parser": "parser", "kron_spread": "spread", "kron_diff": "diff",
           "kron_error": "mistake", "kron_job_builder": "job_builder", "kron_clause_builder": "clause_builder",
           "kron_fleet_builder": "fleet_builder", "kron_nominal_series": "nominal_series",
           "kron_period_series": "period_series", "kron_start_series": "start_series",
           "kron_fleet_start_series": "fleet_start_series", "kron_fleet_period_series": "fleet_period_series"}
# Jobs with a window cannot be primed.
ON_TIME = ("kron_job_prime", "kron_job_prime_cover")
ARRAYS = {"kron_decision": "decisions", "kron_tzif": "tzifs", "int64_t": "numbers"}
STRUCTS = {"kron_policy": "policy", "kron_decision": "decision", "kron_step": "step"}


class Parameter:
    """A parameter, the ones before and after it being known."""

    def __init__(self, text):
        match = re.fullmatch(r"(.*?)(\**)(\w+)", text)
        self.type = (match[1] + match[2]).replace(" *", "*").strip()
        self.name = match[3]
        self.base = re.sub(r"^const |\*+$", "", self.type).strip()
        self.stars = self.type.count("*")
        # Of two stars the outer one is written through.
        self.const = self.type.startswith("const ") and self.stars == 1

    def role(self, names):
        if self.name == "error" and self.type == "kron_error**":
            return "error"
        if self.stars == 0:
            for suffix in ("_length", "_size"):
                if self.name.endswith(suffix):
                    return suffix[1:]
            return {"uint32_t": "choice", "int64_t": "time", "double": "real", "size_t": "index"}[self.type]
        if self.base == "char" and self.stars == 1 and self.const:
            return "text"
        if self.base in HANDLES and self.stars == 1:
            return "handle"
        if self.const:
            return "array" if f"{self.name}_length" in names else "input"
        return "outputs" if f"{self.name}_length" in names else "output"


def functions(header):
    for comment, declaration in re.findall(r"/\*\*((?:(?!\*/).)*)\*/\s*([^;{}#/]*?\([^;{}]*?\));", header, re.S):
        match = re.fullmatch(r"(.*?)(\w+)\((.*)\)", " ".join(declaration.split()))
        if not match[2].startswith("kron_"):
            continue
        parameters = [] if match[3] == "void" else [Parameter(text.strip()) for text in match[3].split(",")]
        rules = re.search(r"NULL: (.*?)On error: (.*)", comment.replace("\n *", ""), re.S)
        yield match[1].strip(), match[2], parameters, rules[1], rules[2]


def right(function, parameter, role):
    """An argument that is right."""
    plain = function.removesuffix("_n")
    name = parameter.name
    if role == "text":
        return TEXTS.get(f"{plain}.{name}") or entry("TEXTS", TEXTS, name, function)
    if role == "handle":
        return "job_on_time" if function in ON_TIME else HANDLES[parameter.base]
    if role in ("choice", "time", "real", "index"):
        return NUMBERS.get(name, "0")
    if role == "array":
        return entry("ARRAYS", ARRAYS, parameter.base, function)
    if role == "input":
        return f"&{entry('STRUCTS', STRUCTS, parameter.base, function)}" if parameter.base.startswith("kron_") else "&numbers[1]"
    return None


def entry(table, values, key, function):
    """The entry of a table, or an error that names it."""
    if key not in values:
        sys.exit(f"make_misuse.py: {table} lacks {key}, which {function} takes")
    return values[key]


class Case:
    """The C text that tests one function."""

    def __init__(self, function, parameters, null_rule, error_rule):
        self.function, self.parameters, self.null_rule = function, parameters, null_rule
        # A call that fails may have written a part of its array, if the comment says so.
        self.partial = "the array has" in error_rule
        names = [parameter.name for parameter in parameters]
        self.roles = {parameter.name: parameter.role(names) for parameter in parameters}
        self.lines = []

    def outputs(self):
        return [parameter for parameter in self.parameters if self.roles[parameter.name] in ("output", "outputs")]

    def declare(self):
        for parameter in self.outputs():
            count = "[4]" if self.roles[parameter.name] == "outputs" else "[1]"
            inner = parameter.type[:-1]
            if inner == "const char*":
                inner = "const char *"
            self.lines.append(f"static {inner} out_{self.function}_{parameter.name}{count};")

    def arguments(self, change):
        for parameter in self.parameters:
            name, role = parameter.name, self.roles[parameter.name]
            if name in change:
                yield change[name]
            elif role == "error":
                yield "&error"
            elif role in ("output", "outputs"):
                yield f"out_{self.function}_{name}"
            elif role == "length":
                owner = name.removesuffix("_length")
                owner_role = self.roles[owner]
                yield f"strlen({right(self.function, Parameter('const char *' + owner), 'text')})" if owner_role == "text" \
                    else {"array": "3", "outputs": "4"}[owner_role]
            elif role == "size":
                yield self.size(name)
            else:
                yield right(self.function, parameter, role)

    def size(self, name):
        owner = name.removesuffix("_size")
        for parameter in self.parameters:
            if parameter.name in (owner, owner + "s"):
                return f"sizeof({parameter.base})"
        raise ValueError(name)

    def call(self, want, change=None, setup="", repeat=1, why=""):
        """One call: `want` is a condition on `found`, or a code that is a failure."""
        change = change or {}
        failure = want.startswith("KRON_")
        body = [f"    /* {why} */" if why else "", "    fresh();", setup, "    error = NULL;"]
        for parameter in self.outputs():
            body.append(f"    memset(out_{self.function}_{parameter.name}, POISON, sizeof out_{self.function}_{parameter.name});")
        body.append(f"    found = {self.function}({', '.join(self.arguments(change))});")
        if failure:
            body.append(f"    if (found != {want}) fprintf(stderr, \"{self.function}: %u, not {want}\\n\", (unsigned)found);")
            body.append(f"    CHECK(found == {want});")
        else:
            body.append(f"    CHECK(found != KRON_ERROR_PANIC && ({want}));")
        has_error = self.roles.get("error") == "error" and "error" not in change
        if has_error:
            body.append("    CHECK((error != NULL) == (found >= KRON_ERROR_NULL_POINTER));")
            body.append("    CHECK(kron_error_code(error) == (error ? found : KRON_OK));")
            body.append("    CHECK((*kron_error_message(error) != '\\0') == (error != NULL));")
        body.append("    if (found != KRON_OK) {")
        for parameter in self.outputs():
            if parameter.name not in change and not (self.partial and self.roles[parameter.name] == "outputs"):
                body.append(f"        for (size_t i = 0; i < sizeof out_{self.function}_{parameter.name}; i++)")
                body.append(f"            CHECK(((unsigned char *)out_{self.function}_{parameter.name})[i] == POISON);")
        if "_builder_" in self.function:
            body.append("        builders_are_as_before();")
        body.append("    } else {")
        body.append("        ;")
        for parameter in self.outputs():
            if parameter.base in HANDLES and parameter.stars == 2 and parameter.name not in change:
                body.append(f"        {parameter.base}_free(out_{self.function}_{parameter.name}[0]);")
        body += ["    }", "    kron_error_free(error);", "    stale();"]
        lines = [line for line in body if line]
        if repeat != 1:
            lines = [f"    for (unsigned round = 0; round < {repeat}; round++) {{", *lines, "    }"]
        self.lines += lines

    def test(self):
        self.declare()
        self.lines.append(f"static void test_{self.function}(void) {{")
        self.lines += ["    kron_error *error;", "    kron_result found;"]
        self.call("found <= KRON_ABSENT", why="rightly")
        for parameter in self.parameters:
            self.test_parameter(parameter, self.roles[parameter.name])
        self.lines += ["}", ""]
        return "\n".join(self.lines)

    def test_parameter(self, parameter, role):
        name = parameter.name
        if role == "error":
            self.call("found <= KRON_ABSENT", {name: "NULL"}, why="without an error")
        elif parameter.stars:
            may = re.search(rf"only [^.;]*`{name}` (?!if)", self.null_rule)
            if may:
                self.call("found <= KRON_ABSENT", {name: "NULL"}, why=f"NULL {name}, which may be")
            else:
                self.call("KRON_ERROR_NULL_POINTER", {name: "NULL"}, why=f"NULL {name}")
        if role == "text":
            counted = f"{name}_length" in self.roles
            for bad in NOT_UTF8:
                change = {name: bad} | ({f"{name}_length": f"sizeof({bad}) - 1"} if counted else {})
                self.call("KRON_ERROR_INVALID_UTF8", change, why=f"{name} is not UTF-8")
            change = {name: "noise"} | ({f"{name}_length": "noise_length"} if counted else {})
            self.call("1", change, f"    make_noise({int(counted)});", "noises", f"{name} is random")
            if counted:
                self.call("1", {name: "NULL", f"{name}_length": "0"}, why=f"{name} is empty")
        elif role == "length":
            for bad in ("SIZE_MAX", "SIZE_MAX / 2 + 1"):
                self.call("KRON_ERROR_LENGTH", {name: bad}, why=f"{name} is impossible")
        elif role == "size":
            for bad in ("0", "1", f"{self.size(name)} - 1", f"{self.size(name)} + 1", "SIZE_MAX"):
                self.call("KRON_ERROR_STRUCT_SIZE", {name: bad}, why=f"{name} is wrong")
        elif role == "choice":
            for bad in ("5", "0x80000000u", "UINT32_MAX"):
                self.call("KRON_ERROR_ENUM_VALUE", {name: bad}, why=f"{name} is not one of the choices")
        elif role == "index":
            for bad in ("1000", "SIZE_MAX"):
                self.call("KRON_ERROR_INDEX", {name: bad}, why=f"{name} is too high")
        elif role == "time":
            for bad in ("INT64_MIN", "INT64_MIN + 1", "-1", "4102444799", "INT64_MAX - 1", "INT64_MAX"):
                self.call("1", {name: bad}, why=f"{name} is extreme")
        elif role == "real":
            for bad in ("0.0", "-1.0", "HUGE_VAL", "-HUGE_VAL", "HUGE_VAL - HUGE_VAL"):
                self.call("KRON_ERROR_NUMBER", {name: bad}, why=f"{name} is not a number that fits")


def plain(result, function, parameters, null_rule):
    """Functions that return values: NULL gives what the comment says."""
    arguments = ", ".join("NULL" if parameter.stars else "0" for parameter in parameters)
    call = f"{function}({arguments})"
    pointers = any(parameter.stars for parameter in parameters)
    if result == "uint64_t" and not pointers:
        return f"static void test_{function}(void) {{\n    CHECK({call} > 0);\n}}\n"
    checks = {"void": f"{call};", "size_t": f"CHECK({call} == 0);", "uint64_t": f"CHECK({call} == 0);",
              "kron_result": f"CHECK({call} == KRON_OK);", "const kron_error *": f"CHECK({call} == NULL);",
              "const char *": f"CHECK(*{call} == '\\0');" if pointers else f"CHECK(*{call} != '\\0');"}
    if "compiled-in database" in null_rule:
        checks = {"size_t": f"CHECK({call} > 400);", "const char *": f"CHECK(strlen({call}) == 5);"}
    return f"static void test_{function}(void) {{\n    {checks[result]}\n}}\n"


def main():
    header = open(sys.argv[1], encoding="utf-8").read()
    for handle in re.findall(r"typedef struct (kron_\w+) \1;", header):
        # A struct has its fields in the header.
        if f"struct {handle} {{" not in header and f"static {handle} *" not in HEAD:
            sys.exit(f"make_misuse.py: HANDLES and HEAD lack {handle}")
    parts, names = ["/* Written by make_misuse.py. */", "#include <math.h>", HEAD], []
    for result, function, parameters, null_rule, error_rule in functions(header):
        names.append(function)
        returns_value = result != "kron_result" or function == "kron_error_code"
        parts.append(plain(result, function, parameters, null_rule) if returns_value else Case(function, parameters, null_rule, error_rule).test())
    parts.append("int main(int argc, char **argv) {\n    if (argc > 1) noises = (unsigned)atoi(argv[1]);"
                 "\n    zoneinfo = make_zoneinfo();\n    make_fleet_file();")
    parts += [f"    test_{name}();" for name in names]
    parts.append("    remove_zoneinfo(zoneinfo);\n    CHECK(remove(fleet_file) == 0);")
    parts.append(f'    printf("misuse: {len(names)} functions\\n");\n    return summary("misuse");\n}}')
    print("\n".join(parts))


main()
