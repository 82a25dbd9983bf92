#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bash completes the options; so do zsh and fish, if they are installed. FOLDER has the completions.
Usage: test_completion.py TUIBENCH FOLDER
"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

TUIBENCH, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
# Time limit in seconds, which only a hanging shell reaches.
DEADLINE = 300


def output(*args, **more):
    return subprocess.run(args, check=True, capture_output=True, text=True, timeout=DEADLINE,
                          **more).stdout


def options():
    """Returns the names and letters of all options in --help."""
    text = output(TUIBENCH, "--help")
    found = re.findall(r"^  (?:-(.), |    )--([a-z-]+)", text, re.M)
    assert len(found) > 30, found
    return {"--" + name for _, name in found}, {"-" + letter for letter, _ in found if letter}


NAMES, LETTERS = options()

# The words typed, and the completion; several if there is a choice.
TYPED = [
    (["--them"], {"--theme"}),
    (["--theme", "l"], {"light"}),
    (["--theme", ""], {"dark", "light", "mono"}),
    (["cre"], {"creation"}),
    (["s"], {"scaling", "server", "share", "switch"}),
    (["--order", "f"], {"fixed"}),
    (["--view", "mem"], {"memory"}),
    (["--export", "tr"], {"trace", "trace-all"}),
    (["-x", "htm"], {"html"}),
    (["--format", "mark"], {"markdown"}),
    (["--models", "threads,hyb"], {"threads,hybrid"}),
    (["-m", "vf"], {"vfork", "vfork+exec"}),
    (["-s", "cac"], {"cache="}),
    (["-s", "al"], {"alloc=", "all-alive="}),
    (["--set", "mem"], {"mem.size=", "mem-order="}),
    (["-s", "en"], {"env:"}),
    (["-w", "wri"], {"write="}),
    (["--workers", "t"], {"touch=", "token="}),
    (["--log", "rec"], {"recording.csv"}),
    (["--replay", "rec"], {"recording.csv"}),
    (["-x", "trace", "rec"], {"recording.csv"}),
    (["--output", "rec"], {"recording.csv"}),
    (["-c", "'./a {nodes} {node} {{none}} {cores}'", "-s", "no"], {"nodes=", "node="}),
    (["hel"], {"hello"}),
    (["cra"], {"crash"}),
]


def bash(words):
    """Calls the completion function of bash like readline, and returns its answers."""
    script = ('source "$1"; shift; COMP_WORDS=(tuibench "$@"); COMP_CWORD=$#; _tuibench; '
              'for word in "${COMPREPLY[@]}"; do printf "%s\\n" "$word"; done')
    return set(output("bash", "-uc", script, "bash", FOLDER + "/tuibench", *words).split("\n")) - {""}


def test_answers():
    """An option is offered once, as letter or name, with a description."""
    def ask(*words):
        told = output(TUIBENCH, "--completion", "zsh", "--", "tuibench", *words).splitlines()
        return told[0], dict(line.split("\t") for line in told[1:])
    kind, found = ask("-")
    assert kind == "words" and set(found) == NAMES | LETTERS, set(found) ^ (NAMES | LETTERS)
    assert all(found.values()), found
    for given in (["-m", "threads"], ["--models", "threads"], ["--models=threads"]):
        assert found.keys() - ask(*given, "-")[1].keys() == {"-m", "--models"}, given
    assert ask("-s", "alloc=0", "-s", "cache=cold", "-")[1].keys() == found.keys()


