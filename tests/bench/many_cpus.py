# SPDX-License-Identifier: MIT
"""Simulates a machine with many CPUs in the mount namespace of this process. Programs that read /proc/stat
and /sys there find two packages, SMT, a NUMA node for each package, and loads that change. The work
itself still has only the real CPUs.
"""

import ctypes
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

CPU = "/sys/devices/system/cpu"
NODE = "/sys/devices/system/node"
WIDTH = 12  # width of a number in /proc/stat: with a fixed length, readers see no partial text


def alone():
    """Restarts this program in a mount namespace of its own. Returns False if that is not possible."""
    if os.environ.get("MANY_CPUS") == "1":
        return True
    unshare = shutil.which("unshare")
    if not unshare or subprocess.run([unshare, "-m", "true"], stderr=subprocess.DEVNULL,
                                     check=False).returncode:
        return False
    os.environ["MANY_CPUS"] = "1"
    os.execv(unshare, [unshare, "-m", "--propagation", "private", sys.executable, *sys.argv])
    return False


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{text}\n")


def write_sys(root, n):
    """CPU i and CPU i + n/2 share a core. The first half of the cores is package 0 and node 0."""
    cores, half = n // 2, n // 4
    for name in ("online", "possible", "present"):
        put(f"{root}/cpu/{name}", f"0-{n - 1}")
        put(f"{root}/node/{name}", "0-1")
    put(f"{root}/cpu/kernel_max", n - 1)
    put(f"{root}/node/has_cpu", "0-1")
    for i in range(n):
        core = i % cores
        at = f"{root}/cpu/cpu{i}/topology"
        package = core // half
        put(f"{root}/cpu/cpu{i}/online", 1)
        put(f"{at}/core_id", core % half)
        put(f"{at}/physical_package_id", package)
        put(f"{at}/core_cpus_list", f"{core},{core + cores}")
        put(f"{at}/thread_siblings_list", f"{core},{core + cores}")
        put(f"{at}/core_cpus", mask([core, core + cores]))
        put(f"{at}/thread_siblings", mask([core, core + cores]))
        mine = [k + t * cores for t in (0, 1) for k in range(package * half, (package + 1) * half)]
        put(f"{at}/package_cpus", mask(mine))
        put(f"{at}/core_siblings", mask(mine))
    for node in (0, 1):
        first = node * half
        put(f"{root}/node/node{node}/cpulist",
            f"{first}-{first + half - 1},{cores + first}-{cores + first + half - 1}")
        put(f"{root}/node/node{node}/cpumap",
            mask([k + t * cores for t in (0, 1) for k in range(first, first + half)]))
        put(f"{root}/node/node{node}/distance", "10 20" if node == 0 else "20 10")
        put(f"{root}/node/node{node}/meminfo", f"Node {node} MemTotal: 1048576 kB")


def mask(cpus):
    """Returns the mask as the kernel writes it: groups of 32 bits, the highest first."""
    bits = sum(1 << cpu for cpu in cpus)
    groups = []
    while bits or not groups:
        groups.insert(0, f"{bits & 0xffffffff:08x}")
        bits >>= 32
    return ",".join(groups)


class ManyCpus:
    """The simulated machine. Each CPU's load changes in a random walk with a fixed seed."""

    def __init__(self, n):
        self.folder = tempfile.mkdtemp()
        write_sys(self.folder, n)
        with open("/proc/stat", encoding="utf-8") as file:
            self.rest = "".join(line for line in file if not line.startswith("cpu"))
        self.random = random.Random(n)
        self.ticks = [[10000.0, 5000.0, 100000.0] for _ in range(n)]
        self.busy = [self.random.random() for _ in range(n)]
        self.path = f"{self.folder}/stat"
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.text())
        for source, target in ((f"{self.folder}/cpu", CPU), (f"{self.folder}/node", NODE),
                               (self.path, "/proc/stat")):
            mount(source, target)
        self.pid = os.fork()
        if self.pid == 0:
            self.go_on()

    def text(self):
        total = [sum(cpu[i] for cpu in self.ticks) for i in range(3)]
        return "".join(
            f"cpu{name} {int(user):{WIDTH}d} 0 {int(system):{WIDTH}d} {int(idle):{WIDTH}d} "
            "0 0 0 0 0 0\n"
            for name, (user, system, idle) in [(" ", total), *enumerate(self.ticks)]) + self.rest

    def go_on(self):
        ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG
        fd = os.open(self.path, os.O_WRONLY)
        last = time.monotonic()
        while True:
            time.sleep(0.05)
            now = time.monotonic()
            hundredths, last = (now - last) * 100, now
            for i, cpu in enumerate(self.ticks):
                self.busy[i] = min(1.0, max(0.0, self.busy[i] + self.random.uniform(-.2, .2)))
                cpu[0] += hundredths * self.busy[i] * 0.8
                cpu[1] += hundredths * self.busy[i] * 0.2
                cpu[2] += hundredths * (1 - self.busy[i])
            os.pwrite(fd, self.text().encode(), 0)

    def end(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        for target in ("/proc/stat", NODE, CPU):
            subprocess.run(["umount", "-l", target], check=True)
        shutil.rmtree(self.folder)


def mount(source, target):
    subprocess.run(["mount", "--bind", source, target], check=True)
