#!/usr/bin/env python
"""The targets under libFuzzer, by atheris: inputs that reach new code, Python's or the module's, are mutated further.

``tests/fuzz/guided.py TARGET [libFuzzer's options] [FOLDER ...]``; the module must be built with coverage, as `nox -s
fuzz_guided` does. With ``-merge=1`` it keeps of some folders' inputs what reaches anything new.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parent))
with atheris.instrument_imports(include=["steepest"]):
    from targets import TARGETS, run

_TARGET = "STEEPEST_FUZZ_TARGET"


def main() -> None:
    """Read the name of the target, and hand over to libFuzzer."""
    # A merge starts this program again, without what is no argument of libFuzzer's.
    name = os.environ.get(_TARGET) or (sys.argv.pop(1) if len(sys.argv) > 1 else "")
    if name not in TARGETS:
        sys.exit(f"guided.py: the target must be one of {', '.join(TARGETS)}, got {name!r}")
    os.environ[_TARGET] = name

    def one(data: bytes) -> None:
        run(name, data)

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
