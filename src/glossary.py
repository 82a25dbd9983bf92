# SPDX-License-Identifier: MIT
"""glossary.py C READING SCHEMA EXPORT LOG: what --help says of a word, as C tables of pairs that NULL ends.

The words are the GLOSSARY of tuibench-reading(7), the keys of JSON with their descriptions in the schema, and
the columns of tuibench-export(5) and tuibench-log(5). So each text is written in one place."""
import json
import pathlib
import re
import sys

reading, schema, export, log = (pathlib.Path(path).read_text(encoding="utf-8") for path in sys.argv[2:])


def plain(line):
    """A line of mdoc as text."""
    macro = re.match(r"^\.[A-Z][a-z] ?", line)
    closing = re.search(r"( [.,:;)]+)*$", line)[0] if macro else ""
    line = line[: len(line) - len(closing)]
    line = re.sub(r"^\.Xr (\S+) (\S+) ?", r"\1(\2)", line)
    line = re.sub(r"^\.Nm .*|^\.Nm$", "tuibench" + ("'s" if "'s" in line else ""), line)
    line = re.sub(r"^(\.|\.Pq )Fl ", r"\1No -", line)
    if line.startswith(".Pq "):
        line = "(" + line[4:] + ")"
    if line.startswith((".Po", ".Pc")):
        line = ("(" if line[2] == "o" else ")") + line[4:]
    line = re.sub(r"(^|(?<=[ (]))\.?(Sy|Ql|Cm|Ar|Em|Dv|Ns|No|Va|Pa|Xr|Sx) ", "", re.sub(r"^\.[A-Z][a-z] ", "", line))
    line = re.sub(r"\\f[BRIP]|\\&", "", line).replace(r"\(mc", "µ").replace(r"\-", "-").replace(r"\e", "\\")
    return (line + closing.replace(" ", "")).replace(" .", ".").replace(" ,", ",")


def entries(section):
    """Names and text of each item of a list; items without a text share that of the next one."""
    found, reads = [], False
    for line in section.splitlines():
        if line.startswith(".It Sy "):
            names = re.sub(r" ,", ",", line[7:])
            if reads and found and not found[-1][1]:
                found[-1][0] += ", " + names
            else:
                found.append([names, []])
            reads = True
        elif line.startswith((".It", ".Bl", ".El", ".Ss", ".Sh", ".Pp", ".Bd")):
            reads = False
        elif reads:
            found[-1][1].append(plain(line))
    return [(names, " ".join(text).replace("( ", "(").replace(" )", ")")) for names, text in found if text]


def section(page, first, last):
    return re.search(r"^\.Sh %s\n(.*?)^\.Sh %s" % (first, last), page, re.S | re.M).group(1)


def described(node):
    """All keys below the node that have a description, with it."""
    if isinstance(node, list):
        for child in node:
            yield from described(child)
    if isinstance(node, dict):
        properties = node.get("properties", {})
        for name, value in properties.items() if isinstance(properties, dict) else ():
            if isinstance(value, dict) and "description" in value:
                yield name, value["description"]
        for child in node.values():
            yield from described(child)


def row(name, text):
    return "\t{%s, %s},\n" % (json.dumps(name, ensure_ascii=False), json.dumps(text, ensure_ascii=False))


keys = {}
everything = json.loads(schema)
for name, text in [*described(everything["$defs"]), *described(everything)]:
    keys.setdefault(name, text)
tables = {"glossary_words": entries(section(reading, "GLOSSARY", "SEE ALSO")),
          "glossary_keys": list(keys.items()),
          "glossary_exported": entries(section(export, "EXPORTS", "SEE ALSO")),
          "glossary_recorded": entries(section(log, "COLUMNS", "PLANS"))}
pathlib.Path(sys.argv[1]).write_text("".join(
    "extern const char *const %s[][2];\nconst char *const %s[][2] = {\n%s\t{0, 0}};\n" %
    (name, name, "".join(row(*entry) for entry in table)) for name, table in tables.items()), encoding="utf-8")
