"""glossary.py C PAGE SCHEMA: the entries of the page's GLOSSARY, and the schema's descriptions by key, as C
tables of pairs that NULL ends: each text is written in one place."""
import json
import pathlib
import re
import sys

page, schema = (pathlib.Path(path).read_text(encoding="utf-8") for path in sys.argv[2:])


def plain(line):
    """A line of mdoc as text."""
    line = re.sub(r"^\.Xr (\S+) (\S+) ?", r"\1(\2)", line)
    line = re.sub(r"^\.[A-Z][a-z] ", "", line)
    return re.sub(r"\\f[BRIP]|\\&", "", line).replace(" .", ".").replace(" ,", ",")


def row(name, text):
    return "\t{%s, %s},\n" % (json.dumps(name, ensure_ascii=False), json.dumps(text, ensure_ascii=False))


entries = []
for line in re.search(r"^\.Sh GLOSSARY\n(.*?)^\.El", page, re.S | re.M).group(1).splitlines():
    if line.startswith(".It Sy "):
        entries.append((line[7:].replace(" ,", ","), []))
    elif entries:
        entries[-1][1].append(plain(line))
metrics = {}
for properties in (d.get("properties", {}) for d in json.loads(schema)["$defs"].values()):
    for name, value in properties.items():
        if "description" in value:
            metrics.setdefault(name, value["description"])
tables = {"glossary_words": [(name, " ".join(text)) for name, text in entries],
          "glossary_figures": list(metrics.items())}
pathlib.Path(sys.argv[1]).write_text("".join(
    "extern const char *const %s[][2];\nconst char *const %s[][2] = {\n%s\t{0, 0}};\n" %
    (name, name, "".join(row(*entry) for entry in table)) for name, table in tables.items()), encoding="utf-8")
