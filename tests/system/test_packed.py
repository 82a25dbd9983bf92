"""Compressed recordings of complete and killed sessions, also damaged ones, read from files, pipes and folders."""
import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
import zlib

TUIBENCH = os.path.abspath(sys.argv.pop(1))
SHORT = ["-b", "-w", "cpu=2", "-s", "size=1M", "-n", "2", "--warmup", "0"]
ENDS = [".csv.zst", ".csv.gz"]


def tuibench(*args, status=0, **more):
    done = subprocess.run([TUIBENCH, *args], capture_output=True, timeout=300, **more)
    assert done.returncode == status, (args, done.returncode, done.stderr)
    return done


def said_of(name, done):
    """Returns the lines on standard error about this file, without those about the machine."""
    start = f"tuibench: {name}: "
    return [line.removeprefix(start) for line in done.stderr.decode().splitlines() if line.startswith(start)]


def broken(end, data, tail=None):
    """Returns damaged data, with a block of an invalid kind, or with `tail` instead of a block."""
    if end != ".csv.gz":
        at = 6  # the magic number, the frame's descriptor, and its window (RFC 8878)
        while at < len(data) * 6 // 10:
            at += 3 + (int.from_bytes(data[at:at + 3], "little") >> 3)
        return data[:at] + (tail or bytes([data[at] | 6]) + data[at + 1:])
    rows, packed = gzip.decompress(data), zlib.compressobj(wbits=31)
    return packed.compress(rows[:len(rows) * 9 // 10]) + packed.flush(zlib.Z_FULL_FLUSH) + (tail or b"\xff" * 64)


def read_by_children():
    """Returns the bytes that this process and its ended children have read."""
    with open("/proc/self/io", encoding="utf-8") as file:
        return int(file.readline().split()[1])


class Packed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        for end in ENDS:
            tuibench(*SHORT, "-o", cls.path("a" + end))

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def test_a_file_a_pipe_and_its_rows_give_the_same(self):
        rows = gzip.decompress(self.read("a.csv.gz"))
        self.assertTrue(rows.startswith(b"record,time_ns,"))
        self.assertTrue(len(rows) > 4 * len(self.read("a.csv.gz")))
        plain = tuibench("-x", "json", self.write("rows.csv", rows)).stdout
        self.assertEqual(tuibench("-x", "json", self.path("a.csv.gz")).stdout, plain)
        for end in ENDS:
            data = self.read("a" + end)
            whole = tuibench("-x", "json", self.path("a" + end)).stdout
            self.assertEqual(tuibench("-x", "json", "-", input=data).stdout, whole)
            # tuibench recognizes a compressed file by its first bytes, with any name.
            self.assertEqual(tuibench("-x", "json", self.write("named.csv", data)).stdout, whole)
            self.assertEqual(said_of("a" + end, tuibench("-b", "-r", self.path("a" + end))), [])

    def test_the_state_folder_has_compressed_recordings(self):
        with tempfile.TemporaryDirectory() as state:
            environment = {**os.environ, "XDG_STATE_HOME": state}
            tuibench(*SHORT, env=environment)
            name, = os.listdir(os.path.join(state, "tuibench"))
            self.assertRegex(name, r"^[0-9T-]+-mixed\.csv\.zst$")
            with open(os.path.join(state, "tuibench", name), "rb") as file:
                self.assertEqual(file.read(4), b"\x28\xb5\x2f\xfd")
            self.assertIn(name.encode(), tuibench("--list", env=environment).stdout)
            self.assertIn(b"2 trials", tuibench("-b", "-r", env=environment).stdout)

    def test_a_limit_changes_nothing_that_is_said_of_where_time_goes(self):
        threads = self.write("threads.py", b"import threading, time\ndef work():\n    sum(range(2000000))\n"
                             b"    time.sleep(.01)\nall = [threading.Thread(target=work) for _ in range(3)]\n"
                             b"[one.start() for one in all]\n[one.join() for one in all]\n")
        for program in [["-c", f"{sys.executable} {threads}", "-c", "sleep 0.05"], ["-w", "cpu=6,io=2"]]:
            path = self.path("limited.csv")
            if os.path.exists(path):
                os.remove(path)
            live = json.loads(tuibench("-b", "-n", "3", "--format", "json", "--log-limit", "64K", "-o", path,
                                       *program).stdout)
            done = tuibench("-x", "json", path)
            read = json.loads(done.stdout)
            self.assertRegex(done.stderr, rb"the recording (merges .* and )?leaves out the slices of ")
            self.assertTrue(any("slices_left_out" in run for run in live["runs"]))
            for name in ["answer", "why", "differs"]:
                self.assertEqual(live.get(name), read.get(name))
            for ours, theirs in zip(live["runs"], read["runs"], strict=True):
                for name in ["path", "compared", "slices_left_out", "migrations", "elapsed_ms", "wakes"]:
                    self.assertEqual(ours.get(name), theirs.get(name), name)
                if "slices_left_out" in theirs:
                    for task in theirs.get("command_tasks", {"first": []})["first"]:
                        self.assertIsNone(task["blocked"])

    def test_a_pipe_has_no_limit(self):
        refused = tuibench(*SHORT, "--log-limit", "64K", "-o", "-", status=2).stderr
        self.assertEqual(refused, b"tuibench: --log-limit does not work with --log - into a pipe, whose reader has "
                         b"all slices; leave it out, or log to a file\n")
        self.assertIn(b"\ndone,", tuibench(*SHORT, "--log-limit", "none", "-o", "-").stdout)
        with open(self.path("out.csv"), "wb") as out:
            subprocess.run([TUIBENCH, *SHORT, "--log-limit", "64K", "-o", "-"], stdout=out,
                           stderr=subprocess.DEVNULL, check=True, timeout=300)
        self.assertIn(b"\ndone,", self.read("out.csv"))

    def test_listing_reads_the_ends_of_large_recordings_alone(self):
        """The files have 50 MB, most of it a hole between their first and last bytes."""
        files, size = 50, 50_000_000
        for end in [".csv", *ENDS]:
            data = self.read("a" + end) if end != ".csv" else gzip.decompress(self.read("a.csv.gz"))
            at = len(data) * 6 // 10
            with tempfile.TemporaryDirectory() as state, self.subTest(end=end):
                os.mkdir(os.path.join(state, "tuibench"))
                for i in range(files):
                    with open(os.path.join(state, "tuibench", f"{i}{end}"), "wb") as file:
                        file.write(data[:at])
                        file.seek(size - len(data) + at)
                        file.write(data[at:])
                before = read_by_children()
                listed = tuibench("--list", env={**os.environ, "XDG_STATE_HOME": state}).stdout
                self.assertLess((read_by_children() - before) / files, 256 << 10)
            self.assertEqual(listed.count(b"MiB"), files, listed[:500])

    def test_pruning_asks_on_a_terminal(self):
        with tempfile.TemporaryDirectory() as state:
            environment = {**os.environ, "XDG_STATE_HOME": state}
            folder = os.path.join(state, "tuibench")
            tuibench(*SHORT, env=environment)
            first = set(os.listdir(folder))
            tuibench(*SHORT, env=environment)
            newest = set(os.listdir(folder)) - first
            refused = tuibench("--prune", "1", status=2, env=environment, stdin=subprocess.DEVNULL)
            self.assertIn(b"--yes removes without asking", refused.stderr)
            for answer, left in [(b"\n", 2), (b"n\n", 2), (b"y\n", 1)]:
                ours, theirs = os.openpty()
                program = subprocess.Popen([TUIBENCH, "--prune", "1"], stdin=theirs, stdout=theirs, env=environment)
                os.close(theirs)
                said = b""
                while b"[y/N]" not in said:
                    said += os.read(ours, 1000)
                os.write(ours, answer)
                self.assertEqual(program.wait(), 0)
                os.close(ours)
                self.assertEqual(len(os.listdir(folder)), left)
            self.assertEqual(set(os.listdir(folder)), newest)

    def test_a_full_state_folder_is_said_with_what_to_type(self):
        with tempfile.TemporaryDirectory() as state:
            environment = {**os.environ, "XDG_STATE_HOME": state}
            self.assertNotIn(b"--prune 1G", tuibench(*SHORT, env=environment).stderr)
            with open(os.path.join(state, "tuibench", "large.csv"), "wb") as file:
                file.truncate(3 << 30)
            self.assertEqual(tuibench(*SHORT, env=environment).stderr.count(b"--prune 1G keeps the newest"), 1)

    def test_a_full_disk_is_said_with_a_prune_that_removes_something(self):
        fill = ('mount -t tmpfs -o size=8m none "$0" && mkdir "$0/tuibench" && '
                'head -c 7800K /dev/zero > "$0/full" && XDG_STATE_HOME="$0" "$@" && XDG_STATE_HOME="$0" "$@"')
        with tempfile.TemporaryDirectory() as state:
            if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", state], check=False).returncode:
                self.skipTest("no file system can be mounted here")
            done = subprocess.run(["unshare", "-rm", "sh", "-c", fill, state, TUIBENCH, *SHORT],
                                  capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"tuibench --prune 1 keeps the newest 1 of 2 recordings in ", done.stderr)

    def test_what_a_killed_session_has_flushed_is_there(self):
        for end in ENDS:
            path = self.path("killed" + end)
            program = subprocess.Popen([TUIBENCH, "-b", "-w", "cpu=1", "-s", "size=1M", "-n", "10000", "--warmup", "0",
                                        "-o", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            while b"trial 5 " not in program.stderr.readline():
                pass
            program.send_signal(signal.SIGKILL)
            program.communicate()
            done = tuibench("-x", "json", path)
            self.assertGreaterEqual(len(json.loads(done.stdout)["runs"]), 4)
            said, = said_of("killed" + end, done)
            self.assertRegex(said, "^cut off at ")

    def test_damage_is_one_line_and_loses_nothing_before_it(self):
        for end in ENDS:
            data = self.read("a" + end)
            whole = json.loads(tuibench("-x", "json", self.path("a" + end)).stdout)
            ended = tuibench("-x", "json", self.write("more", data + b"Connection closed.\n"))
            self.assertEqual(json.loads(ended.stdout)["runs"], whole["runs"])
            self.assertEqual(said_of("more", ended), ["other data follows the rows; tuibench ignores it"])
            self.assertEqual(tuibench("-x", "json", self.write("more", data + data[:3])).returncode, 0)
            at = len(data) * 9 // 10
            done = tuibench("-x", "json", self.write("torn", data[:at]))
            self.assertGreaterEqual(len(json.loads(done.stdout)["runs"]), 1)
            said, = said_of("torn", done)
            self.assertRegex(said, "^cut off at ")
            done = tuibench("-x", "json", self.write("early", broken(end, data, b"Connection closed.\n" * 9)))
            self.assertEqual(len(said_of("early", done)), 1, done.stderr)
            done = tuibench("-x", "json", self.write("broken", broken(end, data)))
            said, = said_of("broken", done)
            self.assertRegex(said, "^its compressed bytes are damaged near byte [0-9]+: tuibench read [0-9.]+ .iB of rows, up to ([0-9.]+ m?s|the first run), "
                             "and the rest is lost$")
            # Other damage may also produce wrong rows, which are then reported, too. In a small file, the rows of
            # the session may be damaged.
            other = self.write("other", data[:at // 2] + b"\xff" * 64 + data[at // 2 + 64:])
            done = subprocess.run([TUIBENCH, "-x", "json", other], capture_output=True, timeout=300, check=False)
            if done.returncode:
                self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1), done.stderr)
                self.assertRegex(done.stderr, b"damaged before its first row|(damaged near byte|cut off after) [0-9]+( bytes)?, before its session begins")
            else:
                self.assertGreaterEqual(len(said_of("other", done)), 1, done.stderr)
        rows = gzip.decompress(self.read("a.csv.gz"))
        for record in (b"\nworker,", b"\ncore,", b"\nslice,", b"\ntick,"):
            cut = rows[:rows.index(b"\n", rows.rindex(record) + 1) + 1]
            for data in (cut, cut[:-9]):
                said, = said_of("cut", tuibench("-x", "json", self.write("cut", data)))
                self.assertRegex(said, "^cut off at ")
        refused = tuibench("-b", "-r", self.write("b", b"\x1f\x8b\x08" + b"\xff" * 50), status=2)
        self.assertIn(b"it is compressed, and damaged before its first row", refused.stderr)
        refused = tuibench("-b", "-r", self.write("b", gzip.compress(gzip.compress(b"record,time_ns"))), status=2)
        self.assertIn(b"it is compressed twice, or in a format other than zstd or gzip", refused.stderr)
        refused = tuibench("-b", "-r", self.write("b", gzip.compress(b"a,b\n" * 9)), status=2)
        self.assertIn(b"it is not a recording of tuibench", refused.stderr)

    def test_rows_that_never_end_are_no_cut(self):
        head = gzip.decompress(self.read("a.csv.gz")).split(b"\n", 1)[0] + b"\n"
        for rows in (head + b"a" * (20 << 20), head + b",,,,\n" * (4 << 20)):
            refused = tuibench("-b", "-r", self.write("endless.csv.gz", gzip.compress(rows)), status=2)
            self.assertIn(b"it contains no session", refused.stderr)

    def test_a_room_takes_compressed_and_other_recordings(self):
        rows = gzip.decompress(self.read("a.csv.gz"))
        mine = next(line.split(b",") for line in rows.split(b"\n") if b",machine.id," in line)
        mine = next((cell for cell in mine if len(cell) == 16), None)
        if not mine:
            self.skipTest("this machine has no /etc/machine-id")
        with tempfile.TemporaryDirectory() as room:
            for name, data in [("m1.csv.zst", self.read("a.csv.zst")), ("m2.csv", rows.replace(mine, b"2" * 16)),
                               ("m3.csv.gz", gzip.compress(rows.replace(mine, b"3" * 16)))]:
                with open(os.path.join(room, name), "wb") as file:
                    file.write(data)
            self.assertIn(b"3 machines", tuibench("-b", "-r", room).stdout)

    def test_a_bundle_has_the_rows_as_they_are(self):
        for end in ENDS:
            path = self.path("bundle" + end + ".tar")
            tuibench("-x", "bundle", "-O", path, self.path("a" + end))
            with tarfile.open(path) as bundle:
                rows = bundle.extractfile("session.csv").read()
                sums = bundle.extractfile("SHA256SUMS").read().decode()
            self.assertTrue(rows.startswith(b"record,time_ns,"))
            self.assertIn(hashlib.sha256(rows).hexdigest() + "  session.csv", sums)
            self.assertEqual(said_of(os.path.basename(path), tuibench("-b", "-r", path)), [])

    def test_a_session_is_followed_while_it_goes_on(self):
        path = self.path("live.csv.zst")
        session = subprocess.Popen([TUIBENCH, *SHORT[:-4], "-n", "20", "-o", path], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        until = time.monotonic() + 100
        while not (os.path.exists(path) and os.path.getsize(path) > 100) and time.monotonic() < until:
            time.sleep(.01)
        followed = tuibench("-b", "-r", path, "--follow", "--exit")
        self.assertEqual(session.wait(), 0)
        self.assertIn(b"20 trials", followed.stdout)


unittest.main()
