"""``tf.print``: values printed in a run."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..graph.build import convert
from ..graph.composites import is_sparse
from ..graph.graph import get_default_graph
from ..graph.log import log
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation
from ..graph.run_values import array_of
from .printed_values import decoded, printed

__all__ = ["print_"]

_LEVELS = {"log(info)": 20, "log(warning)": 30, "log(error)": 40}


def print_(*inputs: Any, **kwargs: Any) -> Any:
    """Return an operation that prints its arguments when it runs; in eager mode print at once.

    Args:
        inputs: tensors, and anything that ``str`` shows; lists and dicts of them too.
        output_stream: ``sys.stderr`` (the default), ``sys.stdout``, a level as ``tf.logging.info``, or
            ``"file://path"``, to which lines are appended.
        summarize: so many first and last elements of each axis are shown (3); -1: all.
        sep, end: as for Python's print.
        name: of the operation.

    Raises:
        ValueError: for other arguments or streams.

    Source: ``tf.print``.
    """
    stream, summarize = kwargs.pop("output_stream", sys.stderr), kwargs.pop("summarize", 3)
    sep, end, name = kwargs.pop("sep", " "), kwargs.pop("end", "\n"), kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {sorted(kwargs)}")
    write = _writer(stream)
    nodes: list[Any] = []
    shapes = [_placed(item, nodes) for item in inputs]

    def run(*values: Any) -> None:
        write(sep.join(_text(shape, values, summarize) for shape in shapes) + end)

    if executing_eagerly():
        run(*nodes)
        return None
    graph = get_default_graph()
    tensors = [convert(node) for node in nodes]
    return Operation(graph, "PrintV2", graph._operation_name(name, "PrintV2"), run, tensors, (), differentiable=False)


class _Place(int):
    """The position of a tensor among the inputs."""


def _placed(item: Any, nodes: list[Any]) -> Any:
    """Replace tensors in a nest by their places."""
    if isinstance(item, (list, tuple)):
        return type(item)(_placed(each, nodes) for each in item)
    if isinstance(item, dict):
        return {key: _placed(item[key], nodes) for key in _in_order(item)}
    if is_sparse(item):
        return _Sparse(_placed([item.indices, item.values, item.dense_shape], nodes))
    if isinstance(item, (Node, np.ndarray)) or hasattr(item, "_operand"):
        nodes.append(item)
        return _Place(len(nodes) - 1)
    return item


class _Sparse(list[Any]):
    """The places of a sparse tensor's indices, values and shape."""


def _in_order(item: dict[Any, Any]) -> list[Any]:
    """Return the keys sorted, as nests are flattened; in their own order where they do not compare."""
    try:
        return sorted(item)
    except TypeError:
        return list(item)


def _text(item: Any, values: Any, summarize: int) -> str:
    if isinstance(item, _Place):
        return printed(np.asarray(array_of(values[item])), summarize)
    if isinstance(item, _Sparse):
        indices, elements, shape = [_text(each, values, summarize) for each in item]
        return f"'SparseTensor(indices={indices}, values={elements}, shape={shape})'"
    if isinstance(item, dict):
        return "{" + ", ".join(f"{key!r}: {_text(each, values, summarize)}" for key, each in item.items()) + "}"
    if isinstance(item, (list, tuple)):
        ends = "[]" if isinstance(item, list) else "()"
        return ends[0] + ", ".join(_text(each, values, summarize) for each in item) + ends[1]
    return decoded(item)


def _writer(stream: Any) -> Any:
    if isinstance(stream, str) and stream.startswith("file://"):

        def append(text: str) -> None:
            with open(stream.removeprefix("file://"), "a", encoding="utf-8") as file:
                file.write(text)

        return append
    if stream in (sys.stdout, sys.stderr):
        return lambda text: stream.write(text)
    level = _LEVELS.get(f"log({getattr(stream, '__name__', '')})")
    if level is None:
        raise ValueError(f"Unsupported output stream, logging level, or file: {stream!r}. See the docs of tf.print.")
    return lambda text: log(level, text.rstrip("\n"))
