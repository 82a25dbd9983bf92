# SPDX-License-Identifier: MIT
"""The nth call of a function fails, or that call and all later ones, in the front end or the runner."""

import errno
import os
import threading

from rows import Fault, Row, ROWS, Scene, Skip
from scene import NAME, Calls

# Options of sessions with one trial, which end within a tenth of a second. They make different calls.
BRIEF = ("--trials", "1", "--warmup", "0", "--order", "fixed", "--interval", "20")
SMALL = ("-s", "cpu.size=20000", "-s", "io.size=64K")
SESSIONS = {
    "threads": ("-m", "threads", "-w", "cpu=1,io=1", *SMALL),
    "processes": ("-m", "processes", "-w", "cpu=1,io=1", *SMALL),
    "tree": ("--tree", "2x2", "-m", "processes"),
    "hybrid": ("-m", "hybrid:2x1", "-w", "cpu=2", *SMALL[:2]),
    "hello": ("hello", "-m", "threads", "-s", "size=9"),
    "file": ("hello", "-m", "processes", "-s", "size=9", "-s", "sink=file"),
    "crash": ("crash", "-m", "processes", "-w", "cpu=2"),
    "creation": ("creation", "-m", "vfork,clone,posix_spawn,fork+exec,vfork+exec", "-w", "null=3",
                 "-s", "ballast=0"),
    "messages": ("messages", "-m", "processes", "-s", "message.size=20"),
    "switch": ("switch", "-m", "threads", "-s", "via=pipe,socketpair,eventfd", "-s", "token.size=50"),
    "pool": ("pool", "-m", "pool:2", "-s", "tasks=10", "-s", "size=5K"),
}
# How often a session calls each function; counted once, without a fault.
counted = {}
lock = threading.Lock()


def start(scene, library, program, session):
    calls = Calls(scene, library)
    scene.environment["FAULTY_PROGRAM"] = NAME if program == "tuibench" else program
    scene.start(*BRIEF, "--log", scene.log, *SESSIONS[session])
    return calls


def count(library, program, session):
    with lock:
        if (program, session) not in counted:
            with Scene() as scene:
                calls = start(scene, library, program, session)
                if scene.end() != 0:
                    raise Fault(f"{session} fails by itself: {scene.said}")
                counted[program, session] = calls.read()[1]
        return counted[program, session]


def strike(row, library, program, function, error, session, nth):
    with Scene() as scene:
        scene.environment["FAULTY_CALL"] = f"{function}:{error}:{nth}"
        calls = start(scene, library, program, session)
        try:
            scene.end()
            row.judge(scene, met=calls.read()[0] > 0)
        except Fault as fault:
            raise Fault(f"{session}, call {nth}, {errno.errorcode[error]}: {fault}") from None


def draw_call(row, draw, library, program, function, errors):
    sessions = [name for name in SESSIONS if count(library, program, name).get(function)]
    if not sessions:
        raise Skip("no session here makes this call")
    session = draw.choice(sessions)
    # In half of the cases, take one of the first 8 calls, which are more likely to show a fault.
    most = count(library, program, session)[function]
    nth = draw.randint(1, most if draw.random() < 0.5 else min(most, 8))
    strike(row, library, program, function, draw.choice(errors), session,
           f"{nth}{draw.choice(('', '+'))}")


