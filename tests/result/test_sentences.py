#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The badge and the sentence of random sessions, compared with the values in their JSON.

    test_sentences.py RANDOM_MODELS [SESSIONS [SEED]]

TUIBENCH_SEED is the seed; without it, 1.
"""

import json
import math
import os
import re
import subprocess
import sys

NUMBER = r'\d+(?:\.\d+)?'
SPAN = rf'(?:{NUMBER}|\d+(?::\d+)+) (?:ns|us|µs|ms|s|min|h)'
SCALES = {'ns': 1e-6, 'us': 1e-3, 'µs': 1e-3, 'ms': 1, 's': 1e3, 'min': 6e4, 'h': 3.6e6}
MARGIN = 1.05


class Wrong(Exception):
    pass


def hold(condition, why):
    if not condition:
        raise Wrong(why)


def milliseconds(text):
    number, unit = text.split()
    value = sum(float(n) / 60 ** i for i, n in enumerate(number.split(':')))
    return value * SCALES[unit]


def close(text, truth, half=0.51):
    """Whether a number as it is written is the true one, rounded by half its last digit."""
    digits = len(text.split('.')[1]) if '.' in text else 0
    return abs(float(text) - truth) <= half * 10 ** -digits + 1e-9 * abs(truth)


def same_span(text, cell):
    """The medians of metrics that do not end with _ms are ns."""
    truth = cell['median'] * (1 if cell['metric'].endswith('_ms') else 1e-6)
    number, unit = text.split()
    return ':' in number and abs(milliseconds(text) / truth - 1) < 0.011 or \
        ':' not in number and close(number, truth / SCALES[unit], 0.6)  # of whole ns


class Session:
    """The first metric of the answer: its cells by the names of their cases."""

    def __init__(self, text):
        self.json = json.loads(text)
        self.sentence, self.badge = self.json['sentence'], self.json['badge']
        answer = self.json['answer']
        self.rows = answer['rows'] if answer else []
        self.cells = [row['metrics'][0] for row in self.rows]
        self.compared = [(row, cell) for row, cell in zip(self.rows, self.cells)
                         if cell['state'] != 'reference']

    def find(self, name):
        """The cell of a case: a session of one model names the values alone."""
        for row, cell in zip(self.rows, self.cells):
            if name in (row['case'], row['case'].removeprefix(row['model'] + ' ')):
                return cell
        raise Wrong(f'no case is called {name}')


def check_cell(cell):
    """The state of a cell follows from its interval."""
    low, high, state = cell['low'], cell['high'], cell['state']
    if state == 'real':
        hold(low > 1 or high < 1, f'real with 1 in {low} to {high}')
        hold(low <= cell['ratio'] <= high, 'a ratio outside its interval')
    if state == 'same':
        hold(low > 1 / MARGIN and high < MARGIN and low <= 1 <= high, f'same: {low} to {high}')
    if state == 'close':
        hold(low <= 1 <= high, f'close without 1 in {low} to {high}')
        hold(high >= MARGIN or low <= 1 / MARGIN, f'close within the margin: {low} to {high}')
        hold(cell['at_most'] >= max(high, 1 / low) * 0.9999, f"less than {cell['at_most']}")


def check_badge(session):
    """It speaks of models where there are two, and of the values of a setting where there is one."""
    models = {row['case']: row['model'] for row in session.rows}
    of_models = [cell for row, cell in session.compared
                 if row['reference'] and models[row['reference']] != row['model']]
    states = [cell['state'] for cell in of_models or [cell for _, cell in session.compared]]
    values = {' '.join(word for word in row['case'].split() if '=' in word) for row in session.rows} - {''}
    swept = len(session.compared) > 1 and len(values) > 1
    first = [('measuring', 'MEASURING'), ('real', 'FASTER' if len(states) == 1 else 'REAL'),
             ('close', 'NOT DECIDED' if swept else 'TOO CLOSE'), ('same', 'SAME SPEED'), ('withheld', 'NO RESULT')]
    if states.count('close') > states.count('real'):
        first.pop(1)
    wanted = next((word for state, word in first if state in states), None)
    hold(session.badge == wanted, f'{session.badge} instead of {wanted}')


def check_others(session, compared, text):
    """The other headline metrics in which the two really differ, all of them and no more."""
    titles = {'CPU time': 'cpu_ms', 'memory': 'memory_kb', 'creation': 'create_ms'}
    text = text.replace('per pair, ', '')
    row = next(row for row in session.rows if any(cell is compared for cell in row['metrics']))
    said = dict(re.findall(rf'([^,]+?) ({NUMBER})x(?:, |$)', text))
    for title, metric in titles.items():
        cell = next((cell for cell in row['metrics'] if cell['metric'] == metric), None)
        real = cell is not None and cell is not compared and cell['state'] == 'real'
        # Less than the margin of "same" is not said.
        real = real and (cell['ratio'] is None or abs(math.log(cell['ratio'])) >= math.log(1.05))
        hold(real == (title in said), f'{title} is {cell}')
        hold(not real or close(said[title], cell['ratio']), f'{title} {said.get(title)}: {cell}')


def check_winner(session):
    """Of two that really differ the faster one comes first, and how much longer the other takes."""
    found = re.match(rf'(.+?) (?:are|is) (?:slightly )?faster: ({SPAN}) against ({SPAN})(?: until the task runs)?'
                     rf' \((per pair, )?(.+?)(?: takes?)? ({NUMBER})x as long; ({NUMBER}) to ({NUMBER})\)(.*)$', session.sentence)
    winner, loser = session.find(found[1]), session.find(found[5])
    hold(same_span(found[2], winner) and same_span(found[3], loser), 'other medians')
    compared = winner if loser['state'] == 'reference' else loser
    hold(compared['state'] == 'real', f"faster, but {compared['state']}")
    truths = [compared['ratio'], compared['low'], compared['high']]
    if compared is winner:
        truths = [1 / compared['ratio'], 1 / compared['high'], 1 / compared['low']]
    for text, truth in zip(found.groups()[5:8], truths):
        hold(close(text, truth), f'{text} is {truth}')
    hold(truths[0] > 1, 'the slower one is called faster')
    hold(('slightly faster: ' in session.sentence) == (truths[0] < MARGIN), f'slightly or not: {truths[0]}')
    hold(bool(found[4]) == bool(re.search(r' takes? [\d.]+x as long', session.sentence)), 'per pair without a verb')
    apart = abs(math.log(loser['median'] / winner['median'] / truths[0]))
    hold(bool(found[4]) or apart < 0.1 + 0.1 * abs(math.log(truths[0])), f'medians give {apart}')
    check_rest(session, compared, found[9])
    return 4


def check_rest(session, compared, rest, word=''):
    """What follows the brackets: the other real differences, and with whom they are more or less."""
    clause = rf'; {word}(less|more) with ([^;]+?): ([^;]+)'
    hold(re.fullmatch(f'(?:{clause})*', rest), f'what is "{rest}"?')
    listed = []
    for direction, name, others in re.findall(clause, rest):
        hold(session.find(name) is session.compared[0][1], f'{name} is not the second')
        for text in re.findall(rf'({NUMBER})x', others):
            hold(float(text) >= 1 if direction == 'more' else float(text) <= 1, f'{direction}: {others}')
        listed.append(others)
    if len(session.compared) == 1:
        check_others(session, compared, ', '.join(listed))


def check_how(session, first, second, how):
    """What stands in brackets after two times."""
    state, ratio = second['state'], second['ratio']
    found = re.fullmatch(rf' \((per pair, )?({NUMBER})x as long; ({NUMBER}) to ({NUMBER})\)', how)
    if found:
        hold(state == 'real', f'{how} is {state}')
        for text, truth in zip(found.groups()[1:], (ratio, second['low'], second['high'])):
            hold(close(text, truth), f'{text} is {truth}')
        apart = abs(math.log(second['median'] / first['median'] / ratio))
        hold(bool(found[1]) or apart < 0.1 + 0.1 * abs(math.log(ratio)), f'medians give {apart}')
        return 4
    found = re.fullmatch(rf' \((?:medians mislead; )?(?:per pair, )?(?:at most|within) ({NUMBER})( %|x)(?: apart)?(?:; about (\d+) trials may decide|(; run again without other programs))?\)(.*)', how)
    if found:
        hold(state == ('close' if found[3] or found[4] else 'same'), f'{how} is {state}')
        bound = float(found[1]) if found[2] == 'x' else 1 + float(found[1]) / 100
        truth = max(second['high'], 1 / second['low'])
        hold(truth * 0.9999 <= bound <= truth * 1.06, f'{how}: {truth}')
        hold(not found[3] or int(found[3]) > second['pairs'], f'no more than {found[3]}')
        check_rest(session, second, found[5])
        return 2
    if found := re.fullmatch(r' \(within 5 %\)(.*)', how):
        hold(state == 'same', f'{how} is {state}')
        hold(max(second['high'], 1 / second['low']) < 1.05, f'{how}: {second}')
        check_rest(session, second, found[1])
        return 2
    if how.startswith(' so far'):
        hold(state == 'measuring', f'so far, but {state}')
        check_rest(session, second, how.removeprefix(' so far'), 'already ')
    elif found := re.fullmatch(r' \((\d+) of (\d+) pairs failed; (\d+) must succeed\)', how):
        failed, pairs, least = map(int, found.groups())
        hold(state == 'withheld' and 'failed' in second['why'], f'{how} of {state}: {second["why"]}')
        hold(0 < failed <= pairs and pairs - failed < least, f'{how} is enough')
    elif found := re.match(r' \(stopped after (\d+) of (\d+) trials\)', how):
        ended, planned = map(int, found.groups())
        hold(state == 'withheld' and ended == second['pairs'] < planned, f'{how} of {state}')
    else:
        hold(state == 'withheld' and second['why'] in how, f'what is "{how}" of {state}?')
    return 1


def check_pair(session):
    if ' faster: ' in session.sentence:
        return check_winner(session)
    found = re.match(rf'(.+?) ({SPAN}), (.+?) ({SPAN})(?: until the task runs)?(.*)$', session.sentence)
    hold(found, f'what is "{session.sentence}"?')
    first, second = session.find(found[1]), session.find(found[3])
    hold(same_span(found[2], first) and same_span(found[4], second),
         f"medians are {first['median']} and {second['median']}")
    if not session.compared:
        hold('not compared' in found[5], 'nothing is compared')
        return 2
    return 2 + check_how(session, first, second, found[5])


def check_creation(session, found):
    """The least and the greatest time, and the ratios that are not small."""
    fastest, longest, first = (session.find(found[i]) for i in (1, 3, 5))
    real = [cell for cell in session.cells if cell['state'] == 'real']
    hold(all(same_span(found[i + 1], cell) for i, cell in ((1, fastest), (3, longest), (5, first))), 'other medians')
    hold(fastest['ratio'] == min(cell['ratio'] for cell in real), f'{found[1]} is not the fastest')
    hold(longest['ratio'] == max(cell['ratio'] for cell in real), f'{found[3]} does not take longest')
    told = []
    for text in found[7].removeprefix('per pair, ').split(', '):
        name, mark = text.rsplit(' ', 1)
        told.append(session.find(name))
        hold(close(mark[:-1], told[-1]['ratio']) if mark.endswith('x') else told[-1]['state'] == mark, text)
    hold(all(cell in told or abs(math.log(cell['ratio'])) < math.log(1.5) for cell in real), 'a ratio is missing')
    return 3 + len(told)


def check_list(session):
    """One time, and how each of several others compares."""
    if found := re.fullmatch(rf'(.+?) is fastest, ({SPAN}) until the task runs; (.+?) takes longest, ({SPAN}); '
                             rf'compared with (.+?) \(({SPAN})\): (.*)', session.sentence):
        return check_creation(session, found)
    found = (re.match(rf'(?:(.+?) (?:is|are) fastest; c|C)ompared with (.+?) \(({SPAN})(?: until the task runs)?\): (.*)$',
                      session.sentence) or
             re.match(rf'((.+?)) (?:is|are) fastest \(({SPAN})(?: until the task runs)?\): (.*)$', session.sentence))
    hold(found, f'what is "{session.sentence}"?')
    hold(same_span(found[3], session.find(found[2])), 'another median')
    if found[1]:
        others = [cell for cell in session.cells if cell['state'] == 'real']
        least = min([1] + [cell['ratio'] for cell in others])
        hold(session.find(found[1]).get('ratio') in (None, least) and (found[1] != found[2] or least == 1),
             f'{found[1]} is not the fastest')
    for text in found[4].removeprefix('per pair, ').split(', '):
        span = re.fullmatch(rf'(.+?) ({SPAN})', text)
        name, mark = span.group(1, 2) if span else text.replace(' too close', ' close').rsplit(' ', 1)
        cell = session.find(name)
        if span:
            hold(cell['state'] in ('measuring', 'withheld') and same_span(mark, cell), f'{text}: {cell}')
        elif mark.endswith('x'):
            hold(cell['state'] == 'real' and close(mark[:-1], cell['ratio']), f'{text}: {cell}')
        else:
            hold(cell['state'] == mark if mark in ('same', 'close') else
                 cell['state'] in ('measuring', 'withheld'), f'{text}: {cell}')
    return 1 + found[4].count(',')


def check_ranges(session):
    """Of more than three models each one's least and greatest ratio over the values."""
    first, others, rest = re.fullmatch(r'Compared with (\S+) at \d+ values? of .*?: (.*?)((?:; .*)?)', session.sentence).groups()
    models = {row['case']: row['model'] for row in session.rows}
    if others == 'nothing is decided yet':
        hold(all(cell['state'] not in ('real', 'same') for _, cell in session.compared), others)
        return 1
    claims, told = 0, []
    said = (rf'(\S+) (?:(same|close)|({NUMBER})x(?: to ({NUMBER})x)?)(?:, |$)|'
            rf'(?:(\S+) )?(slower|faster|same) at (\d+)(?: \(({NUMBER})x(?: to ({NUMBER})x)?\))?(?:, |$)')
    hold(re.fullmatch(f'(?:{said})+', others), f'what is "{others}"?')
    model = None
    for found in re.finditer(said, others):
        model = found[1] or found[5] or model
        cells = [cell for row, cell in session.compared
                 if row['model'] == model and models[row['reference']] == first]
        real = [cell for cell in cells if cell['state'] == 'real']
        if found[2]:
            hold(all(cell['state'] == found[2] for cell in cells), found[0])
            some = cells
        elif found[1]:
            hold(len(real) == len(cells), f'{found[0]} of {cells}')
            some = real
        elif found[6] == 'same':
            some = [cell for cell in cells if cell['state'] == 'same']
        else:
            some = [cell for cell in real if (cell['ratio'] > 1) == (found[6] == 'slower')]
        low, high = found[3] or found[8], found[4] or found[9]
        hold(not found[7] or len(some) == int(found[7]), f'{found[0]} of {cells}')
        ratios = [1 / cell['ratio'] if found[6] == 'faster' else cell['ratio'] for cell in some] if low else []
        hold(not low or close(low, min(ratios)) and close(high or low, max(ratios)), f'{found[0]} of {some}')
        told += some
        claims += 1
    left = [cell for row, cell in session.compared
            if models[row['reference']] == first != row['model'] and not any(cell is one for one in told)]
    hold(all(cell['state'] not in ('real', 'same') for cell in left), f'{left} not told')
    hold(('; all others undecided' in rest) == bool(left), f'"{rest}", but {left}')
    return claims


