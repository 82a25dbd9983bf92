"""Recordings of several machines: which machine each row belongs to, and the joint result."""
import csv
import fcntl
import html
import io
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

TUIBENCH = os.path.abspath(sys.argv.pop(1))
INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include")
SHORT = ["-b", "-w", "cpu=2", "-s", "size=1M", "-n", "2", "--warmup", "0"]


def tuibench(*args, status=0):
    done = subprocess.run([TUIBENCH, *args], capture_output=True, text=True, timeout=300)
    assert done.returncode == status, (args, done.returncode, done.stderr)
    return done


def meta(path):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        key = next(rows).index("subject")
        return {row[key]: "".join(row[key + 1:]) for row in rows if row[0] == "meta"}


class Identity(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_two_recordings_of_a_machine_have_one_id(self):
        for name in "ab":
            tuibench(*SHORT, "-o", self.path(name))
        ids = [meta(self.path(name))["machine.id"] for name in "ab"]
        self.assertEqual(ids[0], ids[1])
        try:
            with open("/etc/machine-id") as file:
                number = file.read().strip()
        except OSError:
            number = ""
        self.assertRegex(ids[0], r"^[0-9a-f]{16}$" if len(number) == 32 else r"^([0-9a-f]{16})?$")
        for name in "ab":
            with open(self.path(name)) as file:
                self.assertFalse(number and number in file.read())

    def test_a_label_names_the_machine_and_nothing_else(self):
        tuibench(*SHORT, "-s", "label=Anna's laptop", "-o", self.path("a"))
        found = meta(self.path("a"))
        self.assertEqual(found["machine.label"], "Anna's laptop")
        self.assertEqual(found["settings"], "size=1M")
        self.assertNotIn("label", found["title"])

    def test_anonymous_leaves_out_host_paths_and_commands(self):
        secret = os.path.join(self.folder.name, "secret")
        with open(secret, "w") as file:
            file.write("x" * 70000)
        tuibench("-b", "-w", "io=1", "-s", "io-file=" + secret, "-s", "anonymous=yes", "-n", "1", "--warmup", "0",
                 "-o", self.path("a"))
        tuibench("-b", "-c", "cat " + secret, "-c", "wc " + secret, "-s", "anonymous=yes", "-n", "1", "--warmup", "0",
                 "-o", self.path("b"))
        program = self.path("secrets")
        shutil.copy("/bin/sleep", program)
        tuibench("-b", "-c", program + " 0.05", "-s", "anonymous=yes", "-n", "1", "--warmup", "0", "-o", self.path("d"))
        tuibench("-b", "-c", "/bin/true secret", "-s", "prepare=true secret", "-s", "env:A=secret", "-s", "anonymous=yes",
                 "-n", "1", "--warmup", "0", "-o", self.path("c"))
        blanks = self.path("a secret folder")
        os.mkdir(blanks)
        fails = blanks + "/secret"
        with open(fails, "w") as file:
            file.write("#!/bin/sh\nexit 3\n")
        os.chmod(fails, 0o755)
        subprocess.run([TUIBENCH, "-b", "-c", "true", "-s", f"prepare='{fails}'", "-s", "anonymous=yes", "-n", "1",
                        "--warmup", "0", "-o", self.path("e")], capture_output=True, timeout=120,
                       env={**os.environ, "TMPDIR": blanks})
        for name in "abcde":
            found = meta(self.path(name))
            self.assertEqual(found["machine.host"], "")
            self.assertEqual(found["options"], "")
            with open(self.path(name)) as file:
                text = file.read()
            self.assertNotIn("secret", text)
            self.assertNotIn(self.folder.name, text)
            self.assertIsNone(re.search(r"\b%s\b" % re.escape(os.uname().nodename), text))

    def test_anonymous_has_no_name_in_any_format(self):
        """Puts names wherever tuibench could find one, and looks for them in each output."""
        for name in ("plantcommand", "plantchild", "plantprepare", "plantother"):
            shutil.copy("/bin/sleep" if name != "plantprepare" else "/bin/true", self.path(name))
        with open(self.path("plantscript"), "w") as file:
            file.write("#!/bin/sh\nplantchild 0.05 & plantcommand 0.05\nplantother 60 &\necho plantsaid >&2\n")
        os.chmod(self.path("plantscript"), 0o755)
        with open(self.path("plantwork.c"), "w") as file:
            file.write("""#include "tuibench/work.h"
static int plantrun(struct tuibench_worker *worker) { return worker->index ? 5 : 0; }
const struct tuibench_work tuibench_work = {
	.abi = TUIBENCH_WORK_ABI, .name = "plantwork", .unit = "plantunits", .size = 1, .run = plantrun};
""")
        subprocess.run(["cc", "-shared", "-fPIC", "-I", INCLUDE, "-o", self.path("plantwork.so"),
                        self.path("plantwork.c")], check=True)
        env = {**os.environ, "PATH": self.folder.name + ":" + os.environ["PATH"], "USER": "plantuser",
               "LOGNAME": "plantuser", "HOME": "/planthome", "LD_LIBRARY_PATH": "/plantlibrary",
               "MALLOC_ARENA_MAX": "1"}
        busy = [subprocess.Popen(["bash", "-c", "exec -a plantbusy timeout 60 sh -c 'printf plantbusy > /proc/$$/comm; "
                                  "while :; do :; done'"]) for _ in range(os.cpu_count())]
        try:
            for log, *args in (("p.csv", "-c", "plantscript"),
                               ("q.csv", "-c", "plantcommand 0.05", "-c", "plantchild 0.06", "-s", "prepare=plantprepare"),
                               ("r.csv", "-w", "cpu=2", "-s", "env:A=plantone,plant2"),
                               ("s.csv", "--own", self.path("plantwork.so"))):
                subprocess.run([TUIBENCH, "-b", *args, "-s", "anonymous=yes", "-n", "2", "--warmup", "0", "-o",
                                self.path(log)], env=env, capture_output=True, timeout=120, check=False)
        finally:
            for one in busy:
                one.terminate()
                one.wait()
        with open("/proc/sys/kernel/hostname") as file:
            host = file.read().strip().encode()
        self.assertEqual(meta(self.path("s.csv"))["title"], "4 own workers")
        with open(self.path("s.csv")) as file:
            self.assertIn("returned errno 5 (Input/output error), not 0", file.read())
        for log in "p.csv", "q.csv", "r.csv", "s.csv":
            with open(self.path(log), "rb") as file:
                outputs = {"recording": file.read()}
            formats = subprocess.run([TUIBENCH, "--help", "formats"], capture_output=True, text=True, timeout=60,
                                     check=True).stdout
            for name in re.findall(r"^  ([a-z-]+) ", formats, re.M):
                done = subprocess.run([TUIBENCH, "-x", name, self.path(log)], env=env, capture_output=True,
                                      timeout=300, check=False)
                if done.returncode == 0:
                    outputs[name] = done.stdout
            self.assertGreater(len(outputs), 10)
            for name, data in outputs.items():
                self.assertIsNone(re.search(rb"plant\w+", data.replace(log.encode(), b"")), (log, name))
                self.assertIsNone(re.search(rb"\b%s\b" % re.escape(host), data) if len(host) > 3 else None, name)


def craft(source, target, number, **changes):
    """Writes a copy of a recording that looks like one of another machine."""
    changes = {"machine.id": f"{number:016x}", "machine.label": f"m{number}", **changes}
    with open(source, newline="") as file:
        rows = list(csv.reader(file))
    key, value = rows[0].index("subject"), rows[0].index("value")
    for row in rows:
        if row[0] == "meta" and row[key] in changes:
            row[value] = changes[row[key]]
    with open(target, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


class Pooled(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.base = []
        for i in range(3):
            cls.base.append(os.path.join(cls.temporary.name, f"base{i}"))
            tuibench("-b", "-w", "cpu=2", "-s", "size=1M", "-n", "6", "-o", cls.base[-1])

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def class_of(self, machines):
        for i in range(machines):
            craft(self.base[i % 3], self.path(f"m{i}.csv"), i)
        return self.folder.name

    def answers(self, *names):
        return json.loads(tuibench("-x", "json", *names).stdout)["pooled"]["answers"]

    def test_thirty_machines_fit_on_sixty_lines(self):
        text = tuibench("-b", "-r", self.class_of(30)).stdout
        self.assertLessEqual(len(text.splitlines()), 60)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertRegex(text.replace("\n", " "),
                         r"(Threads|Processes) are faster on \d+ of 30 machines \(real on \d+[^)]*\)\. Pooled: processes "
                         r"take [\d.]+x as long \([\d.]+ to [\d.]+\); on another machine expect [\d.]+ to [\d.]+x\.")
        self.assertTrue(text.isascii())
        for i in range(30):
            craft(self.base[i % 3], self.path(f"m{i}.csv"), i, **{"machine.kernel": f"6.{i}.0-a-long-name",
                                                                  "machine.distribution": f"a distribution {i % 4}"})
        for field, machines in [("distribution", 30), ("kernel", 0)]:
            text = tuibench("-b", "-r", self.folder.name, "--select", field).stdout
            self.assertLessEqual(len(text.splitlines()), 60)
            self.assertEqual(len(re.findall(r"^ m\d", text, re.M)), machines)

    def test_recordings_of_one_machine_are_collapsed(self):
        self.class_of(3)
        craft(self.base[1], self.path("again.csv"), 0)
        first = self.answers(self.folder.name)[0]
        self.assertEqual(first["machines"], 3)
        self.assertEqual(sorted(row["recordings"] for row in first["rows"]), [1, 1, 2])
        for row in first["rows"]:
            self.assertLess(row["low"], row["high"])
        self.assertAlmostEqual(sum(row["weight"] for row in first["rows"]), 1, 6)

    def test_names_are_pooled_as_a_folder_is(self):
        folder = self.class_of(4)
        names = [self.path(f"m{i}.csv") for i in range(4)]
        self.assertEqual(self.answers(folder), self.answers(*names))

    def test_two_machines_are_shown_side_by_side(self):
        self.class_of(2)
        names = [self.path("m0.csv"), self.path("m1.csv")]
        text = tuibench("-b", "-r", *names).stdout
        self.assertNotIn("Pooled", text)
        self.assertIn("threads @m0", text)
        error = tuibench("-b", "-r", *names, names[1], status=2).stderr
        self.assertIn("recordings from 3 machines, and these come from 2; name two", error)
        error = tuibench("-b", "-r", *names, self.path("none.csv"), status=2).stderr
        self.assertIn("none.csv: No such file or directory; a pooled answer", error)
        error = tuibench("-b", "-r", self.folder.name, status=2).stderr
        self.assertIn("recordings from 3 machines", error)

    def test_the_table_has_a_row_for_each_machine_and_answer(self):
        folder = self.class_of(5)
        rows = list(csv.DictReader(io.StringIO(tuibench("-x", "csv", folder).stdout)))
        answers = self.answers(folder)
        self.assertEqual(len(rows), 5 * len(answers))
        self.assertEqual({row["metric"] for row in rows}, {answer["metric"] for answer in answers})
        self.assertEqual({row["machine"] for row in rows}, {f"m{i}" for i in range(5)})

    def test_markdown_has_the_same_sentences(self):
        folder = self.class_of(3)
        text = tuibench("-x", "markdown", folder).stdout
        for answer in self.answers(folder):
            self.assertIn(answer["sentence"], text.replace("\\", ""))

    def test_the_page_has_the_same_sentences_and_no_script(self):
        folder = self.class_of(4)
        craft(self.base[0], self.path("m4.csv"), 4, **{"machine.label": "<script>alert(1)</script>"})
        text = tuibench("-x", "html", folder).stdout
        self.assertNotIn("<script", text)
        for answer in self.answers(folder):
            self.assertIn(answer["sentence"], html.unescape(text))
        self.assertEqual(text.count("<tr class=pooled>"), 2 * len(self.answers(folder)))

    def test_other_formats_are_refused(self):
        folder = self.class_of(3)
        for names in ([folder], [self.path(f"m{i}.csv") for i in range(3)]):
            error = tuibench("-x", "trace", *names, status=2).stderr
            self.assertIn("trace takes one recording; for several machines, use table", error)

    def test_a_bundle_is_a_recording_unless_it_was_changed(self):
        folder = self.class_of(4)
        before = self.answers(folder)
        tuibench("-x", "bundle", "-O", self.path("m3.tar"), self.path("m3.csv"))
        os.remove(self.path("m3.csv"))
        self.assertEqual(self.answers(folder), before)
        with open(self.path("m3.tar"), "r+b") as file:
            file.seek(600)
            file.write(b"~")
        result = json.loads(tuibench("-x", "json", folder).stdout)
        self.assertEqual(result["pooled"]["left_out"],
                         [{"recording": "m3.tar", "why": "changed since the bundle was made"}])
        self.assertEqual(result["machines"], 3)

    def test_what_is_not_pooled_says_why(self):
        self.class_of(3)
        with open(self.path("broken.csv"), "w") as file:
            file.write("no recording")
        with open(self.path("empty.csv"), "w") as file:
            pass
        tuibench("-b", "-w", "fp=1", "-m", "threads", "-n", "1", "--warmup", "0", "-o", self.path("alone.csv"))
        result = json.loads(tuibench("-x", "json", self.folder.name).stdout)
        left_out = {one["recording"]: one["why"] for one in result["pooled"]["left_out"]}
        self.assertEqual(set(left_out), {"broken.csv", "empty.csv", "alone.csv"})
        self.assertTrue(all(left_out.values()))
        self.assertEqual(result["machines"], 3)

    def test_who_has_not_reported_is_in_every_format(self):
        folder = self.class_of(4)
        with open(self.path("expected.txt"), "w") as file:
            file.write("m0\nm1\nanna\nben: no route to host\n")
        with open(self.path("m3.csv"), "r+b") as file:
            file.truncate(os.path.getsize(self.path("m3.csv")) - 3000)
        os.utime(self.path("m3.csv"), (0, 0))
        for words in ["2 of 4 have not reported: anna, ben (no route to host).", "1 has no end yet: m3 (nothing new for hours)."]:
            for name in ["table", "markdown", "html"]:
                text = html.unescape(tuibench("-x", name, folder).stdout)
                self.assertIn(words, " ".join(text.replace("\\", "").split()))
        pooled = json.loads(tuibench("-x", "json", folder).stdout)["pooled"]
        self.assertEqual(pooled["missing"], [{"machine": "anna", "why": None}, {"machine": "ben", "why": "no route to host"}])
        self.assertEqual(pooled["unfinished"], [{"machine": "m3", "recording": "m3.csv", "written_s": 0}])
        self.assertEqual(pooled["failed"], [])

    def test_machines_are_grouped_by_a_field_in_every_format(self):
        for i in range(6):
            craft(self.base[i % 3], self.path(f"m{i}.csv"), i, **{"machine.cpu": ["Atom", "A CPU of a long name"][i % 2]})
        for name in ["table", "markdown", "html"]:
            text = tuibench("-x", name, "--select", "cpu", self.folder.name).stdout
            self.assertIn("A CPU of a long name", text)
            self.assertIn("Atom", text)
            if name != "html":  # in HTML, each machine is below its group
                found = re.findall(r"^[| *]*(A CPU of a long name|Atom|m\d)\b", text, re.M)
                self.assertEqual(["".join(sorted(found[-8:][i:i + 4])) for i in (0, 4)],
                                 ["A CPU of a long namem1m3m5", "Atomm0m2m4"])
        pooled = json.loads(tuibench("-x", "json", "--select", "cpu", self.folder.name).stdout)["pooled"]
        self.assertEqual(pooled["grouped_by"], "cpu")
        for answer in pooled["answers"]:
            self.assertEqual([(group["value"], group["machines"]) for group in answer["groups"]],
                             [("A CPU of a long name", 3), ("Atom", 3)])
            self.assertTrue(all(row["group"] == row["cpu"] for row in answer["rows"]))
        table = tuibench("-x", "csv", "--select", "cpu", self.folder.name).stdout
        groups = {group["value"]: group for group in pooled["answers"][0]["groups"]}
        for row in list(csv.DictReader(io.StringIO(table)))[:6]:
            self.assertEqual((row["grouped_by"], row["group"], row["group_machines"]), ("cpu", row["cpu"], "3"))
            for end in ["ratio", "low", "high"]:
                self.assertAlmostEqual(float(row["group_" + end]), groups[row["cpu"]][end], 5)
        table = tuibench("-x", "csv", self.folder.name).stdout
        self.assertTrue(all(row["group"] == "" for row in csv.DictReader(io.StringIO(table))))
        self.assertIn("group machines by cpu, cores_allowed, kernel, distribution",
                      tuibench("-b", "-r", self.folder.name, "--select", "w3", status=2).stderr)

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_a_host_that_fails_is_expected_with_its_reason(self):
        os.mkdir(self.path("bin"))
        with open(self.path("bin/ssh"), "w") as file:
            file.write('#!/bin/sh\ncase "$*" in\n*lab2*) echo "ssh: no route to host" >&2; exit 255 ;;\n'
                       '*lab4*) exit 3 ;;\nesac\nexec cat "%s"\n' % self.base[0])
        os.chmod(self.path("bin/ssh"), 0o755)
        with open(self.path("hosts"), "w") as file:
            file.write("lab1\nlab2\n-p 2201 user@lab3\nlab4\n")
        script = os.path.join(os.path.dirname(__file__), "../../man/machines/pull.sh")
        folder = self.path("class")
        done = subprocess.run(["sh", script, folder, self.path("hosts"), "-q"], capture_output=True, timeout=300,
                              env={**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"]})
        self.assertEqual(done.returncode, 2, done.stderr)  # the number of hosts that failed
        self.assertEqual(sorted(name for name in os.listdir(folder) if name.endswith(".csv")),
                         ["lab1.csv", "p_2201_user@lab3.csv"])
        with open(os.path.join(folder, "expected.txt")) as file:
            lines = file.read().split("\n")
        self.assertEqual(lines[:4], ["lab1", "lab2", "p_2201_user@lab3", "lab4"])
        self.assertEqual(sorted(lines[4:]), ["", "lab2: ssh: no route to host", "lab4: exit status 3"])

    def test_crashes_are_counted(self):
        tuibench("-b", "crash", "-n", "2", "-o", self.path("crash"))
        for i in range(3):
            craft(self.path("crash"), self.path(f"c{i}.csv"), i)
        result = json.loads(tuibench("-x", "json", self.folder.name).stdout)
        self.assertGreaterEqual(len(result["pooled"]["survivors"]), 2)
        self.assertRegex(result["pooled"]["survivors"][0], r"of \d+ workers survived in each trial of 3 recordings\.$")

    def test_a_folder_is_watched_while_recordings_grow(self):
        folder = self.class_of(3)
        process, terminal = pty.fork()
        if process == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(TUIBENCH, [TUIBENCH, "-r", folder])
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
        seen = bytearray()

        def wait_for(text):
            end = time.monotonic() + 120
            del seen[:]
            while text not in seen:
                self.assertLess(time.monotonic(), end, (text, bytes(seen[-3000:])))
                os.write(terminal, b"\x0c")  # Ctrl-L draws the whole screen
                while select.select([terminal], [], [], 0.3)[0]:
                    seen.extend(os.read(terminal, 65536))

        wait_for(b"3 machines, 3 recordings")
        craft(self.base[0], self.path("later"), 77)
        with open(self.path("later"), "rb") as file:
            whole = file.read()
        with open(self.path("later.csv"), "wb") as file:
            file.write(whole[:200])
            file.flush()
            wait_for(b"4 recordings, 1 not pooled")
            file.write(whole[200:-3000])
            file.flush()
            wait_for(b"4 machines, 4 recordings, 1 without an end")
            file.write(whole[-3000:])
        wait_for(b"4 machines, 4 recordings\x1b")
        os.write(terminal, b"q")
        del seen[:]
        try:
            while data := os.read(terminal, 65536):
                seen.extend(data)
        except OSError:
            pass
        self.assertEqual(os.waitpid(process, 0)[1], 0)
        self.assertIn(b"of 4 machines", bytes(seen).replace(b"\r\n", b" "))


if __name__ == "__main__":
    unittest.main()
