#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packages have the values of meson.build, and their files are well formed.

The addresses are in one marked place of meson.build, and the version is in project(). Every other file
must have the same ones. Validators that this machine lacks are left out and named.
Usage: test_packaging.py SOURCE_ROOT BUILD_ROOT"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT, BUILD = map(pathlib.Path, sys.argv[1:])
MESON = (ROOT / 'meson.build').read_text()
VERSION = re.search(r"version: '([^']+)'", MESON).group(1)
CONTACTS = dict(re.findall(r"^  '(HOME|ISSUES|SECURITY)': '([^']+)',$", MESON, re.M))

# Where each address has to be.
NAMED = {
    'HOME': ['CITATION.cff', 'packaging/debian/control', 'packaging/debian/copyright',
             'packaging/arch/PKGBUILD', 'packaging/fedora/tuibench.spec', 'packaging/nix/flake.nix'],
    'ISSUES': ['packaging/debian/copyright', '.github/ISSUE_TEMPLATE/config.yml'],
    'SECURITY': ['packaging/debian/control', 'packaging/debian/changelog',
                 'packaging/arch/PKGBUILD', 'packaging/fedora/tuibench.spec'],
}
# Where the version has to be, and how it is written there.
VERSIONS = {
    'CITATION.cff': r'^version: VERSION$',
    'packaging/debian/changelog': r'\Atuibench \(VERSION-\d+\)',
    'packaging/arch/PKGBUILD': r'^pkgver=VERSION$',
    'packaging/fedora/tuibench.spec': r'^Version: +VERSION$',
    'packaging/nix/flake.nix': r'version = "VERSION";',
}
ID = 'invalid.tuibench.tuibench'
# Command line of what checks a file; @ is the file.
CHECKS = {
    f'packaging/desktop/{ID}.desktop': ['desktop-file-validate', '@'],
    BUILD / f'packaging/desktop/{ID}.metainfo.xml': ['appstreamcli', 'validate', '--no-net', '@'],
    'packaging/arch/PKGBUILD': ['bash', '-n', '@'],
    'packaging/fedora/tuibench.spec': ['rpmspec', '--parse', '@'],
    'packaging/nix/flake.nix': ['nix-instantiate', '--parse', '@'],
}


def addresses():
    found = [f'{path}: not {CONTACTS[key]}, the {key} of meson.build'
             for key, paths in NAMED.items() for path in paths
             if CONTACTS[key] not in (ROOT / path).read_text()]
    said = subprocess.run([BUILD / 'tuibench', '--version'], capture_output=True, text=True, check=True).stdout
    found += [f'--version: {"prints" if address in said else "not"} {address}' for address in CONTACTS.values()
              if (address in said) != (not address.endswith('.invalid') and '.invalid/' not in address)]
    found += [f'{path}: prints an address of .invalid' for path in ('README.md', 'NEWS', 'SECURITY.md', 'man/tuibench.1')
              if '.invalid' in (ROOT / path).read_text()]
    if not re.match(rf'tuibench {re.escape(VERSION)}(, commit \S+)?\n', said):
        found.append(f'--version begins with {said.splitlines()[0]}')
    # A placeholder that was left behind where meson.build has none any more.
    tracked = '' if not shutil.which('git') else subprocess.run(
        ['git', '-C', ROOT, 'ls-files'], capture_output=True, text=True, check=False).stdout
    return found + [f'{path}: still tuibench.invalid' for path in tracked.splitlines()
                    if 'tuibench.invalid' not in CONTACTS['HOME'] and path != 'tests/test_packaging.py' and
                    b'tuibench.invalid' in (ROOT / path).read_bytes()]


def versions():
    return [f'{path}: not version {VERSION}' for path, form in VERSIONS.items()
            if not re.search(form.replace('VERSION', re.escape(VERSION)), (ROOT / path).read_text(), re.M)]


def validated():
    found = []
    for path, command in CHECKS.items():
        if not shutil.which(command[0]):
            print(f'{path}: not checked, there is no {command[0]}')
            continue
        done = subprocess.run([str(ROOT / path) if word == '@' else word for word in command],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            found.append(f'{path}: {command[0]}: {done.stdout}{done.stderr}')
    return found


wrong = addresses() + versions() + validated()
print(*wrong, sep='\n')
sys.exit(1 if wrong else 0)
