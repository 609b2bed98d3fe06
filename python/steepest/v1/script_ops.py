"""Python functions, prints and checks as operations."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ops.dispatch import plain
from .build import call, convert
from .dtypes import as_dtype
from .errors import InvalidArgumentError
from .graph import get_default_graph
from .mode import executing_eagerly
from .node import Operation

__all__ = ["Assert", "Print", "check_numerics", "py_func"]


def py_func(func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None) -> Any:
    """Return what ``func`` makes of arrays when a session runs; ``Tout`` is the type, or the list of types.

    No gradient flows. Source: ``tf.py_func``.
    """
    single = not isinstance(Tout, (list, tuple))
    kinds = [as_dtype(t) for t in ([Tout] if single else Tout)]

    def run(*values: Any) -> Any:
        found = func(*(np.asarray(plain(value)) for value in values))
        parts = [found] if single else list(found)
        arrays = tuple(np.asarray(part, kind.dtype) for part, kind in zip(parts, kinds, strict=True))
        return arrays[0] if single else arrays

    if single:
        return call("PyFunc", run, inp, name=name, shape=None, dtype=kinds[0], same=False, differentiable=False)
    shapes = [None] * len(kinds)
    found = call(
        "PyFunc", run, inp, name=name, shape=shapes, dtype=kinds, outputs=len(kinds), same=False, differentiable=False
    )
    return list(found)


def Print(
    input_: Any,
    data: Any,
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Any:
    """Return ``input_``, and print ``data`` to the standard error whenever that is computed."""
    from .array_ops import identical

    times = [0]

    def shown(value: Any, *items: Any) -> Any:
        times[0] += 1
        if first_n is None or first_n < 0 or times[0] <= first_n:
            parts = [str(np.asarray(plain(item)).ravel()[: summarize or 3].tolist()) for item in items]
            print(f"{message or ''}{''.join(parts)}", file=sys.stderr)
        return identical(value)

    return call("Print", shown, [input_, *data], name=name, shape=lambda s, *_: s, same=False)


def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Any:
    """Return an operation that raises InvalidArgumentError, with ``data``, where the condition is false."""

    def check(truth: Any, *items: Any) -> None:
        if not np.all(np.asarray(plain(truth))):
            shown = " ".join(str(np.asarray(plain(item)).tolist()) for item in items)
            raise InvalidArgumentError(None, None, f"assertion failed: [{shown}]")

    if executing_eagerly():
        return check(condition, *data)
    graph = get_default_graph()
    tensors = [convert(item) for item in (condition, *data)]
    return Operation(graph, "Assert", graph.unique_name(name or "Assert"), check, tensors, (), differentiable=False)


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:
    """Return the tensor; InvalidArgumentError with the message where it has a NaN or an infinity."""
    from .array_ops import identical

    def check(value: Any) -> Any:
        if not np.isfinite(np.asarray(plain(value))).all():
            raise InvalidArgumentError(None, None, f"{message} : Tensor had NaN or Inf values")
        return identical(value)

    return call("CheckNumerics", check, (tensor,), name=name, shape=lambda s: s)
