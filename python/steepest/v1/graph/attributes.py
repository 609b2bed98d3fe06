"""The attributes of an operation as TensorFlow's messages have them."""

from __future__ import annotations

from typing import Any

from .attr_values import AttrValue, ListValue, NameAttrList
from .branches import function_names
from .derived_attributes import derived
from .dtypes import DType
from .shapes import TensorShape
from .tensor_protos import make_tensor_proto

__all__ = ["attributes_of"]


def attributes_of(op: Any, add_shapes: bool = False) -> dict[str, AttrValue]:
    """Return the attributes of an operation: its types, a constant's value, a placeholder's shape, where it is.

    ``add_shapes`` adds the static shapes of its results.
    """
    is_handle = "container" in op._attributes and "owner" not in op._attributes
    if op.definition is not None:  # as it was made
        found = dict(op.definition[1])
    elif is_handle:  # what stands for a queue or the like: its type says nothing of itself
        found = {name: _value_of(given) for name, given in op._attributes.items() if not name.startswith("_")}
    else:
        found = {name: AttrValue(s=text) for name, text in op._attributes.items() if isinstance(text, bytes)}
    if op._attributes.get("_has_manual_control_dependencies"):
        found["_has_manual_control_dependencies"] = AttrValue(b=True)
    if near := op._attributes.get("_class"):
        found["_class"] = AttrValue(list=ListValue(s=list(near)))
    if add_shapes and op.outputs:
        found["_output_shapes"] = AttrValue(list=ListValue(shape=[out.shape.as_proto() for out in op.outputs]))
    first = (op.outputs or op.inputs)[:1]
    if not first or op.definition is not None or is_handle:
        return found
    found.update(derived(op))
    found.update({name: AttrValue(func=NameAttrList(part)) for name, part in function_names(op).items()})
    if op.type == "Const":
        found["value"] = AttrValue(tensor=make_tensor_proto(op._attributes["value"], first[0].dtype.base_dtype))
    elif op.type.startswith(("Placeholder", "Variable", "VarHandle")):
        found["shape"] = AttrValue(shape=first[0].shape.as_proto())
        if "container" in found:
            found["shared_name"] = AttrValue(s=b"")
    return found


def _value_of(given: Any) -> AttrValue:
    """Return what an operation was made with as an attribute."""
    if isinstance(given, list):
        types = [each.as_datatype_enum for each in given if isinstance(each, DType)]
        shapes = [each.as_proto() for each in given if isinstance(each, TensorShape)]
        return AttrValue(list=ListValue(type=types, shape=shapes))
    if isinstance(given, DType):
        return AttrValue(type=given.as_datatype_enum)
    if isinstance(given, TensorShape):
        return AttrValue(shape=given.as_proto())
    if isinstance(given, bool):
        return AttrValue(b=given)
    if isinstance(given, float):
        return AttrValue(f=given)
    return AttrValue(s=given) if isinstance(given, bytes) else AttrValue(i=given)