def winners(session, part):
    """The outcomes of the second of two models, from a part that names who is faster at how many values."""
    first, second = list(dict.fromkeys(row['model'] for row in session.rows))
    return [part, second, re.sub(r'(\S+) (?:(?:is|are) )?(?:slightly )?faster at',
                                 lambda said: 'slower at' if said[1] == first else 'faster at', part)]


def check_growth(session, found):
    """How much longer the most workers take than the fewest, and at how many values a model is faster."""
    rows = {}
    for row, cell in zip(session.rows, session.cells):
        values = dict(re.findall(r'([\w:-]+)=(\S+)', row['case']))
        rows[row['model'], values.get('work', 'the work'), int(values['workers'])] = cell['median']
    ends = {n for *_, n in rows}
    hold({int(found[1]), int(found[2])} == {min(ends), max(ends)}, f'{found[0]}: {ends}')
    claims = 0
    for part in found[3].split(', '):
        said = re.fullmatch(rf'(.+?)(?: takes)? ({NUMBER})x(?: to ({NUMBER})x)?(?: as long)?', part)
        hold(said, f'what is "{part}"?')
        growths = [rows[model, work, int(found[2])] / median for (model, work, n), median in rows.items()
                   if work == said[1] and n == int(found[1])]
        if said[3]:
            hold(close(said[2], min(growths)) and close(said[3], max(growths)), f'{part}: {growths}')
        else:
            hold(max(growths) <= MARGIN * min(growths) + 1e-9 and close(said[2], min(growths)), f'{part}: {growths}')
        claims += 1
    models = {row['case']: row['model'] for row in session.rows}
    pairs = [(row['model'], models[row['reference']], cell) for row, cell in session.compared
             if models[row['reference']] != row['model']]
    states = [cell['state'] for *_, cell in pairs]
    counts = {'same': states.count('same'), 'not decided': sum(state not in ('real', 'same') for state in states)}
    for model, reference, cell in pairs:
        if cell['state'] == 'real':
            winner = model if cell['ratio'] < 1 else reference
            counts[winner] = counts.get(winner, 0) + 1
    rest = session.sentence[found.end():].split('; ')[0]
    if said := re.match(r'(\S+) (?:is|are) faster at (\d+) of (\d+)(?: \(\d+ kinds of work\))?(?:, (?!same)(\S+) at (\d+))?', rest):
        hold(counts.get(said[1]) == int(said[2]) and counts.get(said[4], 0) == int(said[5] or 0) and
             int(said[3]) == len(pairs), f'{rest}: {counts}')
    elif said := re.match(r'\S+ and \S+ are the same at (\d+) of (\d+)(?:, not decided at (\d+))?$', rest):
        hold(counts['same'] == int(said[1]) and counts['not decided'] == int(said[3] or 0), f'{rest}: {counts}')
    elif said := re.match(r'whether \S+ or \S+ are faster is not decided at (\d+) of (\d+)$', rest):
        hold(counts['not decided'] == int(said[1]) == int(said[2]), f'{rest}: {counts}')
    else:
        hold(re.match(r'no winner yet$|\S+ looks? fast(er|est) at |\S+ ahead at |same at |\S+ (?:slower|faster|same|not decided) at ', rest),
             f'what is "{rest}"?')
    return claims + 1


