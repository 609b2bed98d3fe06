"""TensorFlow's ``error_interpolation``: where a program made the operations that a message names as ``{{node x}}``."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["interpolate", "interpolate_graph", "parse_message"]

_LIBRARY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_FRAMEWORK_PATH_PREFIXES = [_LIBRARY + os.sep]
_NAME = r"[A-Za-z0-9_.][A-Za-z0-9_.\-/]*"
_TAG = re.compile(rf"\{{\{{({_NAME}) ({_NAME})\}}\}}")


class _Tag(NamedTuple):
    type: str
    name: str


def parse_message(message: str) -> tuple[str, list[_Tag], list[_Tag]]:
    """Return the message without its tags of functions, these tags, and those of nodes, which stay in it."""
    functions: list[_Tag] = []
    nodes: list[_Tag] = []

    def kept(found: re.Match[str]) -> str:
        tag = _Tag(*found.groups())
        of_function = tag.type == "function_node"
        (functions if of_function else nodes).append(tag)
        return "" if of_function else found.group()

    return _TAG.sub(kept, message), functions, nodes


def interpolate_graph(message: str, graph: Any) -> str:
    """Return a message behind the calls of the program that made each operation that it names.

    Args:
        message: with tags: ``"{{node x}} failed"``. What the graph does not have stays as it is.
        graph: the one that has the operations.
    """
    text, _, nodes = parse_message(message)
    found = [op for tag in nodes if (op := _operation(graph, tag)) is not None]
    return "\n".join(["Graph execution error:", "", *map(_definition, found), text.strip()])


def interpolate(error_message: str, graph: Any) -> str:
    """Return a message in which each ``{{node x}}`` is the operation and the line that made it."""

    def line(found: re.Match[str]) -> str:
        op = _operation(graph, tag := _Tag(*found.groups()))
        if op is None or not op.traceback:
            return f"{tag.type} {tag.name}"
        made = op.traceback[_find_index_of_defining_frame(op.traceback)]
        return f"{tag.type} {tag.name} (defined at {made.filename}:{made.lineno}) "

    return _TAG.sub(line, error_message)


def _operation(graph: Any, tag: _Tag) -> Any:
    try:
        return graph.get_operation_by_name(tag.name)
    except KeyError:
        return None


def _definition(op: Any) -> str:
    calls = [frame for frame in op.traceback if not _is_framework_filename(frame.filename)]
    lines = [f"  {line}" for call in traceback.format_list(calls) for line in call.splitlines() if line.strip()]
    return "\n".join(
        [f"Detected at node {op.name!r} defined at (most recent call last):", *lines, f"Node: {op.name!r}"]
    )


def _is_framework_filename(filename: str) -> bool:
    """Tell whether a file is the library's own; tests in its folder are not."""
    if filename.endswith("_test.py"):
        return False
    return filename.startswith(("<embedded", *_FRAMEWORK_PATH_PREFIXES))


def _find_index_of_defining_frame(tb: Sequence[Any]) -> int:
    """Return which call is the innermost one of the program; 0 where all are the library's."""
    of_program = [k for k, frame in enumerate(tb) if not _is_framework_filename(frame.filename)]
    return of_program[-1] if of_program else 0


def _compute_device_summary_from_list(name: str, device_assignment_list: Sequence[Any], prefix: str = "") -> str:
    """Return the devices that were asked for when an operation was made, each with the line that did, one a line."""
    if not device_assignment_list:
        return f"{prefix}No device assignments were active during op '{name}' creation."
    head = f"{prefix}Device assignments active during op '{name}' creation:"
    lines = [f"{prefix}  with tf.device({each.obj}): {_place(each)}" for each in device_assignment_list]
    return "\n".join([head, *lines])


def _compute_colocation_summary_from_dict(name: str, colocation_dict: Mapping[str, Any], prefix: str = "") -> str:
    """Return what an operation was to be near to, each with the line that said so, one a line."""
    if not colocation_dict:
        return f"{prefix}No node-device colocations were active during op '{name}' creation."
    head = f"{prefix}Node-device colocations active during op '{name}' creation:"
    lines = [f"{prefix}  with tf.colocate_with({near}): {_place(at)}" for near, at in colocation_dict.items()]
    return "\n".join([head, *lines])


def _place(traceable: Any) -> str:
    return f"<{traceable.filename}:{traceable.lineno}>"
