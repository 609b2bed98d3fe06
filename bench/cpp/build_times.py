"""Prints what compiling took: the slowest units of a build folder, from Ninja's log.

python bench/cpp/build_times.py build/dev
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    lines = Path(sys.argv[1], ".ninja_log").read_text().splitlines()[1:]
    seconds: dict[str, float] = {}
    for start, end, _, output, *_ in (line.split("\t") for line in lines):
        seconds[output] = (int(end) - int(start)) / 1000  # the last build of an output counts
    for output, took in sorted(seconds.items(), key=lambda item: -item[1])[:12]:
        print(f"{took:7.1f} s  {output}")
    print(f"{sum(seconds.values()):7.1f} s  all {len(seconds)} together")
    return 0


if __name__ == "__main__":
    sys.exit(main())
