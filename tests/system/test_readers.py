#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports as pandas, sqlite3, R and DuckDB read them by default. Their values are compared with each other
and with the recording.

    test_readers.py TUIBENCH RECORDINGS MANUAL SCHEMA

Each program reads all tables of a session and answers the same questions. The right answers come from the
recording, which this test reads cell by cell. CI must have pandas. The other programs are used if they
are installed. DuckDB is @duckdb/node-api, found through NODE_PATH.
"""

import csv
import datetime
import functools
import gzip
import io
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
# pylint: disable=wrong-import-position
from program import DEADLINE, TUIBENCH, against_schema, page_data, python_with, run, texts

RECORDINGS, MANUAL, SCHEMA = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
TABLES = ("csv", "workers", "samples", "slices", "tasks")
PYTHON = python_with("pandas")
# The questions: rows of each table, rows that join with another table, and types of the cells.
ANSWERS = ("csv", "workers", "samples", "slices", "workers_joined", "samples_joined",
           "slices_joined", "tasks", "tasks_joined", "task_parents", "parents", "children", "names", "models", "missing", "values",
           "elapsed_us", "ids_are_numbers", "names_are_texts", "variables")

# Questions only for pandas: columns with cells that it read wrongly.
OF_PANDAS = ("lost", "mixed", "named_by_numbers")

PANDAS = """
import json, os, sys, pandas as pd
for folder in sys.stdin:
    os.chdir(folder.strip())
    t = {name: pd.read_csv(f"{name}.csv") for name in ("csv", "workers", "samples", "slices", "tasks")}
    cells = {name: pd.read_csv(f"{name}.csv", dtype=str, keep_default_na=False) for name in t}
    key, w = ["session", "run"], t["workers"]
    a = {name: len(t[name]) for name in t}
    for name in ("workers", "samples"):
        a[name + "_joined"] = len(t[name].merge(t["csv"], on=key))
    for name in ("slices", "tasks"):
        a[name + "_joined"] = len(t[name].merge(w, on=key + ["worker_id"]))
    a["task_parents"] = len(t["tasks"].merge(t["tasks"], left_on=key + ["parent_id"],
                                             right_on=key + ["task_id"]))
    a["parents"] = len(w.merge(w, left_on=key + ["parent_id"], right_on=key + ["worker_id"]))
    a["children"] = int((w.parent_id >= 0).sum())
    a["names"] = len(w.groupby(key + ["worker"]))
    a["models"] = sorted(t["csv"].model.unique())
    a["missing"] = int(w[["model", "worker", "work", "status", "session", "host"]].isna().sum().sum() +
                       t["csv"][["model", "status", "host"]].isna().sum().sum())
    a["values"] = int(t["samples"].value.notna().sum())
    a["elapsed_us"] = round(t["csv"].elapsed_ms.sum() * 1000)
    a["ids_are_numbers"] = all(str(w[c].dtype) == "int64" for c in ("run", "worker_id", "parent_id"))
    a["names_are_texts"] = all(str(w[c].dtype) == "object" for c in ("worker", "work", "session"))
    a["variables"] = {c: t["csv"][c].nunique() for c in t["csv"] if c.startswith("var_")}
    # Of any column: a word that was read as missing; numbers that became texts; names that are numbers.
    a["lost"] = [(n, c) for n in t for c in t[n] if (t[n][c].isna() & (cells[n][c] != "")).any()]
    numbers = {(n, c): pd.to_numeric(cells[n][c], errors="coerce").notna().any() for n in t for c in t[n]}
    a["mixed"] = [(n, c) for n, c in numbers if numbers[n, c] and str(t[n][c].dtype) == "object" and
                  not c.startswith("var_env_")]
    a["named_by_numbers"] = [(n, c) for n, c in numbers if numbers[n, c] and
                             c in ("model", "worker", "parent", "session", "host", "subject", "name")]
    print(json.dumps(a), ".", sep="\\n", flush=True)
"""

R = """
t <- lapply(c(csv="csv", workers="workers", samples="samples", slices="slices", tasks="tasks"),
            function(name) read.csv(paste0(name, ".csv")))
key <- c("session", "run"); w <- t$workers; say <- function(name, x) cat(name, x, "\\n", sep="\\t")
for (name in names(t)) say(name, nrow(t[[name]]))
for (name in c("workers", "samples")) say(paste0(name, "_joined"), nrow(merge(t[[name]], t$csv, by=key)))
for (name in c("slices", "tasks"))
  say(paste0(name, "_joined"), nrow(merge(t[[name]], w, by=c(key, "worker_id"))))
say("task_parents", nrow(merge(t$tasks, t$tasks, by.x=c(key, "parent_id"), by.y=c(key, "task_id"))))
say("parents", nrow(merge(w, w, by.x=c(key, "parent_id"), by.y=c(key, "worker_id"))))
say("children", sum(w$parent_id >= 0))
say("names", nrow(unique(w[c(key, "worker")])))
say("models", sort(unique(t$csv$model), method="radix"))
say("missing", sum(is.na(w[c("model", "worker", "work", "status", "session", "host")])) +
               sum(is.na(t$csv[c("model", "status", "host")])))
say("values", sum(!is.na(t$samples$value)))
say("elapsed_us", format(round(sum(t$csv$elapsed_ms) * 1000), scientific=FALSE))
say("ids_are_numbers", all(sapply(w[c("run", "worker_id", "parent_id")], is.integer)))
say("names_are_texts", all(sapply(w[c("worker", "work", "session")], is.character)))
for (c in grep("^var_", names(t$csv), value=TRUE))
  say("variables", c(c, length(setdiff(unique(t$csv[[c]]), c(NA, "")))))
"""

# The same questions for sqlite3, for which all cells are texts, and for DuckDB, which guesses types.
SQL = """
SELECT 'csv', count(*) FROM csv;
SELECT 'workers', count(*) FROM workers;
SELECT 'samples', count(*) FROM samples;
SELECT 'slices', count(*) FROM slices;
SELECT 'workers_joined', count(*) FROM workers JOIN csv USING (session, run);
SELECT 'samples_joined', count(*) FROM samples JOIN csv USING (session, run);
SELECT 'slices_joined', count(*) FROM slices JOIN workers USING (session, run, worker_id);
SELECT 'tasks', count(*) FROM tasks;
SELECT 'tasks_joined', count(*) FROM tasks JOIN workers USING (session, run, worker_id);
SELECT 'task_parents', count(*) FROM tasks a JOIN tasks b
  ON a.session = b.session AND a.run = b.run AND a.parent_id = b.task_id;
SELECT 'parents', count(*) FROM workers a JOIN workers b
  ON a.session = b.session AND a.run = b.run AND a.parent_id = b.worker_id;
SELECT 'children', count(*) FROM workers WHERE CAST(parent_id AS INTEGER) >= 0;
SELECT 'names', count(*) FROM (SELECT DISTINCT session, run, worker FROM workers) AS found;
SELECT 'models', model FROM (SELECT DISTINCT model FROM csv) AS found ORDER BY model;
SELECT 'missing', count(*) FROM workers WHERE work IS NULL OR worker IS NULL OR model IS NULL
  OR host IS NULL OR host = '' OR work = '' OR worker = '' OR model = '' OR status = '';
