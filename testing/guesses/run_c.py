"""Compiles and runs guesses: what people type who have not read the documentation of libkron.

    run_c.py c WORK COMPILER...      COMPILER ends with what a program needs to be linked
    run_c.py cpp WORK COMPILER...    It is gcc, or clang from version 16 on.

cpp/guesses.txt and c/guesses.txt say what must come of each guess. All that must work are one program, and all that must not compile
are one call of the compiler, which only checks them. Each guess is a function, and the compiler believes that it is a file of its own.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

HEAD_C = r"""
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <kron.h>

static const int64_t now = 1717372800;
static const char *const text = "@daily @win(after,2h)";
"""
SETUP_C = """\
    kron_error *error = NULL;
    kron_job *job = NULL;
    kron_fleet *fleet = NULL;
    kron_job_builder *builder = NULL;
    kron_policy policy = KRON_POLICY_INIT;
    kron_decision decision;
    kron_job_parse("backup", text, NULL, &job, &error);
    kron_fleet_parse("@daily name=backup", "", NULL, &fleet, &error);
    kron_job_builder_new("0 0 * * *", &builder, &error);
    kron_job_decide(job, now, &decision, KRON_DECISION_SIZE, &error);
    (void)policy;
"""
END_C = """\
    kron_job_free(job);
    kron_fleet_free(fleet);
    kron_job_builder_free(builder);
    kron_error_free(error);
"""
HEAD_CPP = r"""
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <ranges>
#include <sstream>
#include <thread>
#include <type_traits>
#include <unordered_set>
#include <vector>
#include <kron.hpp>

