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

MOST_BYTES = 80000  # of a picture

# Name: recording, options.
PICTURES = {
    'screen': ('mixed', ['--export', 'svg', '--size', '120x36']),
    'overview': ('mixed', ['--export', 'slide', '--view', 'overview']),
    'timeline': ('mixed', ['--export', 'slide', '--view', 'timeline', '--zoom', '0.2-0.3s',
                           '--select', 'w4']),
    'memory': ('mixed', ['--export', 'slide', '--view', 'memory']),
    'results': ('mixed', ['--export', 'slide', '--view', 'results']),
    'curve': ('hello', ['--export', 'slide', '--view', 'curve']),
}


def picture(program, root, name):
    recording, options = PICTURES[name]
    return subprocess.run([program, '--config', 'none', *options,
                           root / f'tests/data/recordings/{recording}.csv'],
                          stdout=subprocess.PIPE, check=True).stdout


def check(root, name, made):
    """What is wrong with one."""
    path = root / f'man/pictures/{name}.svg'
    if not path.exists() or path.read_bytes() != made:
        return [f'{path}: is not what the program makes: meson compile -C build pictures']
    found = [f'{path}: {len(made)} bytes'] if len(made) > MOST_BYTES else []
    if xml.etree.ElementTree.fromstring(made).tag != '{http://www.w3.org/2000/svg}svg':
        found.append(f'{path}: no SVG')
    if re.search(rb'<script|<image|href=|url\(|@import', made):
        found.append(f'{path}: needs more than itself')
    if f'man/pictures/{name}.svg' not in (root / 'README.md').read_text():
        found.append(f'{path}: not in the README')
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
