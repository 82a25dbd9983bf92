#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command that README, CONTRIBUTING, the manual, the lectures and --help show is accepted.

A session is planned but not run: its recording would go to a file that exists, which is the last thing
that is refused before the first run. All other commands run, on small files with the names in the texts.
Usage: test_examples.py SOURCE_ROOT TUIBENCH"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT, PROGRAM = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
RECORDING = ROOT / 'tests/data/recordings/mixed.csv'
README_LINES = 150
KINDS = {'EXPERIMENT': 'crash', 'FORMAT': 'csv', '/srv/class': 'DIR'}  # names that stand for another word
WITHOUT_SESSION = {'-r', '--replay', '-x', '--export', '--list', '-V', '--version', '--completion', '--lecture'}
FORMAT_OF = {'table', 'report', 'markdown', 'json', 'csv'}
# What only this machine refuses, or a test without a terminal.
# A bare machine has no make.
LIMITS = re.compile('are not among the CPUs that this program may use|"make" is not in PATH')
NO_SCREEN = re.compile('needs a terminal|--notes: ')


def of_markdown(text, first=1):
    """Line and command, of blocks and code spans."""
    language = None
    for number, line in enumerate(text.split('\n'), first):
        fence = re.match(r'```(\w*)', line)
        if fence:
            language = fence.group(1) if language is None else None
        elif language == 'tuibench':
            yield number, re.sub(r'^(tuibench )?', 'tuibench ', line)
        elif language is not None:  # in README, what a command does stands behind it
            yield number, re.split(r' {2,}', line.removeprefix('$ '))[0]
        else:
            for span in re.findall(r'`(--[a-z][^`]*|-[a-z] [^`]*|(?:build/)?tuibench[^`]*)`', line):
                yield number, re.sub(r'^-', 'tuibench -', span)


def of_manual(text):
    """Line and command, of displays and literals in the text."""
    block = None
    for number, line in enumerate(text.split('\n'), 1):
        line = line.replace('\\&', '').replace('\\(ga', '`').replace('\\e', '\\')
        if line.startswith('.Bd -literal'):
            block = []
        elif line == '.Ed' and block is not None:
            first = number - len(block)
            yield from (of_markdown('\n'.join(block), first) if any('```' in row for row in block)
                        else enumerate(block, first))
            block = None
        elif block is not None:
            block.append(line)
        else:
            found = re.match(r'\.(?:Dl|Ql) (?:systemd-run .*(?=tuibench))?((?:--[a-z]|-[a-z] |tuibench).*?)( [.,\]])*$', line)
            if found:
                yield number, re.sub(r'^-', 'tuibench -', found.group(1))


def all_commands():
    """Place, command."""
    for page in [ROOT / 'README.md', ROOT / 'CONTRIBUTING.md', *sorted(ROOT.glob('man/lectures/*.md'))]:
        for number, text in of_markdown(page.read_text()):
            yield f'{page.relative_to(ROOT)}:{number}', text
    for page in sorted(ROOT.glob('man/*.[1-9]')):
        for number, text in of_manual(page.read_text()):
            yield f'{page.relative_to(ROOT)}:{number}', text
    for topic in ([], ['settings']):
        text = subprocess.check_output([PROGRAM, '--help', *topic], text=True)
        for number, line in enumerate(text.split('\n'), 1):
            for example in re.findall(r'^  (tuibench.*?)(?=   |$)', line) + re.findall('-s [a-z]+=[0-9][^ ]*', line):
                yield f'{" ".join(["--help", *topic])}:{number}', re.sub('^-', 'tuibench -', example)


class Refused(Exception):
    """What the program said."""


def run(words, given=b''):
    done = subprocess.run(words, input=given, capture_output=True, check=False)
    said = done.stderr.decode().strip()
    if done.returncode and not NO_SCREEN.search(said):
        raise Refused(f'status {done.returncode}: {said}')
    return done.stdout


