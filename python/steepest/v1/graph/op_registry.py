"""Types of operations that are known by their definitions: what their inputs, results and attributes are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .attr_values import AttrValue
from .dtypes import as_dtype
from .op_defs import ArgDef, OpDef, OpList

__all__ = ["defined", "get_registered_ops", "python_value", "register_op_list", "types_of", "with_defaults"]

_known: dict[str, OpDef] = {}


def register_op_list(op_list: OpList) -> None:
    """Make types of operations known. Raises TypeError for what is no list of them.

    Source: ``op_def_registry.register_op_list``.
    """
    if not isinstance(op_list, OpList):
        raise TypeError(f"{op_list} is {type(op_list)}, not an op_def_pb2.OpList")
    for op_def in op_list.op:
        _known.setdefault(op_def.name, op_def)


def get_registered_ops() -> dict[str, OpDef]:
    """Return the known definitions by name. Source: ``op_def_registry.get_registered_ops``."""
    return _known


def defined(name: str) -> OpDef | None:
    """Return the definition of a type of operation, None where it has none."""
    return _known.get(name)


def with_defaults(op_def: OpDef, attributes: Mapping[str, AttrValue]) -> dict[str, AttrValue]:
    """Return attributes of an operation with those besides that have a default.

    Raises ValueError where one that has none is not given.
    """
    found = dict(attributes)
    for attr in op_def.attr:
        if attr.name not in found and not attr.HasField("default_value"):
            raise ValueError(f"NodeDef missing attr '{attr.name}' from Op<name={op_def.name}>")
        found.setdefault(attr.name, attr.default_value)
    return found


def types_of(args: Iterable[ArgDef], attributes: Mapping[str, AttrValue]) -> list[Any]:
    """Return the types of inputs or results of an operation with these attributes."""
    found: list[Any] = []
    for arg in args:
        if arg.type_list_attr:
            types = list(attributes[arg.type_list_attr].list.type)
        else:
            one = attributes[arg.type_attr].type if arg.type_attr else arg.type
            types = [one] * (attributes[arg.number_attr].i if arg.number_attr else 1)
        dtypes = [as_dtype(each) for each in types]
        found += [dtype.reference() if arg.is_ref else dtype for dtype in dtypes]
    return found


def python_value(value: Any) -> Any:
    """Return what ``Operation.get_attr`` gives for an attribute; what is no message is given back."""
    if not isinstance(value, AttrValue):
        return value
    kind = value.WhichOneof("value")
    if kind == "list":
        filled = [(field.name, given) for field, given in value.list.ListFields()]
        return [as_dtype(each) if name == "type" else each for name, given in filled[:1] for each in given]
    return as_dtype(value.type) if kind == "type" else value.content
