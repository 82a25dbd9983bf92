#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What users read is plain English: no phrase of a translation, no endless sentence, no misspelt word.

Reads README, NEWS, CONTRIBUTING, the manual, the lectures, --help, the page, and the strings of src.
Comments of src and include may have no more of some phrases than a budget, which only falls.
Every text that src marks for translation is in each catalogue of po.
Spelling needs aspell and its British words (aspell-en); words.txt has those that aspell does not know.
Usage: test_words.py SOURCE_ROOT TUIBENCH"""

import pathlib
import re
import shutil
import subprocess
import sys

# What not to say, and what to say instead.
PHRASES = {
    r'there where': 'where, or if',
    r'that which': 'the name of the thing',
    r'no difference found|no difference above|cannot be told apart': 'too close to call',
    r'is excluded': 'at most 4 % apart',
    r'let go': 'start barrier',
    r'told(?!_ns)|tells? of': 'reported, measured',
    r'taken along|called off|calls off': 'discarded, ended',
    r'(stands?|stood)(?! for)': 'is',
    r'leads|is (before|behind)|takes? less': 'is faster, or lower',
    r'[0-9.]+ times as (long|fast|much)|(a )?factor of': '1.4x as long',
    r'what (it|they|each) takes?': 'its memory, or its time',
    r'released? at once': 'start together',
    r'(at|from|since) the begin|(a )?good begin': 'beginning',
    r'may be had|can be had': 'is possible',
    r'for real': 'really',
    r'numbers of cores': 'core counts',
    r'axis of time': 'time axis',
}
WORDS = 40  # of a sentence, at most

# Phrases of comments that need a second reading: places to look, not all of them faults.
RIDDLES = re.compile(
    r'\b(stands?|so many|it is said|is told|are told|that is none|who(ever)? (is|has|wants)'
    r'|what (is|has|was|comes|stands)|those (of|that)|one of (so|them)|behind (it|them|the first)'
    r'|beside (it|them)|of which|as (it|they) (is|are|has|have)|goes on|by itself|more than that'
    r'|no (longer|more) than)\b', re.I)
RIDDLES_MOST = 1

# Macros whose arguments are words of the sentence around them; those of NAMES are no English.
NAMES = {'Cm', 'Ic', 'Fl', 'Ar', 'Ev', 'Pa', 'Li', 'Ql', 'Xr', 'Va', 'Fn', 'Dv', 'In', 'Lk'}
INLINE = NAMES | {'Sy', 'Em', 'Sq', 'Dq', 'Nm', 'Sx', 'Pq', 'Po', 'Pc'}


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
                kept = ' '.join(w for w in words if w not in INLINE | {'Ns', 'No'})
                out[-1] += re.sub(r'((?: [.,:;)\]])*)$', r'`\1', f' `{kept}', count=1) if words[0] in NAMES else f' {kept}'
        else:
            out[-1] += ' ' + line
    return '\n'.join(re.sub(r'\\f[BI](.*?)\\fR', r'`\1`', line.replace('\\&', '')) for line in out)


def markdown_text(source):
    """The running text of a page in Markdown: a line for each paragraph, item or cell."""
    source = re.sub(r'^```.*?^```', '', source, flags=re.M | re.S)
    source = re.sub(r'<!--.*?-->', '', source, flags=re.S)
    blocks = re.split(r'\n\s*\n|\n\s*(?=[-*] |\d+\. |\|)|\|', source)
    return '\n'.join(' '.join(re.sub(r'\]\([^)]*\)', ']', block).split()) for block in blocks)


def strings(source, least=3, quotes='"`'):
    """A line for each string of C or JavaScript that has so many words: the others are names."""
    source = re.sub(r'/\*.*?\*/|\bDEBUG\([^;]*;', '', source, flags=re.S)
    source = re.sub(r'"\s*(PRI\w+\s*)?"', '', source)
    text = [match.group(2) for match in re.finditer(rf'([{quotes}])((?:\\.|(?!\1)[^\\\n])*)\1', source)]
    return '\n'.join(re.sub(r'\\[nt]|%[-+#0-9.*]*[hlzj]*[a-zA-Z]', ' ', line.replace('%.2f', '1')) for line in text if len(line.split()) >= least)


def page_text(source):
    scripts = ''.join(re.findall(r'<script>.*?</script>', source, re.S))
    return re.sub(r'<(style|script).*?</\1>|<[^>]*>', ' ', source, flags=re.S) + '\n' + strings(scripts, 4, '"`\'')


def user_texts(root, program):
    """Name and text of all that users read."""
    yield 'schema', strings((root / 'man/tuibench-export.schema.json').read_text())
    pages = sorted(root.glob('man/*.[1-9]'))
    pages += [root / name for name in ('README.md', 'NEWS', 'CONTRIBUTING.md')] + sorted(root.glob('man/lectures/*.md'))
    for page in pages:
        yield page.relative_to(root), (manual_text if page.parent.name == 'man' else markdown_text)(page.read_text())
    for file in sorted(root.glob('src/**/*.c')):
        if file.name != 'completion.c':  # programs for shells
            yield file.relative_to(root), strings(file.read_text())
    yield 'page.html', page_text((root / 'src/write/page.html').read_text())
    for topic in ([], ['settings'], ['keys'], ['experiments'], ['formats']):
        text = subprocess.run([program, '--help', *topic], capture_output=True, text=True, check=True,
                              env={'TUIBENCH_CONFIG': 'none'}).stdout
        yield ' '.join(['--help', *topic]), re.sub(r'\n {10,}', ' ', text)


def misspelt(text, known):
    """Words that neither aspell nor words.txt has; names of files, options and functions are none."""
    text = re.sub(r'`[^`]*`|%[-+#0-9.*]*[hlzj]*[a-zA-Z]|\S*[_/=<>@$#{}\[\]\\]\S*|--?[a-z]\S*|\w+\(|\w*\d\w*', ' ', text)
    done = subprocess.run(['aspell', 'list', '--lang=en_GB', '--encoding=utf-8'], input=text,
                          capture_output=True, text=True, check=True)
    return {word for word in done.stdout.split() if word.removesuffix("'s") not in known}


def complain(name, text):
    found = []
    for phrase, instead in PHRASES.items():
        for match in re.finditer(rf'\b({phrase})\b', text, re.I):
            found.append(f'{name}: "{match.group()}"; say: {instead}')
    for sentence in re.split(r'(?<=[.!?:;])\s|\n', text):
        if len(sentence.split()) > WORDS:
            found.append(f'{name}: {len(sentence.split())} words: {sentence.strip()[:90]}...')
    return found


def riddles(source):
    """The comments of C that have a phrase of RIDDLES, each in one line, with its line number."""
    for match in re.finditer(r'/\*(.*?)\*/', source, re.S):
        comment = ' '.join(match[1].replace('\n *', '\n').split())
        if RIDDLES.search(comment):
            yield source.count('\n', 0, match.start()) + 1, comment


def count_riddles(root):
    """Complains where there are more than the budget allows, and names the files with most."""
    files = {file.relative_to(root): sum(1 for _ in riddles(file.read_text()))
             for folder in ('src', 'include') for file in sorted((root / folder).rglob('*.[ch]'))}
    n = sum(files.values())
    if n < RIDDLES_MOST:
        print(f'comments: {n} riddles; lower RIDDLES_MOST from {RIDDLES_MOST}')
    if n <= RIDDLES_MOST:
        return []
    most = sorted(files, key=files.get)[-3:]
    return [f'comments: {n} have a phrase of RIDDLES, {RIDDLES_MOST} may; see CONTRIBUTING, Words; most are in '
            + ', '.join(f'{file} ({files[file]})' for file in reversed(most))]


LITERALS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'


def joined(literals):
    return ''.join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def untranslated(root):
    """Texts that src marks for translation, but a catalogue has no translation of."""
    marked = [joined(text) for path in sorted((root / 'src').rglob('*.c'))
              for text in re.findall(r'\bN_\(\s*' + LITERALS + r'\)', path.read_text())]
    if len(marked) < 200:
        yield f'found only {len(marked)} texts with N_()'
    for catalogue in sorted((root / 'po').glob('*.po')):
        pairs = re.findall(r'^msgid ' + LITERALS + r'msgstr ' + LITERALS, catalogue.read_text(), re.M)
        known = {joined(text) for text, translation in pairs if joined(translation)}
        yield from (f'{catalogue.name}: no translation of "{text}"' for text in marked if text not in known)


def self_check():
    """A page with one fault of each kind gives these complaints, and one without gives none."""
    endless = 'a' + ' b' * WORDS
    bad = manual_text(f'.Sh A\n.Pp\nThis is\n.Sy there\nwhere\nit is.\n.Pp\n{endless}.\n')
    good = manual_text(f'.Sh A\n.Bd -literal\nthere where {endless}\n.Ed\n.Pp\nIt is so.\n')
    comments = list(riddles('int a; /* so\n * many of each */\nint b; /* Bytes, 0 if none. */\n'))
    if comments != [(1, 'so many of each')]:
        return [f'self-check: {comments}']
    return [] if len(complain('', bad)) == 2 and not complain('', good) else [f'self-check: {bad} {good}']


def main():
    root, found = pathlib.Path(sys.argv[1]), self_check()
    known = set((root / 'tests/words.txt').read_text().split())
    texts = list(user_texts(root, sys.argv[2]))
    spells = shutil.which('aspell') and 'en_GB' in subprocess.check_output(['aspell', 'dicts'], text=True).split()
    if len(texts) < 120:
        found.append(f'found only {len(texts)} texts')
    for name, text in texts:
        found += complain(name, text)
    found += count_riddles(root)
    found += untranslated(root)
    if spells and misspelt('A programm that runs', known) != {'programm'}:
        found.append('self-check: aspell does not find "programm"')
    unknown = misspelt('\n'.join(text for _, text in texts), set()) if spells else known
    if {word.removesuffix("'s") for word in unknown} - known:
        found += [f'{name}: "{word}": misspelt, or missing in tests/words.txt'
                  for name, text in texts for word in sorted(misspelt(text, known))]
    found += [f'tests/words.txt: "{word}" is used nowhere' for word in sorted(known - unknown)
              if f"{word}'s" not in unknown]
    print('\n'.join(found) if found else '' if spells else 'no aspell with en_GB: no spelling')
    return 1 if found else 0 if spells else 77


sys.exit(main())
