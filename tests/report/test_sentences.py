#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every sentence about random sessions is held against the table it stands above.

    test_sentences.py RANDOM_MODELS [SESSIONS [SEED]]

All that a verdict or a curve's answer claims must follow from the printed cells: real, leads, times
as fast, no difference above, excluded, at k of n values, measuring. TUIBENCH_SEED is the seed.
"""

import os
import re
import subprocess
import sys
import time

NAME = r'(?:tree=[\dx]+|[a-z_]+(?::\d+x\d+)?(?: work=[a-z]+)?(?: (?:size|tree)=[\dx]+)?)'
LEADERS = {'threads', 'processes', 'hybrid:2x4'}


class Row:
    """A comparison as it is printed."""

    def __init__(self, a, b, ratio, interval, pairs, faster):
        self.a, self.b, self.faster = a, b, faster
        self.ratio = None if ratio == '?' else float(ratio)
        ends = re.fullmatch(r'(\S+) to (\S+)', interval)
        self.low, self.high = (float(ends[1]), float(ends[2])) if ends else (None, None)
        self.pairs = int(pairs.replace(',', ''))

    def winner(self):
        return self.faster if self.faster in (self.a, self.b) else None

    def excluded(self):
        found = re.fullmatch(r'no difference above (.*)', self.faster)
        return found[1] if found else None

    def value(self):
        found = re.search(r'size=(\d+)$', self.a)
        return found[1] if found else ''

    def open(self):
        return not self.winner() and not self.excluded()


    def work(self):
        found = re.search(r' work=(\w+)', self.a)
        return found[1] if found else ''

    def shorten(self):
        """Without what all have in common: the verdict says "tree=5000"."""
        self.a, self.b, self.faster = (re.sub(r'^threads (?=tree=)', '', name)
                                       for name in (self.a, self.b, self.faster))


def model_of(name):
    return re.sub(r' (?:work|size)=.*', '', name)


def factor(text):
    """The ratio that "3.1 %" or "a factor of 2.4" is."""
    if text.endswith('%'):
        return 1 / (1 - float(text[:-1]) / 100) if float(text[:-1]) < 100 else float('inf')
    return float(text.rsplit(' ', 1)[1])


CELLS = r' +(\S+) +(\?|\S+ to \S+) +([\d,]+)'


def rows_of(text):
    """The comparisons. Too long for a line, the names or the last column stand apart."""
    blocks = re.findall(r'^(?:elapsed|until the task runs) compared(.*\n(?:.+\n)*)', text, re.M)
    both = ''.join(blocks)
    faster = {(a, b): cell for a, b, cell in
              re.findall(rf'^({NAME}) / ({NAME}) +([^\d\s?].*)$', both, re.M)}
    found = re.findall(rf'^({NAME}) / ({NAME})\n?{CELLS}(?: +(\S.*))?$', both, re.M)
    return [Row(*cells[:5], cells[5] or faster[cells[:2]]) for cells in found]


def ended_of(text):
    """The cases of which all planned trials have ended, well or not."""
    planned = int(re.search(r', (\d+) trials? (?:of each|each)', text)[1])
    runs = re.findall(rf'^({NAME}) .* \d+ of (\d+)$', text, re.M)
    return {name for name, n in runs if int(n) >= planned}


class Wrong(Exception):
    pass


def hold(condition, why):
    if not condition:
        raise Wrong(why)


def check_row(row, ended):
    """The cells of a row among themselves."""
    if row.excluded():
        hold(row.a in ended and row.b in ended, 'no difference before the planned end')
    if row.winner():
        hold(row.low is not None, f'{row.faster} is faster without an interval')
        # an end within half a millionth of 1 is written as 1.000000
        hold(row.high <= 1 if row.winner() == row.a else row.low >= 1, 'real with 1 inside')
    if row.excluded():
        hold(row.low <= 1 <= row.high, 'none with 1 outside')
        most = max(1 / row.low, row.high) if row.low else float('inf')
        hold(factor(row.excluded()) >= most * (0.997 if most < 2 else 0.97),
             f'excludes less than {most}')
    if row.open() and row.low is not None:
        hold(row.low <= 1 <= row.high, 'undecided with 1 outside')
    if row.ratio is not None:
        hold(row.ratio > 0, 'a ratio of 0')


def between(rows, a, b):
    """The row of two, seen from a: the ratio a / b, and who is faster."""
    for row in rows:
        if (row.a, row.b) == (a, b):
            return row, row.ratio
        if (row.b, row.a) == (a, b):
            return row, row.ratio and 1 / row.ratio
    raise Wrong(f'no row of {a} and {b}')


def check_faster(rows, a, much, unit, b, real):
    row, ratio = between(rows, a, b)
    if unit == '%':
        hold(abs(100 * (1 - ratio) - much) < 0.6, f'{much} % of {ratio}')
    else:
        hold(abs(1 / ratio - much) < 0.06 * much + 0.06, f'{much} times of {ratio}')
    hold((row.winner() == a) == real, f'{a} over {b}: {row.faster}')


def lower(name):
    return name[0].lower() + name[1:]


def check_pairs(rows, sentence):
    """Sentences that compare one case with others."""
    claims = 0
    subject = re.match(rf'({NAME})\b', lower(sentence)) if sentence else None
    for a, b, most in re.findall(rf'No difference found between ({NAME}) and ({NAME})(?:,[^:]*)?: '
                                 r'one above (.*?) is excluded', sentence):
        row, _ = between(rows, a, b)
        hold(row.excluded() == most, f'{most} excluded, in the table {row.faster}')
        claims += 1
    for a, most in re.findall(rf'No difference found between ({NAME}) and any of the \d+ others: '
                              r'one above (.*?) is excluded', sentence):
        mine = [row for row in rows if a in (row.a, row.b)]
        hold(all(row.excluded() for row in mine), f'{a}: {[row.faster for row in mine]}')
        hold(mine and max(factor(row.excluded()) for row in mine) == factor(most), f'{a}: {most}')
        real = [row for row in rows if row.winner()]
        said = re.search(r'Among the others (\d+) difference', sentence)
        hold(len(real) == (int(said[1]) if said else 0), f'{len(real)} are real')
        claims += 1
    for much, unit, b, mark in re.findall(
            rf'([\d.]+)( %| times as) (?:faster than|fast as) ({NAME})( \(real\)|: real|, the same|)',
            sentence):
        check_faster(rows, subject[1], float(much), unit.strip()[-1:] if '%' in unit else 'times', b,
                     bool(mark))
        hold(mark, 'faster, and not said to be real')
        claims += 1
    for most, b in re.findall(rf'no difference above ([\d.]+ %|a factor of [\d.]+) to ({NAME})',
                              sentence):
        row, _ = between(rows, subject[1], b)
        hold(row.excluded() == most, f'{most} to {b}: {row.faster}')
        claims += 1
    for b in re.findall(rf'not decided against ({NAME})', sentence):
        hold(between(rows, subject[1], b)[0].open(), f'{b} is decided')
        claims += 1
    if re.match(rf'{NAME} leads?:', lower(sentence)):
        for row in rows:
            hold(subject[1] not in (row.a, row.b) or row.winner() == subject[1], 'leads')
        claims += 1
    for ratio, b in re.findall(r' took ([\d.]+) of the (\w+?)(?:s\'|\'s) time so far', sentence):
        mine = [row for row in rows if row.a == subject[1]]
        hold(len(mine) == 1 and mine[0].open(), 'so far, and decided')
        hold(abs(mine[0].ratio / float(ratio) - 1) < 0.01, f'{ratio} of {mine[0].ratio}')
        claims += 1
    return claims


TIME = r'([\d.]+) (us|ms)'


def times_agree(text, ratio):
    """The two medians against the ratio of pairs: they may differ by the noise, not in sense."""
    times = [float(n) * (1000 if unit == 'ms' else 1) for n, unit in re.findall(TIME, text)]
    hold(len(times) == 2 and all(times), f'no two times in "{text}"')
    hold(not (ratio > 2 and times[0] > times[1]), f'{text}: {ratio} times as soon')


def check_creation(rows, sentence):
    """The verdict on ways to create a task."""
    said = re.match(rf'On one core, with ({NAME}) a task runs ([\d.]+) times'
                    r'(?: \(95 % interval ([\d.]+) to ([\d.]+)\))? as soon as with '
                    rf'({NAME}), (.*?) after the call(: real| so far)', sentence)
    none = re.match(rf'On one core, with ({NAME}) and with ({NAME}) a task runs after (.*?): a '
                    r'difference above (.*?) is excluded', sentence)
    if none:
        row, _ = between(rows, none[1], none[2])
        hold(row.excluded() == none[4], f'{none[4]} excluded, in the table {row.faster}')
        return 1
    if not said:
        hold(re.match('Measuring|No trial', sentence), f'what is "{sentence}"?')
        return 0
    row, ratio = between(rows, said[1], said[5])
    hold(abs(1 / ratio / float(said[2]) - 1) < 0.06, f'{said[2]} times of {ratio}')
    hold((row.winner() == said[1]) == (said[7] == ': real'), f'{said[7]}: {row.faster}')
    if said[3]:
        ends = (row.low, row.high) if row.b == said[1] else (1 / row.high, 1 / row.low)
        hold(all(abs(float(a) / b - 1) < 0.06 for a, b in zip((said[3], said[4]), ends)),
             f'{said[3]} to {said[4]} of {ends}')
    times_agree(said[6], float(said[2]))
    return 2


def leads_of(rows):
    """For each value: the one that is before every other, 'none', 'some', 'open' or '?'."""
    leads = {}
    for value in dict.fromkeys(row.value() for row in rows):
        mine = [row for row in rows if row.value() == value]
        names = {name for row in mine for name in (row.a, row.b)}
        lead = [name for name in names
                if all(row.winner() == name for row in mine if name in (row.a, row.b))]
        if lead:
            leads[value] = model_of(lead[0])
        elif any(row.open() for row in mine):
            leads[value] = '?' if all(row.pairs == 0 for row in mine) else 'open'
        else:
            leads[value] = 'some' if any(row.winner() for row in mine) else 'none'
    return leads


def check_sweep(rows, sentence):
    """The counts of a sweep; a value that is open may have decided rows too."""
    leads, claims = leads_of(rows), 0
    values = list(leads.values())
    said = re.match(r'(\S+) leads? at (\d+) of (\d+) values? of size \(real\)((?:, \S+ at \d+)*)',
                    lower(sentence))
    if said:
        counts = {said[1]: int(said[2])}
        counts.update((name, int(n)) for name, n in re.findall(r', (\S+) at (\d+)', said[4]))
        hold(int(said[3]) == len(leads), 'values')
        for name in LEADERS | set(counts):
            hold(counts.get(name, 0) == values.count(name),
                 f'{name} at {counts.get(name, 0)}: {leads}')
        claims += 1
    elif re.search(r'\(real\)|none leads|no difference above .* at any', sentence):
        hold(not set(values) & LEADERS, f'a leader unsaid: {leads}')
    for kind, pattern in (('none', r'[Nn]o difference above ([\d.]+ %|a factor of [\d.]+) at (\d+|any)'),
                          ('some', r'at ()(\d+) some differ and none leads'),
                          ('open', r'not decided ()at (\d+)')):
        found = re.search(pattern, sentence)
        if kind == 'none' and found:
            most = [factor(row.excluded()) for row in rows if leads[row.value()] == 'none']
            hold(factor(found[1]) == max(most, default=0), f'{found[1]} is not of {most}')
        if found:
            n = len(leads) if found[2] == 'any' else int(found[2])
            hold(n == values.count(kind), f'{kind} at {n}: {leads}')
            claims += 1
        elif said or 'none leads at any' in sentence:
            hold(kind not in values, f'{kind} unsaid: {leads}')
    if 'took least' in sentence:
        hold(not set(values) & LEADERS, f'led, and real: {leads}')
        claims += 1
    return claims


def check_measuring(rows, sentence):
    """What is said of the trials, and never that there is no difference before they are over."""
    said = re.search(r'[Mm]easuring, (\d+) of (\d+) trials', sentence)
    if said:
        cells = [row.faster for row in rows if row.open()]
        hold(f'measuring, {said[1]} of {said[2]}' in cells, f'{said[0]}, in the table {cells}')
    few = re.search(r'stopped before|too few', sentence)
    if said or few:
        hold(any(row.open() for row in rows), 'all is decided')
    if few:
        hold('measuring' not in ' '.join(row.faster for row in rows), 'still measuring')
    return bool(said or few)


def values_of(text, values):
    """The values that " up to size=30, from 50 to 60, at 70 and from 80 on" means."""
    text, all_of = text.replace('size=', ''), set()
    number = [int(value) for value in values]
    for one in re.findall(r'at every value of size|up to \d+|from \d+ on|from \d+ to \d+|at \d+',
                          text.replace('at every value of ', 'at every value of size')):
        ends = [int(n) for n in re.findall(r'\d+', one)]
        low = ends[0] if ends and not one.startswith('up') else 0
        high = ends[-1] if ends and not one.endswith('on') else 10 ** 9
        all_of |= {n for n in number if low <= n <= high}
    return all_of


def check_curve(rows, answer):
    """Each clause names the values at which it is so, as their rows have it."""
    leads, claims = leads_of(rows), 0
    clause = answer.split('. ')[0].rstrip('.')
    if not answer or re.match(r'So far|Measuring|By the medians', answer):
        if answer.startswith('So far'):
            hold(not set(leads.values()) & LEADERS, f'{leads}')
        return 0
    where, name = {}, None
    for part in re.split(r'; |, ', clause):
        found = re.match(r'(threads|processes|hybrid:2x4)\b|none leads|no difference above '
                         r'(?:[\d.]+ %|a factor of [\d.]+)|not decided', lower(part))
        if found:
            name = {'none leads': 'some', 'not decided': 'open'}.get(
                found[0], 'none' if found[0].startswith('no diff') else found[0])
        hold(name, f'whose is "{part}"?')
        where.setdefault(name, set()).update(values_of(part[found.end() if found else 0:], leads))
    for kind in set(where) | (set(leads.values()) - {'?'}):
        truth = {int(value) for value, lead in leads.items() if lead == kind}
        hold(where.get(kind, set()) == truth, f'{kind}: {where.get(kind)} is not {truth}')
        claims += 1
    for low, high in re.findall(r'\(between (\d+) and (\d+)\)', answer):
        hold(leads_differ(rows, low, high), f'no crossover between {low} and {high}')
        claims += 1
    return claims


def leads_differ(rows, low, high):
    """Some two models are ahead for real at either end, each at one."""
    won = [{tuple(model_of(name) for name in (row.winner(), row.a, row.b))
            for row in rows if row.value() == value and row.winner()} for value in (low, high)]
    return any(one[1:] == other[1:] and one[0] != other[0] for one in won[0] for other in won[1])


def sentence_of(text):
    """The last paragraph but remarks: the verdict."""
    after = text[max(text.find(' compared'), 0):]
    paragraphs = [' '.join(p.split()) for p in after.split('\n\n')]
    starts = r'(No difference|On one core|Tree=|tree=|Fp: |fp: |Threads|Processes|Hybrid|Measuring|No pair|None leads|No trial|\w+ failed in|\w+ crashed in)'
    found = [p for p in paragraphs if re.match(starts, p) and 'crossed' not in p]
    return found[0] if found else ''


def check_works(rows, sentence, answer):
    """A sweep for each kind of work; the curve's answer is that of the first."""
    works, claims = list(dict.fromkeys(row.work() for row in rows)), 0
    for work in works:
        mine = [row for row in rows if row.work() == work]
        said = sentence
        if work:
            found = re.search(rf'(?:^|\. ){work}: (.*?)(?=\. [a-z]+: |$)', sentence, re.I)
            hold(found or 'easuring' in sentence, f'nothing is said of {work}')
            said = found[1] if found else ''
        claims += check_sweep(mine, said) if said else 0
        if work == works[0]:
            claims += check_curve(mine, re.sub(r'^(fp|mem): ', '', answer, flags=re.I))
    return claims