SELECT 'values', count(*) FROM samples WHERE CAST(value AS TEXT) <> '';
SELECT 'elapsed_us', CAST(round(sum(CAST(elapsed_ms AS DOUBLE)) * 1000) AS BIGINT) FROM csv;
"""

# Runs an R script in each folder whose name it reads from standard input.
IN_FOLDERS = """
options(warn=1)
input <- file("stdin", "r")
questions <- parse(text=commandArgs(TRUE)[1])
while (length(folder <- readLines(input, 1))) {
  setwd(folder)
  eval(questions, new.env())
  cat(".\\n")
}
"""

IN_R = ("Rscript", "--vanilla", "-e", IN_FOLDERS)

DUCKDB = """
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const c = await (await DuckDBInstance.create(':memory:')).connect();
  const rows = async (sql) => (await c.runAndReadAll(sql)).getRowsJson();
  for (const name of ['csv', 'workers', 'samples', 'slices', 'tasks'])
    await c.run(`CREATE TABLE ${name} AS FROM '${name}.csv'`);
  for (const sql of require('fs').readFileSync('questions.sql', 'utf8').split(';'))
    if (sql.trim()) for (const row of await rows(sql)) console.log(row.join('\\t'));
  const kinds = Object.fromEntries((await rows('DESCRIBE workers')).map(row => [row[0], row[1]]));
  console.log('ids_are_numbers\\t' +
              ['run', 'worker_id', 'parent_id'].every(name => kinds[name] == 'BIGINT'));
  console.log('names_are_texts\\t' +
              ['worker', 'work', 'session'].every(name => kinds[name] == 'VARCHAR'));
  for (const [name] of await rows('DESCRIBE csv'))
    if (name.startsWith('var_'))
      console.log('variables\\t' + name + '\\t' +
                  (await rows(`SELECT count(DISTINCT ${name}) FROM csv`))[0][0]);
})().catch(error => { console.error(String(error)); process.exit(1); });
"""


def plain(text):
    """Returns the text of a report without markup."""
    return texts(page_data(text)) if text[0] == "<" else re.sub(r"\\(?=[^A-Za-z0-9])", "", text)


def export(what, *logs, cwd=None):
    return subprocess.run([TUIBENCH, "--export", what, *logs], capture_output=True, text=True,
                          timeout=DEADLINE, check=True, cwd=cwd).stdout


@functools.cache
def started(*command):
    """Starts a reader once for all folders, because starting it takes longer than a question."""
    reader = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,  # pylint: disable=consider-using-with
                              stderr=subprocess.STDOUT, text=True)
    unittest.addModuleCleanup(reader.communicate)
    return reader


def ask(folder, *command):
    """Returns a reader's output for a folder up to a line with a dot, with errors and warnings."""
    reader, said = started(*command), [""]
    late = threading.Timer(DEADLINE, reader.kill)
    late.start()
    try:
        print(folder, file=reader.stdin, flush=True)
        while (line := reader.stdout.readline()) != ".\n":
            said.append(line)
            if not line:
                raise AssertionError(f"{command[0]} has ended: {''.join(said)}")
    finally:
        late.cancel()
    return "".join(said)


def answers(lines):
    """Converts the lines that the scripts above print, with names and values, to a dictionary."""
    found = {"variables": {}, "models": []}
    for name, *values in (line.split("\t") for line in lines.splitlines() if line):
        values = [value for value in values if value != ""]
        if name == "models":
            found[name] += values
        elif name == "variables":
            found[name][values[0]] = int(values[1])
        elif values[0].lower() in ("true", "false"):
            found[name] = values[0].lower() == "true"
        else:
            found[name] = int(values[0])
    return found