def run_tuibench(words, given):
    """What it would print, where something reads that."""
    options = {word.split('=')[0] for word in words}
    lectures = words[words.index('--lecture') + 1:] if '--lecture' in words else []  # not read without a screen
    if '--scene' in lectures:
        lectures = lectures[:lectures.index('--scene')]
    for name in lectures:
        if not name.startswith('-') and not any(map(os.path.exists, (name, ROOT / f'man/lectures/{name}.md'))):
            raise Refused(f'no lecture "{name}"')
    if '--self-test' in options:
        words = [*words, '--help']
    if options & (WITHOUT_SESSION | {'--self-test', '-h', '--help'}):
        return run([PROGRAM, *words], given)
    words = [word for word in words if word not in ('--vote', '--hold', '--menu')]
    done = subprocess.run([PROGRAM, *words, '--log', 'full.csv'], capture_output=True, text=True, check=False)
    if done.returncode != 3 and not LIMITS.search(done.stderr) and 'File exists and is kept' not in done.stderr:
        raise Refused(f'status {done.returncode}: {done.stderr.strip()}')
    format_of = [word for word in words if word in FORMAT_OF]
    return run([PROGRAM, '-x', format_of[0], RECORDING]) if format_of else RECORDING.read_bytes()


def check_meson(words):
    """Each target, test and suite that is named exists."""
    known = '\n'.join(file.read_text() for file in [ROOT / 'meson.build', *ROOT.glob('tests/**/meson.build')])
    for word in words[words.index('build') + 1:]:
        if not word.startswith('-') and not re.search(rf"['/]{word}'", known):
            raise Refused(f'no target, test or suite "{word}"')


def run_line(line):
    lexer = shlex.shlex(line.replace(' 2>', ' > '), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words, output = [], b''
    for word in [*lexer, '&&']:
        if word not in ('|', '&&', '>'):
            words.append(KINDS.get(word, word))
            continue
        if words[:1] == ['ssh']:
            words = words[2:]
        program = words[0].removeprefix('build/') if words else ''
        if program == 'tuibench':
            output = run_tuibench(words[1:], output)
        elif program == 'jq' and shutil.which('jq'):
            run(words, output)
        elif program == 'meson' and words[1] in ('test', 'compile'):
            check_meson(words)
        words = []


def main():
    # LeakSanitizer looks from a process of its own, which --own takes for one that was left.
    os.environ.update(TUIBENCH_CONFIG='none', XDG_STATE_HOME=os.getcwd(), XDG_RUNTIME_DIR=os.getcwd(),
                      ASAN_OPTIONS=os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0')
    pathlib.Path('tuibench').mkdir()
    for name in ('LOG', 'lecture.csv', 'a.csv', 'b.csv', 'full.csv', 'r.csv', 'tuibench/newest.csv'):
        shutil.copy(RECORDING, name)
    pathlib.Path('DIR').mkdir()
    for host in ('vm1', 'vm2', 'vm3'):
        pathlib.Path(f'DIR/{host}.csv').write_text(RECORDING.read_text().replace(',vm,', f',{host},'))
    for name in ('progA', 'progB'):
        shutil.copy('/bin/true', name)
    lecture = (ROOT / 'man/tuibench-lecture.5').read_text().replace('\\(ga', '`')
    for name in ('talk.md', 'FILE.md'):
        pathlib.Path(name).write_text(re.search(r'\.Bd -literal[^\n]*\n(.*?)\.Ed', lecture, re.S).group(1))
    experiments = (ROOT / 'man/tuibench-experiments.7').read_text()
    pathlib.Path('mine.c').write_text(re.search(r'^#include <tuibench.*?(?=\.Ed)', experiments, re.S | re.M).group())
    run(['cc', '-shared', '-fPIC', f'-I{ROOT}/include', '-o', 'mine.so', 'mine.c'])

    found, n = [], 0
    for bad in ('tuibench --trails 6', 'tuibench crash -s tasks=2', 'meson test -C build nonsense'):
        try:
            run_line(bad)
            found.append(f'self-check: "{bad}" is accepted')
        except Refused:
            pass
    for place, line in all_commands():
        if not re.match(r'(build/)?(tuibench|meson|ssh)\b', line):
            continue
        n += 1
        try:
            run_line(line)
        except (Refused, ValueError) as error:
            found.append(f'{place}: {line}: {error}')
    lines = (ROOT / 'README.md').read_text().count('\n')
    if lines > README_LINES:
        found.append(f'README.md: {lines} lines, more than {README_LINES}')
    if n < 110:
        found.append(f'found only {n} commands')
    print('\n'.join(found))
    return 1 if found else 0


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    sys.exit(main())