def walk(row, library, program, function, errors, most):
    """Yields a try for each session and error, and for about `most` calls, distributed evenly."""
    for session in SESSIONS:
        n = count(library, program, session).get(function, 0)
        for nth in range(1, n + 1, max(1, n // most)):
            for error in errors:
                for on in ("", "+"):
                    yield lambda s=session, e=error, k=f"{nth}{on}": strike(
                        row, library, program, function, e, s, k)


E = errno
NO_START = "cannot start *"
NO_BOARD = "cannot share memory (a memfd) with *"
RUN = "*, trial 1 of 1: failed: *"
RESULT = "the result could not be written: *"
LOG = "cannot write the recording: *; the run continues without it"
NONE = "nothing was recorded in *: *"
TORN = "the recording * is not complete: *"
NAMED = "--log: cannot record to *: *"
CORES = "the load of the cores is not known: /proc/stat: *"
SMAPS = "PSS and USS are not known: *"
COPY = "*cannot make the input file of the io workers *"
HOLES = "*, trial 1: * of the kernel's records were lost: *"
LANES = "*, trial 1 has no lanes, because *"
LEFT = "*, trial 1: the program started * that outlived it; *"
TIMER = "cannot set a timer: *"
LOST = "a sample was lost: *"
ALL_LOST = "* samples were lost in all"
MEMORY = "out of memory"
NOT_HAD = "*: Cannot allocate memory"
TAKEN = "*, trial 1*: CPU * was taken away from the session (cpuset, taskset)"
CAME = "*, trial 1*: CPU * did not exist when the session began"

# Function, errors, allowed lines on standard error, allowed statuses.
FRONT = (
    ("open", (E.EMFILE, E.ENFILE, E.EACCES), ("", NAMED, CORES, SMAPS, COPY), (0, 1, 2)),
    ("fopen", (E.EMFILE, E.ENOMEM), ("",), (0,)),
    ("opendir", (E.EMFILE, E.ENOMEM), ("",), (0,)),
    ("read", (E.EIO, E.ENOMEM), ("", CORES), (0, 1)),
    ("pread", (E.EIO,), ("", CORES, SMAPS), (0,)),
    ("pwrite", (E.ENOSPC, E.EINTR), (NO_BOARD, NO_START), (1,)),
    ("write", (E.ENOSPC, E.EIO, E.EDQUOT, E.EFBIG), (LOG, TORN, NONE, RESULT), (1,)),
    ("mmap", (E.ENOMEM, E.EAGAIN), ("", NO_BOARD, NO_START, LANES), (0, 1)),
    ("malloc", (E.ENOMEM,), ("", MEMORY, NOT_HAD, RUN, LOG, LANES, HOLES, LOST, ALL_LOST), (0, 1, 2, 3)),
    # Without a file for the runner's standard error, a failure does not quote its last line.
    ("memfd_create", (E.EMFILE, E.ENOMEM), ("", NO_BOARD, NO_START), (0, 1)),
    ("ftruncate", (E.ENOSPC, E.EIO), ("", NO_BOARD, NO_START), (0, 1)),
    ("fallocate", (E.ENOSPC, E.ENOMEM), ("", NO_BOARD, NO_START), (0, 1)),
    ("posix_spawn", (E.EAGAIN, E.ENOMEM), (NO_START,), (1,)),
    ("pipe2", (E.EMFILE, E.ENFILE), (NO_START,), (1,)),
    # If a file of a cgroup cannot be duplicated, the session estimates the kernel's memory.
    ("fcntl", (E.EMFILE,), ("", NO_BOARD, NO_START), (0, 1)),
    ("epoll_create1", (E.EMFILE, E.ENOMEM), (TIMER,), (1,)),
    ("epoll_ctl", (E.ENOMEM, E.ENOSPC), (TIMER, NO_START), (1,)),
    ("epoll_wait", (E.EPERM, E.ENOSYS), ("the session cannot continue: *",), (1,)),
    ("timerfd_settime", (E.EPERM,), ("", TIMER), (0, 1)),
    # If these processes cannot be killed, they end when the pipe from the front end is closed.
    ("kill", (E.EPERM,), ("",), (0,)),
    ("wait4", (E.EPERM,), ("",), (0,)),
    ("getrandom", (E.ENOSYS, E.EAGAIN), ("",), (0,)),
    ("timerfd_create", (E.EMFILE, E.ENOMEM), (TIMER,), (1,)),
    ("signalfd", (E.EMFILE, E.ENOMEM), ("signals: *",), (1,)),
    ("poll", (E.ENOMEM,), ("", "poll: Cannot allocate memory"), (0, 1)),
    ("fflush", (E.ENOSPC, E.EIO), (RESULT,), (1,)),
    ("close", (E.EIO, E.ENOSPC), ("", TORN), (0, 1)),
    # The program's folder is read twice: for translations (English without them), and for the runner.
    ("readlink", (E.EACCES, E.ENOENT), ("", "tuibench-runner is missing: *", "memory cannot be read, because /proc belongs to *"), (0, 1)),
    ("prctl", (E.EPERM,), ("",), (0,)),
    ("syscall", (E.EMFILE, E.EPERM), ("", NO_START, LANES), (0, 1)),
)
RUNNER = (
    ("open", (E.EMFILE, E.ENFILE), ("", RUN), (0, 1)),
    ("mkostemp", (E.ENOSPC, E.EMFILE), (RUN,), (1,)),
    ("shm_open", (E.ENOSPC, E.EMFILE), (RUN,), (1,)),
    ("read", (E.EIO,), ("", RUN), (0, 1)),
    ("write", (E.ENOSPC, E.EIO), ("", RUN), (0, 1)),
    ("mmap", (E.ENOMEM, E.EAGAIN), ("", RUN), (0, 1)),
    ("malloc", (E.ENOMEM,), ("", RUN), (0, 1)),
    ("fork", (E.EAGAIN, E.ENOMEM), (RUN,), (1,)),
    ("vfork", (E.EAGAIN, E.ENOMEM), (RUN,), (1,)),
    ("clone", (E.EAGAIN, E.ENOMEM), (RUN,), (1,)),
    ("posix_spawn", (E.EAGAIN, E.ENOMEM), (RUN,), (1,)),
    ("pthread_create", (E.EAGAIN, E.ENOMEM), (RUN,), (1,)),
    ("pipe2", (E.EMFILE, E.ENFILE), (RUN,), (1,)),
    ("socketpair", (E.EMFILE, E.ENOMEM), (RUN,), (1,)),
    ("eventfd", (E.EMFILE, E.ENOMEM), (RUN,), (1,)),
    ("poll", (E.ENOMEM,), ("",), (0,)),
    ("fflush", (E.ENOSPC, E.EIO), (RUN,), (1,)),
    ("fdopen", (E.ENOMEM, E.EMFILE), (RUN,), (1,)),
    ("close", (E.EIO,), ("", RUN), (0, 1)),
    ("prctl", (E.EPERM,), ("", RUN), (0, 1)),
    ("setrlimit", (E.EPERM,), ("", RUN), (0, 1)),
    ("kill", (E.EPERM,), ("", RUN), (0, 1)),
    ("wait4", (E.EPERM,), ("", RUN, LEFT), (0, 1)),
    ("sched_setaffinity", (E.EPERM,), ("", RUN), (0, 1)),
    ("syscall", (E.ENOSYS, E.EPERM), ("", RUN), (0, 1)),
)
# How many lines there may be on standard error, if more than one. A full disk is reported for the log,
# at its end, and for the result. If all requests for memory fail, several parts report it.
MOST = {("tuibench", "write"): 3, ("tuibench", "malloc"): 5}


def names(errors):
    return ", ".join(errno.errorcode[error] for error in errors)


def add_rows(library):
    """Adds the rows. Returns a function for each row that walks it."""
    walks = {}
    for group, program, table in (("the nth call, in the front end", "tuibench", FRONT),
                                  ("the nth call, in the runner and its workers", "tuibench-runner",
                                   RUNNER)):
        for function, errors, seen, status in table:
            one = Row(group, f"{function}: {names(errors)}", seen, status,
                      "whole rows; none where it was not begun",
                      lambda row, draw, p=program, f=function, e=errors:
                      draw_call(row, draw, library, p, f, e),
                      few=1, most=MOST.get((program, function), 1))
            walks[id(one)] = lambda most, r=one, p=program, f=function, e=errors: walk(
                r, library, p, f, e, most)
            ROWS.append(one)
    return walks
