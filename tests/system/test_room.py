"""A room of machines: who is recorded, and what is said of all of them together."""
import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest

TUIBENCH = os.path.abspath(sys.argv.pop(1))
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
        for name in "ab":
            found = meta(self.path(name))
            self.assertEqual(found["machine.host"], "")
            self.assertEqual(found["options"], "")
            with open(self.path(name)) as file:
                text = file.read()
            self.assertNotIn("secret", text)
            self.assertNotIn(self.folder.name, text)
            self.assertIsNone(re.search(r"\b%s\b" % re.escape(os.uname().nodename), text))


if __name__ == "__main__":
    unittest.main()