using namespace std::chrono_literals;
static const std::chrono::sys_seconds now{1717372800s};
"""
SETUP_CPP = """\
    [[maybe_unused]] kron::JobSpec spec("@daily @win(after,2h)");
    [[maybe_unused]] kron::Job job("backup", "@daily @win(after,2h) @policy(deadline=10m)");
    [[maybe_unused]] kron::Fleet fleet({job, kron::Job("report", "0 9 * * 1")});
    [[maybe_unused]] kron::JobBuilder builder("0 0 * * *");
    [[maybe_unused]] kron::Decision decision = job.decide(now);
    [[maybe_unused]] kron::Policy policy;
    {
"""


class Guess:
    """One guess: its code, and what must come of it."""

    def __init__(self, number, line, block):
        *code, want = block.rstrip("\n").split("\n")
        self.number, self.line, self.title = number, line, code[0].removeprefix("// ")
        self.code = "\n".join(code[1:])
        match = re.fullmatch(r"=> (works|throws|error)(?: (.+))?", want)
        if not match or (match[1] == "works") != (match[2] is None) or not code[0].startswith("// "):
            sys.exit(f"guesses.txt:{line}: write `// title`, code, and `=> works`, `=> throws WORDS` or `=> error WORDS`")
        self.want, words = match[1], match[2] or ""
        self.words, _, self.clang_words = words.partition("; clang: ")

    @property
    def file(self):
        """The file that the compiler believes the guess to be."""
        return f"guess_{self.number}"


def read(path):
    guesses, line = [], 1
    for block in re.split(r"\n(?=\n)", path.read_text(encoding="utf-8")):
        start = line + len(block) - len(block.lstrip("\n"))
        line += block.count("\n") + 1
        if not block.lstrip("\n").startswith("#"):
            guesses.append(Guess(len(guesses), start, block.lstrip("\n")))
    return guesses


def function(guess, setup, end):
    return (f"static void run_{guess.number}(void) {{\n{setup}#line 1 \"{guess.file}\"\n{guess.code}\n"
            f"#line 1 \"after_{guess.number}\"\n{end}}}\n")


def program_c(guesses):
    body = "".join(function(guess, SETUP_C, END_C) for guess in guesses)
    calls = "".join(f"    run_{guess.number}();\n" for guess in guesses)
    return f"{HEAD_C}{body}int main(void) {{\n{calls}    return 0;\n}}\n"


def program_cpp(guesses):
    body = "".join(function(guess, SETUP_CPP, "    }\n") for guess in guesses)
    calls = []
    for guess in guesses:
        if guess.want == "throws":
            words = guess.words.replace("\\", "\\\\").replace('"', '\\"')
            calls.append(f'    try {{ run_{guess.number}(); std::printf("{guess.file} threw nothing\\n"); bad = 1; }} catch (const std::exception &error) {{'
                         f' if (std::string(error.what()).find("{words}") == std::string::npos) {{'
                         f' std::printf("{guess.file} threw: %s\\n", error.what()); bad = 1; }} }}\n')
        else:
            calls.append(f'    try {{ run_{guess.number}(); }} catch (const std::exception &error) {{'
                         f' std::printf("{guess.file} threw: %s\\n", error.what()); bad = 1; }}\n')
    # What guesses print is not of interest.
    return (f"{HEAD_CPP}{body}int main() {{\n    int bad = 0;\n    std::ostringstream nowhere;\n    std::cout.rdbuf(nowhere.rdbuf());\n"
            f"    std::cerr.rdbuf(nowhere.rdbuf());\n{''.join(calls)}    std::cout.rdbuf(nullptr);\n    std::cerr.rdbuf(nullptr);\n    return bad;\n}}\n")


def errors_of(output):
    """What gcc says of each guess. The lines before the one that names a guess say what the error was found in."""
    said, current = {}, None
    for line in output.splitlines():
        match = re.match(r"(guess_\d+):\d+", line)
        if match:
            current = match[1]
        elif re.search(r": In (instantiation|function|member|static|lambda|substitution)", line) or ": In function" in line:
            current = None
        if current:
            said.setdefault(current, []).append(line)
    return {name: "\n".join(lines) for name, lines in said.items()}


def errors_of_clang(output):
    """What clang says of each guess. The notes after an error say where it was found."""
    said = {}
    for text in re.split(r"^(?=\S+:\d+:\d+: (?:fatal )?error: )", output, flags=re.M):
        for guess in set(re.findall(r"\bguess_\d+(?=:\d)", text)):
            said[guess] = said.get(guess, "") + text
    return said


def main():
    language, work, *compiler = sys.argv[1:]
    work = Path(work)
    guesses = read(Path(__file__).parent / language / "guesses.txt")
    write = {"c": program_c, "cpp": program_cpp}[language]
    lenient = ["-w", "-UNDEBUG"]
    # The compiler's words in English, with quotes of ASCII.
    plain = os.environ | {"LC_ALL": "C"}
    failed = []

    working = [guess for guess in guesses if guess.want != "error"]
    source = work / f"guesses_working.{language}"
    source.write_text(write(working), encoding="utf-8")
    sources = [index for index, word in enumerate(compiler) if word == "SOURCE"]
    command = [*compiler[:sources[0]], str(source), *compiler[sources[0] + 1:], *lenient, "-o", str(work / "guesses_working")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=plain)
    if done.returncode:
        print(done.stderr[:20000])
        sys.exit(f"guesses that must work do not compile: {' '.join(command)}")
    done = subprocess.run([str(work / "guesses_working")], check=False, capture_output=True, text=True, env=plain)
    if done.returncode:
        failed.append(f"the guesses that must work: {done.stdout[-3000:]}{done.stderr[-3000:]}")

    refused = [guess for guess in guesses if guess.want == "error"]
    source = work / f"guesses_refused.{language}"
    source.write_text(write(refused), encoding="utf-8")
    # As newer compilers do of themselves.
    strict = ["-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types", "-Werror=int-conversion"] if language == "c" else []
    is_clang = "clang" in subprocess.run([compiler[0], "--version"], check=True, capture_output=True, text=True).stdout
    if is_clang:
        quiet = ["-fno-caret-diagnostics", "-ferror-limit=0", "-ftemplate-backtrace-limit=0"]
    else:
        # Errors in macros are where the macro is used.
        quiet = ["-fno-diagnostics-show-caret", "-fmax-errors=0", "-ftrack-macro-expansion=0"]
    command = [*compiler[:sources[0]], str(source), "-fsyntax-only", *quiet, *strict]
    command += [word for word in compiler[sources[0] + 1:] if word.startswith("-I")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=plain)
    (work / f"guesses_refused_{language}.txt").write_text(done.stderr, encoding="utf-8")
    said = (errors_of_clang if is_clang else errors_of)(done.stderr)
    for guess in refused:
        text = said.get(guess.file, "")
        if "error:" not in text:
            failed.append(f"guesses.txt:{guess.line}: `{guess.title}` compiles, and must not")
        elif (words := is_clang and guess.clang_words or guess.words) not in text:
            failed.append(f"guesses.txt:{guess.line}: the error of `{guess.title}` does not say `{words}`:\n{text}")
    for failure in failed:
        print(failure)
    if failed:
        sys.exit(f"{language}: {len(failed)} guesses come out otherwise")
    print(f"guesses in {language}: {len(working)} work, {len(refused)} are refused with the right word")


if __name__ == "__main__":
    main()