def rewritten(path, to, **cells):
    """Writes a copy of a recording with other values of meta rows, or other names of models."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    column = {name: i for i, name in enumerate(rows[0])}
    with open(to, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        for row in rows:
            if row[0] == "meta" and row[column["subject"]] in cells:
                row[column["value"]] = cells[row[column["subject"]]]
            model = row[column["model"]]
            row[column["model"]] = cells.get(model, model)
            writer.writerow(row)
    return to


class Truth:
    """The right answers, from the recordings."""

    def __init__(self, *logs, scene=""):
        self.scene, self.values = scene, {}  # the scene of a lecture; values by variable
        self.rows = {"csv": 0, "workers": 0, "slices": 0, "tasks": 0}
        self.elapsed_ns = self.children = self.slices_of_workers = self.task_parents = 0
        self.models, self.names = set(), 0
        for log in logs:
            self.read(log)

    def read(self, log):
        workers, runs, tasks = {}, {}, {}
        with open(log, encoding="utf-8", newline="") as file:
            scene = ""
            for row in csv.DictReader(file):
                scene = row["id"] if row["record"] == "scene" else scene
                if scene != self.scene:
                    continue
                for text in row["variables"].split(";") if row["record"] == "case" else ():
                    name, _, value = text.partition("=")
                    self.values.setdefault(name, set()).add(value)
                counted = row["trial"] not in ("", "0") or row["run"] in runs
                if row["record"] == "end" and counted:
                    self.rows["csv"] += 1
                    self.elapsed_ns += int(row["elapsed_ns"])
                    self.models.add(row["model"])
                    runs[row["run"]] = True
                elif row["record"] == "worker" and counted:
                    workers[row["run"], row["id"]] = row["subject"]
                elif row["record"] == "task" and counted:
                    tasks[row["run"], row["id"]] = row["creator"]
                elif row["record"] == "slice":
                    self.rows["slices"] += 1
                    self.slices_of_workers += row["id"] != ""
        self.rows["workers"] += len(workers)
        # A worker that became a program has no row of its own: it is the program's first task.
        programs = {run for run, _ in tasks}
        self.rows["tasks"] += len(tasks) + sum(run not in programs for run, _ in workers)
        self.task_parents += sum(parent not in ("", "-1") for parent in tasks.values())
        self.task_parents += sum("." in name for (run, _), name in workers.items()
                                 if run not in programs)
        self.names += len({(run, name) for (run, _), name in workers.items()})
        self.children += sum("." in name for name in workers.values())


    def variables(self):
        return {"var_" + re.sub("[^A-Za-z0-9]", "_", name): len(values)
                for name, values in self.values.items() if name}


class Readers(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def record(self, name, *args):
        run("--trials", "2", "--warmup", "0", "--log", self.path(name), *args)
        return self.path(name)

    def ask(self, program, *args, text=None):
        done = subprocess.run([program, *args], input=text, capture_output=True, text=True,
                              timeout=DEADLINE, check=False, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""), args)
        return done.stdout

    def readers(self):
        """Yields the answers of each installed reader."""
        with open(self.path("questions.sql"), "w", encoding="utf-8") as file:
            file.write(SQL)
        if PYTHON:
            found = json.loads(ask(self.folder, PYTHON, "-c", PANDAS))
            self.assertEqual([found.pop(name) for name in OF_PANDAS], [[], [], []])
            yield "pandas", found
        else:
            self.assertNotIn("CI", os.environ, "CI has to have pandas")
            print("SKIPPED: pandas is not installed (python3-pandas)", file=sys.stderr)
        if shutil.which("sqlite3"):
            load = "".join(f".import --csv {name}.csv {name}\n" for name in TABLES)
            yield "sqlite3", answers(self.ask("sqlite3", "-batch", "-separator", "\t", ":memory:",
                                              text=load + SQL))
        else:
            self.assertNotIn("CI", os.environ, "CI has to have sqlite3")
            print("SKIPPED: sqlite3 is not installed", file=sys.stderr)
        if shutil.which("Rscript"):
            yield "R", answers(ask(self.folder, *IN_R, R))
        if shutil.which("node") and subprocess.run(
                ["node", "-e", "require('@duckdb/node-api')"], capture_output=True,
                check=False).returncode == 0:
            yield "DuckDB", answers(self.ask("node", "-e", DUCKDB))

    def check(self, *logs, models=None, variables=None, scene=""):
        truth = Truth(*logs, scene=scene)
        for name in TABLES:
            with open(self.path(name + ".csv"), "w", encoding="utf-8") as file:
                file.write(export(name, *(("--scene", scene) if scene else ()), *logs))
        with open(self.path("samples.csv"), encoding="utf-8") as file:
            samples = sum(1 for _ in file) - 1
        right = {"csv": truth.rows["csv"], "workers": truth.rows["workers"], "samples": samples,
                 "slices": truth.rows["slices"], "workers_joined": truth.rows["workers"],
                 "samples_joined": samples, "slices_joined": truth.slices_of_workers,
                 "tasks": truth.rows["tasks"], "tasks_joined": truth.rows["tasks"],
                 "task_parents": truth.task_parents,
                 "parents": truth.children, "children": truth.children, "names": truth.names,
                 "models": sorted(models or truth.models), "missing": 0, "values": samples,
                 "elapsed_us": round(truth.elapsed_ns / 1000), "ids_are_numbers": True,
                 "names_are_texts": True,
                 "variables": variables or truth.variables()}
        self.assertEqual(set(right), set(ANSWERS))
        asked = 0
        for reader, found in self.readers():
            with self.subTest(reader=reader, logs=[os.path.basename(log) for log in logs]):
                self.assertAlmostEqual(found.pop("elapsed_us"), right["elapsed_us"], delta=1)
                if reader == "sqlite3":  # sqlite3 has only texts
                    for name in ("ids_are_numbers", "names_are_texts", "variables"):
                        found[name] = right[name]
                self.assertEqual(found, {name: value for name, value in right.items()
                                         if name != "elapsed_us"})
            asked += 1
        if asked == 0:
            self.skipTest("neither pandas nor any other reader is installed")

    def test_a_set(self):
        self.check(self.record("set.csv", "-w", "cpu=2,io=1,null=1", "-s",
                               "cpu.size=5M", "-s", "io.size=2M", "--interval", "10"))

    def test_a_tree_has_1_1_and_1_10(self):
        log = self.record("tree.csv", "--tree", "2x11x2", "--models", "threads,processes")
        self.check(log)
        names = [row["worker"] for row in csv.DictReader(io.StringIO(export("workers", log)))]
        self.assertLessEqual({"w1.1", "w1.10", "w2.11.2"}, set(names))

    def test_each_variable_has_its_column(self):
        log = self.record("sweep.csv", "-w", "cpu=1", "-s", "cpu.size=1M", "-s",
                          "alloc=0,400", "-s", "env:IT=NA,1.1,1.10,=1+1,-1")
        self.check(log, variables={"var_alloc": 2, "var_env_IT": 5})

    def test_each_experiment(self):
        small = os.path.join(os.path.dirname(RECORDINGS), "recordings-small")
        names = sorted(name[:-4] for name in os.listdir(small))
        self.assertEqual(names, ["command", "cow", "crash", "creation", "lecture", "messages", "pool",
                                 "server", "share", "sweep", "switch"])
        for name in names:
            for scene in ("1", "2") if name == "lecture" else ("",):
                self.check(os.path.join(small, name + ".csv"), scene=scene)

    def test_names_of_cases_are_whole(self):
        """They must not be cut, as they once were after 127 bytes."""
        sweeps = [f"env:{'LONG' * 7}{i}={chr(97 + i) * 60},{chr(65 + i) * 60}" for i in range(4)]
        log = self.record("long.csv", "--models", "threads", "-w", "cpu=1", "-s",
                          "cpu.size=1", "-s", "sched=off",
                          *(arg for sweep in sweeps for arg in ("-s", sweep)))
        whole = {row["variables"] for row in csv.DictReader(io.StringIO(export("csv", log)))}
        self.assertEqual(len(whole), 16)
        self.assertEqual({len(variables) for variables in whole}, {4 * (33 + 1 + 60) + 3})
        for what in ("report", "markdown", "html"):
            text = plain(export(what, log))
            for variables in whole:
                self.assertIn("".join(variables.split(";")), "".join(text.split()), what)

    def test_programs_are_whole(self):
        """Names have 63 bytes. If they differ only after these, they get a number."""
        programs = [f"true {'x' * 600}{i}{'x' * 50}" for i in range(3)]
        log = self.record("programs.csv", *(arg for one in programs for arg in ("--command", one)))
        self.check(log)
        rows = list(csv.DictReader(io.StringIO(export("csv", log))))
        self.assertEqual(sorted(row["command"] for row in rows if row["trial"] == "1"),
                         sorted(programs))
        self.assertEqual(len({(row["model"], row["command"]) for row in rows}), 3)
        shown = json.loads(export("json", log))
        self.assertEqual({run["command"] for run in shown["runs"]}, set(programs))
        for what in ("report", "markdown", "html"):
            for program in programs:
                self.assertIn(program, export(what, log), what)

    def test_the_verdict_on_many_programs_is_whole(self):
        """It must not be cut, as it once was after 1,535 bytes."""
        programs = [f"true {'x' * 54}{i:02}" for i in range(16)]
        log = self.record("many.csv", *(arg for one in programs for arg in ("--command", one)))
        said = json.loads(export("json", log))["sentence"]
        self.assertGreater(len(said), 1000)
        for program in programs:  # names are shortened in the middle
            self.assertIn(program[-20:], said)
        for what in ("report", "markdown", "html"):
            text = plain(export(what, log))
            self.assertIn("".join(said.split()), "".join(text.split()), what)

    def test_two_machines_and_one_recording_twice(self):
        one = self.record("one.csv", "-w", "cpu=2", "-s", "cpu.size=20M",
                          "--interval", "10")
        two = rewritten(one, self.path("two.csv"), **{"machine.host": "lab2"})
        alone = list(csv.DictReader(io.StringIO(export("samples", one))))
        for other in (two, one):
            self.check(one, other)
            rows = list(csv.DictReader(io.StringIO(export("samples", one, other))))
            self.assertEqual({row["subject"] for row in rows}, {row["subject"] for row in alone})
            self.assertEqual(len(rows), 2 * len(alone))
            self.assertEqual(len({row["session"] for row in rows}), 2)
            self.assertEqual({row["model"] for row in rows}, {"threads", "processes"})

    def test_texts_stay_what_they_are(self):
        plain = self.record("plain.csv", "-w", "cpu=1", "-s", "cpu.size=1M")
        for threads, processes in (("=1+1", "@SUM(A1)"), ("NA", "null"), ("1.1", "1.10"),
                                   ("-1+cmd|' /C calc'!A0", "'+1"), ('a,"b', "None")):
            hostile = rewritten(plain, self.path("hostile.csv"), **{
                "threads": threads, "processes": processes, "machine.host": "=HYPERLINK(1)" if threads != "1.1" else "1.10"})
            marked = [name if name == 'a,"b' else "'" + name for name in (threads, processes)]
            self.check(hostile, models=marked)


class Recordings(unittest.TestCase):
    """Recordings of older versions must have the medians that these versions showed."""

    @staticmethod
    def figure(one, name):
        """Returns a value. Version 0.1.0 did not record on which core a task began."""
        if name == "to_caller_p50_ns":
            return one["latency"]["not_recorded"]["to_caller"]["p50"]
        return one[name] if name in one else one["memory"][name]

    def check(self, version, names):
        folder = os.path.join(os.path.dirname(RECORDINGS), "recordings-" + version)
        with open(os.path.join(folder, "medians.json"), encoding="utf-8") as file:
            said = json.load(file)
        self.assertEqual(set(said), names)
        for name, medians in said.items():
            log = os.path.join(folder, name + ".csv")
            result = json.loads(export("json", log))
            rows = list(csv.DictReader(io.StringIO(export("csv", log))))
            self.assertEqual(result["tuibench"], version)
            self.assertEqual(len(rows), len(result["runs"]))
            found = {}
            for one, row in zip(result["runs"], rows):
                self.assertEqual((row["model"], int(row["trial"])), (one["model"], one["trial"]))
                # An unknown value is null in JSON and an empty cell in CSV.
                self.assertEqual(row["elapsed_ms"] == "", one["elapsed_ms"] is None)
                if one["elapsed_ms"] is not None:
                    self.assertAlmostEqual(float(row["elapsed_ms"]), one["elapsed_ms"], places=6)
                key = " ".join([one["model"]] + [f"{variable}={value}" for variable, value in
                                                 sorted(one["variables"].items())])
                found.setdefault(key, []).append(one)
            self.assertEqual(set(found), set(medians), name)
            for key, figures in medians.items():
                for figure, median in figures.items():
                    values = [self.figure(one, figure) for one in found[key]]
                    self.assertAlmostEqual(statistics.median(values), median, places=6,
                                           msg=(name, key, figure))
            for what in ("workers", "samples", "markdown", "report", "table", "html", "trace"):
                self.assertTrue(export(what, log), (name, what))

    def test_those_of_0_1_0_have_the_same_medians(self):
        self.check("0.1.0", {"creation", "hello", "mixed", "scaling", "tree"})

    def test_those_of_1_0_0_have_the_same_medians(self):
        self.check("1.0.0", {"command", "mixed"})

    def test_old_ones_are_read_byte_for_byte_compressed_or_not(self):
        """Each export must be the same of the plain file and of its compressed copies, from a file and from a pipe."""
        pack = {"gz": gzip.compress}
        if shutil.which("zstd"):
            pack["zst"] = lambda rows: subprocess.run(["zstd", "-q"], input=rows, stdout=subprocess.PIPE, check=True).stdout
        for version, name in (("0.1.0", "creation"), ("0.1.0", "hello"), ("0.1.0", "mixed"), ("0.1.0", "scaling"),
                              ("0.1.0", "tree"), ("1.0.0", "command"), ("1.0.0", "mixed")):
            log = os.path.join(os.path.dirname(RECORDINGS), "recordings-" + version, name + ".csv")
            with open(log, "rb") as file:
                rows = file.read()
            formats = ("json", "csv", "workers", "samples", "slices", "tasks", "report")
            of_plain = {what: run("--export", what, log)[0] for what in formats}
            for end, compress in pack.items():
                with tempfile.TemporaryDirectory() as folder, self.subTest(version=version, name=name, end=end):
                    path = os.path.join(folder, name + ".csv." + end)
                    with open(path, "wb") as file:
                        file.write(compress(rows))
                    for what in formats:
                        self.assertEqual(run("--export", what, path)[0], of_plain[what], what)
                    with open(path, "rb") as file:
                        self.assertEqual(run("--export", "json", "-", stdin=file)[0], of_plain["json"])
                    bundle = os.path.join(folder, "bundle.tar")
                    run("--export", "bundle", "-O", bundle, path)
                    with tarfile.open(bundle) as members:
                        self.assertEqual(members.extractfile("session.csv").read(), rows)

    def test_ratios_go_in_one_direction(self):
        log = os.path.join(RECORDINGS, "mixed.csv")
        one = json.loads(export("json", log))["comparisons"][0]
        self.assertEqual((one["metric"], one["a"], one["b"], one["ratio_of"]),
                         ("elapsed_ms", "threads", "processes", "b / a"))
        medians = [statistics.median(run["elapsed_ms"] for run in
                                     json.loads(export("json", log))["runs"] if run["model"] == name)
                   for name in (one["b"], one["a"])]
        self.assertEqual(medians[0] > medians[1], one["ratio"] > 1)
        for what in ("report", "markdown", "html"):
            text = plain(export(what, log)).replace("|", " ")
            said = re.findall(r"processes / threads\s+([0-9.]+)", text)
            self.assertAlmostEqual(float(said[0]), one["ratio"], delta=0.01, msg=what)
            self.assertNotIn("threads / processes", text)


SMALL = os.path.join(os.path.dirname(RECORDINGS), "recordings-small")


class Examples(unittest.TestCase):
    """The examples of tuibench-log(5), unchanged, must give the same medians as tuibench."""

    setUp, path, ask = Readers.setUp, Readers.path, Readers.ask

    # For each language, the code that prints the medians of all cases, after "median" or "cpu".
    SHOW = {"In Python with pandas": "\n".join((
                "print('median', *(counts.groupby('case_id').elapsed_ns.median() / 1e6))",
                "print('cpu', *(worker.groupby('case_id').user_us.mean() / 1e3))")),
            "In R:": "\n".join((
                "cat('median', tapply(counts$elapsed_ns / 1e6, counts$case_id, median), '\\n')",
                "cat('cpu', tapply(worker$user_us / 1e3, worker$case_id, mean), '\\n')"))}

    @staticmethod
    def example(after):
        with open(os.path.join(os.path.dirname(MANUAL), "tuibench-log.5"), encoding="utf-8") as file:
            page = file.read()
        block = page[page.index(after, page.index(".Sh EXAMPLES")):]
        block = block[block.index("\n", block.index(".Bd")) + 1:block.index(".Ed")]
        return block.replace("\\&", "")

    def recording(self):
        """Makes a recording whose warm-ups, repeated trial and failed run take ten times as long."""
        log = self.path("fresh.csv")
        run("--trials", "5", "--warmup", "1", "--log", log, "-w", "cpu=2", "-s", "cpu.size=1000")
        with open(log, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        last = max(int(row["run"]) for row in rows if row["record"] == "end" and row["trial"] == "2")
        for row in rows:
            if row["trial"] in ("0", "2") and row["record"] in ("end", "worker"):
                for name in ("elapsed_ns", "user_us"):
                    row[name] = row[name] and str(10 * int(row[name]) + 10**9)
            if row["record"] == "end" and row["run"] == str(last):
                row["repeated"] = "1"
        with open(self.path("lecture.csv"), "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        return self.path("lecture.csv"), rows

    def test_their_medians_are_those_of_tuibench(self):
        log, rows = self.recording()
        found = json.loads(export("json", log))
        medians = [row["metrics"][0]["median"] for row in found["answer"]["rows"]]
        self.assertEqual(len(medians), 2)
        counted = [row for row in rows if row["trial"] not in ("", "0", "2")]
        last = {(row["case_id"], row["run"], row["id"]): int(row["user_us"])
                for row in counted if row["record"] == "worker"}
        cpu = [statistics.mean(us for (case, *_), us in last.items() if case == id) / 1e3
               for id in ("0", "1")]
        programs = {"In Python with pandas": PYTHON and (PYTHON,),
                    "In R:": shutil.which("Rscript") and ("Rscript", "--vanilla")}
        for language, program in programs.items():
            if not program:
                continue
            text = self.example(language)
            with open(self.path("example"), "w", encoding="utf-8") as file:
                file.write(text + self.SHOW[language] + "\n")
            said = self.ask(*program, self.path("example"))
            for name, expected in ("median", medians), ("cpu", cpu):
                line = re.search(rf"^{name} (.*)$", said, re.M).group(1).split()
                for value, right in zip(map(float, line), expected, strict=True):
                    self.assertAlmostEqual(value, right, delta=right * 1e-4, msg=(language, name, said))
        if shutil.which("sqlite3"):
            text = self.example("there are no medians") + \
                "SELECT 'run', case_id, elapsed_ns / 1e6 FROM counts;\n"
            said = self.ask("sqlite3", "-batch", ":memory:", text=text)
            for case, right in enumerate(medians):
                times = [float(time) for time in re.findall(rf"^run\|{case}\|(.*)$", said, re.M)]
                self.assertEqual(len(times), 4)
                self.assertAlmostEqual(statistics.median(times), right, delta=right * 1e-4)


def table_of(what, *args):
    return list(csv.DictReader(io.StringIO(export(what, *args))))


def end_rows(log):
    """Returns the meta rows, the end of each run, and the final values of each worker."""
    meta, ends, workers = {}, {}, {}
    with open(log, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["record"] == "meta":
                meta[row["subject"]] = row["value"]
            elif row["record"] == "end":
                ends[row["run"]] = row
            elif row["record"] == "worker":
                known = workers.setdefault((row["run"], row["id"]), {})
                known.update({name: cell for name, cell in row.items() if cell != ""})
    return meta, ends, workers


class Columns(unittest.TestCase):
    """Compares columns of csv and workers with the recording: surroundings of a run, usage of a worker."""

    def logs(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "fresh.csv")
            run("--trials", "3", "--log", log, "-w", "cpu=2,io=1", "-s", "cpu.size=5M",
                "-s", "io.size=2M")
            yield log
        for name in sorted(os.listdir(SMALL)):
            if name != "lecture.csv":
                yield os.path.join(SMALL, name)
        yield os.path.join(RECORDINGS, "mixed.csv")

    def check_runs(self, log, rows, meta, ends):
        for row in rows:
            end, begin = ends[row["run"]], int(ends[row["run"]]["begin_ns"])
            self.assertEqual(int(row["begin_ns"]), begin)
            if row["began"]:
                wall = datetime.datetime.fromisoformat(row["began"].replace("Z", "+00:00"))
                self.assertAlmostEqual(wall.timestamp(), int(meta["wall_s"]) + begin / 1e9, delta=1.1)
            began = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(meta["wall_s"])))
            self.assertTrue(row["session"].startswith(began), log)
            for column, cell in (("others_percent", "others_permille"),
                                 ("steal_percent", "steal_permille")):
                said = end[cell]
                self.assertEqual(row[column], "" if said in ("", "-1") else f"{int(said) / 10:.1f}")
            self.assertEqual(row["estimated"], end["estimated"] if row["pss_kb"] else "")
            self.assertEqual(row["kernel_estimated"],
                             end["kernel_estimated"] if row["kernel_other_kb"] else "")

    def test_they_are_those_of_the_recording(self):
        for log in self.logs():
            meta, ends, known = end_rows(log)
            rows = table_of("csv", log)
            self.check_runs(log, rows, meta, ends)
            sums = {}
            for row in table_of("workers", log):
                one = known[row["run"], row["worker_id"]]
                told = one.get("status") in ("ok", "failed")
                used = int(one.get("user_us", 0)) + int(one.get("system_us", 0))
                self.assertEqual(row["cpu_us"], str(used) if told else "", (log, row))
                self.assertEqual(row["result"], one.get("result", "0") if told else "", (log, row))
                for name in ("work_ns", "delay_us"):
                    self.assertEqual(row[name], one.get(name, "") if told else row[name])
                if row["user_us"]:
                    self.assertEqual(int(row["user_us"]) + int(row["system_us"]), used)
                sums[row["run"]] = sums.get(row["run"], 0) + (used if told else 0)
            for row in rows:  # the CPU time of the run includes its first task
                if row["run"] in sums and row["cpu_ms"]:
                    self.assertLessEqual(sums[row["run"]], round(float(row["cpu_ms"]) * 1000), log)


UNITS = {"ns": 1e-6, "us": 1e-3, "\u00b5s": 1e-3, "ms": 1, "s": 1000, "KiB": 1, "MiB": 1024, "GiB": 1 << 20}


def printed(text):
    """Returns the bounds of a printed value in ms or KiB: half of its last digit, and some more."""
    number, unit = text.lstrip("\\\u2265\u2264<>=~").split(" ")
    half = 0.5 * 10 ** -len(number.partition(".")[2])
    return [(float(number) + sign * half) * UNITS[unit] + sign * 1e-6 for sign in (-1, 1)]


def tables_of(text, markdown):
    """Returns the cells of all tables for each model, by the title of the column."""
    found, header = {}, None
    for line in text.splitlines():
        cells = ([cell.strip() for cell in line.strip("| ").split("|")]
                 if markdown else re.split(r"  +", line.strip()))
        if len(cells) < 2 or (markdown and not line.startswith("|")):
            header = None
        elif header is None:
            header = cells
        elif len(cells) == len(header) and cells[0] in ("threads", "processes"):
            for title, cell in zip(header[1:], cells[1:]):
                found.setdefault(cells[0], {}).setdefault(title, cell)
    return found


class Same(unittest.TestCase):
    """A value is the same in each format."""

    def check(self, log):
        rows, runs = table_of("csv", log), json.loads(export("json", log))["runs"]
        workers = {}
        for row in table_of("workers", log):
            workers.setdefault(row["run"], []).append(row)
        self.assertEqual(len(rows), len(runs))
        for row, one in zip(rows, runs):
            for name in ("elapsed_ms", "create_ms", "cpu_ms"):
                self.assertAlmostEqual(float(row[name]), one[name], places=6)
            for name in ("rss_kb", "pss_kb", "uss_kb", "kernel_kb"):
                self.assertEqual(row[name], "" if one["memory"][name] is None else
                                 str(one["memory"][name]))
            self.assertEqual(row["estimated"] == "1", bool(one["memory"]["estimated"]))
            mine = workers[row["run"]]
            begin = min(int(worker["create_ns"]) for worker in mine)
            top = [int(worker["created_ns"]) for worker in mine if worker["depth"] == "0"]
            self.assertAlmostEqual((max(top) - begin) / 1e6, float(row["create_ms"]), places=6)
            life = (max(int(worker["join_ns"]) for worker in mine) - begin) / 1e6
            self.assertGreaterEqual(float(row["elapsed_ms"]) + float(row["held_ms"] or 0), life - 1e-6)
        for what in ("report", "markdown"):
            shown = tables_of(export(what, log), what == "markdown")
            self.assertEqual(set(shown), {"threads", "processes"}, what)
            for model, cells in shown.items():
                of = [row for row in rows if row["model"] == model]
                figures = {"median": ["elapsed_ms"], "created in": ["create_ms"], "cpu time": ["cpu_ms"],
                           "PSS": ["pss_kb"], "USS": ["uss_kb"], "RSS summed": ["rss_kb"],
                           "kernel": ["kernel_kb"], "PSS+kernel": ["pss_kb", "kernel_kb"]}
                for title, names in figures.items():
                    known = [row for row in of if all(row[name] for name in names)]
                    # Memory that was read before the work, or only partly, counts only if no run has better.
                    seen = names[0].replace("uss", "pss").replace("_kb", "_seen")
                    worth = [{"most": 0, "start": 1, "least": 1}.get(row.get(seen), 2) for row in known]
                    taken = [row for row, one in zip(known, worth) if one == max(worth)]
                    values = [sum(float(row[name]) for name in names) for row in taken]
                    bounds = [row for row in taken
                              if row.get(seen) in ("start", "least", "sampled", "most")]
                    if not values:
                        self.assertEqual(cells[title], "?", (log, what, model, title))
                        continue
                    low, high = printed(cells[title])
                    bound = cells[title].lstrip("\\").startswith(("\u2265", ">=", "\u2264", "<="))
                    self.assertEqual(bound, bool(bounds), (log, title))
                    self.assertTrue(low <= statistics.median(values) <= high,
                                    (log, what, model, title, cells[title], values))
                about = [title for title in ("PSS", "USS", "RSS summed")
                         if cells[title].startswith("~")]
                if all(row["estimated"] != "1" for row in of):
                    self.assertEqual(about, [], log)

    def test_in_a_recording(self):
        self.check(os.path.join(RECORDINGS, "mixed.csv"))

    def test_in_a_fresh_session(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            run("--trials", "5", "--log", log, "-w", "cpu=2,mem=1", "-s", "cpu.size=5M", "-s", "mem.size=1M")
            self.check(log)


class Answer(unittest.TestCase):
    """The answer in JSON and in the table, compared with the runs and the comparisons."""

    @staticmethod
    def name(model, *variables):
        return " ".join([model, *sorted(f"{name}={value}" for one in variables for name, value in one.items())])

    def figure(self, one, metric):
        if metric != "memory_kb":
            return one["compared"].get(metric, one.get(metric))
        parts = one["memory"]["pss_kb"], one["memory"]["kernel_kb"]
        return None if None in parts else sum(parts)

    def check_cell(self, cell, runs, compared):
        values = [self.figure(one, cell["metric"]) for one in runs]
        values = [value for value in values if value is not None]
        if cell["median"] is None:
            self.assertEqual(values, [])
        elif values:
            whole = all(isinstance(value, int) for value in values)
            self.assertAlmostEqual(statistics.median(values), cell["median"],
                                   delta=1 if whole else 1e-6 * cell["median"])
        if compared:
            self.assertEqual([compared[key] for key in ("ratio", "low", "high", "pairs")],
                             [cell[key] for key in ("ratio", "low", "high", "pairs")])
        if cell["low"] is not None:
            real = cell["low"] > 1 or cell["high"] < 1
            same = cell["low"] > 1 / 1.05 and cell["high"] < 1.05
            self.assertEqual(cell["state"], "real" if real else "same" if same else "close")
            if cell["state"] == "close":
                self.assertAlmostEqual(cell["at_most"], max(cell["high"], 1 / cell["low"]))
        self.assertEqual(cell["state"] == "withheld", cell["why"] is not None)
        return len(values), compared is not None

    def check_line(self, line, row, cells):
        """Checks the line of a case in the table: each median with its ratio or its state."""
        words = re.split(r"  +| (?=[0-9.?]|same)(?<![0-9] )", line[len(row["case"]):].strip())
        shown = iter(words)
        for cell in cells:
            text = next(shown, None)
            # Ways to create a task are compared with a reference, which may be any of the lines.
            if text == "1x":
                self.assertEqual(cells[0]["state"], "reference")
                text = next(shown, None)
            if text is None:
                break
            if cell["median"] is not None and text.rpartition(" ")[2] in UNITS:
                low, high = printed(text)
                ns = cell["metric"].endswith("_ns")
                median = cell["median"] / 1e6 if ns else cell["median"]
                self.assertEqual(text.startswith("~"), cell["estimated"])
                self.assertTrue(low <= median <= high, (line, cell))
            if cell["state"] in ("real", "same", "close", "measuring") or (
                    cell["state"] == "withheld" and cell["median"] is not None):
                text = next(shown)
                if cell["state"] == "real":
                    self.assertAlmostEqual(float(text.rstrip("x")), cell["ratio"], delta=0.06 * cell["ratio"])
                else:
                    self.assertEqual(text, cell["state"] if cell["state"] in ("same", "close") else "?")

    def test_it_is_the_same_in_json_in_the_table_and_by_the_runs(self):
        figures, pairs, tables = 0, 0, 0
        for folder in (RECORDINGS, SMALL, os.path.join(os.path.dirname(SMALL), "recordings")):
            for file in sorted(os.listdir(folder)):
                if not file.endswith(".csv") or file == "lecture.csv":
                    continue
                with self.subTest(file=file, folder=os.path.basename(folder)):
                    log = os.path.join(folder, file)
                    session, lines = json.loads(export("json", log)), export("table", log).splitlines()
                    self.assertLessEqual(len(lines), 24)
                    self.assertLessEqual(max(map(len, lines)), 80)
                    runs, compared = {}, {}
                    for one in session["runs"]:
                        if one["status"] == "ok":
                            runs.setdefault(self.name(one["model"], one["variables"]), []).append(one)
                    for one in session["comparisons"]:
                        if one["work"]:
                            continue
                        compared[self.name(one["a"], one["variables"], one["a_variables"]),
                                 self.name(one["b"], one["variables"], one["b_variables"]), one["metric"]] = one
                    rows = session["answer"]["rows"]
                    keys = {row["case"]: self.name(row["model"], row["variables"]) for row in rows}
                    self.assertEqual(len(set(keys.values())), len(rows))
                    for row in rows:
                        key, other = keys[row["case"]], keys.get(row["reference"])
                        for cell in row["metrics"]:
                            n, both = self.check_cell(cell, runs.get(key, ()),
                                                      compared.get((other, key, cell["metric"])))
                            figures += n > 0
                            pairs += both
                        line = next((line for line in lines if line.startswith(row["case"] + "  ")), None)
                        if line and len(rows) <= 8:
                            self.check_line(line, row, row["metrics"])
                            tables += 1
        self.assertGreater(figures, 100)
        self.assertGreater(pairs, 40)
        self.assertGreater(tables, 20)


@functools.cache
def has_jsonlite():
    return shutil.which("Rscript") and subprocess.run(
        ["Rscript", "--vanilla", "-e", "library(jsonlite)"], capture_output=True, check=False).returncode == 0


class Reproduced(unittest.TestCase):
    """The R script of tuibench-export(5) must find each interval from the JSON."""

    def setUp(self):
        if not has_jsonlite():
            self.assertNotIn("CI", os.environ, "CI has to have R with jsonlite")
            self.skipTest("no R with jsonlite (r-base-core, r-cran-jsonlite)")
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(MANUAL, encoding="utf-8") as file:
            section = re.search(r"^\.Sh THE RESULT AS JSON\n(.*?)^\.Sh ", file.read(), re.M | re.S).group(1)
        script = re.search(r"^\.Bd -literal.*?\n(.*?)^\.Ed", section, re.M | re.S).group(1)
        self.script = script.replace("\\&", "").replace("\\e", "\\")

    def check(self, *args):
        """Compares the intervals of R with tuibench's. Returns their number."""
        text, intervals = export("json", *args), 0
        with open(os.path.join(self.folder, "lecture.json"), "w", encoding="utf-8") as file:
            file.write(text)
        lines = [line.split("\t") for line in ask(self.folder, *IN_R, self.script).splitlines()]
        asked = [c for c in json.loads(text)["comparisons"] if c["trials"] and c["ratio"] is not None]
        self.assertEqual([line[:3] for line in lines], [[c["metric"], c["a"], c["b"]] for c in asked])
        for line, c in zip(lines, asked):
            ends = [math.nan if c[end] is None else c[end] for end in ("sampled_low", "sampled_high")]
            intervals += not math.isnan(ends[0])
            found = [float(cell.strip().replace("Inf", "nan")) for cell in line[3:6]]
            if math.isnan(ends[0]):
                self.assertEqual((found[1], c["analyses"] and c["analyses"][0]["trial"]), (0, c["analyses"] and None))
                found[1:], ends = [0, 0], [0, 0]
            for one, other in zip(found, (c["ratio"], *ends)):
                self.assertAlmostEqual(one, other, delta=1e-9 * max(other, 1), msg=(args, line, c))
        return intervals

    def test_of_all_small_recordings(self):
        """With two trials, which are too few, R must find no interval, either."""
        for name in sorted(os.listdir(SMALL)):
            for scene in ("1", "2") if name == "lecture.csv" else ("",):
                self.assertEqual(self.check(*(("--scene", scene) if scene else ()),
                                            os.path.join(SMALL, name)), 0, name)

    def test_of_longer_ones(self):
        for folder, name in (("recordings-0.1.0", "mixed"), ("recordings", "mixed"), ("recordings", "hello")):
            log = os.path.join(os.path.dirname(RECORDINGS), folder, name + ".csv")
            self.assertGreater(self.check(log), 5, log)

    def test_of_a_fresh_session(self):
        log = os.path.join(self.folder, "log.csv")
        run("--trials", "12", "--log", log, "-w", "cpu=2", "-s", "cpu.size=1M", "-s", "sched=off",
            "-s", "alloc=0,400")
        self.assertGreater(self.check(log), 9)


