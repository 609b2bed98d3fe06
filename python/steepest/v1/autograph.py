"""``tf.autograph``: marks for functions whose code is to stay as it is. Here no function's code is changed."""

import enum
import inspect
from types import SimpleNamespace
from typing import Any

from .graph.missing import namespace

__all__ = ["experimental", "set_verbosity", "to_code", "to_graph", "trace"]


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


class Feature(enum.Enum):
    """What `to_graph` may be asked for besides; it changes nothing. Source: ``tf.autograph.experimental.Feature``."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"


def _set_loop_options(
    parallel_iterations: Any = None,
    swap_memory: Any = None,
    maximum_iterations: Any = None,
    shape_invariants: Any = None,
) -> None:
    """Accept options of the loop around: it is Python's, as it is written."""
    del parallel_iterations, swap_memory, maximum_iterations, shape_invariants


def trace(*args: Any) -> None:
    """Print values while a function is traced. Source: ``tf.autograph.trace``."""
    print(*args)


experimental = SimpleNamespace(do_not_convert=_do_not_convert, Feature=Feature, set_loop_options=_set_loop_options)

__getattr__, __dir__ = namespace(__name__)