def test_bash():
    assert bash(["-"]) == NAMES | LETTERS, bash(["-"]) ^ (NAMES | LETTERS)
    for words, right in TYPED:
        assert bash(words) == right, (words, bash(words))
    # readline splits "--theme=l" into three words,
    assert bash(["--theme", "=", "l"]) == {"light"}
    assert bash(["--theme", "="]) == {"dark", "light", "mono"}
    # and "cache=" into two.
    assert bash(["-s", "cache", "="]) == {"warm", "cold", "once-cold"}
    assert bash(["-s", "cache", "=", "co"]) == {"cold"}
    assert bash(["-s", "cache", "=", "warm,co"]) == {"warm,cold"}
    assert bash(["--set", "=", "cache", "=", "co"]) == {"cold"}
    assert bash(["--set", "=", "cac"]) == {"cache="}
    assert bash(["-s", "stack", "=", "def"]) == {"default"}
    assert bash(["-s", "cpu.size", "="]) == set()
    assert bash(["-w", "cpu", "="]) == set()
    assert bash(["-w", "cpu", "=", "2"]) == set()
    assert bash(["-w", "cpu", "=", "2,wri"]) == {"2,write="}
    assert bash(["-w", "cpu", "=", "2,io", "=", "1,wri"]) == {"1,write="}
    assert bash(["--workers", "=", "cpu", "=", "2,wri"]) == {"2,write="}
    assert bash(["--help", "se"]) == {"settings", "server"}, bash(["--help", "se"])
    assert bash(["--trials", ""]) == set()
    assert bash(["rec"]) == set()
    assert "tuibench" in output("bash", "-c", 'source "$1"; complete -p tuibench', "bash",
                                FOLDER + "/tuibench")


# Names of files that contain commands for a shell.
HOSTILE = ["rec$(touch mark)", "rec`touch mark`", "rec';touch mark;'", "rec\ntouch mark",
           "rec a[$(touch mark)]", 'rec"$(touch mark)"', "rec;touch mark"]


def test_hostile():
    """A completion never runs as a command."""
    with tempfile.TemporaryDirectory() as folder:
        for name in HOSTILE:
            with open(os.path.join(folder, name), "w", encoding="utf-8"):
                pass
        script = ('source "$1"; shift; COMP_WORDS=(tuibench "$@"); COMP_CWORD=$#; _tuibench; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        for before in (["--log"], ["--replay"], ["-x", "trace"], ["--models"], ["--theme"],
                       ["--theme", "="], []):
            for word in ["rec"] + HOSTILE:
                output("bash", "-uc", script, "bash", FOLDER + "/tuibench", *before, word,
                       cwd=folder)
        assert sorted(os.listdir(folder)) == sorted(HOSTILE)


def test_sourced():
    """zsh defines the completion when the script is sourced, before or after compinit."""
    for before in ("", "autoload -Uz compinit && compinit -u -D; "):
        script = before + 'source "$1"; print $_comps[tuibench] $+functions[_tuibench]'
        with tempfile.TemporaryDirectory() as folder:
            told = output("zsh", "-f", "-c", script, "zsh", FOLDER + "/_tuibench",
                          env={**os.environ, "HOME": folder, "ZDOTDIR": folder})
        assert told == "_tuibench 1\n", (before, told)


def fish(words):
    line = "tuibench " + " ".join(words)
    told = output("fish", "-N", "-c", f'source {FOLDER}/tuibench.fish; complete -C "$argv"', line)
    return {line.split("\t")[0] for line in told.splitlines()}


def test_fish():
    assert fish(["--"]) == NAMES, fish(["--"]) ^ NAMES
    assert fish(["-"]) >= LETTERS, LETTERS - fish(["-"])
    for words, right in TYPED:
        assert fish(words) == right, (words, fish(words))
    assert fish(["--theme=l"]) == {"--theme=light"}
    assert fish(["--models=threads,hyb"]) == {"--models=threads,hybrid"}
    assert fish(["-s", "cache="]) == {"cache=warm", "cache=cold", "cache=once-cold"}
    assert fish(["-s", "cache=co"]) == {"cache=cold"}
    assert fish(["-s", "cache=warm,co"]) == {"cache=warm,cold"}
    assert fish(["--set=cache=co"]) == {"--set=cache=cold"}
    assert fish(["-s", "stack=def"]) == {"stack=default"}
    assert fish(["-s", "cpu.size=1"]) == set()
    assert fish(["-w", "cpu=2"]) == set()
    assert fish(["-w", "cpu=2,wri"]) == {"cpu=2,write="}
    assert fish(["--help", "se"]) == {"settings", "server"}
    assert fish(["--trials", ""]) == set()
    assert fish(["rec"]) == set()