def fields(value):
    """Returns the names of all members in the JSON."""
    if isinstance(value, list):
        return set().union(*map(fields, value))
    return set(value).union(*map(fields, value.values())) if isinstance(value, dict) else set()


def watch(log, to, **values):
    """Writes a copy of a recording with these values of a warm-up without records."""
    with open(log, encoding="utf-8") as file:
        text = file.read()
    end = text.index("\nend,") + 1
    cells = text[end:].split(",")[:8]
    width = text[:text.index("\n")].count(",") + 1
    rows = [",".join(["watched", *cells[1:], "", key, *[""] * 53, value, *[""] * (width - 64)]) + "\n" for key, value in
            values.items()]
    with open(to, "w", encoding="utf-8", newline="") as file:
        file.write(text[:end] + "".join(rows) + text[end:])


class Watched(unittest.TestCase):
    """A warm-up without records shows how much recording each switch slows the trials."""

    def test_each_format_says_by_what_factor_recording_slowed_the_trials(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "a.csv")
            watch(os.path.join(os.path.dirname(RECORDINGS), "recordings", "race.csv"), log, rate="90000", case="0", share="0.12", record_ns="860",
                  plain_ns="120000000")
            data = json.loads(export("json", log))
            texts_of = {form: " ".join(plain(export(form, log)).split()) for form in ("html", "markdown", "report")}
        used = statistics.median(one["cpu_ms"] for one in data["runs"] if one["trial"] and one["model"] == "threads")
        self.assertAlmostEqual(data["sched"]["watched"]["slowdown"], used / 120, 6)
        said = f"took {used / 120:.2f}x as long as in a warm-up whose switches were not recorded (0.86 "
        texts_of["json"] = " ".join(one["text"] for one in data["warnings"])
        for form, text in texts_of.items():
            with self.subTest(form=form):
                self.assertIn(said, text)


