#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
No two files of a program use one name for different things, and no function hides a table of another
file. So meson's unity builds, which compile several files as one, work in any order.
Usage: test_unity.py ROOT
"""

import collections
import pathlib
import re
import sys

VARIABLE = r"^(?:static (?:const )?[^;={(]*?|\} )(\w+)(?:\[[^\]]*\])* (?:=|;)"
# The second one of a line.
SECOND = r"^static (?:const )?[^;({]*?, \*?(\w+)(?:\[[^\]]*\])* (?:=|;)"
# What a file has for itself: a pattern for each kind, whose last group is the name.
KINDS = {
    "macro": r"^#define (\w+)",
    "function": r"^(?:__attribute__\(\(.*?\)\) )?static [^;={]*?(\w+)\(",
    "variable": VARIABLE,
    "struct": r"^(?:static )?(?:const )?(?:struct|enum|union) (\w+) \{",
}

# What a function declares: a line that begins with a type, or what is between its parentheses.
TYPE = r"(?:struct \w+|enum \w+|unsigned|[a-z]\w*_t|int|char|double|bool|long|float|FILE)"
DECLARED = rf"^\t+(?:static |const )*{TYPE} (?:const |long )?(.*)$"
PARAMETERS = r"^\w[^;={]*?\(([^{};]*)\)\s*\{"


def read(path):
    return re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)


def names(text):
    undefined = set(re.findall(r"^#undef (\w+)", text, re.M))
    for kind, pattern in KINDS.items():
        for name in re.findall(pattern, text, re.M):
            if name not in undefined:
                yield ("struct" if kind == "struct" else "name"), name
    for body in re.findall(r"^enum \w* ?\{(.*?)\}", text, re.M | re.S):
        for name in re.findall(r"(?:^|,)\s*(\w+)", body):
            yield "name", name


def declared(text):
    """Names of variables and parameters of functions."""
    for line in re.findall(DECLARED, text, re.M):
        line = re.sub(r'"[^"]*"|\([^()]*\)|\[[^\]]*\]', "", line)
        for part in line.split(","):
            yield from re.findall(r"^[\s*]*(?:const )?\**(\w+)\s*(?:[=;]|$)", part)
    for line in re.findall(PARAMETERS, text, re.M):
        for part in line.split(","):
            yield from re.findall(r"(\w+)(?:\[[^\]]*\])*\s*$", part)


def check(root, paths, headers):
    """How many names of these files, of one program, are in each other's way."""
    files, variables, found = collections.defaultdict(set), {}, 0
    texts = {str(path.relative_to(root)): read(path) for path in paths}
    for path, text in texts.items():
        for key in names(text):
            files[key].add(path)
        for name in re.findall(VARIABLE, text, re.M) + re.findall(SECOND, text, re.M):
            variables[name] = path
    for path in headers:
        for name in re.findall(KINDS["struct"], read(path), re.M):
            files["struct", name].add(str(path.relative_to(root)))
    for (_, name), where in sorted(files.items()):
        if len(where) > 1:
            print(f"{name}: in {', '.join(sorted(where))}; rename it in all of them but one")
            found += 1
    for path, text in texts.items():
        for name in sorted(set(declared(text)) & set(variables)):
            if variables[name] != path:
                print(f"{name}: a variable of {variables[name]} that a function of {path} hides; rename it there")
                found += 1
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    rooms = {room.name: list(room.glob("*.c")) for room in (root / "src").iterdir()}
    headers = list((root / "include").glob("*/*.h"))
    runner = rooms["runner"] + rooms["work"]
    front = [path for room, paths in rooms.items() if room != "runner" for path in paths]
    # What the tests share; recorded.c is a program of its own.
    stage = [path for path in (root / "tests" / "stage").glob("*.c") if path.name != "recorded.c"]
    staged = headers + list((root / "tests" / "stage").glob("*.h"))
    found = [check(root, *one) for one in ((runner, headers), (front, headers), (stage, staged))]
    return sum(found) > 0


sys.exit(main())
