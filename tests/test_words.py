#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What users read is plain English: no phrase of a translation, no endless sentence.

Reads README, NEWS, CONTRIBUTING, the manual, the lectures and --help.
Usage: test_words.py SOURCE_ROOT TUIBENCH"""

import pathlib
import re
import subprocess
import sys

# What not to say, and what to say instead.
PHRASES = {
    r'there where': 'where, or if',
    r'that which': 'the name of the thing',
    r'no difference found|no difference above|cannot be told apart': 'too close to call',
    r'is excluded': 'at most 4 % apart',
    r'let go': 'start gate',
    r'told(?!_ns)|tells? of': 'reported, measured',
    r'taken along|called off|calls off': 'discarded, ended',
    r'(stands?|stood) (beside|behind|below|above) it': 'is beside it',
    r'(at|from) the begin|(a )?good begin': 'beginning',
    r'may be had|can be had': 'is possible',
}
WORDS = 40  # of a sentence, at most

# Macros whose arguments are words of the sentence around them.
INLINE = {'Sy', 'Cm', 'Ic', 'Em', 'Fl', 'Ar', 'Ev', 'Pa', 'Li', 'Ql', 'Sq', 'Dq', 'Nm', 'Xr', 'Sx', 'Pq',
          'Po', 'Pc', 'Va', 'Fn', 'Dv', 'In', 'Lk'}


def manual_text(source):
    """The running text of a page in mdoc: a line for each paragraph or list item."""
    out, literal = [''], False
    for line in source.split('\n'):
        if line.startswith(('.Bd', '.Ed', '.Bl -column', '.Rs', '.Re', '.Sh', '.El')):
            literal = line.startswith(('.Bd', '.Bl -column', '.Rs', '.Sh NAME', '.Sh SEE', '.Sh SYN'))
            out.append('')
        elif literal or line.startswith('.\\"'):
            continue
        elif line.startswith('.'):
            words = line[1:].split()
            if words[0] not in INLINE:
                out.append('')
            else:
                out[-1] += ' ' + ' '.join(w for w in words if w not in INLINE | {'Ns', 'No'})
        else:
            out[-1] += ' ' + line
    return '\n'.join(re.sub(r'\\f[BRI]|\\&', '', line) for line in out)


def markdown_text(source):
    """The running text of a page in Markdown: a line for each paragraph, item or cell."""
    source = re.sub(r'^```.*?^```', '', source, flags=re.M | re.S)
    source = re.sub(r'<!--.*?-->', '', source, flags=re.S)
    blocks = re.split(r'\n\s*\n|\n\s*(?=[-*] |\d+\. |\|)|\|', source)
    return '\n'.join(' '.join(re.sub(r'\]\([^)]*\)', ']', block).split()) for block in blocks)


def complain(name, text):
    found = []
    for phrase, instead in PHRASES.items():
        for match in re.finditer(rf'\b({phrase})\b', text, re.I):
            found.append(f'{name}: "{match.group()}"; say: {instead}')
    for sentence in re.split(r'(?<=[.!?:;])\s|\n', text):
        if len(sentence.split()) > WORDS:
            found.append(f'{name}: {len(sentence.split())} words: {sentence.strip()[:90]}...')
    return found


def self_check():
    """A page with one fault of each kind gives these complaints, and one without gives none."""
    endless = 'a' + ' b' * WORDS
    bad = manual_text(f'.Sh A\n.Pp\nThis is\n.Sy there\nwhere\nit is.\n.Pp\n{endless}.\n')
    good = manual_text(f'.Sh A\n.Bd -literal\nthere where {endless}\n.Ed\n.Pp\nIt is so.\n')
    return [] if len(complain('', bad)) == 2 and not complain('', good) else [f'self-check: {bad} {good}']


def main():
    root, found = pathlib.Path(sys.argv[1]), self_check()
    pages = [(page, manual_text(page.read_text())) for page in sorted(root.glob('man/*.[1-9]'))]
    pages += [(page, markdown_text(page.read_text())) for page in
              [root / name for name in ('README.md', 'NEWS', 'CONTRIBUTING.md')] +
              sorted(root.glob('man/lectures/*.md'))]
    if len(pages) < 12:
        found.append(f'found only {len(pages)} pages')
    for page, text in pages:
        found += complain(page.relative_to(root), text)
    for topic in ([], ['settings'], ['keys'], ['experiments'], ['formats']):
        text = subprocess.run([sys.argv[2], '--help', *topic], capture_output=True, text=True, check=True,
                              env={'TUIBENCH_CONFIG': 'none'}).stdout
        found += complain(' '.join(['--help', *topic]), re.sub(r'\n {10,}', ' ', text))
    for line in found:
        print(line)
    return 1 if found else 0


sys.exit(main())
