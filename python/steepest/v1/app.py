"""``tf.app``: the entrance of a program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn

from . import flags
from .graph.missing import namespace

__all__ = ["flags", "run"]

__getattr__, __dir__ = namespace(__name__)


def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> NoReturn:
    """Read the flags from ``argv`` (by default the command line), call ``main`` with the rest, and exit.

    ``main`` is by default the function of that name in the program. Source: ``tf.app.run``.
    """
    args = list(sys.argv if argv is None else argv)
    rest = flags.FLAGS(args)
    function = main or sys.modules["__main__"].main
    sys.exit(function(rest))