class Zsh:
    """A zsh in a terminal, because it completes only what somebody types."""

    def __init__(self, folder):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.environ.update(TERM="xterm", LC_ALL="C.UTF-8", HOME=folder, ZDOTDIR=folder)
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.pid, self.seen = pid, b""
        # ^T prints the line and clears it.
        self.send(b"PS1=''; unsetopt beep promptsp autoremoveslash; setopt bashautolist\n"
                  b"show() { print -r -- \"<<$BUFFER>>\"; BUFFER= }; zle -N show\n"
                  b"bindkey -e; bindkey '^T' show; fpath=('" + FOLDER.encode() + b"' $fpath)\n"
                  b"autoload -U compinit; compinit -u -D; print re''ady\n")
        self.wait(rb"\nready\r")

    def send(self, data):
        os.write(self.fd, data)

    def wait(self, pattern):
        begin = time.monotonic()
        while not re.search(pattern, self.seen):
            assert time.monotonic() < begin + DEADLINE, self.seen
            if select.select([self.fd], [], [], 1)[0]:
                self.seen += os.read(self.fd, 65536)
        found = re.search(pattern, self.seen)
        self.seen = self.seen[found.end():]
        return found

    def complete(self, words):
        """Returns the line after Tab, without the space that follows a unique completion."""
        self.send(("tuibench " + " ".join(words) + "\t\x14").encode())
        line = self.wait(rb"<<([^>]*)>>")[1].decode()
        assert line.startswith("tuibench "), line
        return line[len("tuibench "):].rstrip(" ")

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def test_zsh(folder):
    zsh = Zsh(folder)
    for letter in sorted(LETTERS):
        assert zsh.complete([letter]) == letter, letter
    for name in sorted(NAMES):
        assert zsh.complete([name]).rstrip("=") == name, name
    for words, right in TYPED:
        if len(right) == 1:
            now = zsh.complete(words)
            whole = " ".join(words[:-1] + [next(iter(right))])
            assert now.rstrip("=,") == whole.rstrip("="), (words, now)
    assert zsh.complete(["--theme=l"]) == "--theme=light"
    assert zsh.complete(["--models=threads,hyb"]).rstrip(",") == "--models=threads,hybrid"
    assert zsh.complete(["-s", "cache=co"]).rstrip(",") == "-s cache=cold"
    assert zsh.complete(["-s", "cache=warm,co"]).rstrip(",") == "-s cache=warm,cold"
    assert zsh.complete(["--set=cache=co"]).rstrip(",") == "--set=cache=cold"
    assert zsh.complete(["-s", "stack=def"]).rstrip(",") == "-s stack=default"
    assert zsh.complete(["-s", "alloc=0", "-s", "cac"]) == "-s alloc=0 -s cache="
    assert zsh.complete(["-w", "cpu=2,wri"]).rstrip(",") == "-w cpu=2,write="
    assert zsh.complete(["-w", "cpu=2"]) == "-w cpu=2"
    assert zsh.complete(["--help", "set"]) == "--help settings"
    assert zsh.complete(["--frob"]) == "--frob"
    zsh.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ.update(HOME=folder, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder,
                          PATH=os.path.dirname(TUIBENCH) + ":" + os.environ["PATH"])
        with open("recording.csv", "w", encoding="utf-8"):
            pass
        test_answers()
        test_bash()
        # The leak sanitizer has seen these calls by now. Turn it off, to save time.
        os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        test_hostile()
        if shutil.which("zsh"):
            test_sourced()
            test_zsh(folder)
        if shutil.which("fish"):
            test_fish()


main()
