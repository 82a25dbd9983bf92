# SPDX-License-Identifier: MIT
"""A program in a pseudo-terminal of a given size, for the benchmarks."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

# Ignore the options of the user. Do not repeat trials on a crowded machine, because a trial that was
# compared with another program would not count.
os.environ["TUIBENCH_CONFIG"] = "none"
os.environ["TUIBENCH_REPEATS"] = "0"


class Terminal:
    def __init__(self, argv, width=120, height=36, env=None):
        self.output = b""
        self.started = time.monotonic()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
            os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}, **(env or {}))
            try:
                os.execvp(argv[0], argv)
            finally:
                os._exit(127)

    def pump(self, seconds, until=None):
        """Reads output for `seconds`, or until it contains `until`. Returns the time, or None if it did not."""
        end = time.monotonic() + seconds
        seen = b""
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.fd], [], [], left)[0]:
                break
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return None
            if not data:
                return None
            seen += data
            if until and until in seen:
                return time.monotonic()
        return None if until else time.monotonic()

    def send(self, keys):
        os.write(self.fd, keys)

    def cpu_seconds(self):
        with open(f"/proc/{self.pid}/schedstat", encoding="utf-8") as file:
            return int(file.read().split()[0]) / 1e9

    def rss_kib(self):
        return self.status_kib("VmRSS")

    def hwm_kib(self):
        return self.status_kib("VmHWM")

    def status_kib(self, key):
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(key))

    def wait(self, seconds):
        """Reads to the end of the program, and kills it after `seconds`. Returns its exit status."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.pump(0.2) is None:
                break
        else:
            os.kill(self.pid, signal.SIGKILL)
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


def in_turn(turns, rounds):
    """Calls each function once a round, beginning with another one each time. Returns the results by name."""
    found = {name: [] for name in turns}
    names = list(turns)
    for i in range(rounds):
        at = i % len(names)
        for name in names[at:] + names[:at]:
            found[name].append(turns[name]())
    return found


def report(what, ratios, bound):
    """Prints median, range, number of pairs and limit in one line. Returns whether the limit is kept."""
    ratios = sorted(ratios)
    n = len(ratios)
    median = (ratios[(n - 1) // 2] + ratios[n // 2]) / 2
    kept = median <= bound
    print(f"{what}: median ratio {median:.3f} ({ratios[0]:.3f} – {ratios[-1]:.3f}, {n} pairs), "
          f"at most {bound}: {'kept' if kept else 'EXCEEDED'}", flush=True)
    return kept
