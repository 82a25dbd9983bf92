#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Each text that says why something failed, is unknown or is not compared occurs in a test that makes its
cause. A text is found by its place (WHERE) or by its words (WORDS).
Usage: test_causes.py ROOT
"""

import pathlib
import re
import sys

# The functions that give a reason, by file. Those of core/reason.c are test_reasons.c's.
WHERE = {
    "result/headline.c": "add_failure add_group add_lone",
    "result/report.c": "report_no_interval report_untested",
    "result/machines.c": "machines_add machines_left_out",
    "result/sched.c": "sched_no_lanes sched_no_wakes",
    "result/table_list.c": "list_reason_of",
    "source/live_others.c": "live_precedence_futile",
    "source/live_sched.c": "live_count_choose live_count_missed live_sched_choose live_sched_perf "
                           "live_sched_refusal live_sched_wakes live_usable_changed",
    "source/live_totals.c": "board_reason judge_run say_worker why_not_run",
    "stats/amdahl.c": "amdahl_why",
    "view/view_bars.c": "view_bar_reason",
}
# Rooms whose texts are reasons where they have these words.
ROOMS = ["core", "log", "model", "result", "stats"]
WORDS = r"\bbecause\b|not known\b|\(not |\?: "
LITERAL = r'(?:"(?:[^"\\]|\\.)*"(?:\s|LIVE_PROGRAM_RUNNER|PRI\w+)*)+'
CONVERSION = r"%[-+#0-9.*]*(?:hh|h|ll|l|z|j)?[a-zA-Z]|%%|\{\w+\}"
# A longer one explains a table.
LONGEST = 300
# So much of a text is enough to tell it from others.
ENOUGH = 24


def uncomment(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def literals(code):
    for found in re.finditer(LITERAL, code):
        yield "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found.group()))


def body(code, name):
    found = re.search(r"\n[^\n]*\b" + name + r"\([^;{]*\)\n\{(.*?)\n\}", code, re.S)
    return found.group(1) if found else None


def reasons(root):
    """Path and text of each."""
    for path in sorted((root / "src").rglob("*.c")):
        name = str(path.relative_to(root / "src"))
        code = uncomment(path.read_text(encoding="utf-8"))
        for function in WHERE.get(name, "").split():
            found = body(code, function)
            if found is None:
                sys.exit(f"src/{name}: there is no function {function}(): mend WHERE")
            for text in literals(found):
                yield name, text
        if name.split("/")[0] in ROOMS and name != "core/reason.c":
            for text in literals(code):
                if re.search(WORDS, text):
                    yield name, text


def main():
    root = pathlib.Path(sys.argv[1])
    tested = ""
    for path in sorted((root / "tests").rglob("*")):
        if path.suffix in (".c", ".py", ".sh") and path != pathlib.Path(__file__).resolve():
            text = path.read_text(encoding="utf-8", errors="replace")
            tested += re.sub(r'"\s*\n\s*[rf]*"', "", text)
    seen, failed = set(), 0
    for name, text in reasons(root):
        pieces = sorted((one.strip() for one in re.split(CONVERSION, text)), key=len)
        if text in seen or len(pieces[-1]) < 6 or " " not in pieces[-1] or len(text) > LONGEST:
            continue
        seen.add(text)
        if not any(one[:ENOUGH] in tested for one in pieces if len(one) >= len(pieces[-1]) / 2):
            print(f'src/{name}: no test has "{text}"; reach it by its cause')
            failed += 1
    if len(seen) < 60:
        sys.exit(f"only {len(seen)} reasons were found: mend the patterns")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
