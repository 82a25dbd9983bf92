"""R's metafor gives, for the data sets, the stored results with which test_pooled.c compares."""
import math
import shutil
import subprocess
import sys

SCRIPT, STORED = sys.argv[1:3]


def numbers(text):
    return [[float(word) for word in line.split()] for line in text.splitlines()]


rscript = shutil.which("Rscript")
if not rscript or subprocess.run([rscript, "-e", "library(metafor)"], capture_output=True).returncode:
    print("needs R with metafor (Debian: r-cran-metafor)")
    sys.exit(77)
made = numbers(subprocess.run([rscript, SCRIPT], capture_output=True, text=True, check=True).stdout)
with open(STORED) as file:
    stored = numbers(file.read())
assert len(made) == len(stored) == 20, (len(made), len(stored))
for number, (a, b) in enumerate(zip(made, stored)):
    assert len(a) == len(b), number
    assert all(math.isclose(x, y, rel_tol=1e-6, abs_tol=1e-9) for x, y in zip(a, b)), (number, a[:9], b[:9])