SCALES = {'us': 1, 'ms': 1e3, 's': 1e6}
WORDS = {'waiting for a core': 'waiting', 'being joined': 'joining'}


def time_of(text):
    """A signed time in us, of three digits."""
    sign, number, unit = re.fullmatch(r'([+-])([\d.:]+) (us|ms|s|min|h)', text).groups()
    if ':' in number:
        number = sum(int(n) * 60 ** i for i, n in enumerate(reversed(number.split(':'))))
        unit = 's'
    return float(sign + str(number)) * SCALES[unit]


def parts_of(text):
    """The differences by part: {(b, a): {part: (difference, low, high, reality)}}."""
    tables, pair = {}, None
    blocks = re.findall(r'^why\n((?:.+\n)*)', text, re.M)
    for line in ''.join(blocks).split('\n'):
        names = re.fullmatch(rf'({NAME}) - ({NAME})', line)
        row = re.fullmatch(r'  (\w+) +([+-]\S+ \w+) +(\?|(\S+ \w+) to (\S+ \w+)) +\d+ (.+)', line)
        if names:
            pair = names.groups()
        elif row and pair:
            ends = (time_of(row[4]), time_of(row[5])) if row[4] else (None, None)
            tables.setdefault(pair, {})[row[1]] = (time_of(row[2]), *ends, row[6].strip())
    return tables


