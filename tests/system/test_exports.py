#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports of real sessions, compared with the rows of their recordings.

    test_exports.py TUIBENCH

The test reads the trace like Perfetto: times are rounded to ns. Each track is a stack. A slice that
extends beyond the enclosing slice is dropped, and so is a slice deeper than 512. An arrow belongs to the
innermost slice. The rules of the Trace Event Format are checked, too.
"""

import collections
import csv
import glob
import gzip
import io
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, PLAIN, SANITIZED, TUIBENCH, agree, page_data, run

CPUS = sorted(os.sched_getaffinity(0))
PIN = "+".join(str(cpu) for cpu in CPUS[:2])
SET = ["-w", "cpu=4,io=1", "-s", "cpu.size=20M", "-s", "io.size=8M"]
TREE = ["--tree", "5x3x8"]
CORES_PID = 2


def ns(value):
    return int(value * 1000 + 0.5)


def shown(name):
    """Returns the name as on the screen, in the page and in the trace. Only tables have the "w" of "w4.2"."""
    return re.sub(r"^w(?=[0-9.]+$)", "", name)


def export(what, log, *more):
    return subprocess.run([TUIBENCH, "--export", what, log, *more], capture_output=True, text=True,
                          timeout=DEADLINE, check=True).stdout


class Log:
    """The slices of a recording by trial, model and worker; the number "" is for other programs."""

    def __init__(self, path):
        self.slices, self.runs, self.rows = collections.defaultdict(list), {}, []
        self.joined, self.workers = 0, collections.defaultdict(dict)
        joins = {}
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["record"] == "begin":
                    self.runs[row["run"]] = (row["trial"], row["model"])
                elif row["record"] == "slice":
                    self.slices[self.runs[row["run"]] + (row["id"],)].append(row)
                elif row["record"] == "worker":
                    known = self.workers[self.runs[row["run"]] + (row["id"],)]
                    known.update({name: value for name, value in row.items() if value != ""})
                    if row["join_ns"]:
                        joins[row["run"], row["id"]] = row["join_ns"]
        self.joined = len(joins)

    def on_ns(self, key):
        return sum(int(row["off_ns"]) - int(row["on_ns"]) for row in self.slices[key])


class Trace:
    """The trace as Perfetto reads it. `odd` lists what the format does not allow."""

    def __init__(self, text):
        self.events = json.loads(text)["traceEvents"]
        self.threads, self.processes = {}, {}
        self.dropped, self.loose, self.flows = [], [], collections.Counter()
        self.odd = []
        self.sums = collections.Counter()
        for event in self.events:
            if event["name"] == "thread_name":
                self.name(self.threads, (event["pid"], event["tid"]), event)
            elif event["name"] == "process_name":
                self.name(self.processes, event["pid"], event)
        self.odd += [event for event in self.events if not self.is_whole(event)]
        self.read()

    def name(self, names, key, event):
        if key in names:
            self.odd.append(event)
        names[key] = event["args"]["name"]

    def is_whole(self, event):
        track = (event["pid"], event["tid"])
        if not all(isinstance(number, int) and 0 < number < 2**31 for number in track) or event["ts"] < 0:
            return False
        if event["ph"] in "MC":
            kind = str if event["name"].endswith("_name") else (int, float)
            return event["pid"] in self.processes and all(
                isinstance(value, kind) for value in event["args"].values())
        return track in self.threads and {"X": event.get("dur", -1) >= 0, "s": "id" in event,
                                          "f": event.get("bp") == "e", "i": event.get("s") == "t"}[event["ph"]]

    def read(self):
        stacks, begun = collections.defaultdict(list), {}
        order = sorted((ns(e["ts"]), i) for i, e in enumerate(self.events) if e["ph"] in "Xsf")
        for at, i in order:
            event = self.events[i]
            stack = stacks[event["pid"], event["tid"]]
            if event["ph"] == "X":
                self.push(stack, at, event)
            elif event["ph"] == "s":
                if event["id"] in begun:
                    self.odd.append(event)
                begun[event["id"]] = (at, event["cat"], event["name"])
                self.hang(stack, at, event)
            else:
                begin, *kind = begun.pop(event["id"])
                if at < begin or kind != [event["cat"], event["name"]]:
                    self.loose.append(event)
                self.hang(stack, at, event)
                self.flows[event["name"]] += 1
        self.loose += begun

    def push(self, stack, at, event):
        end = at + ns(event["dur"])
        while stack and (stack[-1][1] < at or stack[-1][1] == at and stack[-1][0] < at):
            stack.pop()
        if stack and at < stack[-1][1] < end or len(stack) == 512:
            self.dropped.append(event)
            return
        stack.append((at, end))
        self.sums[event["pid"], event["tid"], event["cat"]] += end - at

    def hang(self, stack, at, event):
        """Notes an arrow outside of all slices. A slice may be 1 ns too short, because times are rounded."""
        if not any(begin <= at <= end + 1 for begin, end in stack):
            self.loose.append(event)

    def on_ns(self):
        """Returns the time on cores by the names of run and worker."""
        return {(self.processes[pid], self.threads[pid, tid]): length
                for (pid, tid, cat), length in self.sums.items() if cat == "on"}

    def on_cores_ns(self):
        found = collections.Counter()
        for (pid, tid, cat), length in self.sums.items():
            if pid == CORES_PID and cat not in ("run", "others"):
                found[self.threads[pid, tid]] += length
        return found


class Own(unittest.TestCase):
    """With the workers' own notes, slices of two workers on one core may overlap by some us."""

    sched, plans, apart = "own", [SET], 0.01

    def record(self, *args):
        log = tempfile.NamedTemporaryFile(suffix=".csv")  # pylint: disable=consider-using-with
        self.addCleanup(log.close)
        done = subprocess.run([TUIBENCH, "--batch", *PLAIN, "--trials", "2", "-s", "sched=" + self.sched,
                               "-s", "pin=" + PIN, "--models", "threads,processes", "--log", "-", *args],
                              stdout=log, stderr=subprocess.PIPE, text=True, timeout=DEADLINE,
                              check=False)
        if "not available" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        return log.name

    def check_slices(self, log, path):
        """Checks that the table has each slice of the log. Returns the workers' names by number."""
        names = {}
        rows = collections.defaultdict(list)
        columns = ("cpu", "on_ns", "off_ns", "ready_ns")
        for row in csv.DictReader(io.StringIO(export("slices", path))):
            rows[row["trial"], row["model"], row["worker"]].append(row)
        expected = {key: [tuple(row[c] for c in columns) + (row["kind"],) for row in list_]
                    for key, list_ in log.slices.items() if key[2] != ""}
        found = {key: [tuple(row[c] for c in columns) + (row["why"],) for row in list_]
                 for key, list_ in rows.items() if key[2] != "others"}
        self.assertEqual(sorted(expected.values()), sorted(found.values()))
        for key, list_ in log.slices.items():
            if key[2] == "":
                self.assertEqual(len(rows[key[:2] + ("others",)]), len(list_))
                continue
            one = list_[0]
            names[key] = [name for name, other in rows.items() if name[:2] == key[:2] and
                          (other[0]["on_ns"], other[0]["cpu"], len(other)) ==
                          (one["on_ns"], one["cpu"], len(list_))][0][2]
        for key, list_ in log.slices.items():
            for ours, theirs in zip(list_, rows[key[:2] + (names.get(key, "others"),)]):
                if ours["waker"] != "":
                    self.assertEqual(theirs["waker"], names[key[:2] + (ours["waker"],)])
        return names

    def check_trace(self, log, names, path):
        """Returns the cores whose time differs. If slices overlap, the trace cuts one of them."""
        trace = Trace(export("trace", path))
        self.assertEqual((trace.odd, trace.dropped, trace.loose), ([], [], []))
        self.assertEqual((trace.flows["create"], trace.flows["join"]), (log.joined, log.joined))
        on = trace.on_ns()
        self.assertEqual(len(on), len(names))
        for key, name in names.items():
            pieces = 4 + len(log.slices[key])
            self.assertAlmostEqual(on[f"{key[1]}, trial {key[0]}", shown(name)], log.on_ns(key),
                                   delta=4 * pieces, msg=(key, log.slices[key], log.workers[key]))
        cores = collections.Counter()
        for key in names:
            for row in log.slices[key]:
                cores["core " + row["cpu"]] += int(row["off_ns"]) - int(row["on_ns"])
        found = trace.on_cores_ns()
        self.assertEqual(set(found), set(cores))
        return [(name, found[name], length) for name, length in cores.items()
                if abs(found[name] - length) > self.apart * length + 1e6]

    def check_page(self, log, names, path):
        """Checks each worker's time on cores, if the page has the run's lanes in detail."""
        text = export("html", path)
        page = page_data(text)["page"]
        found = 0
        for run in page["runs"]:
            case = page["cases"][run["case"]]
            self.assertTrue(run["cores"])
            for name, lane in zip(case["workers"], run.get("lanes", [])):
                key = [key for key, other in names.items()
                       if key[:2] == (str(run["trial"]), case["name"]) and shown(other) == name]
                if key and lane and lane[0] >= 0:
                    on = sum(us for us, where in zip(lane[1::2], lane[2::2]) if where >= 0)
                    begin, end = lane[0] * 1000, (lane[0] + sum(lane[1::2])) * 1000
                    expected = sum(max(0, min(end, int(row["off_ns"])) - max(begin, int(row["on_ns"])))
                                   for row in log.slices[key[0]])
                    self.assertAlmostEqual(on, expected / 1e3, delta=2 * len(lane), msg=key)
                    found += 1
        self.assertTrue(found or len(names) > 100)
        self.assertLess(len(text), 4000000)

    def test_exports(self):
        for plan in self.plans:
            def once(plan=plan):
                path = self.record(*plan)
                log = Log(path)
                names = self.check_slices(log, path)
                self.assertTrue(names)
                self.check_page(log, names, path)
                return self.check_trace(log, names, path)
            agree(self, once)


