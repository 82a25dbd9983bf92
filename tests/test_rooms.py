#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which folder of src may include and call which. Usage: test_rooms.py SOURCE_ROOT"""

import pathlib
import re
import sys
import tempfile

# Each room, from the ground up: the rooms that it may include, and with them all that those may.
ROOMS = {
    'base': [],
    'topology': ['base'],
    'stats': ['base'],
    'core': ['base'],
    'tuibench': [],
    'work': ['core', 'tuibench'],
    'runner': ['work', 'core'],
    'lecture': ['base'],
    'log': ['core'],
    'experiment': ['work', 'core', 'stats', 'topology'],
    'source': ['log', 'experiment', 'core'],
    'model': ['core', 'stats', 'topology'],
    'result': ['model'],
    'draw': ['base'],
    'view': ['draw', 'result'],
    'write': ['view'],
    'screen': ['draw'],
    'check': ['experiment', 'model', 'source'],
    'cli': ['experiment', 'log', 'screen', 'source', 'write'],
    'app': ['cli', 'check', 'lecture'],
}

# Header of a library: the only rooms that may include it.
LIBRARIES = {
    r'(ncurses|curses|ncursesw/.*|term|panel)\.h': ['screen'],
    r'csv\.h': ['log'],
    r'(zlib|zstd)\.h': ['log'],
    r'ini\.h': ['cli'],
    r'cmark\.h': ['lecture'],
    r'jansson\.h': ['write', 'check'],
    r'uni(case|ctype|gbrk|lbrk|norm|str|wbrk|width)\.h': ['base', 'draw'],
}

# Name of a function: the only rooms that may call it. The guard of the terminal is no worker.
CALLS = {
    r'fork': ['runner', 'screen'],
    r'pthread_create|thrd_create': ['runner'],
    r'vfork|clone|clone3': ['runner'],
    r'exec[lv]p?e?': ['runner', 'app'],
    r'posix_spawnp?': ['runner', 'source'],
    r'system|popen': [],
    # Of characters and of messages alone: all rooms print numbers with a point.
    r'(?:set|new|use)locale': ['app', 'base'],
}

# What a room must not do at all.
PURE = r'clock_now_ns|clock_gettime|gettimeofday|time|f?open|poll|read|ioctl|sysconf'
NEVER = {
    'stats': PURE,
    'model': PURE,
    'result': PURE,
    'draw': PURE,
    'view': PURE,
    'write': PURE,
    'source': r'getmaxyx|initscr|newterm|tcsetattr',
    'work': r'pthread_(?!mutex)\w+|waitpid|getpid',
}

# Only a program's main.c ends it, and a worker that is asked to.
ENDS = r'exit'
ENDS_TOO = 'src/runner/fault.c'

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def below(room):
    """The rooms that a room may include, itself as well."""
    found = {room}
    for other in ROOMS[room]:
        found |= below(other)
    return found


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


def resolve(house, path, name):
    """The file that path means by name: beside it, or another room's contract; None if neither."""
    beside = path.rsplit('/', 1)[0] + '/' + name
    if '/' not in name and beside in house:
        return beside
    return 'include/' + name if '/' in name and 'include/' + name in house else None


def check_includes(house, path):
    found, room = [], path.split('/')[1]
    for kind, name in INCLUDE.findall(house[path]):
        for pattern, rooms in LIBRARIES.items():
            if re.fullmatch(pattern, name) and room not in rooms:
                found.append(f'{path}: {room} includes {name}')
        if kind == '<':
            continue
        target = resolve(house, path, name)
        if target is None:
            found.append(f'{path}: {name} is neither beside it nor a contract')
        elif target.split('/')[1] not in below(room):
            found.append(f'{path}: {room} includes {target.split("/")[1]}: {name}')
    return found


def check_calls(house, path):
    found, room, code = [], path.split('/')[1], house[path]
    for names, rooms in CALLS.items():
        if room not in rooms:
            found += [f'{path}: {room} calls {name}' for name in calls(code, names)]
    if not path.endswith('/main.c') and path != ENDS_TOO:
        found += [f'{path}: calls {name}' for name in calls(code, ENDS)]
    return found + [f'{path}: {room} calls {name}' for name in calls(code, NEVER.get(room, '$.'))]


def check_circles(house):
    """Files that include one another, straight or round about."""
    found, done = [], set()

    def walk(path, way):
        if path in way:
            found.append('circle: ' + ' > '.join(way[way.index(path):] + [path]))
        elif path not in done:
            for kind, name in INCLUDE.findall(house[path]):
                target = resolve(house, path, name) if kind == '"' else None
                if target:
                    walk(target, way + [path])
            done.add(path)

    for path in sorted(house):
        walk(path, [])
    return found