def check_part(part, row):
    """The cells of a row of that table among themselves."""
    _, low, high, reality = row
    hold(low is None or low <= high, f'{part}: {row}')
    if reality == 'real':
        hold(low is not None and low * high >= 0, f'{part}: real with 0 inside, {row}')
    if reality == 'not real':
        hold(low <= 0 <= high, f'{part}: not real with 0 outside, {row}')


def near(said, unit, cell):
    """Two digits of three: both were rounded."""
    value = said * SCALES[unit]
    return abs(value - abs(cell)) <= 0.06 * abs(cell) + 0.0051 * SCALES[unit]


def check_real_parts(tables, flat):
    """Where the whole does not differ: who takes longer is said of parts that do, and of all."""
    said = re.search(rf'In parts ({NAME}) differs? from ({NAME}): (.*?)\.(?: [A-Z]|$)', flat)
    ended = [pair for pair in tables if tables[pair]['elapsed'][3] == 'not real']
    if not said:
        # Which pair is the verdict's is not known of three models; a sweep has none.
        other = re.search(r'(at any of \d+ value|nothing to compare)', flat)
        hold(len(tables) != 1 or not ended or other or all(
            row[3] != 'real' or abs(row[0]) < 0.51 for row in tables[ended[0]].values()),
             f'not said: {tables}')
        return 0
    pair, sign = (said[1], said[2]), 1
    if pair not in tables:
        pair, sign = (said[2], said[1]), -1
    hold(pair in ended, f'{said[0]} of {tables}')
    claims = [(WORDS.get(words, words), float(much), unit.replace('µ', 'u'), more)
              for much, unit, more, words in re.findall(
                  r'([\d.]+) (us|µs|ms|s) (longer|less) ([a-z ]+?) \(real\)(?:, |$)', said[3])]
    hold(len(claims) == len(said[3].split(', ')), f'what is "{said[3]}"?')
    hold(are_those(claims, tables[pair], sign), f'{said[0]} of {tables[pair]}')
    return len(claims)


