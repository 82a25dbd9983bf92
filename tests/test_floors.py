#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The floors of the house: who may include and call what. Usage: test_floors.py SOURCE_ROOT"""

import pathlib
import re
import sys
import tempfile

FLOORS = {'base': 0, 'core': 1, 'work': 2, 'runner': 3, 'session': 4, 'view': 5, 'export': 5,
          'screen': 6, 'app': 7}
TOP = 7  # src/main.c

# Contracts that more than one file fulfils, and so have none of their name.
SHARED_HEADERS = {'experiment_parts.h': 4, 'export.h': 5, 'key.h': 5, 'log.h': 4, 'report.h': 5,
                  'source.h': 4, 'work_check.h': 2}

# Pattern of an include: of the only files that may have it.
INCLUDES = {
    r'(ncurses|curses|ncursesw/.*|term|panel)\.h': r'src/screen/screen\.c',
    r'csv\.h': r'src/session/log\w*\.c|include/log_cells\.h',
    r'jansson\.h': r'src/view/export_json\.c|src/export/(export_)?trace\.[ch]',
}

# Name of a function: the only files that may call it. The guard of the terminal is no worker.
CALLS = {
    r'fork': r'src/runner/(primitive|spawner)\.c|src/screen/guard\.c',
    r'pthread_create|thrd_create': r'src/runner/spawner\.c',
    r'vfork|clone|clone3|exec[lv]p?e?': r'src/runner/primitive\.c',
    r'posix_spawnp?': r'src/session/live_run\.c|src/runner/(primitive|sink)\.c',
    r'system|popen': r'',
    r'exit': r'src/main\.c|src/runner/main\.c',
}

