#!/usr/bin/env python3
"""Checks src/README.md's table: an addition changes only the places that the table names.

In a copy of the source a workload, a view, a metric with its column and an export format are added, each in the
places that the table names and no others. The copy must build, and the programs must have them.

    test_additions.py SOURCE
"""
import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile

LICENCE = "/* SPDX-License-Identifier: MIT */\n"

WORKLOAD = LICENCE + """#include "work_parts.h"

static int run_echo(const struct work_args *args, struct work_result *result)
{
	for (uint64_t i = 0; i < args->size; i++)
		result->value += work_tick(args->ticker, 1) > 0;
	return 0;
}

const struct workload_ops work_echo_ops = {
	.about = "count its own steps",
	.amount = "STEPS counted",
	.unit = "steps",
	.default_size = 1000,
	.ticks = true,
	.run = run_echo,
};
"""

VIEW = LICENCE + """#include "views.h"

static void echoes_draw(const struct view_frame *frame, struct rect rect)
{
	canvas_text(frame->canvas, rect.x, rect.y, rect.w, PLAIN, "a view of echoes");
}

const struct view_ops view_echoes = {
	.number = 9,
	.name = "Echoes",
	.brief = "Echo",
	.help = "#Echoes\\n",
	.captions = {"Echoes.", "None."},
	.draw = echoes_draw,
};
"""

EXPORT = LICENCE + """#include "write/export.h"

int export_echo(const struct model *model, FILE *out)
{
	fprintf(out, "%zu runs\\n", model->n_runs);
	return 0;
}
"""


def put(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def insert(path, mark, text):
    """Puts the text before the last line that begins with the mark."""
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    at = max(i for i, line in enumerate(lines) if line.lstrip().startswith(mark))
    put(path, "".join(lines[:at] + [text] + lines[at:]))


def add_workload():
    put("src/work/work_echo.c", WORKLOAD)
    insert("src/work/meson.build", "'workload.c'", "  'work_echo.c',\n")
    insert("include/core/work_list.h", "X(0, NULL, null)", "\tX(15, ECHO, echo) \\\n")


def add_view():
    put("src/view/view_echoes.c", VIEW)
    insert("src/view/meson.build", "'view_verdict.c'", "  'view_echoes.c',\n")
    insert("src/view/views.h", "view(latency)", "\t\tview(echoes) \\\n")


def add_metric():
    """A metric and its column, which the kernel is asked for where it says other counts of a run."""
    insert("include/core/sample_run.h", "int64_t self_cpu_us;", "\tint64_t echoes;\n")
    with open("src/core/sample.c", encoding="utf-8") as file:
        before, table, after = file.read().partition("const struct field sample_totals_fields[] = {")
    fields, end, rest = after.partition("\t{NULL},")
    put("src/core/sample.c", before + table + fields + '\tFIELD("echoes", sample_totals, echoes),\n' + end + rest)
    insert("src/source/live_totals.c", "totals->self_cpu_us =", "\ttotals->echoes = 42;\n")
    insert("include/model/metric_rows.h", "METRIC(SELF_CPU,",
           'METRIC(ECHOES, "echoes", "echoes", METRIC_COUNT, RUNS, TOTAL(echoes),\n'
           '       .cost = 18, .total = 9)\n')


def add_column():
    """Columns of a table of the result, which each format and the screen show."""
    insert("src/result/table_list.c", '{"accept queue",',
           '\t{"echoed", VALUE(METRIC_WORKERS)},\n\t{"heard", VALUE(METRIC_WORKERS)},\n')


def add_export():
    put("src/write/export_echo.c", EXPORT)
    insert("src/write/meson.build", "'write_text.c'", "  'export_echo.c',\n")
    insert("src/write/export.c", '{"csv",', '\t{"echo", "how many runs", export_echo},\n')
    insert("include/write/export.h", "export_write export_trace,", "export_write export_echo;\n")


def check(result, what):
    if not result:
        sys.exit(f"test_additions: {what}")


def main(source):
    environment = {**os.environ, "TUIBENCH_CONFIG": "none", "LC_ALL": "C.UTF-8"}

    def run(*command):
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        said = done.stdout.decode(errors="replace")
        wrong = said + done.stderr.decode(errors="replace")
        check(done.returncode == 0, f"{' '.join(command)}: {wrong[-4000:]}")
        return said

    with tempfile.TemporaryDirectory() as place:
        copy = os.path.join(place, "copy")
        shutil.copytree(source, copy, ignore=lambda folder, names: [
            name for name in names if name == ".git" or os.path.exists(os.path.join(folder, name, "build.ninja"))])
        os.chdir(copy)
        add_workload()
        add_view()
        add_metric()
        add_column()
        add_export()
        # Without the optimizer: what counts is that it compiles.
        run("meson", "setup", "build", "--optimization", "0")
        run("ninja", "-C", "build", "-j2", "tuibench", "tuibench-runner")
        log, tuibench = "log.csv", "build/tuibench"
        run(tuibench, "--batch", "-w", "echo=2", "-n", "1", "-m", "threads", "-o", log)
        run(tuibench, "--batch", "-t", "2x2", "-s", "echo.size=200,300", "-n", "1", "-m", "threads", "--no-log")
        check("count its own steps" in run(tuibench, "--help", "echo"), "--help does not name the workload")
        check("1 runs" in run(tuibench, "-x", "echo", log) or "2 runs" in run(tuibench, "-x", "echo", log), "no export")
        rows = list(csv.DictReader(io.StringIO(run(tuibench, "-x", "csv", log))))
        check(rows and all(row["echoes"] == "42" for row in rows), f"the export csv has no metric: {rows}")
        for name in ("json", "markdown", "report", "html"):
            check("echoes" in run(tuibench, "-x", name, log), f"the export {name} has no metric")
        # The Overview of a creation has the totals of each run.
        for view, of in (("overview", "tests/data/recordings-small/creation.csv"), ("results", log)):
            check("echoes" in run(tuibench, "-x", "svg", "--view", view, "--size", "170x120", of),
                  f"the view {view} has no metric")
        check("Echo" in run(tuibench, "-x", "svg", log), "the keys do not name the view")
        served = "tests/data/recordings-small/server.csv"
        for name in ("markdown", "report", "html"):
            check("heard" in run(tuibench, "-x", name, served), f"the export {name} has no column")
        screen = run(tuibench, "-x", "svg", "--view", "results", "--size", "220x120", served)
        check("heard" in screen and "queue" in screen,
              "Results lacks a column")


main(os.path.abspath(sys.argv[1]))