def sum_up(log, out):
    """Copies the recording of a lecture of two scenes, with a third one that has a list."""
    with open(log, encoding="utf-8") as file:
        text = file.read()
    heading = re.search("^scene,.*,2,heading,.*Another.*$", text, re.M)[0].replace(",2,heading,", ",3,heading,")
    rows = [heading, *(heading.replace(",heading,", ",notes,").replace("Another", line)
                       for line in ("- Who is done first?", "- What takes longer?"))]
    text = re.sub("^(scene,.*,scenes,+)2,", r"\g<1>3,", text, count=1, flags=re.M)
    with open(out, "w", encoding="utf-8") as file:
        file.write(text + "\n".join(rows) + "\n")


class Schema(unittest.TestCase):
    """The JSON schema must describe all fields that exist, and no others."""

    def setUp(self):
        with open(SCHEMA, encoding="utf-8") as file:
            defs = json.load(file)["$defs"]
        self.of_self_test = [defs["self_test"], defs["check"], *(one for one in defs["self_test"]["properties"].values()
                                                                 if "properties" in one)]
        self.objects = [one for one in defs.values() if "properties" in one] + self.of_self_test[2:]
        self.names = set().union(*(one["properties"] for one in self.objects))

    def test_each_export_is_valid(self):
        data = os.path.dirname(RECORDINGS)
        logs = [[os.path.join(data, folder, name)] for folder in sorted(os.listdir(data))
                if folder.startswith("recordings") for name in sorted(os.listdir(os.path.join(data, folder)))
                if name.endswith(".csv")]
        self.assertGreater(len(logs), 15)
        logs.append([os.path.join(RECORDINGS, "mixed.csv"), os.path.join(RECORDINGS, "hello.csv")])
        # A recording in which slices of programs were merged, because they were too many.
        logs.append([os.path.join(data, "merged.csv.zst")])
        with tempfile.TemporaryDirectory() as folder:
            # Sessions with fields that no stored recording has.
            for args in (("-w", "cpu=1", "-s", "cpu.size=1M", "-s", "cores=1,2"),
                         ("pool", "-w", "cpu=1", "-s", "cpu.size=1K,2K", "-s", "tasks=2"),
                         ("share", "-s", "size=1K", "-s", "via=atomic,plain"),
                         ("-c", "sleep 0.06", "--predict", "It takes 60 ms."),
                         ("-c", "sh -c 'echo ops 5 u; exec sleep 9'", "-s", "for=0.1s", "-s", "metric=ops"),
                         ("-w", "cpu=6,io=2", "--log-limit", "64K")):
                logs.append([os.path.join(folder, f"{len(logs)}.csv")])
                run("--trials", "2", "--log", *logs[-1], *args)
            logs.append([os.path.join(folder, "watched.csv")])
            watch(logs[-2][0], logs[-1][0], rate="90000", case="0", share="0.12", record_ns="1400", sched="own")
            logs.append([os.path.join(folder, "summed.csv")])
            sum_up(os.path.join(SMALL, "lecture.csv"), logs[-1][0])
            results = [export("json", *log) for log in logs]
            # Three machines with the same experiment, one without an end, and a fourth with another experiment.
            for i in range(4):
                log = os.path.join(folder, f"machine{i}.csv")
                run("--trials", "2", "--log", log, "-w", "cpu=1" if i < 3 else "fp=1", "-s", f"label=m{i}",
                    *(("-m", "threads") if i == 3 else ()))
                with open(log, encoding="utf-8") as file:
                    text = file.read()
                identity = re.search(r"machine\.id,+([0-9a-f]{16})", text)
                with open(log, "w", encoding="utf-8") as file:
                    text = text.replace(identity[1], f"{i:016x}") if identity else text
                    file.write(text[:text.rindex("\ndone,") + 1] if i == 2 else text)
            results.append(export("json", *(os.path.join(folder, f"machine{i}.csv") for i in range(4)), "--select", "arch"))
        found = fields([json.loads(text) for text in results])
        # "misfit" needs three numbers of cores. test_self_test.py checks the fields of the self-test.
        only_there = set().union(*(one["properties"] for one in self.of_self_test))
        self.assertEqual(self.names - found - only_there, {"misfit"})
        if not against_schema(self, SCHEMA, *results):
            self.skipTest("no Python with jsonschema (python3-jsonschema)")

    def test_each_field_is_described(self):
        for one in self.objects:
            self.assertIs(one["additionalProperties"], False)
            self.assertLessEqual(set(one.get("required", ())), set(one["properties"]))
            for name, field in one["properties"].items():
                if "/properties/" not in field.get("$ref", ""):
                    self.assertRegex(field["description"], r"^[A-Z][^.]*(\.[^ ][^.]*)*\.$", name)
                    self.assertLessEqual(len(field["description"].split()), 25, name)

    def test_the_manual_names_no_other_fields(self):
        with open(MANUAL, encoding="utf-8") as file:
            section = re.search(r"^\.Sh THE RESULT AS JSON\n(.*?)^\.Sh ", file.read(), re.M | re.S).group(1)
        named = set(re.findall(r"\w+", " ".join(re.findall(r"^\.It Sy (.*)", section, re.M))))
        marked = re.findall(r"\b[a-z]+_[a-z_]*[a-z]\b", " ".join(re.findall(r"^\..*\bSy (.*)", section, re.M)))
        self.assertGreater(len(named), 40)
        self.assertEqual((named | set(marked)) - self.names, set())


