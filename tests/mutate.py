#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes conditions of src wrong at random, and shows whether the tests find that.

    mutate.py plant COPY [-n 200] [--seed 1]   a copy of the tree with all mutants in it, built once
    mutate.py run COPY [--limit 20] [--only 3,17] [--again] [--tests unit,tree]

Each mutant is compiled beside the code that it changes. TUIBENCH_MUTANT chooses one when the program
runs, so no build is needed for each. Lines are drawn evenly, with one mutant in each. `run` first finds
which mutants each test reaches, with none chosen; a test that then fails, or takes longer than --limit
seconds, is left out. Then each mutant runs with the tests that reach it, suite unit first, the quickest
first, until a test fails or takes five times as long plus ten seconds. The test must fail twice, and
pass in between without the mutant. Each result is written to COPY/found.json at once, so `run`
continues where it ended. Needs libclang's python3-clang.
"""

import argparse
import concurrent.futures
import dataclasses
import glob
import json
import os
import random
import signal
import subprocess
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SWAPS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
         "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"]}

@dataclasses.dataclass
class Site:
    """One mutant: of the bytes start..end, parts (spans) with an operator, old or new."""
    path: str
    line: int
    start: int
    end: int
    parts: list
    old: str
    new: str
    text: str
    number: int = -1


def kept(path):
    """What a file of JSON holds."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def keep(path, what):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(what, file, indent=1)


