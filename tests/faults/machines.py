# SPDX-License-Identifier: MIT
"""A machine lacks something: disk space, files, memory, /proc, a runner of this version, or time."""

import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import time

from program import SANITIZED, TUIBENCH, as_nobody as nobody
from rows import Fault, Scene, Skip, row
from calls import BRIEF, CORES, LOG, NAMED, NO_BOARD, NO_START, RESULT, RUN, SMALL, SMAPS, NONE, TORN
from scene import FORKING, Calls

GROUP = "the machine"
WHOLE = "whole rows"
PLAIN = (*BRIEF, "-m", "processes", "-w", "cpu=1,io=1", *SMALL)
MEMFD = "memory of the run: *"


def limited(which, value):
    return lambda: resource.setrlimit(which, (value, value))


def without_sanitizer():
    """Skips the row with AddressSanitizer, which needs more than the row allows."""
    if SANITIZED:
        raise Skip("not with AddressSanitizer")


def plain(one, args=PLAIN, log=True, **more):
    with Scene() as scene:
        scene.start(*args, *(("--log", scene.log) if log else ()), **more)
        scene.end()
        one.judge(scene)


def executable(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


def shell(one, script, args=PLAIN, log=True, needs=()):
    """Runs the script in its own mount namespace. $F is the folder, "$@" the program with arguments."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False,
                                           capture_output=True).returncode != 0:
        raise Skip("needs root, and a mount namespace")
    for tool in needs:
        if not shutil.which(tool):
            raise Skip(f"needs {tool}")
    with Scene() as scene:
        scene.environment["F"] = scene.folder
        program = os.path.join(scene.folder, "in")
        with FORKING:
            executable(program, f'#!/bin/sh\nset -e\n{script}\nexec "{TUIBENCH}" "$@"\n')
        scene.outputs = [open(os.path.join(scene.folder, name), "w+b") for name in ("out", "err")]
        scene.process = subprocess.Popen(
            ["unshare", "-m", "--propagation", "private", program, "--batch", *args,
             *(("--log", scene.log) if log else ())], env=scene.environment,
            stdin=subprocess.DEVNULL, stdout=scene.outputs[0], stderr=scene.outputs[1],
            start_new_session=True)
        scene.end()
        if "mount: " in scene.said:
            raise Skip(f"cannot be mounted here: {scene.said.splitlines()[0]}")
        one.judge(scene, files=(program,))


class Skipper:
    """Lets nobody() of program.py, which skips a test, skip a row instead."""
    @staticmethod
    def skipTest(why):
        raise Skip(why)


def as_nobody(limits):
    """Returns arguments for subprocess that run as a user without other tasks; or skips the row."""
    return nobody(Skipper, limits)


@row(GROUP, "RLIMIT_NPROC of 4, 8 workers, as a plain user",
     ("-w cpu=8: processes need * tasks at once; RLIMIT_NPROC (ulimit -u) is 4, of which *, so *",), (3,), "none")
def few_tasks(one, draw):
    plain(one, (*BRIEF, "-m", "processes", "-w", "cpu=8"), log=False,
          **as_nobody({resource.RLIMIT_NPROC: 4}))


@row(GROUP, "RLIMIT_NOFILE of 4 to 63",
     ("the open file limit (RLIMIT_NOFILE) is *, but a session needs 64; raise it with ulimit -n 64",), (3,), "none")
def few_files(one, draw):
    plain(one, preexec_fn=limited(resource.RLIMIT_NOFILE, draw.randint(4, 63)))


@row(GROUP, "RLIMIT_FSIZE of 4 to 64 KiB",
     ("the file size limit (RLIMIT_FSIZE) is * KiB, but processes need * KiB of memory in one "
      "shared file; raise it with ulimit -f *",), (3,), "none")
def small_files(one, draw):
    plain(one, preexec_fn=limited(resource.RLIMIT_FSIZE, draw.choice((4096, 8192, 16384, 65536))))


@row(GROUP, "RLIMIT_AS of 1 GiB, 200 threads with stacks of 16 MiB",
     ("-s stack=16M: threads need * of addresses at once; RLIMIT_AS (ulimit -v) is 1.0 GiB, of which * left, "
      "so at most * workers fit, or all of it with -s stack=*",), (3,), "none")
def few_addresses(one, draw):
    without_sanitizer()
    plain(one, (*BRIEF, "-m", "threads", "-w", "cpu=200", "-s", "stack=16M"), log=False,
          preexec_fn=limited(resource.RLIMIT_AS, 1 << 30))


@row(GROUP, "the log is /dev/full", (LOG, TORN, NONE, NAMED), (1, 2), "none", most=2)
def full_log(one, draw):
    plain(one, (*PLAIN, "--log", "/dev/full"), log=False)


@row(GROUP, "standard output is /dev/full", (RESULT,), (1,), WHOLE)
def full_output(one, draw):
    with open("/dev/full", "wb") as full, Scene() as scene:
        scene.start(*PLAIN, "--log", scene.log, stdout=full)
        scene.end()
        one.judge(scene)


@row(GROUP, "a tmpfs of 32 KiB that holds the log fills up", (LOG, TORN, NONE), (1,),
     "on that tmpfs, gone with it", most=2)
def full_tmpfs(one, draw):
    shell(one, 'mkdir "$F/small"; mount -t tmpfs -o size=32K none "$F/small"\n'
          'set -- "$@" --log "$F/small/b.csv"', (*PLAIN[2:], "--trials", "40"), log=False)


@row(GROUP, "a tmpfs of 256 KiB as TMPDIR, io workers of 1 MiB",
     ('-s io.size=1048576 needs 3 files of that size in TMPDIR (*, in memory), where * free; at most * fits',),
     (3,), "none")
def small_tmpdir(one, draw):
    shell(one, 'mount -t tmpfs -o size=256K none "$F/tmp"',
          (*BRIEF, "-m", "processes", "-w", "io=2", "-s", "io.size=1M"))


@row(GROUP, "a home and a state folder that cannot be written",
     ("nothing is recorded: *",), (0,), "none; --log FILE still records")
def read_only(one, draw):
    shell(one, 'mount -t tmpfs -o ro none "$F/state"; mount -t tmpfs -o ro none "$F/home"', log=False)


@row(GROUP, "no /proc", ("tuibench-runner is missing: *; mount /proc, or reinstall tuibench",), (1,), "none")
def no_proc(one, draw):
    without_sanitizer()
    shell(one, "mount -t tmpfs none /proc")


def installed():
    """Returns the folder in which the runner of this build will be installed."""
    with open(TUIBENCH, "rb") as file:
        return re.search(rb"(?<=\0)/[^\0%.]*/libexec/tuibench(?=\0)", file.read()).group().decode()


def without_proc(one, *more):
    """Runs without /proc. Then tuibench cannot find its own folder, so the runner must be installed."""
    folder = installed()
    built = os.path.dirname(TUIBENCH)
    shell(one, f'mount -t tmpfs none "{folder.split("/libexec")[0]}"; mkdir -p "{folder}"; '
          f'cp "{built}/tuibench-runner" "{built}/tuibench-hello" "{folder}"; mount -t tmpfs none /proc',
          (*PLAIN, *more))


@row(GROUP, "no /proc, installed", ("", CORES, SMAPS), (0,), WHOLE, most=2)
def no_proc_installed(one, draw):
    without_sanitizer()
    without_proc(one)


@row(GROUP, "no /proc, installed, with -s share-file=yes",
     ("-s share-file: the workers open the file through /proc/self/fd, which does not exist; mount /proc",),
     (3,), "none")
def no_proc_share(one, draw):
    without_sanitizer()
    without_proc(one, "-s", "share-file=yes")


@row(GROUP, "no /sys", ("",), (0,), WHOLE)
def no_sys(one, draw):
    shell(one, "mount -t tmpfs none /sys")


@row(GROUP, "an empty /dev", ("cannot start *tuibench-runner: /dev/null: No such file or directory",), (1,),
     "no run")
def no_dev(one, draw):
    shell(one, "mount -t tmpfs none /dev")


@row(GROUP, "no /dev/shm", ("",), (0,), WHOLE)
def no_shm(one, draw):
    shell(one, "mount -t tmpfs -o ro none /dev/shm")


@row(GROUP, "no /dev/shm, a worker that crashes", (RUN,), (1,), WHOLE)
def no_shm_crash(one, draw):
    shell(one, "mount -t tmpfs -o ro none /dev/shm", (*BRIEF, "crash", "-m", "processes", "-w", "cpu=2"))


@row(GROUP, "/dev/shm in which somebody took all names with a number, a worker that crashes", ("",), (0,), WHOLE)
def shm_taken(one, draw):
    shell(one, "mount -t tmpfs none /dev/shm; cd /dev/shm; seq -f tuibench-fault-%.0f $$ $(($$ + 9999)) | xargs touch; cd /",
          (*BRIEF, "crash", "-m", "processes", "-w", "cpu=2"))


@row(GROUP, "/proc with hidepid=2", ("",), (0,), WHOLE)
def hidepid(one, draw):
    shell(one, "mount -t proc -o hidepid=2 proc /proc")


class Limit:
    """A cgroup of version 1 or 2 with one limit. Skips the row if none can be created."""

    def __init__(self, controller, files):
        self.folder = ""
        for top in (f"/sys/fs/cgroup/{controller}", "/sys/fs/cgroup"):
            folder = os.path.join(top, f"faults-{os.getpid()}-{time.monotonic_ns()}")
            try:
                os.mkdir(folder)
            except OSError:
                continue
            for name, value in files:
                if os.path.exists(os.path.join(folder, name)):
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                        file.write(str(value))
                    self.folder = folder
                    return
            os.rmdir(folder)
        raise Skip(f"no cgroup of {controller} can be made here")

    def join(self):
        with open(os.path.join(self.folder, "cgroup.procs"), "w", encoding="utf-8") as file:
            file.write("0")

    def remove(self):
        until = time.monotonic() + 10
        while time.monotonic() < until:
            try:
                for where, below, _ in os.walk(self.folder, topdown=False):
                    os.rmdir(where)
                return
            except OSError:
                time.sleep(0.01)


def in_cgroup(one, controller, files, args):
    limit = Limit(controller, files)
    try:
        plain(one, args, preexec_fn=limit.join)
    finally:
        limit.remove()


@row(GROUP, "pids cgroup of 6, 20 processes",
     ("-w cpu=20: processes need * tasks at once; pids.max of cgroup * is 6, of which * left, so at most * fits",), (3,), "none")
def pids(one, draw):
    in_cgroup(one, "pids", [("pids.max", 6)], (*BRIEF, "-m", "processes", "-w", "cpu=20"))


@row(GROUP, "memory cgroup of 48 MiB, two mem workers of 64 MiB",
     ('-s mem.size=* is too much for the free memory (*) with 2 workers; at most mem.size=* fits',), (3,), "none")
def memory(one, draw):
    in_cgroup(one, "memory", [("memory.max", 48 << 20), ("memory.limit_in_bytes", 48 << 20)],
              (*BRIEF, "-m", "processes", "-w", "mem=2", "-s", "mem.size=64M"))


def with_runner(one, make, status_within=60, trials=1):
    """Runs a copy of the front end with another runner. The first trial must end the session."""
    with Scene() as scene:
        program, runner = (os.path.join(scene.folder, name) for name in ("tuibench", "tuibench-runner"))
        # A child that another row forks meanwhile would have these files open for writing (ETXTBSY).
        with FORKING:
            shutil.copy(TUIBENCH, program)
            make(runner)
        scene.start(*PLAIN, "--trials", str(trials), "--log", scene.log, program=program)
        if make is sleeps:
            time.sleep(0.5)
            scene.process.send_signal(signal.SIGTERM)
        scene.end(status_within)
        failures = [line for line in scene.lines() if ": failed: " in line]
        if trials > 1 and len(failures) != 1:
            raise Fault(f"{len(failures)} failures are told, not one: {failures}")
        one.judge(scene, files=(program, runner))


def script(text):
    return lambda path: executable(path, text)


sleeps = script("#!/bin/sh\nexec sleep 1000\n")


@row("the runner", "is true(1), or false(1), in 9 trials", ("*, trial 1 of 9: failed: tuibench-runner ended with status * "
     "before it began, as a runner of another version does: reinstall tuibench",), (1,), WHOLE)
def other_program(one, draw):
    with_runner(one, script(f"#!/bin/sh\nexit {draw.randint(0, 1)}\n"), trials=9)


@row("the runner", "cannot be loaded, in 9 trials: what its loader says, or does not", (
     "*, trial 1 of 9: failed: tuibench-runner could not begin (status 127): no library x",
     "*, trial 1 of 9: failed: tuibench-runner could not be loaded (status 12*): its loader or a "
     "library is missing, or not allowed"), (1,), WHOLE)
def not_loaded(one, draw):
    with_runner(one, script(draw.choice(("#!/bin/sh\necho no library x >&2\nexit 127\n",
                                         "#!/bin/sh\nexit 127\n", "#!/bin/sh\nexit 126\n"))), trials=9)


@row("the runner", "sleeps for ever; SIGTERM of the front end", ("", "*: interrupted"), (143,), WHOLE)
def sleeper(one, draw):
    with_runner(one, sleeps)


@row("the runner", "is not executable", ("*tuibench-runner is not executable: chmod +x it, *",), (1,), "none")
def not_executable(one, draw):
    def make(path):
        script("")(path)
        os.chmod(path, stat.S_IRUSR)
    if os.access(os.path.join(installed(), "tuibench-runner"), os.X_OK):
        raise Skip("the runner that is installed is taken instead")
    with_runner(one, make)


@row("the runner", "is no program at all", ("cannot start *: Exec format error",), (1,), WHOLE)
def no_program(one, draw):
    with_runner(one, script("\x7fELF nonsense"))


def clock(library, hours):
    @row(GROUP, f"the wall clock jumps by {hours:+d} h in mid-run", ("",), (0,),
         "whole rows, in the order of the monotonic clock")
    def jump(one, draw):
        with Scene() as scene:
            Calls(scene, library)
            scene.environment["FAULTY_CLOCK"] = f"{hours * 3600}:{draw.randint(1, 200)}"
            scene.start(*PLAIN, "--log", scene.log)
            scene.end()
            one.judge(scene)
            rows = scene.check_log()
            ends = [row for row in rows if row["record"] == "end"]
            if not ends or any(not 0 < int(row["elapsed_ns"]) < 60 * 10**9 for row in ends):
                raise Fault(f"not the time that it took: {[row['elapsed_ns'] for row in ends]}")


def add_rows(library):
    clock(library, 1)
    clock(library, -1)
