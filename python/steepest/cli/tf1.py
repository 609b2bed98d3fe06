"""``python -m steepest tf1 PROGRAM``: a program for TensorFlow 1, untouched, on `steepest.v1`."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Sequence

from ..v1 import as_tensorflow
from . import old_names
from .errors import CommandError

__all__ = ["run_program"]


def run_program(program: str, arguments: Sequence[str]) -> int:
    """Run a file, or a folder with ``__main__.py``, as Python would, where ``tensorflow`` is `steepest.v1`.

    Returns:
        The exit status of the program.
    """
    if not os.path.exists(program):
        raise CommandError(f"tf1: PROGRAM must be a file, got {program!r}", 1)
    as_tensorflow.install()
    old_names.install()
    print(f"steepest: in this process 'tensorflow' is steepest.v1; running {program}", file=sys.stderr, flush=True)
    sys.argv = [program, *arguments]
    if os.path.isfile(program):
        sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return int(end.code or 0)
        print(end.code, file=sys.stderr)
        return 1
    return 0
