"""``tf.contrib.slim.model_analyzer``: how large the variables and the results of operations are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...graph.missing import namespace

__all__ = ["analyze_ops", "analyze_vars", "tensor_description"]

__getattr__, __dir__ = namespace(__name__)

_RULE = "---------"


def tensor_description(var: Any) -> str:
    """Return a tensor's type and shape in short: ``(float32 1x8x1024)``."""
    return f"({var.dtype.name} {'x'.join(str(size) for size in var.get_shape())})"


def _elements(tensor: Any) -> int:
    """Return how many elements a tensor has, 0 where that is not known."""
    return tensor.get_shape().num_elements() or 0


def analyze_ops(graph: Any, print_info: bool = False) -> int:
    """Return how many elements the results of a graph's operations have; print them all with ``print_info``."""
    lines = [_RULE, "Operations: name -> (type shapes) [size]", _RULE]
    total = 0
    for op in graph.get_operations():
        size = sum(_elements(output) for output in op.outputs)
        shown = ", ".join(tensor_description(output) for output in op.outputs if output.get_shape())
        lines.append(f"{op.name} \t-> {shown} [{size}]")
        total += size
    if print_info:
        print("\n".join(lines))
    return total


def analyze_vars(variables: Iterable[Any], print_info: bool = False) -> tuple[int, int]:
    """Return how many elements variables have, and how many bytes; print them all with ``print_info``."""
    lines = [_RULE, "Variables: name (type shape) [size]", _RULE]
    total = total_bytes = 0
    for variable in variables:
        size = _elements(variable)
        size_bytes = size * variable.dtype.size
        lines.append(f"{variable.name} {tensor_description(variable)} [{size}, bytes: {size_bytes}]")
        total, total_bytes = total + size, total_bytes + size_bytes
    if print_info:
        print("\n".join([*lines, f"Total size of variables: {total}", f"Total bytes of variables: {total_bytes}"]))
    return total, total_bytes