def are_those(claims, table, sign):
    """They are all that is real in that table and above half a µs, each of its size and direction."""
    named = {part for part, *_ in claims}
    real = {part: abs(row[0]) for part, row in table.items() if row[3] == 'real'}
    return named <= set(real) and all(part in named or us < 0.51 for part, us in real.items()) and all(
        near(much, unit, table[part][0]) and (table[part][0] * sign > 0) == (more == 'longer')
        for part, much, unit, more in claims)


def check_why(text):
    """What is said of the parts against their table."""
    tables, claims = parts_of(text), 0
    for table in tables.values():
        for part, row in table.items():
            check_part(part, row)
            claims += 1
    flat = ' '.join(text.split())
    said = re.search(rf'({NAME}) takes? ([\d.]+) (us|µs|ms|s) longer than ({NAME})'
                     r'( \(too few trials\)| so far|)(?:: (.*?)|)\.(?: [A-Z]|$)',
                     flat, re.I)
    if not said:
        return claims + check_real_parts(tables, flat)
    longer, unit = lower(said[1]), said[3].replace('µ', 'u')
    table, sign = tables.get((longer, said[4])), 1
    if table is None:
        table, sign = tables[said[4], longer], -1
    whole = table['elapsed']
    hold(near(float(said[2]), unit, whole[0]), f'{said[2]} {unit} longer of {whole}')
    hold(whole[0] * sign >= 0, f'{longer} is said to take longer: {whole}')
    hold((whole[3] == 'real') == (said[5] == ''), f'"{said[5]}" of {whole}')
    hold(whole[3] != 'not real', f'"{said[5]}" of {whole}')
    named = dict()
    for much, less, words, real in re.findall(r'([\d.]+)( less|) ([a-z ]+?)( \(real\)|)(?:, |$)',
                                              said[6] or ''):
        part = WORDS.get(words, words)
        row = named[part] = table[part]
        hold(near(float(much), unit, row[0]), f'{much} {unit} {part} of {row}')
        hold((row[0] * sign < 0) == bool(less), f'{part}{less} of {row}')
        hold((row[3] == 'real') == bool(real), f'{part}{real} of {row}')
        claims += 1
    hold(len(named) == len((said[6] or '').split(', ')) or not said[6], f'what is "{said[6]}"?')
    greatest = max(abs(row[0]) for row in table.values())
    for part, row in table.items():
        hold(part == 'elapsed' or part in named or abs(row[0]) <= 0.0505 * greatest,
             f'{part} is not named: {row}')
    return claims + 1


