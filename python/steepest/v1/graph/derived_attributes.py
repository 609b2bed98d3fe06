"""Attributes that follow from how many inputs and results an operation has, and from their types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .attr_values import AttrValue

__all__ = ["derived"]


def _type_of(tensor: Any) -> AttrValue:
    return AttrValue(type=tensor.dtype.base_dtype.as_datatype_enum)


def _input_type(op: Any) -> AttrValue:
    return _type_of(op.inputs[0])


def _result_type(op: Any) -> AttrValue:
    return _type_of(op.outputs[0])


def _inputs(op: Any) -> AttrValue:
    return AttrValue(i=len(op.inputs))


def _results(op: Any) -> AttrValue:
    return AttrValue(i=len(op.outputs))


_DERIVED: dict[str, dict[str, Callable[[Any], AttrValue]]] = {
    "AddN": {"N": _inputs},
    "ArgMax": {"output_type": _result_type},
    "ArgMin": {"output_type": _result_type},
    "Cast": {"SrcT": _input_type, "DstT": _result_type},
    "ConcatV2": {"N": _inputs},  # the axis is none of them
    "Gather": {"Tparams": _input_type},
    "GatherNd": {"Tparams": _input_type},
    "GatherV2": {"Tparams": _input_type},
    "Pack": {"N": _inputs},
    "Shape": {"out_type": _result_type},
    "ShapeN": {"out_type": _result_type, "N": _inputs},
    "Size": {"out_type": _result_type},
    "Split": {"num_split": _results},
    "SplitV": {"num_split": _results},
    "Unpack": {"num": _results},
}


def derived(op: Any) -> dict[str, AttrValue]:
    """Return such attributes of an operation, by name."""
    made = _DERIVED.get(op.type, {})
    found = {name: value(op) for name, value in made.items()}
    if op.outputs and (not op.inputs or "andom" in op.type or op.type == "TruncatedNormal"):
        found["dtype"] = _result_type(op)
    elif op.inputs and not made.keys() & {"SrcT", "Tparams"}:
        found["T"] = _input_type(op)
    return found
