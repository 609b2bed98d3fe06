"""TensorFlow's ``tensorflow.python.eager.test``: a program's tests run in eager mode."""

from __future__ import annotations

from .. import test as _test
from ..graph.mode import enable_eager_execution

__all__ = ["main"]


def main(argv: list[str] | None = None) -> None:
    """Enable eager execution, run the tests of the program, and exit."""
    enable_eager_execution()
    _test.main(argv)