DEFINED = re.compile(r'^(?!static|return|else)\w[\w \t*]*?\b(\w+)\([^;{}]*\)\s*\{', re.M)
TABLE = re.compile(r'^(?!static|extern)\w[\w \t*]*?\b(\w+)(?:\[\w*\])* = ', re.M)
NAME = r'(?<![\w.>])(?<!struct )\w+'


def check_circles_of_calls(house):
    """Files of a room that use one another's functions and tables, straight or round about."""
    owner, uses, found = {}, {}, []
    codes = {path: INCLUDE.sub('', code) for path, code in house.items() if path.endswith('.c')}
    for path, code in codes.items():
        for name in DEFINED.findall(code) + TABLE.findall(code):
            owner[name] = path
    for path, code in codes.items():
        others = {owner[name] for name in re.findall(NAME, code) if name in owner} - {path}
        uses[path] = {other for other in others if other.split('/')[1] == path.split('/')[1]}
    outside = codes
    while outside:
        used = set().union(*uses.values())
        outside = [path for path in uses if path not in used or not uses[path] & set(uses)]
        for path in outside:
            del uses[path]
    for room in sorted({path.split('/')[1] for path in uses}):
        files = sorted(path.split('/')[2] for path in uses if path.split('/')[1] == room)
        found.append(f'circle of calls in {room}: ' + ' '.join(files))
    return found


def check_contracts(house):
    """A contract that no other room uses belongs beside its file."""
    used = {}
    for path in house:
        for kind, name in INCLUDE.findall(house[path]):
            target = resolve(house, path, name) if kind == '"' else None
            if target:
                used.setdefault(target, set()).add(path)
    found = []

    def wanted(path, seen):
        room = path.split('/')[1]
        return any(user.split('/')[1] != room or
                   (user.startswith('include/') and user not in seen and
                    wanted(user, seen | {user})) for user in used.get(path, []))

    for path in sorted(house):
        if path.startswith('include/') and not wanted(path, {path}):
            found.append(f'{path}: no other room uses it')
    return found


def read_house(root):
    root = pathlib.Path(root)
    files = [p for top in ('src', 'include') for p in root.glob(f'{top}/**/*.[ch]')]
    return {str(p.relative_to(root)): strip(p.read_text()) for p in files}


def check(root):
    house, found = read_house(root), []
    lost = [p for p in sorted(house) if len(p.split('/')) != 3 or p.split('/')[1] not in ROOMS]
    if lost:
        return [f'{path}: in no room' for path in lost]
    for path in sorted(house):
        found += check_includes(house, path) + check_calls(house, path)
    found += check_circles(house) + check_circles_of_calls(house)
    return found + check_contracts(house)


def check_tour(root, text):
    """Each file and each function that src/README.md names is there."""
    root, found = pathlib.Path(root), []
    code = '\n'.join(p.read_text() for top in ('src', 'include') for p in root.glob(f'{top}/**/*.[ch]'))
    for name in re.findall(r'`([\w/.]+/[\w.]+\.\w+)`', text):
        if not re.search('NAME|ROOM', name) and not any(
                (root / top / name).exists() for top in ('src', 'include', '.')):
            found.append(f'src/README.md: no {name}')
    return found + [f'src/README.md: no {name}()' for name in re.findall(r'`(\w+)\(\)`', text)
                    if not re.search(rf'\b{name}\(', code)]


def check_tests(root):
    """A test that no build runs holds nothing."""
    root = pathlib.Path(root, 'tests')
    listed = (root / 'meson.build').read_text() if root.is_dir() else ''
    return [f'{path}: not in tests/meson.build' for path in sorted(root.glob('*/test_*'))
            if not re.search(rf"('|/|test_){path.stem.removeprefix('test_')}\b", listed)]


# A small house without fault, to plant things in.
HOUSE = {
    'include/base/units.h': '',
    'src/base/units.c': '#include "base/units.h"\n',
    'include/core/plan.h': '#include "base/units.h"\n',
    'src/core/plan.c': '#include "core/plan.h"\n',
    'include/model/model.h': '#include "core/plan.h"\n',
    'src/model/parts.h': '#include "model/model.h"\n',
    'src/model/model.c': '#include "model/model.h"\n#include "parts.h"\n',
    'include/screen/screen.h': '',
    'src/screen/screen.c': '#include "screen/screen.h"\n#include <curses.h>\n',
    'src/app/app.c': '#include "model/model.h"\n#include "screen/screen.h"\n',
}