def file_sites(path):
    """Each mutant of each condition of a file, as libclang reads it."""
    import clang.cindex as cindex
    kind = cindex.CursorKind
    with open(path, "rb") as file:
        text = file.read()
    flags = ["-std=gnu11", "-D_GNU_SOURCE", f"-I{ROOT}/include", f"-I{os.path.dirname(path)}",
             '-DTUIBENCH_VERSION=""', '-DTUIBENCH_LIBEXECDIR=""', '-DTUIBENCH_DATADIR=""']
    unit = cindex.Index.create().parse(path, args=flags)
    found = []

    def span(cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def add(offset, whole, parts, old, new):
        words = " ".join(text[whole[0]:whole[1]].decode().split())
        found.append(Site(os.path.relpath(path, ROOT), text.count(b"\n", 0, offset) + 1, *whole, parts,
                          old, new, words))

    def bare(cursor):
        """What is a condition by itself, without an operator."""
        (start, end) = span(cursor)
        while cursor.kind == kind.UNEXPOSED_EXPR and list(cursor.get_children()):
            cursor = next(cursor.get_children())
        if cursor.kind in (kind.CALL_EXPR, kind.DECL_REF_EXPR, kind.MEMBER_REF_EXPR, kind.ARRAY_SUBSCRIPT_EXPR):
            add(start, (start, end), [(start, end)], "", "!")

    def visit(cursor, condition):
        children = list(cursor.get_children())
        here = span(cursor)
        if cursor.kind in (kind.IF_STMT, kind.WHILE_STMT, kind.CONDITIONAL_OPERATOR) and children:
            bare(children[0])
            visit(children[0], True)
            children = children[1:]
        elif cursor.kind == kind.BINARY_OPERATOR and len(children) == 2:
            left, right = span(children[0]), span(children[1])
            old = text[left[1]:right[0]].decode().strip()
            if (left[0], right[1]) == here and left[1] < right[0]:
                for new in SWAPS.get(old, []):
                    add(left[1], here, [left, right], old, new)
                if condition and old in ("+", "-") and text[right[0]:right[1]] == b"1":
                    add(left[1], here, [left], old + " 1", "")
            if old in ("&&", "||"):
                bare(children[0])
                bare(children[1])
            condition = condition or old in SWAPS
        elif cursor.kind == kind.UNARY_OPERATOR and text[here[0]:here[0] + 1] == b"!":
            inner = span(children[0])
            if inner[1] == here[1] and inner[0] > here[0]:
                add(here[0], here, [inner], "!", "")
        elif cursor.kind == kind.VAR_DECL and cursor.storage_class == cindex.StorageClass.STATIC:
            return
        elif cursor.kind == kind.CASE_STMT:
            children = children[1:]
        for child in children:
            visit(child, condition and cursor.kind != kind.COMPOUND_STMT)

    for top in unit.cursor.get_children():
        if top.kind == kind.FUNCTION_DECL and top.location.file and top.location.file.name == path:
            for body in top.get_children():
                if body.kind == kind.COMPOUND_STMT:
                    visit(body, False)
    # An operator that a macro stands for has no place of its own.
    return [site for site in found if all(start < end for start, end in site.parts)
            and b"\n#" not in text[site.start:site.end]]


def planted(text, sites, lo, hi):
    """The bytes lo..hi with the mutants that lie in them, the outermost first."""
    inside = sorted((s for s in sites if lo <= s.start and s.end <= hi), key=lambda s: (s.start, -s.end))
    if not inside:
        return text[lo:hi]
    first = inside[0]
    rest = inside[1:]
    parts = [planted(text, rest, *part) for part in first.parts]
    if len(parts) == 2:
        parts = [b"(" + part + b")" for part in parts]  # a chain of || is one operand of &&

    def form(operator):
        if operator.endswith(" 1"):
            return parts[0] + b" " + operator.encode()
        return (b" " + operator.encode() + b" ").join(parts) if len(parts) == 2 else (operator or "!!").encode() + b"(" + parts[0] + b")"

    made = b"(mutant(%d) ? (%s) : (%s))" % (first.number, form(first.new), form(first.old))
    return text[lo:first.start] + made + planted(text, rest, first.end, hi)


def plant(copy, count, seed):
    lines = {}
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for sites in pool.map(file_sites, sorted(glob.glob(ROOT + "/src/*/*.c"))):
            for site in sites:
                lines.setdefault((site.path, site.line), []).append(site)
    chance = random.Random(seed)
    drawn = [chance.choice(lines[key]) for key in chance.sample(sorted(lines), count)]
    for number, site in enumerate(drawn):
        site.number = number
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in files.decode().split("\0")[:-1]:
        os.makedirs(os.path.dirname(f"{copy}/{name}"), exist_ok=True)
        with open(f"{ROOT}/{name}", "rb") as file:
            text = file.read()
        mine = [site for site in drawn if site.path == name]
        text = planted(text, mine, 0, len(text))
        if mine:
            text = f'#include "{copy}/tests/mutant.h"\n#line 1\n'.encode() + text
        with open(f"{copy}/{name}", "wb") as file:
            file.write(text)
        os.chmod(f"{copy}/{name}", os.stat(f"{ROOT}/{name}").st_mode)
    about = [{"path": site.path, "line": site.line, "old": site.old, "new": site.new, "text": site.text}
             for site in drawn]
    keep(copy + "/mutants.json", {"mutations": sum(map(len, lines.values())), "lines": len(lines), "mutants": about})
    subprocess.run(["meson", "setup", "-Dtests=true", "-Doptimization=1", "-Ddebug=false", copy + "/build", copy], check=True)
    subprocess.run(["ninja", "-C", copy + "/build"], check=True)


def leftovers(tag):
    """Ends whatever of a test is still there: it has the tag in its environment."""
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                if tag.encode() in file.read():
                    os.kill(int(path.split("/")[2]), signal.SIGKILL)
        except OSError:
            pass


class Copy:
    def __init__(self, copy, limit, only):
        self.copy, self.build, self.limit = copy, copy + "/build", limit
        self.mutants = kept(copy + "/mutants.json")["mutants"]
        listed = subprocess.run(["meson", "introspect", "--tests", self.build], capture_output=True, check=True)
        # Two suites may have tests of one name; those of form read no program.
        self.tests = [{**t, "key": t["suite"][0].split(":")[1] + ":" + t["name"]} for t in json.loads(listed.stdout)
                      if t["name"] not in ("rooms", "style")]
        if only:
            self.tests = [t for t in self.tests if t["name"] in only or t["key"].split(":")[0] in only]

    def run(self, test, mutant, limit, marks=None):
        """Seconds that a test took, None where it failed or hung."""
        tag = f"{os.getpid()}-{threading.get_ident()}-{time.monotonic_ns()}"
        env = {**os.environ, "TUIBENCH_CONFIG": "none", **test["env"], "TUIBENCH_MUTANT": str(mutant),
               "TUIBENCH_SEED": "1", "MUTANT_TAG": tag}
        if marks:
            env["TUIBENCH_MUTANTS_REACHED"] = marks
        begin = time.monotonic()
        with subprocess.Popen(test["cmd"], cwd=self.build, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as child:
            try:
                status = child.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
                os.killpg(child.pid, signal.SIGKILL)
        leftovers("MUTANT_TAG=" + tag)
        return time.monotonic() - begin if status == 0 else None

    def reach(self, test):
        """What a test takes, and which mutants it reaches."""
        marks = f"{self.copy}/reached-{test['key']}"
        with open(marks, "wb") as file:
            file.write(bytes(4096))
        took = self.run(test, -1, self.limit, marks)
        with open(marks, "rb") as file:
            return took, [n for n, byte in enumerate(file.read()) if byte]

    def unit(self, test):
        return "tuibench:unit" in test["suite"]

    def caught(self, number, order):
        """The test that fails twice, and passes in between without the mutant; or None."""
        for test, took in order:
            limit = 5 * took + 10
            if self.run(test, number, limit) is None:
                if self.run(test, -1, limit) and not self.run(test, number, limit):
                    return test["key"]
        return None


def run(copy, jobs, only, again):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        reached = kept(copy.copy + "/reached.json")
        unknown = [t for t in copy.tests if (reached.get(t["key"]) or [None])[0] is None]
        reached.update(zip([t["key"] for t in unknown], pool.map(copy.reach, unknown)))
        keep(copy.copy + "/reached.json", reached)
        print("take no part:", *[t["key"] for t in copy.tests if reached[t["key"]][0] is None])
        found = kept(copy.copy + "/found.json")

        def meet(number):
            order = [(t, reached[t["key"]][0]) for t in copy.tests
                     if reached[t["key"]][0] and number in reached[t["key"]][1]]
            order.sort(key=lambda pair: (not copy.unit(pair[0]), pair[1]))
            return number, copy.caught(number, order), len(order)

        wanted = only or [n for n in range(len(copy.mutants)) if found.get(str(n), [None])[0] is None
                          and (again or str(n) not in found)]
        for done in concurrent.futures.as_completed([pool.submit(meet, n) for n in wanted]):
            number, by, met = done.result()
            found[str(number)] = [by, met]
            keep(copy.copy + "/found.json", found)
            site = copy.mutants[number]
            print(f"{number}: {'by ' + by if by else f'SURVIVES {met} tests'}: {site['path']}:{site['line']}: "
                  f"{site['text']}: {site['old'] or 'as it is'} -> {site['new'] or 'without'}", flush=True)
        print(sum(by is not None for by, _ in found.values()), "of", len(found), "caught")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["plant", "run"])
    parser.add_argument("copy")
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--tests", default="", help="their names, or those of suites")
    parser.add_argument("--again", action="store_true", help="the survivors as well")
    asked = parser.parse_args()
    if asked.what == "plant":
        plant(os.path.abspath(asked.copy), asked.n, asked.seed)
    else:
        run(Copy(os.path.abspath(asked.copy), asked.limit, asked.tests.split(",") if asked.tests else []),
            asked.jobs, [int(n) for n in asked.only.split(",")] if asked.only else [], asked.again)


if __name__ == "__main__":
    main()