def check_sweep(session):
    claims = 0
    models = {row['case']: row['model'] for row in session.rows}
    for part in session.sentence.split('; '):
        found = re.match(rf'(\S+) ((?:slower|faster|same|not decided) at .*)$', part)
        if re.match(r'\S+ (?:is|are) (?:slightly )?faster at ', part):
            found = winners(session, part)
        reaches = [re.fullmatch(rf'(\S+) ({SPAN})(?: to ({SPAN}))?', one) for one in part.split(', ')]
        if all(reaches):
            for reach in reaches:
                medians = [cell for row, cell in zip(session.rows, session.cells)
                           if row['model'] == reach[1] and cell['median'] is not None]
                for said, pick in ((reach[2], min), (reach[3], max)):
                    hold(said is None or same_span(said, pick(medians, key=lambda cell: cell['median'])), f'{part}: not its {said}')
            claims += len(reaches)
            continue
        if not found:
            hold(re.search(' cross(?: at|$)| compared with ', part), f'what is "{part}"?')
            continue
        rows = [(row, cell) for row, cell in session.compared
                if row['model'] == found[1] and models[row['reference']] != found[1]]
        cells = [cell for _, cell in rows]
        counts = {'slower': [c['ratio'] for c in cells if c['state'] == 'real' and c['ratio'] > 1],
                  'faster': [1 / c['ratio'] for c in cells if c['state'] == 'real' and c['ratio'] < 1],
                  'same': [c for c in cells if c['state'] == 'same']}
        counts['not decided'] = [None] * (len(cells) - sum(map(len, counts.values())))
        said = re.findall(rf'(slower|faster|same|not decided) at (\d+)(?: of (\d+)[a-z -]*)?'
                          rf'(?: \(({NUMBER})x(?: to ({NUMBER})x)?((?:, all with [^ ,)]+)*)\))?', found[2])
        for how, n, _, low, high, common in said:
            hold(len(counts[how]) == int(n), f'{how} at {n}, not {len(counts[how])}')
            if low:
                hold(close(low, min(counts[how])) and close(high or low, max(counts[how])),
                     f'{low} to {high} of {counts[how]}')
            for value in re.findall(', all with ([^ ,)]+)', common):
                has = [value in row['case'].split() for row, _ in rows]
                inside = [cell['state'] == 'real' and (cell['ratio'] > 1) == (how == 'slower') for cell in cells]
                hold(not all(has) and all(one or not of for one, of in zip(has, inside)), f'not all have {value}')
            claims += 1
        hold(int(said[0][2]) == len(cells), f'of {said[0][2]}, not {len(cells)}')
        hold(sum(int(n) for _, n, *_ in said) == len(cells), 'some values are not counted')
    return claims