class Manual(unittest.TestCase):
    """tuibench-export(5) must describe each column, and its examples must work."""

    def setUp(self):
        with open(MANUAL, encoding="utf-8") as file:
            text = file.read()
        self.section = re.search(r"^\.Sh EXPORTS\n(.*?)^\.Sh ", text, re.M | re.S).group(1)
        self.result = re.search(r"^\.Sh THE RESULT AS JSON\n(.*?)^\.Sh ", text, re.M | re.S).group(1)
        blocks = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", self.section, re.M | re.S)
        self.blocks = [block.replace("\\&", "").replace("\\e", "\\") for block in blocks]

    def test_each_column_is_told(self):
        words = set(re.findall(r"[A-Za-z0-9_]+", self.section))
        figures = words | set(re.findall(r"[A-Za-z0-9_]+", self.result))
        log = os.path.join(RECORDINGS, "mixed.csv")
        for what in TABLES:
            columns = export(what, log).splitlines()[0].split(",")
            for column in columns:
                column = re.sub("^elapsed_(cpu|io)_ms$", "elapsed_KIND_ms", column)
                self.assertIn(column, figures if what == "csv" else words, what)

    def test_its_examples(self):
        self.assertEqual(len(self.blocks), 4)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(RECORDINGS, "tree.csv"), os.path.join(folder, "lecture.csv"))
            path = os.path.dirname(TUIBENCH) + os.pathsep + os.environ["PATH"]
            subprocess.run(["sh", "-ec", self.blocks[0]], cwd=folder, check=True, timeout=DEADLINE,
                           env={**os.environ, "PATH": path})
            began = {}
            for row in csv.DictReader(io.StringIO(export("workers", os.path.join(folder, "lecture.csv")))):
                began[row["run"]] = max(began.get(row["run"], 0), int(row["start_ns"]))
            if PYTHON:
                out = subprocess.run([PYTHON, "-c", self.blocks[1]], cwd=folder, check=True,
                                     capture_output=True, text=True, timeout=DEADLINE).stdout
                self.assertEqual(sorted(float(line.split()[3]) for line in out.splitlines()[1:]),
                                 sorted(ns / 1e6 for ns in began.values()))
                out = subprocess.run([PYTHON, "-c", self.blocks[3]], cwd=folder, check=True,
                                     capture_output=True, text=True, timeout=DEADLINE).stdout
                self.assertRegex(out, r"\n *cpu_us +blocked_lock_ns\n|^ *cpu_us +blocked_lock_ns\n")
            if shutil.which("sqlite3"):
                out = subprocess.run(["sqlite3", "-batch", ":memory:"], input=self.blocks[2],
                                     cwd=folder, check=True, capture_output=True, text=True,
                                     timeout=DEADLINE).stdout
                self.assertEqual(sorted(float(line.split("|")[2]) for line in out.splitlines()),
                                 sorted(ns / 1e6 for ns in began.values()))