class Perf(Own):
    """The kernel's records are exact, also for trees."""

    sched, plans, apart = "perf", [SET, TREE], 1e-4


class Traces(unittest.TestCase):
    """Traces of all kinds of sessions, and of very many workers."""

    def test_of_each_recording(self):
        data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
        logs = glob.glob(os.path.join(data, "recordings*", "*.csv"))
        self.assertGreater(len(logs), 15)
        for log in logs:
            with self.subTest(log=os.path.relpath(log, data)):
                trace = Trace(export("trace", log, *(("--scene", "1") if "lecture" in log else ())))
                self.assertEqual((trace.odd, trace.dropped, trace.loose), ([], [], []))
                self.assertTrue(trace.threads)

    @unittest.skipIf(SANITIZED, "takes minutes under AddressSanitizer")
    def test_of_a_tree_of_5000(self):
        """The newest trial of each model must have all workers and arrows, in at most 20 MB."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log.csv")
            run("--trials", "2", "--log", path, "--tree", "20x3x82", "--models", "threads,hybrid")
            text = export("trace", path)
        self.assertLess(len(text), 20000000)
        trace = Trace(text)
        self.assertEqual((trace.odd, trace.dropped, trace.loose), ([], [], []))
        self.assertEqual((trace.flows["create"], trace.flows["join"]), (10000, 10000))
        whole = sorted(name for name in trace.processes.values() if re.search("trial [0-9]$", name))
        self.assertEqual(whole, ["hybrid, trial 2", "threads, trial 2"])


class Bundle(unittest.TestCase):
    """A bundle, as students hand it in. tar and sha256sum can read it, and tuibench reports changes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log, self.tar = (os.path.join(folder.name, name) for name in ("a.csv", "b.tar"))
        self.folder = os.path.join(folder.name, "unpacked")
        run("--batch", "--log", self.log, *PLAIN, "--trials", "2", "-w", "cpu=2", "-s", "cpu.size=1000")
        run("--export", "bundle", "-O", self.tar, self.log)

    def read(self, bytes_=None, status=0):
        """Returns the table and the messages for a bundle with these bytes."""
        if bytes_ is not None:
            with open(self.tar, "wb") as file:
                file.write(bytes_)
        return run("--export", "table", self.tar, status=status)

    def test_other_programs_read_it(self):
        os.mkdir(self.folder)
        subprocess.run(["tar", "xf", self.tar, "-C", self.folder], check=True)
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=self.folder, check=True)
        for name, what in (("session.csv", None), ("page.html", "html"), ("session.json", "json")):
            with open(os.path.join(self.folder, name), encoding="utf-8") as file, \
                 open(self.log, encoding="utf-8") as log:
                self.assertEqual(file.read(), export(what, self.log) if what else log.read())
        with open(os.path.join(self.folder, "methods.txt"), encoding="utf-8") as file:
            methods = file.read()
        paragraphs = methods.split("\n\n")
        said = json.loads(export("json", self.log))
        order = f"in randomized order (seed {said['seed']})" if said["seed"] else "not randomized"
        for what in (order, "2 of 2 planned trials were counted", said["experiment"],
                     said["machine"]["cpu"], "Without warm-ups"):
            self.assertIn(what, paragraphs[0])
        self.assertIn("Hodges-Lehmann", paragraphs[1])
        for name in ("medians.svg", "timelines.svg"):
            plot = xml.etree.ElementTree.parse(os.path.join(self.folder, name))
            shown = "".join(plot.getroot().itertext())
            for model in ("threads", "processes"):
                self.assertIn(model, shown)
        with open(os.path.join(self.folder, "medians.svg"), encoding="utf-8") as file:
            colours = set(re.findall("#[0-9a-f]{3,6}", file.read()))
        self.assertTrue(all(len(set(colour[1:])) == 1 for colour in colours), colours)

    def test_it_is_read_as_the_recording(self):
        said, errors = self.read()
        self.assertEqual(said, export("table", self.log))
        self.assertNotIn("changed", errors)
        run("--export", "bundle", "-O", self.log + ".tar", self.tar)
        with open(self.tar, "rb") as one, open(self.log + ".tar", "rb") as other:
            self.assertEqual(one.read(), other.read())

    def members(self, tar):
        """Unpacks a bundle. Returns its folder and the names of its members, which match their sums."""
        folder = tempfile.mkdtemp(dir=os.path.dirname(self.tar))
        subprocess.run(["tar", "xf", tar, "-C", folder], check=True)
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
        return folder, sorted(os.listdir(folder))

    def joined(self):
        """Returns the bundle of two sessions, the second of which is self.log, and its members."""
        other, tar = self.log + ".other.csv", self.log + ".joined.tar"
        run("--batch", "--log", other, *PLAIN, "--trials", "1", "-w", "cpu=1", "-s", "cpu.size=1000")
        run("-x", "bundle", "-O", tar, other, self.log)
        return tar, *self.members(tar)

    def test_several_recordings_go_into_one_bundle(self):
        tar, folder, names = self.joined()
        self.assertEqual(names, ["README.txt", "SHA256SUMS", "medians-1.svg", "medians-2.svg", "methods.txt", "page.html",
                                 "session.csv", "session.json", "timelines-1.svg", "timelines-2.svg"])
        with open(os.path.join(folder, "session.json"), encoding="utf-8") as file:
            scenes = json.load(file)["scenes"]
        self.assertEqual([scene["heading"] for scene in scenes], ["a.csv.other.csv", "a.csv"])
        self.assertEqual(scenes[1]["session"], json.loads(export("json", self.log)))
        with open(os.path.join(folder, "methods.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read().count("The experiment"), 2)
        self.assertEqual(export("table", tar, "--scene", "2"), export("table", self.log))
        self.assertIn("Scene 2 of 2: a.csv\n", run("-b", "-r", tar)[0])

    def test_a_scene_goes_into_a_bundle(self):
        """--scene takes a scene out of a recording, plain or compressed, of a bundle, and of a pipe."""
        tar, folder, _ = self.joined()
        lecture, packed = os.path.join(folder, "session.csv"), self.log + ".csv.gz"
        with open(lecture, "rb") as file:
            rows = file.read()
        with open(packed, "wb") as file:
            file.write(gzip.compress(rows))
        for path in (lecture, packed, tar):
            run("-x", "bundle", "--scene", "2", "-O", self.tar, path)
            self.assertEqual(export("json", self.tar), export("json", self.log))
            self.assertEqual(self.members(self.tar)[1][2:4], ["medians.svg", "methods.txt"])
        piped = subprocess.run([TUIBENCH, "-x", "bundle", "--scene", "2", "-"], input=rows, capture_output=True,
                               timeout=DEADLINE, check=True).stdout
        with open(self.tar, "rb") as file:
            self.assertEqual(file.read(), piped)
        _, errors = run("-x", "table", self.log, lecture, status=2)
        self.assertIn("-x bundle --scene N -O one.tar makes a recording of one", errors)

    def test_a_tar_file_that_is_none_is_named(self):
        other = os.path.join(os.path.dirname(self.tar), "other.tar")
        subprocess.run(["tar", "cf", other, "-C", os.path.dirname(self.log), os.path.basename(self.log)], check=True)
        for more in ((), ("--scene", "1")):
            self.assertIn("it is a tar file without session.csv", run("-b", "-r", other, *more, status=2)[1])
        with open(self.tar, "rb") as file:
            whole = file.read()
        with open(other, "wb") as file:
            file.write(gzip.compress(whole))
        why = "it is a compressed tar file, or comes from a pipe: type gzip -dk FILE"
        self.assertIn(why, run("-b", "-r", other, status=2)[1])
        piped = subprocess.run([TUIBENCH, "-b", "-r", "-"], input=whole, capture_output=True, timeout=DEADLINE,
                               check=False)
        self.assertIn(why, piped.stderr.decode())

    def test_it_may_be_packed_again(self):
        """Any tar may pack it again, with members in any order. A change is still reported."""
        os.mkdir(self.folder)
        subprocess.run(["tar", "xf", self.tar, "-C", self.folder], check=True)
        names = sorted(os.listdir(self.folder))
        self.assertEqual(names[:2], ["README.txt", "SHA256SUMS"])
        said = export("table", self.log)
        for wish in (names, ["."], ["--format=pax", *names], ["--format=ustar", *reversed(names)]):
            subprocess.run(["tar", "cf", self.tar, "-C", self.folder, *wish], check=True)
            self.assertEqual(self.read(), (said, ""))
        with open(os.path.join(self.folder, "page.html"), "a", encoding="utf-8") as file:
            file.write("~")
        subprocess.run(["tar", "cf", self.tar, "-C", self.folder, *names], check=True)
        self.assertIn("changed since the bundle was made: page.html\n", self.read()[1])

    def test_a_terminal_is_not_shown_a_tar(self):
        ours, theirs = pty.openpty()
        try:
            done = subprocess.run([TUIBENCH, "--export", "bundle", "lecture.csv"], stdout=theirs,
                                  stderr=subprocess.PIPE, text=True, timeout=DEADLINE, check=False)
        finally:
            os.close(theirs)
            os.close(ours)
        self.assertEqual(done.returncode, 2)
        self.assertIn("-x bundle -O session.tar lecture.csv\n", done.stderr)

    def test_what_was_changed_is_named(self):
        with open(self.tar, "rb") as file:
            whole = file.read()
        for name in ("page.html", "session.json", "methods.txt", "medians.svg", "timelines.svg"):
            at = whole.index(name.encode() + b"\0") + 512
            _, errors = self.read(whole[:at] + b"~" + whole[at + 1:])
            self.assertIn(f"changed since the bundle was made: {name}\n", errors)
        at = whole.index(b"SHA256SUMS\0")
        _, errors = self.read(whole[:at] + bytes(1024))
        self.assertIn("changed since the bundle was made: session.csv, page.html, session.json, methods.txt, README.txt, medians.svg, timelines.svg\n",
                      errors)

    def test_what_no_bundle_has_is_refused(self):
        with open(self.tar, "rb") as file:
            whole = file.read()
        page = whole.index(b"page.html\0")
        for bad in (whole[:page + 700],  # cut off
                    whole[:page + 156] + b"2" + whole[page + 157:],  # a link
                    whole[:page + 124] + b"77777777777" + whole[page + 135:],  # longer than the file
                    whole[:page + 124] + b"-1\0" + whole[page + 127:],
                    whole[:page] + b"a member" * 200 + whole[page:]):
            _, errors = self.read(bad, status=2)
            self.assertIn("it is a bundle that is cut off, or was not made by tuibench", errors)
            self.assertEqual(errors.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
