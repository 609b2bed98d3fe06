"""``tf.app``: the entrance of a program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn

from . import flags
from .command_line.of_absl import absl_module
from .graph.missing import namespace

__all__ = ["flags", "run"]

__getattr__, __dir__ = namespace(__name__)

_HELP = {"-?", "-h", "-help", "-helpfull", "-helpshort", "--help", "--helpfull", "--helpshort"}


def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> NoReturn:
    """Read the flags from ``argv`` (by default the command line), call ``main`` with the rest, and exit.

    ``main`` is by default the function of that name in the program. Flags that nobody has defined are left in the
    rest; a value that a flag cannot have ends the program with a message, ``--help`` with what the flags are for.

    Source: ``tf.app.run``.
    """
    args = list(sys.argv if argv is None else argv)
    function = main or sys.modules["__main__"].main
    if absl_module("flags") is not None:
        absl_module("app").define_help_flags()
    elif _HELP.intersection(args):
        print(getattr(sys.modules["__main__"], "__doc__", None) or f"\nUSAGE: {args[0]} [flags]", flags.FLAGS, sep="\n")
        sys.exit(1)
    try:
        rest = flags.FLAGS(args, known_only=True)
    except flags.Error as error:
        print(f"FATAL Flags parsing error: {error}", file=sys.stderr)
        print("Pass --helpshort or --helpfull to see help on flags.", file=sys.stderr)
        sys.exit(1)
    sys.exit(function(rest))
