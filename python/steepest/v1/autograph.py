"""``tf.autograph``: marks for functions whose code is to stay as it is. Here no function's code is changed."""

from types import SimpleNamespace
from typing import Any

from .graph.missing import namespace

__all__ = ["experimental", "set_verbosity"]


def _do_not_convert(func: Any = None) -> Any:
    """Return the function, or what decorates one: its Python code runs as it is written, once, to build the graph."""
    return (lambda function: function) if func is None else func


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Accept how much is logged about changed code: none is changed."""
    del level, alsologtostdout


experimental = SimpleNamespace(do_not_convert=_do_not_convert)

__getattr__, __dir__ = namespace(__name__)
