#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages of --export html in Chromium, by its DevTools protocol.

    test_page.py TUIBENCH RECORDINGS [--benchmark]

RECORDINGS is tests/data. With --benchmark: how long the page of 5,000 workers takes to open and to
pan. Skipped where there is no Chromium.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
# pylint: disable=wrong-import-position
from program import DEADLINE, TUIBENCH, page_data

DATA = sys.argv.pop(1)
BENCHMARK = "--benchmark" in sys.argv[1:] and not sys.argv.remove("--benchmark")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HOSTILE = "</script><script>hacked=1</script><img src=x onerror=hacked=1>"


def export(what, log, *args):
    return subprocess.run([TUIBENCH, "--export", what, log, *args], capture_output=True, text=True,
                          timeout=DEADLINE, check=True).stdout


class Browser:
    """One Chromium, which is spoken to over a pipe: JSON with a NUL behind it."""

    def __init__(self, folder):
        there, self.requests = os.pipe()
        self.answers, here = os.pipe()
        # It wants them as 3 and 4.
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            ["bash", "-c", f"exec 3<&{there} 4>&{here}; exec \"$@\"", "bash", CHROMIUM, "--headless", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
             "--user-data-dir=" + os.path.join(folder, "profile")],
            pass_fds=(there, here), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(here)
        self.number, self.session, self.rest, self.events = 0, None, b"", []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        with contextlib.suppress(OSError):
            self.session = None
            self.call("Browser.close")
        self.process.wait(timeout=60)
        os.close(self.requests)
        os.close(self.answers)

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise OSError("Chromium has ended")
            self.rest += part
        first, self.rest = self.rest.split(b"\0", 1)
        return json.loads(first)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.requests, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise AssertionError(message["error"])
                return message["result"]
            self.events.append(message)

    def open(self, path):
        self.events = []
        self.call("Page.navigate", url="file://" + path)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())
        # two frames later what was asked for is drawn
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(result["exceptionDetails"])
        return result["result"].get("value")

    def width(self, width):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=False)

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **({"text": key} if len(key) == 1 and
                                                                       kind == "keyDown" else {}))

    def faults(self):
        """What the page asked for, and what went wrong."""
        found = [event["params"]["request"]["url"] for event in self.events
                 if event.get("method") == "Network.requestWillBeSent"][1:]
        for event in self.events:
            if event.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
                found.append(event["params"])
        return found


TEXT = "document.querySelector({!r}).textContent"


