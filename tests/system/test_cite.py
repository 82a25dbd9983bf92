#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The description of a machine that tuibench offers for citation must equal what the system's programs say."""

import datetime
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import TUIBENCH, page_data, run, texts

SESSION = ("-w", "cpu=1", "-s", "cpu.size=10k", "--trials", "2", "-s", "sched=off")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def session(**more):
    return json.loads(run("--no-log", "--format", "json", *SESSION, **more)[0])


def text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


class Cite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.before = datetime.datetime.now(datetime.timezone.utc)
        cls.found = session()
        cls.after = datetime.datetime.now(datetime.timezone.utc)
        cls.machine = cls.found["machine"]

    def test_the_distribution_is_that_of_os_release(self):
        name = re.search(r'^PRETTY_NAME="?([^"\n]*)', text("/etc/os-release"), re.M)
        self.assertEqual(self.machine["distribution"], name[1] if name else None)

    @unittest.skipUnless(shutil.which("findmnt"), "needs findmnt")
    def test_the_file_system_is_that_of_findmnt(self):
        for place in {tempfile.gettempdir(), "/dev/shm", "/", "/proc"}:
            if not os.path.isdir(place):
                continue
            found = session(env={**os.environ, "TMPDIR": place})["machine"]["filesystem"]
            # In a chroot that is no mount point, findmnt does not know the file system of "/".
            says = subprocess.run(("findmnt", "-no", "FSTYPE", "-T", place), capture_output=True, text=True,
                                  check=False).stdout.split()
            self.assertEqual(found, says[-1] if says else None)

    def test_the_caches_are_those_of_sysfs(self):
        found = []
        for index in sorted(glob.glob("/sys/devices/system/cpu/cpu0/cache/index*")):
            kind = {"Data": "d", "Instruction": "i"}.get(text(index + "/type"), "")
            found.append(f"L{text(index + '/level')}{kind} {text(index + '/size')}")
        self.assertEqual(self.machine["caches"], ", ".join(found) or None)

    @unittest.skipUnless(shutil.which("lscpu") and os.path.isdir("/sys/devices/system/cpu"), "needs lscpu and /sys")
    def test_smt_and_mitigations_are_those_of_lscpu(self):
        said = self.flat()
        active = text("/sys/devices/system/cpu/smt/active")
        self.assertEqual(self.machine["smt"], {"1": True, "0": False}.get(active))
        if active == "1":
            self.assertGreater(int(said["Thread(s) per core"]), 1)
        flaws = {name.split(" ", 1)[1].lower().replace(" ", "_"): state
                 for name, state in said.items() if name.startswith("Vulnerability ")}
        for state, begin in (("vulnerable", "Vulnerable"), ("mitigated", "Mitigation")):
            names = re.search(state + ": ([a-z0-9_, ]*)", self.machine["mitigations"] or "")
            self.assertEqual(set(names[1].split(", ") if names else []),
                             {name for name, data in flaws.items() if begin in data and
                              (state == "vulnerable" or "Vulnerable" not in data)})

    @staticmethod
    def flat():
        """Returns all fields of lscpu, also nested ones, in one dictionary."""
        fields = {}

        def take(rows):
            for row in rows:
                fields[row["field"].rstrip(":")] = row["data"]
                take(row.get("children", []))
        take(json.loads(output("lscpu", "--json"))["lscpu"])
        return fields

    def test_each_run_has_the_time_of_the_day(self):
        times = [datetime.datetime.fromisoformat(one["began"].replace("Z", "+00:00"))
                 for one in self.found["runs"]]
        self.assertEqual(times, sorted(times))
        slack = datetime.timedelta(milliseconds=1)
        self.assertTrue(self.before - slack <= times[0] and times[-1] <= self.after)

    def test_compiler_and_commit_are_named_in_every_format(self):
        self.assertRegex(self.found["compiler"], r"^(gcc|clang) [0-9.]+ .*-O")
        self.assertRegex(self.found["commit"] or "0000000", r"^[0-9a-zA-Z._-]+$")
        with tempfile.TemporaryDirectory() as place:
            log = os.path.join(place, "log.csv")
            run("--log", log, *SESSION)
            for form in ("report", "markdown", "html", "json"):
                said = output(TUIBENCH, "--export", form, log)
                said = " ".join((texts(page_data(said)) if form == "html" else said).split())
                for one in (self.found["compiler"], self.machine["filesystem"]):
                    self.assertIn(one or "", said, form)

    def test_what_recordings_differ_in_is_named_in_every_format(self):
        with tempfile.TemporaryDirectory() as place:
            logs = [os.path.join(place, name) for name in ("plain.csv", "bound.csv")]
            for log, more in zip(logs, ({}, {"LD_BIND_NOW": "1"})):
                run("--log", log, *SESSION, env={**os.environ, **more})
            for form in ("table", "report", "markdown", "html", "json"):
                said = output(TUIBENCH, "--export", form, *logs)
                said = " ".join((texts(page_data(said)) if form == "html" else said).split())
                self.assertIn("The recordings differ in LD_BIND_NOW (not set and 1)",
                              said.replace("\\_", "_"), form)

    def test_fsync_on_a_tmpfs_is_warned_of(self):
        if output("stat", "-f", "-c", "%T", "/dev/shm") != "tmpfs" or not os.access("/dev/shm", os.W_OK):
            self.skipTest("/dev/shm is no tmpfs, or not ours to write to")
        for io, warned in (("1", True), ("0", False)):
            with tempfile.TemporaryDirectory() as place:
                log = os.path.join(place, "log.csv")
                run("--log", log, "-w", "cpu=1,io=" + io, "-s", "cpu.size=10k",
                    "--trials", "1", "-s", "sched=off", env={**os.environ, "TMPDIR": "/dev/shm"})
                self.assertEqual("fsync does nothing on tmpfs" in text(log), warned)


if __name__ == "__main__":
    unittest.main()
