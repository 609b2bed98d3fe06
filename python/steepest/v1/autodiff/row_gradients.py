"""Gradients that stay rows through operations between a table and its lookups: casts, sums, joined tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ..graph.node import Operation, Tensor
from ..ops.cast_ops import cast
from ..ops.concat_ops import concat
from ..ops.gather_ops import boolean_mask
from .dependence import Dependence, takes_rows

__all__ = ["Lookups", "lookups"]


@dataclass(frozen=True)
class Lookups:
    """What is between a source and its lookups.

    Attributes:
        tables: the tensors of which rows are taken, with what else is computed of each: through that flows a gradient
            of its own.
        between: the tensors that are handed on, with the operations that do it.
    """

    source: Tensor
    tables: Mapping[Tensor, Sequence[Tensor]]
    between: Mapping[Tensor, Sequence[Operation]]

    def gradient(self, of_table: Mapping[Tensor, IndexedSlices], dense_shape: Any) -> IndexedSlices:
        """Return the gradient of the source, which has a shape, for those of the tensors of which rows are taken."""
        found = {table: of_table[table] for table in self.tables}
        for tensor in sorted(self.between, key=lambda tensor: tensor.op.number, reverse=True):
            handed = [
                _HANDED_ON[op.type](op, position, found[op.outputs[0]])
                for op in self.between[tensor]
                for position in _positions(op, tensor)
            ]
            found[tensor] = _joined([found[tensor], *handed] if tensor in found else handed)
        rows = found[self.source]
        return IndexedSlices(rows.values, rows.indices, dense_shape)


def lookups(dependence: Dependence, source: Tensor) -> Lookups | None:
    """Return the lookups of a source, None where its gradient is dense: it is used in another way too."""
    tables: dict[Tensor, Sequence[Tensor]] = {}
    between: dict[Tensor, Sequence[Operation]] = {}
    pending = [source]
    while pending:
        tensor = pending.pop()
        if tensor in between or tensor in tables:
            continue
        users = dependence.users(tensor)
        handing = [op for op in users if not takes_rows(op, tensor)]
        if not users or not all(_hands_on(op, tensor) for op in handing):
            return None
        results = [op.outputs[0] for op in handing]
        if handing:
            between[tensor] = handing
        if len(handing) < len(users):
            tables[tensor] = results
        pending += results
    return Lookups(source, tables, between)


def _hands_on(op: Operation, tensor: Tensor) -> bool:
    """Tell whether rows of an operation's gradient are rows of the gradient of one of its inputs."""
    if op.type not in _HANDED_ON or op.branch is not tensor.op.branch or len(op.outputs) != 1:
        return False
    if op.type == "Cast":
        return tensor.dtype.is_floating and op.outputs[0].dtype.is_floating
    if op.type == "Print":
        return op.operands[0] is tensor
    if op.type not in _SHAPED:
        return True
    made = op.outputs[0]._shape
    known = [shape for shape in (tensor._shape, made) if shape is not None and None not in shape]
    if len(known) < 2:
        return False
    return known[0] == known[1] or (op.type in _CONCATS and len(_joined_along(op, tensor)) == 1)


def _positions(op: Operation, tensor: Tensor) -> list[int]:
    found = [k for k, operand in enumerate(op.operands) if operand is tensor]
    return found[:1] if op.type == "Print" else found  # what is printed has no gradient


def _joined_along(op: Operation, tensor: Tensor) -> list[int]:
    """Return the axes in which an input of a concatenation is smaller than its result: the axis, or none."""
    sizes, whole = tensor._shape or (), op.outputs[0]._shape or ()
    return [axis for axis, (size, total) in enumerate(zip(sizes, whole, strict=True)) if size != total]


def _as_it_is(op: Operation, position: int, rows: IndexedSlices) -> IndexedSlices:
    return rows


def _negative(op: Operation, position: int, rows: IndexedSlices) -> IndexedSlices:
    return IndexedSlices(-rows.values, rows.indices, rows.dense_shape)


def _of_difference(op: Operation, position: int, rows: IndexedSlices) -> IndexedSlices:
    return _negative(op, position, rows) if position else rows


def _of_cast(op: Operation, position: int, rows: IndexedSlices) -> IndexedSlices:
    return IndexedSlices(cast(rows.values, op.operands[position].dtype), rows.indices, rows.dense_shape)


def _of_joined(op: Operation, position: int, rows: IndexedSlices) -> IndexedSlices:
    """Return the rows, or the columns of rows, that are of one input of a concatenation."""
    tensor = op.operands[position]
    for axis in _joined_along(op, tensor):
        first = sum((operand._shape or ())[axis] or 0 for operand in op.operands[:position])
        end = first + ((tensor._shape or ())[axis] or 0)
        if axis:
            columns = rows.values[(slice(None),) * axis + (slice(first, end),)]
            return IndexedSlices(columns, rows.indices, rows.dense_shape)
        own = (rows.indices >= first) & (rows.indices < end)
        indices = boolean_mask(rows.indices, own) - first
        return IndexedSlices(boolean_mask(rows.values, own), indices, rows.dense_shape)
    return rows


def _joined(parts: Sequence[IndexedSlices]) -> IndexedSlices:
    """Return the sum of gradients that are rows: all rows one after another."""
    if len(parts) == 1:
        return parts[0]
    of_one_type = len({str(part.indices.dtype) for part in parts}) == 1
    indices = [part.indices if of_one_type else cast(part.indices, "int64") for part in parts]
    return IndexedSlices(concat([part.values for part in parts], 0), concat(indices, 0), parts[0].dense_shape)


def _all(types: Iterable[str], rule: Callable[..., IndexedSlices]) -> dict[str, Callable[..., IndexedSlices]]:
    return dict.fromkeys(types, rule)


_CONCATS = frozenset({"Concat", "ConcatV2"})

# The types that hand rows on only where no axis is broadcast, and the sizes are known.
_SHAPED = frozenset({"Add", "AddV2", "Sub", *_CONCATS})

_HANDED_ON = {
    **_all(
        ("Add", "AddN", "AddV2", "EnsureShape", "Identity", "IdentityN", "PlaceholderWithDefault", "Print"), _as_it_is
    ),
    **_all(("ReadVariableOp",), _as_it_is),
    **_all(("Cast",), _of_cast),
    **_all(("Neg",), _negative),
    **_all(("Sub",), _of_difference),
    **_all(_CONCATS, _of_joined),
}