@unittest.skipIf(BENCHMARK, "only the benchmark")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        cls.addClassCleanup(cls.place.cleanup)
        cls.browser = Browser(cls.place.name)
        cls.addClassCleanup(cls.browser.close)

    def page(self, log, *args):
        path = os.path.join(self.place.name, "page.html")
        text = export("html", log, *args)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.browser.width(1200)
        self.browser.open(path)
        self.assertEqual(self.browser.faults(), [], log)
        return page_data(text)

    def replay(self, at):
        self.browser.run("{ const line = document.querySelector('input[type=range]'); "
                         f"line.value = {at}; line.dispatchEvent(new Event('input')); }}")

    def logs(self):
        for folder in ("recordings", "recordings-small", "recordings-0.1.0", "recordings-cause"):
            for name in sorted(os.listdir(os.path.join(DATA, folder))):
                if name.endswith(".csv"):
                    yield os.path.join(DATA, folder, name)

    def test_every_recording_is_a_page_that_asks_for_nothing_with_the_figures_of_the_json(self):
        for log in self.logs():
            data = self.page(log)
            self.assertGreater(self.browser.run("document.querySelectorAll('svg,canvas').length"), 0, log)
            for width in (400, 2000):
                self.browser.width(width)
                self.browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), width, log)
            self.assertEqual(self.browser.run("document.querySelectorAll('.scene').length"),
                             len(data.get("scenes", [])))
            self.assertEqual(self.browser.faults(), [], log)
            if "lecture" in log:
                continue
            found = json.loads(export("json", log))
            self.assertEqual(data["session"], found, log)
            self.assertEqual(self.browser.run(TEXT.format(".sentence")), found["sentence"], log)
            if found["badge"]:
                self.assertEqual(self.browser.run(TEXT.format(".badge")), found["badge_text"], log)
            for one in found["warnings"]:
                self.assertIn(one["text"], self.browser.run("document.body.textContent"), log)
            self.compare_answer(found, log)

    def compare_answer(self, found, log):
        """The table of the answer, cell by cell, to the digits that it shows."""
        rows = self.browser.run("[...document.querySelectorAll('.answer tbody tr')].map(row => "
                                "[...row.children].map(cell => cell.textContent))")
        units = {"s": 1e3, "ms": 1, "µs": 1e-3, "KiB": 1, "MiB": 1024, "GiB": 1024 ** 2}
        of_case = {row["case"]: row for row in found["answer"]["rows"]}
        self.assertEqual(len(rows), len({cells[0] for cells in rows}), log)
        for cells in rows:
            row = of_case[cells[0]]
            medians = [cell["median"] / (1e6 if cell["metric"].endswith("_ns") else 1)
                       for cell in row["metrics"] if cell["median"]]
            shown = [re.match(r"[~≥]?\s*(\d+)([.]\d+)? (s|ms|µs|KiB|MiB|GiB)\b", cell) for cell in cells[1:]]
            for one in filter(None, shown):
                value = float(one[1] + (one[2] or "")) * units[one[3]]
                half = .5001 * 10 ** -(len(one[2] or ".") - 1) * units[one[3]]
                self.assertTrue(any(abs(value - median) <= half for median in medians), (log, one[0], medians))
            self.assertTrue(any(shown) or not medians, (log, cells))

    def test_texts_of_a_recording_are_text(self):
        log = os.path.join(self.place.name, "hostile.csv")
        with open(os.path.join(DATA, "recordings", "mixed.csv"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(",6 cpu + 2 io,", text)
        with open(log, "w", encoding="utf-8") as file:
            file.write(text.replace(",6 cpu + 2 io,", "," + HOSTILE + ","))
        self.page(log)
        self.assertEqual(self.browser.run("typeof window.hacked"), "undefined")
        self.assertEqual(self.browser.run(TEXT.format("h1")), HOSTILE)
        self.assertEqual(self.browser.run("document.querySelectorAll('img,b,iframe,link').length"), 0)
        self.assertEqual(self.browser.run("document.scripts.length"), 2)

    def test_a_policy_without_scripts_leaves_answer_and_tables(self):
        """As a server's header, or a reader who has turned scripts off."""
        log = os.path.join(DATA, "recordings", "mixed.csv")
        path = os.path.join(self.place.name, "policy.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(export("html", log).replace(
                "<head>", "<head><meta http-equiv='Content-Security-Policy' content=\"default-src 'self'\">", 1))
        self.browser.width(1200)
        self.browser.open(path)
        text = self.browser.run("document.body.innerText")
        self.assertEqual(self.browser.run("document.querySelectorAll('svg').length"), 0)
        answer = export("table", log).split("\n\n")[1].split(":")[0].replace("\n", " ")
        self.assertIn(answer, re.sub(r"\s+", " ", text))
        self.assertGreater(self.browser.run("document.querySelectorAll('table').length"), 4)
        self.page(log)
        self.assertEqual(self.browser.run("document.querySelectorAll('#static').length"), 0)

    def test_its_policy_forbids_the_network(self):
        self.page(os.path.join(DATA, "recordings", "mixed.csv"))
        self.assertEqual(self.browser.run(
            "new Promise(done => { addEventListener('securitypolicyviolation', event => "
            "done(event.effectiveDirective)); fetch('http://127.0.0.1:9/').catch(() => 0); "
            "setTimeout(() => done('nothing'), 20000); })"), "connect-src")

    def test_the_line_of_time_replays_the_session(self):
        data = self.page(os.path.join(DATA, "recordings", "mixed.csv"))
        ends = self.browser.run("[...document.querySelectorAll('.sub small')].map(node => node.textContent)")
        self.assertTrue(all(text.endswith(", ok") for text in ends), ends)
        run = data["page"]["runs"][1]
        at = run["begin"] + run["length"] // 2
        self.replay(at)
        now = self.browser.run("[...document.querySelectorAll('.sub small')].map(node => node.textContent)")
        self.assertTrue(now[run["case"]].startswith(f"trial {run['trial']}, at "), now)
        self.assertIn(data["page"]["cases"][run["case"]]["name"], self.browser.run(TEXT.format("output")))
        self.browser.run("document.querySelector('.tools button + input').previousElementSibling.click()")
        deadline = time.monotonic() + DEADLINE
        while self.browser.run("Number(document.querySelector('input[type=range]').value)") <= at:
            self.assertLess(time.monotonic(), deadline)
        self.assertEqual(self.browser.faults(), [])

    def test_keys_zoom_and_tell_of_workers(self):
        data = self.page(os.path.join(DATA, "recordings", "mixed.csv"))
        names = data["page"]["cases"][0]["workers"]
        self.browser.run("document.querySelector('canvas[tabindex]').focus()")
        for name in names[:2]:
            self.browser.key("ArrowDown")
            self.assertTrue(self.browser.run(TEXT.format("[aria-live]")).startswith(name + "\n"))
        picture = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => " \
                  "done(document.querySelector('canvas[tabindex]').toDataURL()))))"
        before = self.browser.run(picture)
        self.browser.key("+")
        zoomed = self.browser.run(picture)
        self.assertNotEqual(before, zoomed)
        self.browser.key("0")
        self.assertEqual(before, self.browser.run(picture))

    def test_each_task_of_a_command_has_a_row(self):
        log = os.path.join(self.place.name, "tasks.csv")
        subprocess.run([TUIBENCH, "--batch", "--log", log, "--models", "threads", "--trials", "1", "--warmup", "0",
                        "-s", "sched=own", "-c", "sh -c 'sleep 1; true'"], check=True, timeout=DEADLINE,
                       capture_output=True, env={**os.environ, "TUIBENCH_TASKS": "polling"})
        data = self.page(log)["page"]
        run = data["runs"][data["cases"][0]["typical"]]
        self.assertEqual(run["names"], ["sh", "sleep"])
        self.assertEqual(len(run["workers"]), 6 * 2)
        # What is known by 50 ms is drawn as shares.
        self.assertLessEqual({lane[0] for lane in run.get("lanes", []) if lane}, {-1})
        self.browser.run("document.querySelector('canvas[tabindex]').focus()")
        for name in run["names"]:
            self.browser.key("ArrowDown")
            self.assertTrue(self.browser.run(TEXT.format("[aria-live]")).startswith(name + "\nfrom "))

    def test_all_tasks_of_programs_are_listed_and_many_of_one_name_unfold(self):
        log = os.path.join(self.place.name, "tasks-of-programs.csv")
        subprocess.run([TUIBENCH, "--batch", "--trials", "1", "--warmup", "0", "-m", "processes", "--log", log,
                        "--command", "sh -c 'for i in 1 2 3 4 5 6 7 8 9; do (exit $i); done; sleep 0.01; true'"],
                       capture_output=True, timeout=DEADLINE, check=True)
        self.page(log)
        rows = "[...document.querySelectorAll('[data-tasks] tbody tr')]"
        texts = f"{rows}.map(row => row.textContent)"
        found = self.browser.run(texts)
        folded = [text for text in found if "▸ 10 × sh" in text]
        if not folded:
            self.skipTest(f"not all of these short tasks were seen: {found}")
        self.assertEqual(len(found), 2)
        self.browser.run("document.querySelector('[data-tasks] button').click()")
        self.assertEqual(len(self.browser.run(texts)), 2 + 10)
        self.browser.run("document.querySelector('[data-tasks] button').click()")
        self.assertEqual(len(self.browser.run(texts)), 2)

    def test_a_pointer_is_told_of_each_stretch(self):
        data = self.page(os.path.join(DATA, "recordings", "mixed.csv"))["page"]
        run = [run for run in data["runs"] if "lanes" in run][0]
        self.replay(run["begin"] + run["length"] * 9 // 10)
        left, top, width = self.browser.run(
            f"{{ const canvas = document.querySelectorAll('canvas[tabindex]')[{run['case']}]; canvas.scrollIntoView(); "
            "const box = canvas.getBoundingClientRect(); [box.left, box.top, box.width] }")
        stretches, at = set(), run["lanes"][0][0]
        for us, core in zip(run["lanes"][0][1::2], run["lanes"][0][2::2]):
            stretches.add((core, self.browser.run(f"time({at})"), self.browser.run(f"time({us})")))
            at += us
        found = 0
        for x in range(150, int(width), 40):
            self.browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=left + x, y=top + 9)
            told = re.match(r"w1 cpu\non core (\d+) from (.*) for (.*)\n",
                            self.browser.run("tip.hidden ? '' : tip.textContent"))
            if told:
                self.assertIn((int(told[1]), told[2], told[3]), stretches)
                found += 1
        self.assertGreater(found, 0)

    def test_each_worker_has_its_colour_of_the_screen(self):
        data = self.page(os.path.join(DATA, "recordings", "mixed.csv"))["page"]
        run = [run for run in data["runs"] if "lanes" in run][0]
        self.replay(run["begin"] + run["length"])
        look = (
            f"{{ const canvas = document.querySelectorAll('canvas[tabindex]')[{run['case']}], "
            "box = canvas.getBoundingClientRect(), scale = canvas.height / box.height, "
            "c = canvas.getContext('2d'), inks = [...Array(8).keys()].map(i => "
            "getComputedStyle(document.documentElement).getPropertyValue('--w' + i).trim()); "
            "const seen = (top, high) => { const p = c.getImageData(0, top * scale, canvas.width, high * scale).data, "
            "found = new Set(); for (let i = 0; i < p.length; i += 4) { const at = inks.indexOf('#' + "
            "[p[i], p[i + 1], p[i + 2]].map(v => v.toString(16).padStart(2, '0')).join('')); "
            "if (p[i + 3] === 255 && at >= 0) found.add(at); } return [...found].sort(); }; "
            "[0, 1, 6].map(i => seen(i * 18, 18)) }")
        shown = self.browser.run(look)
        while not shown[0]:  # drawn with the next frame
            shown = self.browser.run(look)
        self.assertEqual(shown, [[0], [1], [6]])
        self.assertEqual(self.browser.run("document.querySelectorAll('.ink').length"), 8)

    def test_what_is_drawn_has_a_name(self):
        self.page(os.path.join(DATA, "recordings", "mixed.csv"))
        self.assertEqual(self.browser.run(
            "[...document.querySelectorAll('svg:not([aria-hidden]),canvas')].filter(node => "
            "!['img', 'application'].includes(node.getAttribute('role')) || !node.getAttribute('aria-label')).length"), 0)
        self.assertEqual(self.browser.run(
            "[...document.querySelectorAll('table')].filter(node => !node.querySelector('th[scope]')).length"), 0)

    def test_it_prints_dark_on_white_and_as_wide_as_paper(self):
        self.browser.call("Emulation.setEmulatedMedia",
                          features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.page(os.path.join(DATA, "recordings", "mixed.csv"))
        look = "[getComputedStyle(document.body).backgroundColor, " \
               "Math.max(...[...document.querySelectorAll('svg,canvas')].map(node => node.getBoundingClientRect().right))]"
        self.assertEqual(self.browser.run(look)[0], "rgb(16, 20, 24)")
        self.browser.run("dispatchEvent(new Event('beforeprint'))")
        colour, right = self.browser.run(look)
        self.assertEqual(colour, "rgb(255, 255, 255)")
        self.assertLessEqual(right, 690)
        self.browser.run("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.browser.run(look)[0], "rgb(16, 20, 24)")
        self.browser.call("Emulation.setEmulatedMedia", features=[])

    def test_a_lecture_has_its_captions(self):
        data = self.page(os.path.join(DATA, "recordings-small", "lecture.csv"))
        shown = self.browser.run("[...document.querySelectorAll('.scene')].map(scene => scene.textContent)")
        for scene, text in zip(data["scenes"], shown):
            self.assertIn(scene["heading"], text)
            for line in scene["caption"].split("\n"):
                self.assertIn(line, text)
            if scene["session"]:
                self.assertIn(scene["session"]["sentence"], text)


@unittest.skipUnless(BENCHMARK, "only for --benchmark")
class Speed(unittest.TestCase):
    def test_five_thousand_workers_open_and_pan(self):
        with tempfile.TemporaryDirectory() as place:
            log, path = os.path.join(place, "tree.csv"), os.path.join(place, "page.html")
            subprocess.run([TUIBENCH, "tree", "--batch", "--quick", "--log", log], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=DEADLINE)
            with open(path, "w", encoding="utf-8") as file:
                file.write(export("html", log))
            browser = Browser(place)
            try:
                browser.width(1200)
                opened = []
                for _ in range(5):
                    begin = time.monotonic()
                    browser.open(path)
                    opened.append(time.monotonic() - begin)
                time.sleep(1)
                tasks = browser.run("""new Promise(done => {
                    const long = [], canvas = document.querySelector('canvas[tabindex]');
                    new PerformanceObserver(list => long.push(...list.getEntries().map(e => e.duration)))
                        .observe({type: 'longtask'});
                    const key = name => canvas.dispatchEvent(new KeyboardEvent('keydown', {key: name}));
                    let n = 0;
                    for (let i = 0; i < 4; i++)
                        key('+');
                    const step = () => {
                        key(n % 20 < 10 ? 'ArrowRight' : 'ArrowLeft');
                        if (n++ < 100)
                            requestAnimationFrame(step);
                        else
                            setTimeout(() => done(long), 500);
                    };
                    requestAnimationFrame(step);
                })""")
                print(f"page of {os.path.getsize(path) / 1e6:.1f} MB; opened in "
                      f"{sorted(opened)[2]:.2f} s (median of 5); {len(tasks)} long tasks in 100 steps, "
                      f"the longest {max(tasks, default=0):.0f} ms")
                self.assertEqual(browser.faults(), [])
            finally:
                browser.close()


if __name__ == "__main__":
    if not CHROMIUM:
        print("needs Chromium")
        sys.exit(77)
    unittest.main()
