"""Jacobians in graphs: the gradients of each element of a tensor, one after another in a loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph.build import convert
from ..ops.array_ops import reshape, size, transpose
from ..ops.array_ops import shape as shape_of
from ..ops.compare_checks import assert_equal
from ..ops.concat_ops import concat
from ..ops.control_flow_ops import with_dependencies
from ..ops.creation_ops import range as range_
from ..ops.functional_ops import map_fn
from ..ops.gather_ops import gather
from .gradients import gradients

__all__ = ["batch_jacobian", "jacobians"]


def jacobians(output: Any, sources: list[Any], unconnected: Any = "none", stops: Sequence[Any] = ()) -> list[Any]:
    """Return the derivatives of all elements of ``output`` by each source, ``output.shape + source.shape``.

    Nodes in ``stops`` count as constants.

    None where the output does not depend on a source.
    """
    output = convert(output)
    flat = reshape(output, [-1])
    how: dict[str, Any] = {"unconnected_gradients": unconnected, "stop_gradients": list(stops)}
    # A slope by all elements at once tells which sources there is a path to.
    linked = [slope is not None for slope in gradients(flat, sources, **how)]
    wanted = [source for source, found in zip(sources, linked, strict=True) if found]
    if not wanted:
        return [None] * len(sources)
    rows = map_fn(
        lambda k: [convert(g) for g in gradients(gather(flat, k), wanted, **how)],
        range_(size(flat)),
        dtype=[source.dtype.base_dtype for source in wanted],
    )
    shaped = iter(_split_first(row, output, source) for row, source in zip(rows, wanted, strict=True))
    return [next(shaped) if found else None for found in linked]


def _split_first(rows: Any, output: Any, source: Any) -> Any:
    """Return rows of derivatives with the axes of the output in the place of the first."""
    whole = reshape(rows, concat([shape_of(output), shape_of(rows)[1:]], 0))
    whole.set_shape(output.get_shape().concatenate(source.get_shape()))
    return whole


def batch_jacobian(output: Any, inp: Any, unconnected: Any = "none", stops: Sequence[Any] = ()) -> Any:
    """Return the derivatives of each row of ``output`` by the same row of ``inp``, None where there is no path.

    Nodes in ``stops`` count as constants.

    Raises:
        ValueError: where the number of rows differs. Source: ``batch_jacobian`` of TensorFlow's ``parallel_for``.
    """
    output = convert(output)
    above, below = output.get_shape(), inp.get_shape()
    if not above[:1].is_compatible_with(below[:1]):
        raise ValueError(f"Need first dimension of output shape ({above}) and inp shape ({below}) to match.")
    count = shape_of(output)[0]
    if above[:1].as_list() != below[:1].as_list() or not above[:1].is_fully_defined():
        count = with_dependencies([assert_equal(count, shape_of(inp)[0])], count)
    rows = reshape(output, [count, -1])
    how: dict[str, Any] = {"unconnected_gradients": unconnected, "stop_gradients": list(stops)}
    if gradients(rows, inp, **how)[0] is None:
        return None
    # Row k of the input has an effect on row k of the output alone: the rows' gradients can be taken at once.
    slopes = map_fn(
        lambda k: convert(gradients(gather(rows, k, axis=1), inp, **how)[0]),
        range_(shape_of(rows)[1]),
        dtype=inp.dtype.base_dtype,
    )
    flat = transpose(reshape(slopes, [shape_of(rows)[1], count, -1]), [1, 0, 2])
    whole = reshape(flat, concat([shape_of(output), shape_of(inp)[1:]], 0))
    whole.set_shape(above.concatenate(below[1:]))
    return whole
