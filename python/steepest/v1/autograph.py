"""``tf.autograph``: marks for functions whose code is to stay as it is. Here no function's code is changed."""

import inspect
from types import SimpleNamespace
from typing import Any

from .graph.missing import namespace

__all__ = ["experimental", "set_verbosity", "to_code", "to_graph"]


def _do_not_convert(func: Any = None) -> Any:
    """Return the function, or what decorates one: its Python code runs as it is written, once, to build the graph."""
    return (lambda function: function) if func is None else func


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Accept how much is logged about changed code: none is changed."""
    del level, alsologtostdout


def to_graph(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    experimental_optional_features: Any = None,
) -> Any:
    """Return the function or class itself: take `tf.cond` and `tf.while_loop` where its code asks for a tensor's value.

    Source: ``tf.autograph.to_graph``.
    """
    del recursive, arg_values, arg_types, experimental_optional_features
    return entity


def to_code(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    indentation: str = "  ",
    experimental_optional_features: Any = None,
) -> str:
    """Return the source of a function or class, which is what runs. Raises OSError where it is not known.

    Source: ``tf.autograph.to_code``.
    """
    del recursive, arg_values, arg_types, indentation, experimental_optional_features
    return inspect.getsource(entity)


experimental = SimpleNamespace(do_not_convert=_do_not_convert)

__getattr__, __dir__ = namespace(__name__)