def always_fastest(session, fastest, others):
    """Whether a case has the least time in each trial that it shares with one of the others."""
    times = {}
    for run in session.json['runs']:
        elapsed = run['compared'].get(session.cells[0]['metric'])
        if run['status'] == 'ok' and elapsed is not None:
            values = ' '.join(f'{name}={value}' for name, value in run['variables'].items())
            times.setdefault(f"{run['model']} {values}".strip(), {})[run['trial']] = elapsed
    mine = times.get(fastest, {})
    return all(mine[trial] < elapsed for other in others if other != fastest
               for trial, elapsed in times.get(other, {}).items() if trial in mine)


def check_so_far(session):
    """While trials go on: at how many values each model is the fastest, for real and so far."""
    models = {row['case']: row['model'] for row in session.rows}
    groups, names, truth, said = {}, {}, {}, {}
    for row, cell in session.compared:
        if models[row['reference']] != row['model']:
            groups.setdefault(row['reference'], []).append((row['model'], cell))
            names.setdefault(row['reference'], [row['reference']]).append(row['case'])
    for reference, others in groups.items():
        states = [cell['state'] for _, cell in others]
        ratios = [(1, models[reference])] + [(cell['ratio'], model) for model, cell in others]
        medians = [session.find(reference)['median']] + [cell['median'] for _, cell in others]
        for state in ('real', 'same'):
            hold(len(others) == 1 or state not in states, f'{state} among {len(ratios)} models')
        if 'same' in states:
            truth['same'] = truth.get('same', 0) + 1
        elif None not in (least := [ratio for ratio, _ in ratios]):
            fastest = medians[least.index(min(least))]
            claim = 'is' if 'real' in states else 'looks', min(ratios)[1]
            if claim[0] == 'looks' and (least.count(min(least)) > 1 or sorted(medians)[1] <= MARGIN * fastest or not always_fastest(
                    session, names[reference][least.index(min(least))], names[reference])):
                claim = 'unclear'
            truth[claim] = truth.get(claim, 0) + 1
    how, rest = None, session.sentence.replace('; so far', ', so far').split('; ')[0]
    for part in rest.split(', '):
        found = re.fullmatch(r'(?:[Ss]o far )?(?:(?!same|unclear)(\S+) (?:(looks?|is|are) fast(?:er|est) )?|(same|unclear) )at (\d+)'
                             r'(?: of (\d+)(?: \((\d+) kinds of work\))?| more)?', part)
        hold(found, f'what is "{part}"?')
        how = {'look': 'looks', 'are': 'is'}.get(found[2], found[2]) or how
        said[found[3] or (how, found[1])] = int(found[4])
        hold(found[5] in (None, str(len(groups))), f'of {found[5]}, not {len(groups)}')
        works = {word for row in session.rows for word in row['case'].split() if word.startswith('work=')}
        hold(found[5] is None or int(found[6] or 1) == max(1, len(works)), f'{found[6]} kinds, not {works}')
    hold(said == truth, f'{said}, not {truth}')
    if any(claim[0] in ('is', 'looks') for claim in truth):
        hold(('fastest' in rest) == any(len(others) > 1 for others in groups.values()), f'{len(groups)} groups: {rest}')
    hold(('; no winner yet' in session.sentence) == all(claim == 'unclear' or claim[0] == 'looks' for claim in truth), 'a winner?')
    return len(said)


