"""On which tensors a gradient itself depends: those that derivatives read, and not all that are on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph.node import Operation, Tensor

__all__ = ["read_by_gradient"]

_LINEAR = frozenset(
    {"Add", "AddV2", "AddN", "BiasAdd", "BroadcastTo", "Cast", "Concat", "ConcatV2", "Cumsum", "DynamicPartition"}
    | {"DynamicStitch", "ExpandDims", "Fill", "Gather", "GatherNd", "GatherV2", "Identity", "IdentityN", "Max"}
    | {"Maximum", "Mean", "Min", "Minimum", "MirrorPad", "Neg", "Pack", "Pad", "PadV2", "PlaceholderWithDefault"}
    | {"Reshape", "ReverseV2", "ScatterNd", "SegmentSum", "Select", "Slice", "Split", "SplitV", "Squeeze"}
    | {"StridedSlice", "Sub", "Sum", "Tile", "Transpose", "Unpack", "UnsortedSegmentSum", "clip_by_value"}
    | {"Cond", "LoopInput", "Merge", "ReadVariableOp", "Switch", "While"}
)
"""Types of operations whose derivatives read no numbers that they take or give, or only compare them."""

_FACTORS = ((1,), (0,))
_READ = {
    "BatchMatMul": _FACTORS,
    "BatchMatMulV2": _FACTORS,
    "MatMul": _FACTORS,
    "Mul": _FACTORS,
    "RealDiv": ((1,), (0, 1)),
}
"""For types of two operands: the positions of those that the derivative by the first, and by the second one, reads."""


def read_by_gradient(tensor: Tensor) -> Sequence[Tensor]:
    """Return the tensors from which a gradient, the result of a ``Gradients`` operation, is computed.

    Of types that are not known here these are all that an operation takes and gives: a gradient of the gradient may
    then be zeros where TensorFlow has none.
    """
    op = tensor.op
    between: frozenset[Operation] = op.get_attr("between")[tensor.value_index]
    run: Any = op.function
    sparse = getattr(run, "sparse", None)
    if sparse is None or any(each.type == "Gradients" for each in between):
        return op.operands
    places = [place for place, rows in enumerate(sparse) for _ in range(2 if rows else 1)]
    source = op.get_attr("sources")[places[tensor.value_index]]
    seeds_end = len(op.operands) - run.stops
    found = dict.fromkeys(op.operands[seeds_end - sum(run.seeded) : seeds_end])
    for each in between:
        if each.type in _LINEAR:
            continue
        taken = each.operands
        if len(taken) == 2 and each.type in _READ:
            by = [at for at, operand in enumerate(taken) if operand is source or operand.op in between]
            found.update((taken[position], None) for at in by for position in _READ[each.type][at])
        else:
            found.update(dict.fromkeys((*taken, *each.outputs)))
    return list(found)