def types(value):
    """Returns the type of each member. A list has the type of its first item, and null matches any type."""
    if isinstance(value, dict):
        return {name: types(member) for name, member in value.items()}
    return [types(value[0])] if isinstance(value, list) else type(value).__name__


class Hyperfine(unittest.TestCase):
    """Compares the JSON for hyperfine's tools with a stored one, and with an installed hyperfine's."""

    def ours(self):
        out, _ = run("--no-log", "--batch", "--trials", "6", "--format", "hyperfine", "-c", "sleep 0",
                     "-c", "sleep 0.01", "-s", "nice=18,19")
        return json.loads(out)

    def test_each_command_has_what_hyperfine_writes(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data",
                               "hyperfine.json"), encoding="utf-8") as file:
            theirs = [json.load(file)]
        if shutil.which("hyperfine"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "today.json")
                subprocess.run(["hyperfine", "-N", "-r", "2", "-L", "n", "0,0.001", "sleep {n}",
                                "--export-json", path], check=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, timeout=DEADLINE)
                with open(path, encoding="utf-8") as file:
                    theirs.append(json.load(file))
        ours = self.ours()
        self.assertEqual(len(ours["results"]), 4)
        for one in theirs:
            for example in one["results"]:
                # Later versions of hyperfine have this member, too.
                example.pop("memory_usage_byte", None)
                example["parameters"] = {"nice": 18}
                for result in ours["results"]:
                    self.assertEqual(list(result), list(example))
                    self.assertEqual(types(result), types(example))

    def test_figures_follow_from_the_times(self):
        for result in self.ours()["results"]:
            times = result["times"]
            self.assertGreaterEqual(len(times), 6)
            self.assertEqual(result["exit_codes"], [0] * len(times))
            self.assertIn(result["command"], ("sleep 0", "sleep 0.01"))
            self.assertIn(result["parameters"]["nice"], (18, 19))
            for name, of in (("mean", statistics.mean), ("stddev", statistics.stdev),
                             ("median", statistics.median), ("min", min), ("max", max)):
                self.assertAlmostEqual(result[name], of(times), 9, name)

    def test_exit_codes_are_those_that_were_ignored(self):
        out, _ = run("--no-log", "--batch", "--trials", "6", "--format", "hyperfine",
                     "-s", "ignore-failure=yes", "-c", "sh -c 'exit 3'", "-c", "true")
        self.assertEqual([one["exit_codes"] for one in json.loads(out)["results"]],
                         [[3] * 6, [0] * 6])

    def test_models_have_one_and_what_has_no_elapsed_time_has_none(self):
        for name, results in (("mixed", ["threads", "processes"]), ("creation", [])):
            recording = os.path.join(RECORDINGS, f"{name}.csv")
            out, _ = run("--export", "hyperfine", recording)
            self.assertEqual([one["command"] for one in json.loads(out)["results"]][:2], results)


if __name__ == "__main__":
    unittest.main()
