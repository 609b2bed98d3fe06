"""Attributes of operations of defined types: what a program gives, checked and as messages."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import log as logging
from ..graph.array_protos import TensorProto
from ..graph.attr_values import AttrValue, NameAttrList
from ..graph.dtypes import as_dtype
from ..graph.graph import get_default_graph
from ..graph.op_defs import AttrDef
from ..graph.shape_protos import TensorShapeProto
from ..graph.shapes import TensorShape

__all__ = ["check_type", "checked_attribute"]


def checked_attribute(op_type: str, attr: AttrDef, value: Any) -> AttrValue:
    """Return the message for what is given for an attribute; its default for None.

    Raises TypeError for a value of another kind, ValueError for one that the definition does not allow.
    """
    name = attr.name
    if value is None and attr.HasField("default_value"):
        made = AttrValue()
        made.CopyFrom(attr.default_value)
        return made
    kind = attr.type.removeprefix("list(").removesuffix(")")
    if kind not in _MAKERS:
        raise TypeError(f"Unrecognized Attr type {attr.type}")
    field, make = _MAKERS[kind]
    if attr.type == kind:
        made = AttrValue(**{field: make(value, attr)})
        if attr.has_minimum and kind == "int" and made.i < attr.minimum:
            raise ValueError(f"Attr '{name}' of '{op_type}' Op passed {made.i} less than minimum {attr.minimum}.")
    else:
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"Expected list for attr {name}, obtained {type(value).__name__} instead.")
        if attr.has_minimum and len(value) < attr.minimum:
            raise ValueError(
                f"Attr '{name}' of '{op_type}' Op passed list of length {len(value)} less than minimum {attr.minimum}."
            )
        made = AttrValue(list=AttrValue.ListValue(**{field: [make(each, attr) for each in value]}))
    if kind == "string" and attr.HasField("allowed_values"):
        allowed = attr.allowed_values.list.s
        for text in made.list.s if made.HasField("list") else [made.s]:
            if text not in allowed:
                shown = '", "'.join(each.decode() for each in allowed)
                raise ValueError(
                    f"Attr '{name}' of '{op_type}' Op passed string '{text.decode()}' not in: \"{shown}\"."
                )
    return made


def check_type(number: Any, attr: AttrDef, name: str) -> None:
    """Raise TypeError for a type that the definition of an attribute does not allow."""
    allowed = [as_dtype(each) for each in attr.allowed_values.list.type]
    if attr.HasField("allowed_values") and as_dtype(number) not in allowed:
        raise TypeError(
            f"Value passed to parameter '{name}' has DataType {as_dtype(number).name} not in list of allowed values: "
            f"{', '.join(each.name for each in allowed)}"
        )


def _refused(kind: str, attr: AttrDef, value: Any) -> TypeError:
    return TypeError(f"Expected {kind} for argument '{attr.name}' not {value!r}.")


def _int(value: Any, attr: AttrDef) -> int:
    try:
        if not isinstance(value, str):
            return int(value)
    except (TypeError, ValueError):
        pass
    raise _refused("int", attr, value)


def _float(value: Any, attr: AttrDef) -> float:
    if not isinstance(value, (numbers.Real, np.integer, np.floating)):
        raise _refused("float", attr, value)
    return float(value)


def _bool(value: Any, attr: AttrDef) -> bool:
    if not isinstance(value, bool):
        raise _refused("bool", attr, value)
    return value


def _string(value: Any, attr: AttrDef) -> bytes:
    if not isinstance(value, (str, bytes)):
        raise _refused("string", attr, value)
    return value.encode() if isinstance(value, str) else value


def _type(value: Any, attr: AttrDef) -> int:
    try:
        dtype = as_dtype(value).base_dtype
    except TypeError:
        raise _refused("DataType", attr, value) from None
    check_type(dtype, attr, attr.name)
    number: int = dtype.as_datatype_enum
    return number


def _shape(value: Any, attr: AttrDef) -> TensorShapeProto:
    if isinstance(value, TensorShapeProto):
        if any(dim.name for dim in value.dim):
            logging.warning("Warning: TensorShapeProto with a named dimension: %s", str(value))
        return value
    try:
        return TensorShape(value).as_proto()
    except (TypeError, ValueError) as error:
        raise type(error)(f"Error converting {attr.name} to a TensorShape: {error}") from error


def _tensor(value: Any, attr: AttrDef) -> TensorProto:
    if not isinstance(value, TensorProto):
        raise TypeError(f"Don't know how to convert {value!r} to a TensorProto for argument '{attr.name}'")
    return value


def _function(value: Any, attr: AttrDef) -> NameAttrList:
    if isinstance(value, NameAttrList):
        return value
    if isinstance(value, (str, bytes)):
        return NameAttrList(value.decode() if isinstance(value, bytes) else value)
    if not hasattr(value, "add_to_graph"):
        raise TypeError(f"Don't know how to convert {value} to a func for argument {attr.name}")
    value.add_to_graph(get_default_graph())
    return NameAttrList(value.name)


_MAKERS: dict[str, tuple[str, Callable[[Any, AttrDef], Any]]] = {
    "int": ("i", _int),
    "float": ("f", _float),
    "bool": ("b", _bool),
    "string": ("s", _string),
    "type": ("type", _type),
    "shape": ("shape", _shape),
    "tensor": ("tensor", _tensor),
    "func": ("func", _function),
}
