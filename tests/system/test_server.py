#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The experiment server: in each model, each request is answered once, and the numbers of tasks and system
calls equal the kernel's. Failed requests are counted, and no process is left.

    test_server.py TUIBENCH
"""

import csv
import glob
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, SANITIZED, TUIBENCH, await_end_of, await_work, below, created, matches, result, run, strace

REQUESTS = 60
SMALL = ("server", "--warmup", "0", "-s", "work=100")
USUAL = ("-s", "tasks=%d" % REQUESTS, "-s", "clients=3")
MODELS = "threads,processes,pool:2,prefork:2,hybrid:2x2,events,events:2"
WORKERS = {"threads": REQUESTS, "processes": REQUESTS, "pool:2": 2, "prefork:2": 2, "hybrid:2x2": 6,
           "events": 1, "events:2": 2}


def served(*args, usual=USUAL):
    return result(*SMALL, *usual, "--trials", "1", *args)["runs"]


class Served(unittest.TestCase):
    def check(self, runs, requests=REQUESTS):
        for one in runs:
            self.assertEqual((one["status"], one["requests"], one["request_errors"]),
                             ("ok", requests, 0), one)
            self.assertEqual(one["operations"]["n"], requests, one["model"])
            self.assertGreater(one["operations"]["min"], 0)
            self.assertLessEqual(one["operations"]["min"], one["operations"]["max"])
            self.assertLessEqual(one["request_p50_ms"], one["request_p99_ms"])
            # Both values describe the same time, so their product is 1.
            self.assertAlmostEqual(one["requests_per_second"] * one["request_ms"] / 1000, 1, delta=0.05)
            self.assertGreater(one["drain_cpu_ms"], 0)

    def test_each_request_is_answered_once_in_every_model(self):
        for via in ("tcp", "unix"):
            runs = served("--models", MODELS, "-s", "via=" + via)
            self.assertEqual({one["model"]: one["workers"] for one in runs}, WORKERS)
            self.check(runs)

    def test_a_connection_carries_as_many_requests_as_it_is_kept_for(self):
        runs = served("--models", MODELS, "-s", "keep-alive=5")
        for one in runs:
            each = ":" not in one["model"] and one["model"] != "events"
            self.assertEqual(one["workers"], REQUESTS // 5 if each else WORKERS[one["model"]])
        self.check(runs)

    def test_requests_and_replies_longer_than_a_buffer_arrive_whole(self):
        for via in ("tcp", "unix"):
            self.check(served("--models", "threads,prefork:2,events", "-s", "via=" + via,
                              "-s", "request=1M", "-s", "reply=5M",
                              usual=("-s", "tasks=6", "-s", "clients=3")), 6)

    def test_a_wait_bounds_a_pool_by_its_workers_and_not_a_loop_of_events(self):
        runs = {one["model"]: one for one in served(
            "--models", "pool:2,events,threads", "-s", "wait=20ms",
            usual=("-s", "tasks=60", "-s", "clients=30"))}
        self.check(runs.values())
        # 60 waits of 20 ms, two at once, take 600 ms. They take no less on any machine.
        self.assertGreaterEqual(runs["pool:2"]["requests"] * runs["pool:2"]["request_ms"], 590)
        for one in runs.values():
            self.assertGreaterEqual(one["operations"]["min"], 19.9e6, one["model"])
        # In the other models all 30 requests wait at the same time. In a pool, late requests also wait for
        # the earlier ones.
        self.assertGreaterEqual(runs["pool:2"]["request_p99_ms"], 200)

    def test_a_recording_says_what_was_served(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "server.csv")
            before = json.loads(run(*SMALL, *USUAL, "--trials", "2", "--models", "pool:2,events", "--log", log,
                                    "--format", "json")[0])
            again = json.loads(subprocess.run([TUIBENCH, "--export", "json", log], check=True,
                                              capture_output=True, timeout=DEADLINE).stdout)
            self.assertEqual([one["compared"] for one in before["runs"]],
                             [one["compared"] for one in again["runs"]])
            with open(log, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            ends = [row for row in rows if row["record"] == "end"]
            self.assertEqual([row["requests"] for row in ends], [str(REQUESTS)] * 4)
            done = {}
            for row in rows:
                if row["record"] == "worker":
                    done[row["run"], row["id"]] = int(row["tasks_done"] or 0)
            for number in "0123":
                self.assertEqual(sum(n for (at, _), n in done.items() if at == number), REQUESTS)

    def marks(self, folder, requests, *args):
        """Runs a session. Returns the recorded requests, the rows of the workers, and the recording."""
        log = os.path.join(folder, "marks.csv")
        if os.path.exists(log):
            os.unlink(log)
        run(*SMALL, "-s", f"tasks={requests}", "-s", "clients=3", "--trials", "1", "--log", log, *args)
        with open(log, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        workers = {row["id"]: row for row in rows if row["record"] == "worker"}
        marks = [row for row in rows if row["record"] == "request"]
        for mark in marks:
            worker = workers[mark["id"]]
            self.assertLessEqual(int(worker["work_ns"]), int(mark["request_ns"]))
            self.assertLessEqual(int(mark["request_ns"]), int(mark["reply_ns"]))
            self.assertLessEqual(int(mark["reply_ns"]), int(worker["finish_ns"]))
        return marks, workers, log

    def test_every_nth_request_is_recorded_with_its_worker(self):
        with tempfile.TemporaryDirectory() as folder:
            for model in ("pool:2", "prefork:2", "hybrid:2x2", "events", "events:2"):
                marks, workers, log = self.marks(folder, 60, "--models", model)
                found = {}
                for mark in marks:
                    found[mark["id"]] = found.get(mark["id"], 0) + 1
                done = {name: int(row["tasks_done"]) for name, row in workers.items() if int(row["tasks_done"] or 0)}
                self.assertEqual(found, done, model)
                marks, _, log = self.marks(folder, 640, "--models", model)
                self.assertEqual(len(marks), 59, model)  # 0, 11, 22, … 638
            marks, _, log = self.marks(folder, 60, "--models", "threads", "-s", "keep-alive=5")
            self.assertEqual(len(marks), 60)
            marks, _, log = self.marks(folder, 60, "--models", "threads")
            self.assertEqual(len(marks), 0)  # each worker has one request, so the worker's times are enough

    def test_a_recording_with_requests_of_no_worker_is_read_without_them(self):
        with tempfile.TemporaryDirectory() as folder:
            _, _, log = self.marks(folder, 60, "--models", "events")
            with open(log, encoding="utf-8") as file:
                lines = file.read().split("\n")
            columns = lines[0].split(",")
            for i, line in enumerate(lines):
                if line.startswith("request,"):
                    cells = line.split(",")
                    cells[columns.index("id")] = "7"
                    lines[i] = ",".join(cells)
            with open(log, "w", encoding="utf-8") as file:
                file.write("\n".join(lines))
            done = subprocess.run([TUIBENCH, "--export", "json", log], capture_output=True, text=True, timeout=DEADLINE)
            self.assertIn("a request of a worker that the plan does not have", done.stderr)
            self.assertEqual(json.loads(done.stdout)["runs"][0]["requests"], 60)


class Rate(unittest.TestCase):
    def test_latency_counts_from_the_planned_moment(self):
        """One worker needs 20 ms for a request, and a request is due each 5 ms. So each request waits for
        all earlier ones. A client that counts only from when it could send would see 20 ms for most
        requests (coordinated omission)."""
        one = result("server", "--warmup", "0", "--trials", "1", "-s", "tasks=60", "-s", "work=0",
                     "-s", "wait=20ms", "-s", "rate=200", "-s", "clients=1", "--models",
                     "pool:1")["runs"][0]
        self.assertEqual((one["requests"], one["request_errors"]), (60, 0))
        # The 60 requests are due within 0.3 s and take 1.2 s, so even the median waits long.
        self.assertGreater(one["request_p50_ms"], 200)
        self.assertGreater(one["request_p99_ms"], 600)
        closed = result("server", "--warmup", "0", "--trials", "1", "-s", "tasks=60", "-s", "work=0",
                        "-s", "wait=20ms", "-s", "clients=1", "--models", "pool:1")["runs"][0]
        self.assertLess(closed["request_p50_ms"], one["request_p50_ms"])


class Calls(unittest.TestCase):
    """strace must count the same connections and tasks."""

    def count(self, model):
        trace = strace(self, "accept4,clone,clone3,epoll_wait,connect", *SMALL, *USUAL, "--models", model)
        accepted = len(re.findall(r"accept4\(.*= \d+$|accept4 resumed>.*= \d+$", trace, re.M))
        # Leave out a socket of the front end, which connects to port 1 only to look up the route.
        connected = len(re.findall(r"connect\(\d+, \{sa_family=AF_INET, sin_port=htons\((?!1\))", trace))
        return trace, accepted, connected

    def test_every_connection_is_accepted_once(self):
        for model in ("threads", "pool:2", "events"):
            trace, accepted, connected = self.count(model)
            self.assertEqual((accepted, connected), (REQUESTS, REQUESTS), model)
            waits = len(re.findall(r"epoll_wait\(", trace))
            # The clients use epoll_wait(2) in each model. The front end uses another call.
            self.assertGreater(waits, 0, model)

    def test_each_request_reads_the_whole_file(self):
        """40,000 bytes are read in three calls, and the kernel counts as many bytes."""
        for model in ("threads", "processes", "prefork:2", "events"):
            trace = strace(self, "pread64", *SMALL, *USUAL, "--models", model, "-s", "file=40000")
            sizes = re.findall(r"pread64\(.* = (\d+)$|pread64 resumed.* = (\d+)$", trace, re.M)
            sizes = [int(a or b) for a, b in sizes if int(a or b) in (16384, 40000 - 2 * 16384)]
            self.assertEqual((len(sizes), sum(sizes)), (3 * REQUESTS, 40000 * REQUESTS), model)
        read = [served("--models", MODELS, "-s", f"file={size}") for size in (0, 40000)]
        for without, one in zip(*(sorted(runs, key=lambda run: run["model"]) for runs in read)):
            self.assertGreaterEqual((one["read_kb"] - without["read_kb"]) * 1024,
                                    0.95 * 40000 * REQUESTS, one["model"])

    def test_a_process_is_forked_for_each_connection(self):
        trace, accepted, _ = self.count("processes")
        acceptor = {line.split()[0] for line in trace.splitlines() if "accept4(" in line}
        own = "\n".join(line for line in trace.splitlines() if line.split()[0] in acceptor)
        # The runner forks a process for each connection, and one for the clients.
        self.assertEqual((accepted, created(own)), (REQUESTS, REQUESTS + 1))


def runner_of(front):
    """Waits for the runner and the client process of a session. Returns their PIDs."""
    while front.poll() is None:
        tasks = {name: pid for pid, name in reversed(below(front.pid))}
        if "tuibench-client" in tasks and "tuibench-runner" in tasks:
            return tasks["tuibench-runner"], tasks["tuibench-client"]
        time.sleep(0.002)
    raise AssertionError("the session has ended")


def sockets(pid):
    """Returns the number of open sockets of a process."""
    found = 0
    for path in glob.glob(f"/proc/{pid}/fd/*"):
        try:
            found += os.readlink(path).startswith("socket:")
        except OSError:
            continue
    return found


LONG = {"tasks": 3000, "wait": "20ms", "clients": 10}


def session_of(model, form="table", **settings):
    settings = ["-s%s=%s" % one for one in {**LONG, **settings}.items()]
    return subprocess.Popen([TUIBENCH, "server", "--warmup", "0", "--trials", "1", "-b", "--no-log",
                             "--format", form, "--models", model, *settings], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def pss_of(processes):
    """Returns the PSS of the processes in KiB, without shared memory."""
    total = 0
    for pid in processes:
        with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
            lines = dict(line.split(":", 1) for line in file.read().splitlines()[1:])
        total += int(lines["Pss"].split()[0]) - int(lines.get("Pss_Shmem", "0 kB").split()[0])
    return total


class Idle(unittest.TestCase):
    def held(self, model, idle):
        """Returns the PSS of a server with idle connections and one request: as read here, and tuibench's value."""
        with session_of(model, "json", idle=idle, clients=1, tasks=2, wait="1s") as front:
            runner, clients = runner_of(front)
            # All sockets are connections, because the clients report through a pipe.
            while sockets(clients) <= idle:
                self.assertIsNone(front.poll(), model)
                time.sleep(0.01)
            # The request waits for a second. Its worker begins soon.
            time.sleep(0.1)
            server = [runner] + [pid for pid, name in below(runner) if name == "tuibench-runner"]
            pss = pss_of(server)
            self.assertIsNone(front.poll(), model)
            one = json.loads(front.communicate(timeout=DEADLINE)[0])["runs"][0]
        self.assertEqual((one["status"], one["requests"], one["request_errors"]), ("ok", 2, 0), one)
        await_end_of(self, runner)
        return pss, one["pss_per_idle_kb"] * idle

    @unittest.skipIf(SANITIZED, "a sanitizer has memory of its own, and more of it from one session to the next")
    def test_memory_of_idle_connections_is_what_smaps_says(self):
        for model, few, many in (("threads", 20, 200), ("processes", 20, 120), ("events", 100, 900)):
            def once():
                before, after = self.held(model, few), self.held(model, many)
                ours, kernel = after[1] - before[1], after[0] - before[0]
                self.assertLessEqual(abs(ours - kernel), 0.1 * kernel + 24, (model, ours, kernel))
            matches(self, once)

    def test_idle_connections_are_neither_served_nor_in_the_way(self):
        for via in ("tcp", "unix"):
            runs = served("--models", "threads,processes,pool:4,prefork:4,hybrid:2x2,events,events:2",
                          "-s", "via=" + via, "-s", "idle=3", "-s", "keep-alive=5")
            for one in runs:
                self.assertEqual((one["status"], one["requests"], one["request_errors"], one["operations"]["n"]),
                                 ("ok", REQUESTS, 0, REQUESTS), one)
                self.assertGreaterEqual(one["pss_per_idle_kb"], 0, one)
                if one["model"] in ("threads", "processes"):
                    self.assertEqual(one["workers"], REQUESTS // 5 + 3)

    def test_connections_that_wait_to_be_accepted_are_counted(self):
        """One worker needs 20 ms for a request, and the other 29 clients wait."""
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "queue.csv")
            said = run("server", "--warmup", "0", "--trials", "1", "-s", "clients=30", "-s", "tasks=60", "-s",
                       "wait=20ms", "--models", "pool:1", "--log", log, "--format", "json")[0]
            with open(log, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        queues = [int(row["accept_queue"]) for row in rows if row["record"] == "tick" and row["accept_queue"]]
        self.assertEqual(json.loads(said)["runs"][0]["accept_queue_most"], max(queues))
        self.assertIn(max(queues), range(25, 31))
        unix = served("--models", "pool:2", "-s", "via=unix")[0]
        self.assertIsNone(unix["accept_queue_most"])

    def test_without_idle_connections_nothing_is_said_of_them(self):
        self.assertIsNone(served("--models", "events")[0]["pss_per_idle_kb"])
        for form in ("table", "report", "csv"):
            self.assertNotIn("per idle", run(*SMALL, *USUAL, "--trials", "1", "--models", "events", "--format", form)[0])

    def test_idle_connections_end_with_their_clients(self):
        for model in ("threads", "processes", "events"):
            with session_of(model, idle=50) as front:
                runner, clients = runner_of(front)
                while sockets(clients) < 50:
                    self.assertIsNone(front.poll(), model)
                os.kill(clients, signal.SIGKILL)
                out, err = front.communicate(timeout=DEADLINE)
            self.assertIn("the clients ended before all requests had a reply", out + err, model)
            await_end_of(self, runner)


class Ends(unittest.TestCase):
    """In each way that a session ends, no process is left."""

    def session(self, *args, **settings):
        return session_of(*args, **settings)

    def test_clients_that_vanish_fail_the_run(self):
        for model in ("threads", "processes", "pool:2", "prefork:2", "hybrid:2x2", "events"):
            with self.session(model) as front:
                runner, clients = runner_of(front)
                os.kill(clients, signal.SIGKILL)
                out, err = front.communicate(timeout=DEADLINE)
            self.assertIn("the clients ended before all requests had a reply", out + err, model)
            self.assertEqual(front.returncode, 1, model)
            await_end_of(self, runner)

    def test_any_number_of_clients_that_vanish_fails_the_run_in_one_line(self):
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        for count, model in ((100, "threads"), (100, "processes"), (100, "pool:2"), (1000, "events"),
                             (1000, "prefork:2"), (1000, "threads")):
            with open("/proc/sys/net/core/somaxconn", encoding="utf-8") as file:
                fit = min(files - 24, int(file.read()))
            if count > fit:
                print(f"{count} clients do not fit: {fit}", file=sys.stderr)
                continue
            with self.session(model, clients=count, wait="1s", tasks=20 * count) as front:
                runner, clients = runner_of(front)
                while front.poll() is None and sockets(clients) < count:
                    time.sleep(0.01)
                os.kill(clients, signal.SIGKILL)
                out, err = front.communicate(timeout=DEADLINE)
            self.assertEqual((out + err).count("the clients ended before all requests had a reply"), 1,
                             (model, out, err))
            self.assertEqual(front.returncode, 1, model)
            await_end_of(self, runner)

    def stop_reading(self, front):
        """Stops the clients after they have received something. The replies do not fit into a socket's buffer."""
        runner, clients = runner_of(front)
        await_work(self, runner, 1)
        os.kill(clients, signal.SIGSTOP)
        return runner, clients

    def test_clients_that_stop_reading_do_not_keep_a_killed_session(self):
        for number, model in ((signal.SIGTERM, "threads"), (signal.SIGKILL, "processes"),
                              (signal.SIGTERM, "prefork:2"), (signal.SIGKILL, "events")):
            with self.session(model, reply="5M") as front:
                runner, _ = self.stop_reading(front)
                front.send_signal(number)
                front.communicate(timeout=DEADLINE)
            await_end_of(self, runner)

    def test_clients_that_are_stopped_are_named_and_then_get_every_reply_once(self):
        for model in ("threads", "prefork:2", "events"):
            with self.session(model, "json", reply="5M", tasks=200) as front:
                runner, clients = self.stop_reading(front)
                said = ""
                while "continues it" not in said:
                    line = front.stderr.readline()
                    self.assertTrue(line, said)
                    said = " ".join((said + line).split())
                self.assertIn("the client program, process %d, was stopped" % clients, said)
                os.kill(clients, signal.SIGCONT)
                out, err = front.communicate(timeout=DEADLINE)
            one = json.loads(out)["runs"][0]
            self.assertEqual((one["requests"], one["request_errors"], one["operations"]["n"]),
                             (200, 0, 200), (model, err))
            await_end_of(self, runner)

    def test_a_session_that_is_killed_leaves_neither_server_nor_clients(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            for model in ("processes", "events"):
                with self.session(model) as front:
                    runner, _ = runner_of(front)
                    front.send_signal(number)
                    front.communicate(timeout=DEADLINE)
                await_end_of(self, runner)

    def test_clients_have_a_session_of_their_own_and_end_with_the_runner(self):
        """With autogroups, each session has its own share of the cores, so clients do not take the server's."""
        with self.session("events") as front:
            runner, clients = runner_of(front)
            self.assertEqual(os.getsid(clients), clients)
            self.assertNotEqual(os.getsid(runner), clients)
            os.kill(runner, signal.SIGKILL)
            front.communicate(timeout=DEADLINE)
        while os.path.exists(f"/proc/{clients}"):
            time.sleep(0.01)

    def crash(self, model, kept=1):
        """Kills a process of the server that has a connection. Returns the run and standard error."""
        with self.session(model, "json", **{"wait": "1s", "tasks": 20, "keep-alive": kept}) as front:
            runner, _ = runner_of(front)
            victim = runner if model in ("threads", "pool:2", "events") else None
            while victim and sockets(runner) < 2:
                self.assertIsNone(front.poll(), model)
            while not victim:
                self.assertIsNone(front.poll(), model)
                for pid in (pid for pid, name in below(runner) if name == "tuibench-runner"):
                    if sockets(pid) > sockets(runner):
                        victim = pid
            os.kill(victim, signal.SIGKILL)
            out, err = front.communicate(timeout=DEADLINE)
        self.assertIn("was ended by signal 9", " ".join(err.split()), model)
        self.assertEqual(front.returncode, 1, model)
        await_end_of(self, runner)
        one = json.loads(out)["runs"][0]
        self.assertEqual(one["status"], "crashed", one)
        return one["requests"], one["request_errors"]

    def test_a_process_that_crashes_loses_its_connections_alone(self):
        """All requests of its connection fail, or of the connections of its threads."""
        for model, kept, most in (("processes", 1, 1), ("processes", 4, 4), ("prefork:10", 1, 1),
                                  ("hybrid:5x2", 1, 2)):
            replied, lost = self.crash(model, kept)
            self.assertEqual(replied + lost, 20, model)
            self.assertIn(lost, range(1, most + 1), model)

    def test_threads_and_a_loop_of_events_lose_all_connections(self):
        for model in ("threads", "pool:2", "events"):
            self.assertEqual(self.crash(model), (None, None), model)


class Refused(unittest.TestCase):
    def refuse(self, status, *args, **more):
        return " ".join(run("server", *args, status=status, **more)[1].split())

    def test_what_no_server_has(self):
        self.assertIn("threads:2", self.refuse(2, "--models", "threads:2"))
        self.assertIn("pool:0", self.refuse(2, "--models", "pool:0"))
        self.assertIn("tcp, unix", self.refuse(2, "-s", "via=pipe"))
        self.assertIn("wait=10ms", self.refuse(2, "-s", "wait=all"))
        self.assertIn("request=31", self.refuse(2, "-s", "request=31"))
        self.assertIn("-w serve=8", self.refuse(2, "-w", "cpu=2"))

    def test_more_clients_than_files_are_refused_with_the_limit(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
        said = self.refuse(3, "-s", "clients=1000", preexec_fn=limit)
        self.assertRegex(said, r"needs 1024 open files; RLIMIT_NOFILE .* is 256, so at most 232 fit")
        said = self.refuse(3, "-s", "idle=1000", "--models", "events", preexec_fn=limit)
        self.assertRegex(said, r"idle=1000 with 10 clients needs 1034 open files; RLIMIT_NOFILE .* is 256")

    def test_a_loopback_interface_that_is_down_is_named_and_unix_sockets_work(self):
        alone = ["unshare", "--user", "--map-root-user", "--net"]
        if subprocess.run([*alone, "true"], capture_output=True).returncode:
            self.skipTest("no network namespaces here")
        def session(*args):
            return subprocess.run([*alone, TUIBENCH, *SMALL, *USUAL, "--models", "threads", "--trials", "1", "-b", "--no-log",
                                   *args], capture_output=True, text=True, timeout=DEADLINE)
        done = session()
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("127.0.0.1: Network is unreachable; use -s via=unix", " ".join(done.stderr.split()))
        self.assertEqual(session("-s", "via=unix").returncode, 0)

    def test_more_idle_connections_than_a_pool_has_workers(self):
        self.assertIn("pool:4 has only 4", self.refuse(2, "--models", "pool:4", "-s", "idle=4"))


if __name__ == "__main__":
    sys.argv = sys.argv[:1] + ["-v"]
    unittest.main()
