"""Types of operations as TensorFlow's messages have them: inputs, results, attributes."""

from __future__ import annotations

from .attr_values import AttrValue
from .data_types import DATA_TYPE
from .messages import Field, Message

__all__ = ["ArgDef", "AttrDef", "OpDef", "OpDeprecation", "OpList"]


class ArgDef(Message):
    """An input or a result of a type of operation. Source: ``OpDef.ArgDef``."""

    FIELDS = (
        Field("name", 1, "string"),
        Field("type", 3, DATA_TYPE),
        Field("description", 2, "string"),
        Field("type_attr", 4, "string"),
        Field("number_attr", 5, "string"),
        Field("type_list_attr", 6, "string"),
        Field("is_ref", 16, "bool"),
    )


class AttrDef(Message):
    """An attribute of a type of operation. Source: ``OpDef.AttrDef``."""

    FIELDS = (
        Field("name", 1, "string"),
        Field("type", 2, "string"),
        Field("default_value", 3, AttrValue),
        Field("description", 4, "string"),
        Field("has_minimum", 5, "bool"),
        Field("minimum", 6, "int64"),
        Field("allowed_values", 7, AttrValue),
    )


class OpDeprecation(Message):
    """From which version of the form of graphs on there is no such type of operation, and why."""

    FIELDS = (Field("version", 1, "int32"), Field("explanation", 2, "string"))


class OpDef(Message):
    """A type of operation: its name, its inputs, results and attributes. Source: ``op_def_pb2.OpDef``."""

    ArgDef, AttrDef = ArgDef, AttrDef
    FIELDS = (
        Field("name", 1, "string"),
        Field("input_arg", 2, ArgDef, repeated=True),
        Field("output_arg", 3, ArgDef, repeated=True),
        Field("attr", 4, AttrDef, repeated=True),
        Field("deprecation", 8, OpDeprecation),
        Field("summary", 5, "string"),
        Field("description", 6, "string"),
        Field("is_aggregate", 16, "bool"),
        Field("is_stateful", 17, "bool"),
        Field("is_commutative", 18, "bool"),
        Field("allows_uninitialized_input", 19, "bool"),
        Field("control_output", 20, "string", repeated=True),
    )


class OpList(Message):
    """Several types of operations. Source: ``op_def_pb2.OpList``."""

    FIELDS = (Field("op", 1, OpDef, repeated=True),)
