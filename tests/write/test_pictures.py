#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pictures of the README are what the program makes of the recordings in tests/data/recordings.

Usage: test_pictures.py TUIBENCH SOURCE_ROOT [write]; TUIBENCH_GOLDEN=write writes them, too."""

import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

MOST_BYTES = 80000  # of a picture that stands still
MOST_MOVING = 400000  # of one that plays by itself

# Name: recording, options.
PICTURES = {
    'race': ('race', ['--export', 'svg-animation', '--size', '80x24', '--speed', '5']),
    'marked': ('race', ['--export', 'svg', '--size', '100x36', '--theme', 'light', '--captions', 'off']),
    'overview': ('race', ['--export', 'slide', '--view', 'overview']),
    'timeline': ('mixed', ['--export', 'slide', '--view', 'timeline', '--zoom', '0.2-0.3s',
                           '--select', 'w4']),
    'memory': ('mixed', ['--export', 'slide', '--view', 'memory']),
    'results': ('mixed', ['--export', 'slide', '--view', 'results']),
    'curve': ('hello', ['--export', 'slide', '--view', 'curve']),
    'programs': ('programs', ['--export', 'slide', '--view', 'curve']),
}

# What the README numbers: a mark is so many columns right of the first such word.
MARKS = {
    'marked': [('2,', -10), ('2.5x', 6), ('same', 6), ('w3', 7), ('40', 5), ('core', 7), ('run', 3),
               ('blocked', 19), ('Again', 6)],
}
MARK = ('<circle cx="{x}" cy="{y}" r="9" fill="#d81b60" stroke="#ffffff" stroke-width="1.5"/>'
        '<text x="{x}" y="{base}" text-anchor="middle" fill="#ffffff" font-weight="bold">{n}</text>\n')
COLUMN, BASELINE = 8, 4  # pixels; of a line, above the middle of a mark


def add_marks(svg, words):
    marks = ''
    for n, (word, right) in enumerate(words, 1):
        y, x = re.search(rf'<text y="(\d+)"[^>]* x="(\d+)"[^>]*>{re.escape(word)}</text>', svg).groups()
        marks += MARK.format(x=int(x) + right * COLUMN, y=int(y) - BASELINE, base=y, n=n)
    return svg.replace('</svg>', marks + '</svg>')


def picture(program, root, name):
    recording, options = PICTURES[name]
    svg = subprocess.run([program, '--config', 'none', *options,
                          root / f'tests/data/recordings/{recording}.csv'],
                         stdout=subprocess.PIPE, check=True, text=True).stdout
    return add_marks(svg, MARKS.get(name, [])).encode()


def check(root, name, made):
    """What is wrong with one."""
    path = root / f'man/pictures/{name}.svg'
    if not path.exists() or path.read_bytes() != made:
        return [f'{path}: is not what the program makes: meson compile -C build pictures']
    most = MOST_MOVING if 'svg-animation' in PICTURES[name][1] else MOST_BYTES
    found = [f'{path}: {len(made)} bytes'] if len(made) > most else []
    if xml.etree.ElementTree.fromstring(made).tag != '{http://www.w3.org/2000/svg}svg':
        found.append(f'{path}: no SVG')
    if re.search(rb'<script|<image|href=|url\(|@import', made):
        found.append(f'{path}: needs more than itself')
    shown = (root / 'README.md').read_text().split(f'man/pictures/{name}.svg')
    if len(shown) < 2:
        return [*found, f'{path}: not in the README']
    if name in MARKS and re.findall(r'^(\d+)\. ', shown[1], re.M) != [str(n + 1) for n in range(len(MARKS[name]))]:
        found.append(f'{path}: the README has no line for each mark')
    return found


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    write = sys.argv[3:] == ['write'] or os.environ.get('TUIBENCH_GOLDEN') == 'write'
    found = []
    for name in PICTURES:
        made = picture(program, root, name)
        if write:
            (root / f'man/pictures/{name}.svg').write_bytes(made)
        found += check(root, name, made)
    for path in (root / 'man/pictures').iterdir():
        if path.stem not in PICTURES:
            found.append(f'{path}: nothing makes it')
    print('\n'.join(found))
    return 1 if found else 0


sys.exit(main())