def check_times_so_far(session):
    """While trials go on: how many times as long the slower one of two takes, from twice as long on."""
    found = re.match(rf'So far (.+?) takes? ({NUMBER})x as long: ({SPAN}) against ({SPAN})(?: until the task runs)?(.*)$', session.sentence)
    hold(found, f'what is "{session.sentence}"?')
    slower = session.find(found[1])
    faster = next(cell for cell in session.cells if cell is not slower and cell['median'] is not None)
    compared = faster if slower['state'] == 'reference' else slower
    times = 1 / compared['ratio'] if compared is faster else compared['ratio']
    hold(compared['state'] == 'measuring' and times >= 2 and close(found[2], times), f'{found[2]}: {compared}')
    hold(same_span(found[3], slower) and same_span(found[4], faster), 'other medians')
    check_rest(session, compared, found[5], 'already ')
    return 3


def check_creation_so_far(session):
    """While trials of creation go on: the least ratio and the greatest."""
    faster = re.fullmatch(rf'So far (\S+) is fastest \(({NUMBER})x as long as (\S+)\), (\S+) ({NUMBER})x', session.sentence)
    slower = re.fullmatch(rf'So far (\S+) is fastest; (\S+) takes ({NUMBER})x as long, (\S+) ({NUMBER})x', session.sentence)
    found = faster or slower
    hold(found, f'what is "{session.sentence}"?')
    cells = [cell for _, cell in session.compared if cell['ratio'] is not None]
    if faster:
        low, least, first, high, most = faster.groups()
    else:
        first, low, least, high, most = slower.groups()
    hold(session.find(first)['state'] == 'reference', f'{first} is compared')
    hold((min(cell['ratio'] for cell in cells) < 1) == bool(faster), 'another way is fastest')
    hold(all(cell['state'] == 'measuring' for cell in cells), 'a ratio is decided')
    for name, text, pick in ((low, least, min), (high, most, max)):
        truth = pick(cells, key=lambda cell: cell['ratio'])
        hold(session.find(name)['ratio'] == truth['ratio'] and close(text, truth['ratio']), f'{name} {text}: {truth}')
    return 2