# What a floor must not do at all.
NEVER = {
    'view': r'clock_now_ns|clock_gettime|gettimeofday|time|f?open|poll|read|ioctl|sysconf',
    'export': r'clock_now_ns|clock_gettime|gettimeofday|time|f?open|poll|read|ioctl|sysconf',
    'session': r'getmaxyx|initscr|newterm|tcsetattr',
    'work': r'pthread_\w+|waitpid|getpid',
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def strip(text):
    """The code without comments and strings, includes kept."""
    keep = {}

    def hide(match):
        return keep.get(match.start(), ' ')

    for match in INCLUDE.finditer(text):
        if match.group(1) == '"':
            keep[match.start(2) - 1] = '"' + match.group(2) + '"'
    return NOISE.sub(hide, text)


def calls(code, names):
    """Names called; not as a member (x->open(…)), nor in a declaration's own line of a header."""
    return sorted({m.group(1) for m in re.finditer(r'(?<![\w.>])(%s)\s*\(' % names, code)})


def file_floor(path):
    parts = path.split('/')
    return FLOORS.get(parts[1]) if len(parts) == 3 else TOP


def header_floors(root, sources):
    floors = dict(SHARED_HEADERS)
    for path in sources:
        name = path.rsplit('/', 1)[1].replace('.c', '.h')
        if name != 'main.h' and (root / 'include' / name).exists():
            floors[name] = file_floor(path)
    return floors


def check_file(path, code, floor, floors):
    found = []
    for kind, name in INCLUDE.findall(code):
        for pattern, allowed in INCLUDES.items():
            if re.fullmatch(pattern, name) and not re.fullmatch(allowed, path):
                found.append(f'{path}: includes {name}')
        if kind == '"' and floors.get(name, -1) > floor:
            found.append(f'{path}: floor {floor} includes {name} of floor {floors[name]}')
    for names, allowed in CALLS.items():
        if not re.fullmatch(allowed, path):
            found += [f'{path}: calls {name}' for name in calls(code, names)]
    folder = path.split('/')[1]
    if folder in NEVER:
        found += [f'{path}: {folder} calls {name}' for name in calls(code, NEVER[folder])]
    return found


def check(root):
    root = pathlib.Path(root)
    sources = sorted(str(p.relative_to(root)) for p in root.glob('src/**/*.c'))
    headers = sorted(str(p.relative_to(root)) for p in root.glob('include/*.h'))
    floors = header_floors(root, sources)
    found = []
    for path in sources:
        if file_floor(path) is None:
            found.append(f'{path}: on no floor')
            continue
        found += check_file(path, strip((root / path).read_text()), file_floor(path), floors)
    for path in headers:
        name = path.split('/')[1]
        if name not in floors:
            found.append(f'{path}: on no floor')
            continue
        found += check_file(path, strip((root / path).read_text()), floors[name], floors)
    return found


# One violation each: file, text, and the complaint it must give.
PLANTED = [
    ('src/view/view.c', '#include <ncurses.h>\n', 'includes ncurses.h'),
    ('src/app/app.c', '#include <curses.h>\n', 'includes curses.h'),
    ('src/app/app.c', '#  include <csv.h>\n', 'includes csv.h'),
    ('src/work/work_cpu.c', 'int f(void) { return fork(); }\n', 'calls fork'),
    ('src/app/app.c', 'int f(void) { return vfork (); }\n', 'calls vfork'),
    ('src/session/source_live.c', 'int f(void) { pthread_create(0); }\n', 'calls pthread_create'),
    ('src/app/app.c', 'int f(void) { posix_spawn(0); }\n', 'calls posix_spawn'),
    ('src/core/plan.c', 'void f(void) { exit(1); }\n', 'calls exit'),
    ('src/core/plan.c', '#include "model.h"\n', 'floor 1 includes model.h of floor 4'),
    ('src/view/view.c', '#include "screen.h"\n', 'floor 5 includes screen.h of floor 6'),
    ('src/session/log.c', '#include "app.h"\n', 'floor 4 includes app.h of floor 7'),
    ('include/plan.h', '#include "model.h"\n', 'floor 1 includes model.h of floor 4'),
    ('include/nobody.h', '\n', 'on no floor'),
    ('src/attic/old.c', '\n', 'on no floor'),
    ('src/view/view.c', 'long f(void) { return clock_now_ns(); }\n', 'view calls clock_now_ns'),
    ('src/view/view.c', 'long f(void) { return time(0); }\n', 'view calls time'),
]

# And what must pass.
INNOCENT = [
    ('src/app/app.c', '/* fork() and exit() are for others */\nvoid f(void) { _exit(1); }\n'),
    ('src/view/view.c', 'const char *f(void) { return "fork() exit(1) \\" time("; }\n'),
    ('src/view/view.c', 'int f(struct s *s) { return s->open(1) + begin_time(2); }\n'),
    ('src/runner/spawner.c', 'void f(void) { fork(); pthread_create(0); }\n'),
    ('src/app/app.c', '#include "model.h"\n'),
]


def plant(path, text):
    """What check() says of a small house with this one file in it."""
    with tempfile.TemporaryDirectory() as house:
        for folder, name in (('core', 'plan'), ('session', 'model'), ('screen', 'screen'),
                             ('app', 'app')):
            for file in (f'src/{folder}/{name}.c', f'include/{name}.h'):
                file = pathlib.Path(house, file)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text('')
        file = pathlib.Path(house, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return check(house)


def self_check():
    wrong = []
    for path, text, complaint in PLANTED:
        found = plant(path, text)
        if found != [f'{path}: {complaint}']:
            wrong.append(f'planted {text!r} in {path}: {found}')
    for path, text in INNOCENT:
        found = plant(path, text)
        if found:
            wrong.append(f'innocent {text!r} in {path}: {found}')
    return wrong


def main():
    found = self_check()
    house = check(sys.argv[1])
    if not list(pathlib.Path(sys.argv[1]).glob('src/*/*.c')):
        house.append(f'{sys.argv[1]}: no sources')
    for line in found + house:
        print(line)
    return 1 if found or house else 0


sys.exit(main())
