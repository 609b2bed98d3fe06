"""Arguments of a body that a graph traces, with the shapes that the signature tells: the results get their own back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..graph.graph import get_default_graph
from ..graph.node import Tensor
from ..graph.shapes import as_shape, compatible, merge
from ..ops.array_ops import identity
from ..ops.loop_ops import leaves, rebuilt
from ..ops.type_specs import TensorSpec

__all__ = ["as_signature_tells"]


@contextmanager
def as_signature_tells(signature: Any) -> Iterator[Callable[[Any], Any]]:
    """Give the function that returns arguments of which no more is known than a signature tells.

    So a body is made once for all of them. What it makes gets the shapes that follow from the arguments' own when
    ``with`` is over, as TensorFlow's shape functions see through a call.
    """
    context = get_default_graph()._context
    outside = context.shape_rules
    specs = [] if signature is None else leaves(list(signature))

    def loosened(given: Any) -> Any:
        values = leaves(given)
        if len(values) != len(specs) or not any(map(_knows_more, values, specs)):
            return given
        context.shape_rules = [] if context.shape_rules is None else context.shape_rules
        return rebuilt(
            given, [_loose(*pair) if _knows_more(*pair) else pair[0] for pair in zip(values, specs, strict=True)]
        )

    begin = 0 if outside is None else len(outside)
    try:
        yield loosened
        _infer(context.shape_rules or [], begin)
    finally:
        context.shape_rules = outside


def _knows_more(value: Any, spec: Any) -> bool:
    told = isinstance(spec, TensorSpec) and isinstance(value, Tensor)
    # A number may be an axis, of which shapes depend: it stays what it is.
    return told and bool(value._shape) and None in (as_shape(spec.shape) or (None,))


def _loose(value: Tensor, spec: TensorSpec) -> Tensor:
    tensor: Tensor = identity(value, spec.name or "input")  # a name that programs seldom have
    tensor._shape = as_shape(spec.shape)
    return tensor


def _infer(rules: list[Any], begin: int) -> None:
    for operation, results in rules[begin:]:
        for tensor, (_, shape) in zip(operation.outputs, results(), strict=True):
            if compatible(tensor._shape, shape):
                tensor._shape = merge(tensor._shape, shape)
