"""Counts the instructions of a few kernels under callgrind and compares them with those on file: no clock, no noise.

python bench/cpp/counts.py build/bench/bench/cpp/steepest_counts             fails where a kernel needs more
python bench/cpp/counts.py build/bench/bench/cpp/steepest_counts --update    puts the counts on file
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FILE = Path(__file__).with_name("counts.json")
ALLOWED = 1.02  # more by so much is a regression
SETS = ("avx2", "baseline")


def count(program: str, kernel: str, isa: str) -> float:
    """Return instructions for each element or id."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        done = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                "--collect-atstart=no",
                "--toggle-collect=measured*",
                f"--callgrind-out-file={out}",
                program,
                kernel,
            ],
            env={**os.environ, "STEEPEST_ISA": isa},
            capture_output=True,
            text=True,
            check=True,
        )
        total = re.search(r"^(?:totals|summary): (\d+)", out.read_text(), re.MULTILINE)
    if total is None:
        raise SystemExit(f"{kernel}: callgrind has counted nothing")
    return int(total.group(1)) / int(done.stdout.split()[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="steepest_counts, as built")
    parser.add_argument("--compiler", default="GNU 12.2.0", help="as CMake names it: counts on file are one compiler's")
    parser.add_argument("--update", action="store_true", help="write the counts to counts.json")
    options = parser.parse_args()
    filed = json.loads(FILE.read_text()) if FILE.exists() else {}
    known = filed.get(options.compiler, {})
    kernels = subprocess.run([options.program], capture_output=True, text=True, check=True).stdout.splitlines()
    found, worse = {}, []
    for kernel in kernels:
        for isa in SETS:
            name = f"{kernel}, {isa}"
            found[name] = round(count(options.program, kernel, isa), 3)
            before = known.get(name)
            verdict = "" if before is None else f", before {before}"
            if before is not None and found[name] > before * ALLOWED:
                worse.append(name)
                verdict += ": MORE"
            print(f"{name}: {found[name]} instructions each{verdict}", flush=True)
    if options.update:
        filed[options.compiler] = found
        FILE.write_text(json.dumps(filed, indent=1) + "\n")
        return 0
    if not known:
        print(f"no counts on file for {options.compiler}; put them there by --update")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
