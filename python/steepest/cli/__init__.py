"""The command line: ``python -m steepest words | compare | tf1 | info``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from .errors import CommandError

__all__ = ["main"]

USAGE = 2  # the exit status of a wrong command line, as argparse has it


class _Parser(argparse.ArgumentParser):
    """argparse, with errors of one line."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{self.prog}: {message}; see {self.prog} --help".removeprefix("steepest "), USAGE)


def _number(kind: type[int] | type[float], rule: str, holds: Callable[[Any], bool]) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not holds(value):
            raise argparse.ArgumentTypeError(f"must be {rule}, got {text!r}")
        return value

    return parse


_COUNT = _number(int, "an integer from 1 to 1000000000", lambda n: 1 <= n <= 10**9)
_SEED = _number(int, "an integer of at least 0", lambda n: n >= 0)
_RATE = _number(float, "a positive number", lambda x: 0 < x < float("inf"))
_SHARE = _number(float, "a number from 0 to 1", lambda x: 0 <= x <= 1)


def _parser() -> argparse.ArgumentParser:
    from .ranks import MICRO_BATCHES, by_mpiexec
    from .settings import Settings
    from .train import OPTIMIZERS

    default = Settings()
    parser = _Parser(prog="steepest", description="Word vectors trained with TensorFlow 1's optimizers on NumPy.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="words|compare|tf1|info")
    text = _Parser(add_help=False)
    text.add_argument("files", nargs="*", metavar="FILE", help="UTF-8 text (default: Python's own documentation)")
    text.add_argument("--size", type=_COUNT, default=default.size, help="numbers in a vector (%(default)s)")
    text.add_argument("--window", type=_COUNT, default=default.window, help="words to each side (%(default)s)")
    text.add_argument("--negatives", type=_COUNT, default=default.negatives, help="random words per word (%(default)s)")
    text.add_argument("--batch", type=_COUNT, default=default.batch, help="words per update (%(default)s)")
    text.add_argument("--min-count", type=_COUNT, default=default.min_count, help="drop rarer words (%(default)s)")
    text.add_argument(
        "--subsample",
        type=_SHARE,
        default=default.subsample,
        help="thin out more frequent words (%(default)s; 0: no)",
    )
    text.add_argument("--seed", type=_SEED, default=default.seed, help="equal seeds give equal vectors (%(default)s)")
    text.add_argument("--threads", type=_COUNT, help="threads of the update kernels (default: one per CPU)")

    words = commands.add_parser("words", parents=[text], help="train word vectors", description="Train word vectors.")
    words.add_argument("--epochs", type=_COUNT, default=default.epochs, help="passes over the text (%(default)s)")
    words.add_argument("--optimizer", choices=list(OPTIMIZERS), default=default.optimizer, help="(%(default)s)")
    words.add_argument("--learning-rate", type=_RATE, help="at the start; it falls to 1 %% (default: the optimizer's)")
    words.add_argument("--save", metavar="PATH", help="write the vectors: .npz, else word2vec's text format")
    words.add_argument("--checkpoint", metavar="FOLDER", help="save the training state there after each epoch")
    words.add_argument("--resume", action="store_true", help="go on from the newest checkpoint in that folder")
    words.add_argument("--plot", metavar="PATH", help="write a plot of the loss (needs matplotlib)")
    parts = MICRO_BATCHES if by_mpiexec() else default.micro_batches
    words.add_argument(
        "--micro-batches",
        type=_COUNT,
        default=parts,
        help=f"parts of a batch, dealt out to the ranks of mpiexec ({default.micro_batches}; there {MICRO_BATCHES})",
    )

    compared = "Train the same model under every optimizer."
    compare = commands.add_parser("compare", parents=[text], help="compare the optimizers", description=compared)
    compare.add_argument("--epochs", type=_COUNT, default=20, help="passes over the text (%(default)s)")
    compare.add_argument("--plot", metavar="PATH", help="loss against time (default: compare.png, with matplotlib)")
    program = "Run a program for TensorFlow 1 as it is: 'tensorflow' is steepest.v1 in its process."
    tf1 = commands.add_parser("tf1", help="run a program for TensorFlow 1", description=program)
    tf1.add_argument("program", metavar="PROGRAM", help="a Python file")
    tf1.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="the program's own arguments")
    commands.add_parser("info", help="show versions and instruction set", description="Show what is installed.")
    return parser


def _run(argv: Sequence[str] | None) -> int:
    options = vars(_parser().parse_args(argv))
    command = options.pop("command")
    if command == "info":
        from .info import show_info

        return show_info()
    if command == "tf1":
        from .tf1 import run_program

        return run_program(**options)
    from .compare import compare
    from .settings import Settings
    from .words import train_words

    files, threads, plot = options.pop("files"), options.pop("threads"), options.pop("plot")
    if command == "compare":
        return compare(files, Settings(**options), threads, plot)
    save, checkpoint, resume = options.pop("save"), options.pop("checkpoint"), options.pop("resume")
    return train_words(files, Settings(**options), threads, save, plot, checkpoint, resume)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (default: the process's) and return the exit status.

    0: done; 1: a file or value that does not do; 2: a wrong command line; 130: Ctrl-C. Every
    failure prints one line to the standard error.
    """
    try:
        return _run(argv)
    except CommandError as error:
        print(error if str(error).startswith("steepest:") else f"steepest {error}", file=sys.stderr)
        return error.status
    except SystemExit as end:  # argparse, after --help
        return int(end.code or 0)
    except KeyboardInterrupt:
        print("steepest: interrupted", file=sys.stderr)
        return 130
    except MemoryError as error:
        print(f"steepest: memory must suffice, got {error or 'too little'}; lower --size or --batch", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader, say `head`, has seen enough; what Python would still flush at exit has no reader.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