# One violation each: file, text, and the complaint it must give.
PLANTED = [
    ('src/view/view.c', '#include <ncurses.h>\n', 'view includes ncurses.h'),
    ('src/app/late.c', '#include <curses.h>\n', 'app includes curses.h'),
    ('src/app/late.c', '#  include <csv.h>\n', 'app includes csv.h'),
    ('src/work/work_cpu.c', 'int f(void) { return fork(); }\n', 'work calls fork'),
    ('src/app/late.c', 'int f(void) { return vfork (); }\n', 'app calls vfork'),
    ('src/source/late.c', 'int f(void) { return execv(0, 0); }\n', 'source calls execv'),
    ('src/source/live.c', 'int f(void) { pthread_create(0); }\n', 'source calls pthread_create'),
    ('src/app/late.c', 'int f(void) { posix_spawn(0); }\n', 'app calls posix_spawn'),
    ('src/core/late.c', 'void f(void) { exit(1); }\n', 'calls exit'),
    ('src/core/late.c', '#include "model/model.h"\n', 'core includes model: model/model.h'),
    ('src/view/view.c', '#include "screen/screen.h"\n', 'view includes screen: screen/screen.h'),
    ('src/screen/late.c', '#include "model/model.h"\n', 'screen includes model: model/model.h'),
    ('src/log/log.c', '#include "model/model.h"\n', 'log includes model: model/model.h'),
    ('src/view/view.c', '#include "model/parts.h"\n',
     'model/parts.h is neither beside it nor a contract'),
    ('src/view/view.c', '#include "model.h"\n', 'model.h is neither beside it nor a contract'),
    ('include/core/lonely.h', '\n', 'no other room uses it'),
    ('include/nobody.h', '\n', 'in no room'),
    ('src/attic/old.c', '\n', 'in no room'),
    ('src/view/view.c', 'long f(void) { return clock_now_ns(); }\n', 'view calls clock_now_ns'),
    ('src/result/text.c', 'long f(void) { return time(0); }\n', 'result calls time'),
]

# And what must pass.
INNOCENT = [
    ('src/app/late.c', '/* fork() and exit() are for others */\nvoid f(void) { _exit(1); }\n'),
    ('src/app/main.c', 'void f(void) { exit(1); }\n'),
    ('src/view/view.c', 'const char *f(void) { return "fork() exit(1) \\" time("; }\n'),
    ('src/view/view.c', 'int f(struct s *s) { return s->open(1) + begin_time(2); }\n'),
    ('src/runner/spawner.c', 'void f(void) { fork(); pthread_create(0); }\n'),
    ('src/view/view.c', '#include "model/model.h"\n#include "base/units.h"\n'),
    ('src/model/late.c', '#include "parts.h"\n'),
]


def plant(files):
    """What check() says of the small house with these files in it."""
    with tempfile.TemporaryDirectory() as house:
        for path, text in {**HOUSE, **files}.items():
            file = pathlib.Path(house, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return check(house)


def self_check():
    wrong = []
    for path, text, complaint in PLANTED:
        found = plant({path: text})
        if found != [f'{path}: {complaint}']:
            wrong.append(f'planted {text!r} in {path}: {found}')
    for path, text in INNOCENT:
        found = plant({path: text})
        if found:
            wrong.append(f'innocent {text!r} in {path}: {found}')
    found = plant({'src/model/parts.h': '#include "more.h"\n',
                   'src/model/more.h': '#include "parts.h"\n'})
    if len(found) != 1 or not found[0].startswith('circle: '):
        wrong.append(f'planted a circle: {found}')
    found = plant({'src/model/one.c': 'int one(void)\n{\n\treturn rows[0];\n}\n',
                   'src/model/two.c': 'const int rows[] = {1};\nint two(void) { return one(); }\n',
                   'src/model/three.c': 'int three(void) { return two(); }\n'})
    if found != ['circle of calls in model: one.c two.c']:
        wrong.append(f'planted a circle of calls: {found}')
    found = check_tour('.', '`core/nowhere.h`, `nowhere_at_all()`')
    if len(found) != 2:
        wrong.append(f'planted a tour to nowhere: {found}')
    return wrong


def main():
    found = self_check()
    house = check(sys.argv[1])
    house += check_tour(sys.argv[1], pathlib.Path(sys.argv[1], 'src', 'README.md').read_text())
    house += check_tests(sys.argv[1])
    if not list(pathlib.Path(sys.argv[1]).glob('src/*/*.c')):
        house.append(f'{sys.argv[1]}: no sources')
    for line in found + house:
        print(line)
    return 1 if found or house else 0


sys.exit(main())
