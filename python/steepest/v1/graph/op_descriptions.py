"""What an operation says of itself beside its inputs: its type's signature, and where the program made it."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterable
from types import CodeType
from typing import Any

from .op_defs import ArgDef, OpDef

__all__ = ["lines_of", "lines_with_starts", "op_def_of", "places_of_callers"]

_LIBRARY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_DEEPEST = 64  # calls; a program that nests deeper is told the innermost ones

# The names of inputs where TensorFlow's are none of "x" and "y", "input"; the last stands for all that follow.
_INPUTS = {
    "MatMul": ("a", "b"),
    "BatchMatMul": ("x", "y"),
    "Cast": ("x",),
    "Concat": ("values", "axis"),
    "ConcatV2": ("values", "axis"),
    "Fill": ("dims", "value"),
    "Gather": ("params", "indices"),
    "GatherV2": ("params", "indices", "axis"),
    "Pack": ("values",),
    "Reshape": ("tensor", "shape"),
    "Softmax": ("logits",),
    "Transpose": ("x", "perm"),
}
_OF_INPUT = (
    "Identity",
    "Sum",
    "Mean",
    "Max",
    "Min",
    "Prod",
    "Shape",
    "Size",
    "Rank",
    "Squeeze",
    "ExpandDims",
    "StopGradient",
)
_STATEFUL = ("Assert", "Print", "PyFunc", "Queue", "Random", "TruncatedNormal", "random_", "VarHandleOp", "Variable")


def op_def_of(op: Any) -> OpDef:
    """Return the signature of an operation's type, as far as one operation of it tells."""
    if op.definition is not None and op.definition[0] is not None:
        known: OpDef = op.definition[0]
        return known
    taken = op.inputs
    names = _INPUTS.get(op.type) or (("input",) if op.type in _OF_INPUT else ("x", "y", "z", "w"))
    inputs = [ArgDef(names[min(k, len(names) - 1)], _number(tensor)) for k, tensor in enumerate(taken)]
    outputs = [
        ArgDef("output" if len(op.outputs) == 1 else f"output{k}", _number(tensor))
        for k, tensor in enumerate(op.outputs)
    ]
    stateful = op.writes or op.type.startswith(_STATEFUL) or op.type.endswith("QueueV2")
    stateful = stateful and op.type != "PyFuncStateless"
    return OpDef(op.type, inputs, outputs, is_stateful=bool(stateful))


def _number(tensor: Any) -> int:
    number: int = tensor.dtype.as_datatype_enum
    return number


def places_of_callers(frame: Any) -> list[tuple[CodeType, int]]:
    """Return which code calls a frame and at which instruction, the innermost first; `lines_of` finds the lines."""
    found: list[tuple[CodeType, int]] = []
    while frame is not None and len(found) < _DEEPEST:
        found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return found


def lines_of(places: Iterable[tuple[CodeType, int]]) -> traceback.StackSummary:
    """Return the calls, the outermost first, up to where the program calls this library."""
    lines = [traceback.FrameSummary(code.co_filename, _line(code, at), code.co_name) for code, at in _calls(places)]
    return traceback.StackSummary.from_list(lines)


def lines_with_starts(places: Iterable[tuple[CodeType, int]]) -> list[tuple[Any, ...]]:
    """Return the calls of `lines_of`, each with the line in which its function begins behind it."""
    calls = _calls(places)
    return [(*line, code.co_firstlineno) for line, (code, _) in zip(lines_of(places), calls, strict=True)]


def _calls(places: Iterable[tuple[CodeType, int]]) -> list[tuple[CodeType, int]]:
    """Return the calls of the program, the outermost first."""
    calls = list(places)
    while len(calls) > 1 and calls[0][0].co_filename.startswith(_LIBRARY):
        del calls[0]
    return calls[::-1]


def _line(code: CodeType, instruction: int) -> int:
    """Return the line of an instruction. Frames know theirs, but searching a long function at every node takes time."""
    lines = (line for start, end, line in code.co_lines() if start <= instruction < end)
    return next(lines, None) or code.co_firstlineno
