#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""At every moment the SVG that plays shows the texts that a cast of the same recording writes.

What a browser does with keyframes is done here for one moment after the other: a strip stands where
its last keyframe has put it, and is seen as far as its window goes.
Usage: test_animation.py TUIBENCH SOURCE_ROOT"""

import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

WIDTH, HEIGHT = 80, 24
CELL_W, CELL_H, MARGIN, BASELINE = 8, 16, 8, 12
SVG = '{http://www.w3.org/2000/svg}'


def export(program, root, kind, recording):
    return subprocess.run([program, '--config', 'none', '--export', kind, '--view', 'overview',
                           '--size', f'{WIDTH}x{HEIGHT}', '--speed', '2',
                           root / f'tests/data/recordings/{recording}.csv'],
                          stdout=subprocess.PIPE, check=True, text=True).stdout


def play(cast):
    """The time and the screen after each event, as rows of characters."""
    rows, x, y = [[' '] * WIDTH for _ in range(HEIGHT)], 0, 0
    for line in cast.splitlines()[1:]:
        time, kind, data = json.loads(line)
        if kind == 'm':
            continue
        assert kind == 'o', kind
        for match in re.finditer(r'\x1b\[([?0-9;]*)([A-Za-z])|(.)', data):
            numbers, letter, glyph = match.groups()
            if glyph:
                rows[y][x] = glyph
                x += 1
            elif letter == 'H':
                y, x = (int(n) - 1 for n in numbers.split(';'))
            elif letter == 'C':
                x += int(numbers)
            else:
                assert letter in 'mlh', match.group(0)
        yield time, [''.join(row) for row in rows]


class Animation:
    def __init__(self, text):
        self.root = tree.fromstring(text)
        self.style = ''.join(e.text for e in self.root.iter(SVG + 'style'))
        self.length = float(re.search(r'\.s\{animation:([\d.]+)s step-end infinite', self.style)[1])
        self.strips = {}
        for name, frames in re.findall(r'@keyframes (k\d+)\{((?:[\d.e-]+%\{[^}]*\})*)\}', self.style):
            assert f'#s{name[1:]}{{animation-name:{name}}}' in self.style
            self.strips['s' + name[1:]] = [
                (float(at), int(shift)) for at, shift in
                re.findall(r'([\d.e-]+)%\{transform:translateY\((-?\d+)px\)\}', frames)]

    def shift(self, strip, time):
        """None: as it stands without motion."""
        if time is None:
            return int(re.fullmatch(r'translate\(0 (-?\d+)\)', strip.get('transform'))[1])
        return [shift for at, shift in self.strips[strip.get('id')]
                if at <= 100 * time / self.length][-1]

    def put(self, rows, text, shift, top, bottom):
        x, y = float(text.get('x')), float(text.get('y')) + shift
        if not top <= y - BASELINE <= bottom - CELL_H:
            return
        row = (y - BASELINE - MARGIN) / CELL_H
        column = (x - MARGIN - (CELL_W / 2 if text.get('text-anchor') else 0)) / CELL_W
        assert row == int(row) and column == int(column)
        for i, glyph in enumerate(text.text):
            assert rows[int(row)][int(column) + i] == ' ', 'two texts in one place'
            rows[int(row)][int(column) + i] = glyph

    def walk(self, rows, element, time, shift, top, bottom):
        for child in element:
            if child.tag == SVG + 'text':
                self.put(rows, child, shift, top, bottom)
            elif child.tag == SVG + 'svg':
                y, h = float(child.get('y')), float(child.get('height'))
                assert float(child.get('viewBox').split()[1]) == y
                self.walk(rows, child, time, shift, y, y + h)
            elif child.tag == SVG + 'g':
                more = self.shift(child, time) if child.get('id') else 0
                self.walk(rows, child, time, shift + more, top, bottom)

    def show(self, time):
        rows = [[' '] * WIDTH for _ in range(HEIGHT)]
        self.walk(rows, self.root, time, 0, 0, MARGIN * 2 + HEIGHT * CELL_H)
        return [''.join(row) for row in rows]


def texts(rows):
    """Without what is drawn as shapes: lines of boxes, blocks, braille."""
    return [re.sub('[\u2500-\u259f\u25a0\u2800-\u28ff\xa0]', ' ', row) for row in rows]


def compare(program, root, recording, least):
    animation = Animation(export(program, root, 'svg-animation', recording))
    frames = list(play(export(program, root, 'cast', recording)))
    wrong = []
    for (time, rows), (following, _) in zip(frames, frames[1:]):
        shown = animation.show((time + min(following, time + 0.1)) / 2)
        wrong += [f'{recording}, {time} s:\n  {is_}\n  {should}'
                  for is_, should in zip(texts(shown), texts(rows)) if is_ != should][:1]
    if texts(animation.show(None)) != texts(frames[-1][1]):
        wrong.append(f'{recording}: without motion it is not the end')
    if len(frames) < least:
        wrong.append(f'{recording}: {len(frames)} frames')
    return wrong


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    wrong = compare(program, root, 'mixed', 100) + compare(program, root, 'hello', 100)
    print('\n'.join(wrong[:10]))
    return 1 if wrong else 0


sys.exit(main())
