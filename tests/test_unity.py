#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
No two files of a program give one name to different things, so that meson's unity builds, which
compile several files as one, work whatever the order. Usage: test_unity.py ROOT
"""

import collections
import pathlib
import re
import sys

# What a file has for itself: a pattern for each kind, whose last group is the name.
KINDS = {
    "macro": r"^#define (\w+)",
    "function": r"^static [^;={]*?(\w+)\(",
    "variable": r"^static (?:const )?[^;={(]*?(\w+)(?:\[[^\]]*\])* (?:=|;)",
    "struct": r"^(?:static )?(?:const )?(?:struct|enum|union) (\w+) \{",
}


def names(path):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
    undefined = set(re.findall(r"^#undef (\w+)", text, re.M))
    for kind, pattern in KINDS.items():
        for name in re.findall(pattern, text, re.M):
            if name not in undefined:
                yield ("struct" if kind == "struct" else "name"), name
    for body in re.findall(r"^enum \w* ?\{(.*?)\}", text, re.M | re.S):
        for name in re.findall(r"(?:^|,)\s*(\w+)", body):
            yield "name", name


def main():
    root, found = pathlib.Path(sys.argv[1]) / "src", 0
    # The front end, and the runner with its work.
    for rooms in ({"runner", "work"}, {room.name for room in root.iterdir()} - {"runner", "work"}):
        files = collections.defaultdict(set)
        for room in rooms:
            for path in (root / room).glob("*.c"):
                for key in names(path):
                    files[key].add(str(path.relative_to(root)))
        for (_, name), where in sorted(files.items()):
            if len(where) > 1:
                print(f"{name}: in {', '.join(sorted(where))}; rename it in all of them but one")
                found += 1
    return found > 0


sys.exit(main())