def check(text):
    """How many claims of a session were held."""
    body, answer = re.match(r'(.*)\n@curve (.*)\n', text, re.S).groups()
    rows, sentence = rows_of(body), sentence_of(body)
    claims = check_why(body)
    for row in rows:
        check_row(row, ended_of(body))
    if not rows or 'nothing to compare' in sentence:
        return claims
    if 'until the task runs compared' in body:
        claims += check_creation(rows, sentence)
    elif any(row.value() for row in rows):
        claims += check_works(rows, sentence, answer)
    else:
        for row in rows:
            row.shorten()
        claims += check_pairs(rows, sentence)
    return claims + check_measuring(rows, sentence)


def main():
    sessions = int(sys.argv[2]) if len(sys.argv) > 2 else 1500
    seed = int(sys.argv[3] if len(sys.argv) > 3 else os.environ.get('TUIBENCH_SEED', time.time()))
    out = subprocess.run([sys.argv[1], str(seed), str(sessions)], check=True, text=True,
                         capture_output=True).stdout
    wrong = claims = 0
    for text in re.split(r'^@session ', out, flags=re.M)[1:]:
        number, body = text.split('\n', 1)
        try:
            claims += check(body)
        except Wrong as why:
            wrong += 1
            if wrong <= 5:
                print(f'session {number}: {why}\n  {sentence_of(body)}\n'
                      f'  {re.search("@curve (.*)", body)[1]}', file=sys.stderr)
    print(f'{sessions} sessions from seed {seed}: {claims} claims, wrong in {wrong} sessions',
          file=sys.stderr)
    return wrong > 0 or claims < sessions


if __name__ == '__main__':
    sys.exit(main())
