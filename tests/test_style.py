#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No function of the program is over 40 lines, brace and name included.

    test_style.py SOURCE_ROOT
"""

import pathlib
import re
import sys

MOST = 40


def functions(text):
    """Name and lines of each function of a file laid out as .clang-format does it."""
    lines = text.split('\n')
    for i, line in enumerate(lines):
        if line != '{':
            continue
        begin = i
        while begin > 0 and lines[begin - 1][:1].isspace():
            begin -= 1
        named = re.search(r'(\w+)\(', lines[begin - 1])
        if named:
            yield named.group(1), lines.index('}', i) - begin + 2


def check(text):
    return [f'{name}() has {n} lines' for name, n in functions(text) if n > MOST]


def function_of(n, head='static int f(void)'):
    """A function of so many lines in all."""
    body = n - 2 - len(head.split('\n'))
    return head + '\n{\n' + '\tif (x) {\n\t}\n' * (body // 2) + '\treturn 0;\n' * (body % 2) + '}\n'


def self_check():
    wrong = []
    long_head = 'struct s *f(int a,\n\t    int b)'
    for head in ('static int f(void)', long_head):
        if check(function_of(MOST, head)):
            wrong.append(f'innocent: {head} of {MOST} lines')
        if check('int a[] = {\n\t1,\n};\n\n' + function_of(MOST + 1, head)) != ['f() has 41 lines']:
            wrong.append(f'planted: {head} of {MOST + 1} lines')
    return wrong


def main():
    found, seen = self_check(), 0
    for path in sorted(p for top in ('src', 'include')
                       for p in pathlib.Path(sys.argv[1], top).rglob('*.[ch]')):
        text = path.read_text()
        seen += len(list(functions(text)))
        found += [f'{path.relative_to(sys.argv[1])}: {line}' for line in check(text)]
    if seen < 100:
        found.append(f'{sys.argv[1]}: {seen} functions')
    for line in found:
        print(line)
    return 1 if found else 0


sys.exit(main())