def check(text):
    session = Session(text)
    check_badge(session)
    for _, cell in session.compared:
        check_cell(cell)
    known = [cell for cell in session.cells if cell['median'] is not None]
    if re.match('No trial|Nothing', session.sentence):
        return 0
    if 'nothing is compared (' in session.sentence:
        return 1
    if re.match(r'Compared with \S+ at \d+ ', session.sentence):
        return check_ranges(session)
    if re.match(r'So far \S+ is fastest', session.sentence):
        return check_creation_so_far(session)
    if re.match('So far .* takes? .*x as long: ', session.sentence):
        return check_times_so_far(session)
    if found := re.match(r'So far no winner in (\d+) comparisons(?: \(\d+ kinds of work\))?(?:; \S+ ahead at [^;]*)?$', session.sentence):
        models = {row['case']: row['model'] for row in session.rows}
        states = [cell['state'] for row, cell in session.compared if models[row['reference']] != row['model']]
        hold(int(found[1]) == len(states) and not {'real', 'same'} & set(states), f'{states}')
        return 1
    if found := re.match(r'(?:So far, f|F)rom (\d+) to (\d+) workers, ([^;]*); ', session.sentence):
        return check_growth(session, found)
    if re.search('[Ss]o far (?:.* fast(?:er|est)|unclear) at ', session.sentence):
        return check_so_far(session)
    if re.search(' (?:slower|faster|same|not decided) at ', session.sentence):
        return check_sweep(session)
    if len(known) == 1:
        hold(re.search(r'\((?:one trial|median of \d+ trials)\)$', session.sentence),
             f'what is "{session.sentence}"?')
        return 1
    return (check_list if re.search(r'Compared with | fastest[ ;,]', session.sentence) else check_pair)(session)


def main():
    sessions = int(sys.argv[2]) if len(sys.argv) > 2 else 1500
    seed = int(sys.argv[3] if len(sys.argv) > 3 else os.environ.get('TUIBENCH_SEED', 1))
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
                print(f'session {number}: {why}\n  {json.loads(body)["sentence"]}', file=sys.stderr)
    print(f'{sessions} sessions from seed {seed}: {claims} claims, wrong in {wrong} sessions',
          file=sys.stderr)
    return wrong > 0 or claims < sessions


if __name__ == '__main__':
    sys.exit(main())
