"""``framework.test_ops``: the operations that tests of TensorFlow's core make; most have types, and no function."""

from __future__ import annotations

import re
import time
from collections import namedtuple
from typing import Any

import numpy as np

from ..graph.devices import LOCAL_CPU
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.op_defs import ArgDef, AttrDef, OpDef, OpDeprecation, OpList
from ..graph.op_kernels import Kernel, register_kernel
from ..graph.op_registry import register_op_list
from ..graph.run_limits import check_time, end_of_run
from ..testing.proto_texts import message_of, parsed
from .op_def_library import OpDefLibrary, apply_op

# ``name inputs -> results | attributes``; ``N*T`` is a list of N of the type T, ``&`` takes or gives variables
# themselves, ``>=`` is the least, ``=`` the default and ``in`` what is allowed.
_DEFINITIONS = """
A -> out:float32
Attr | a:int
AttrBool | a:bool
AttrBoolList | a:list(bool)
AttrDefault | a:string = s: "banana"
AttrEmptyListDefault | a:list(float) = list {}
AttrEnum | a:string in s: ["apples", "oranges"]
AttrEnumList | a:list(string) in s: ["apples", "oranges"]
AttrFloat | a:float
AttrListDefault | a:list(int) = list { i: [5, 15] }
AttrListMin | a:list(int) >= 2
AttrListTypeDefault a:N*T b:N*T | T:type = type: DT_INT32 | N:int >= 1
AttrMin | a:int >= 5
AttrPartialShape | a:shape
AttrPartialShapeList | a:list(shape)
AttrShape | a:shape
AttrShapeList | a:list(shape)
AttrTypeDefault a:T | T:type = type: DT_INT32
B -> out:float32
Binary a:T b:T -> out:T | T:type
ComplexStruct -> a:n_a*int32 b:n_b*int64 c:t_c | n_a:int >= 0 | n_b:int >= 0 | t_c:list(type) >= 0
CopyOp a:T -> b:T | T:type
DevicePlacementOp -> device:string
DefaultAttrs | string_val:string = s: "abc" | string_list_val:list(string) = list { s: ["abc", ""] } \
| int_val:int = i: 123 | int_list_val:list(int) = list { i: [1, 2, 3] } | float_val:float = f: 10.0 \
| float_list_val:list(float) = list { f: 10.0 } | bool_val:bool = b: true \
| bool_list_val:list(bool) = list { b: [true, false] } \
| type_val:type = type: DT_INT32 | type_list_val:list(type) = list { type: [DT_INT32, DT_FLOAT] } \
| shape_val:shape = shape { dim { size: 2 } dim { size: 1 } } \
| shape_list_val:list(shape) = list { shape {} shape { dim { size: 1 } } } \
| tensor_val:tensor = tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 } \
| tensor_list_val:list(tensor) = list { tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 } }
FiveFloatOutputs -> a:float32 b:float32 c:float32 d:float32 e:float32
FloatInput a:float32
FloatOutput -> a:float32
FloatOutputStringOutput -> a:float32 b:string
Foo1 a:float32 b:int32 c:int32 -> d:float32 e:int32
Foo2 a:float32 b:string c:string -> d:float32 e:int32
Foo3 a:float32 b:string c:float32 -> d:float32 e:int32
FuncAttr | f:func
FuncListAttr | f:list(func)
GetDeadline -> deadline_from_epoch_micros:int64
GraphDefVersion -> version:int32
InPolymorphicTwice a:N*T b:M*T | T:type | N:int >= 0 | M:int >= 0
Int64Output -> out:int64
IntAttr -> out:int64 | foo:int = i: 1
IntInput a:int32
IntInputFloatInput a:int32 b:float32
IntInputIntOutput a:int32 -> b:int32
IntOutput -> a:int32
IntOutputFloatOutput -> a:int32 b:float32
KernelLabel -> result:string
KernelLabelRequired input:int32 -> result:string
ListInput a:N*T | N:int >= 1 | T:type
ListOutput -> a:T | T:list(type) >= 1
MixedStruct -> a:n_a*int32 b:float32 | n_a:int >= 0
NInPolymorphicTwice a:N*T b:N*T | T:type | N:int >= 0
NInTwice a:N*int32 b:N*string | N:int >= 0
NInTwoTypeVariables a:N*S b:N*T | S:type | T:type | N:int >= 0
NIntsIn a:N*int32 | N:int >= 2
NIntsOut -> a:N*int32 | N:int >= 2
NIntsOutDefault -> a:N*int32 | N:int >= 2 = i: 3
NPolymorphicIn a:N*T | T:type | N:int >= 2
NPolymorphicOut -> a:N*T | T:type | N:int >= 2
NPolymorphicOutDefault -> a:N*T | T:type = type: DT_BOOL | N:int >= 2 = i: 2
NPolymorphicRestrictIn a:N*T | T:type in type: [DT_STRING, DT_BOOL] | N:int >= 2
NPolymorphicRestrictOut -> a:N*T | T:type in type: [DT_STRING, DT_BOOL] | N:int >= 2
Namespace>TestStringOutput input:float32 -> output1:float32 output2:string
None
Old
OpWithDefaultAttr -> a:int32 | default_float:float = f: 123.0
OpWithFutureDefaultAttr
OutT -> a:T | T:type
OutTypeList -> out:T | T:list(type) >= 0
OutTypeListRestrict -> out:t | t:list(type) >= 1 in type: [DT_STRING, DT_BOOL]
Polymorphic a:T -> out:T | T:type
PolymorphicDefaultOut -> out:T | T:type = type: DT_STRING
PolymorphicOut -> out:T | T:type
RefIn a:&T | T:type
RefInputFloatInput a:&float32 b:float32
RefInputFloatInputIntOutput a:&float32 b:float32 -> c:int32
RefInputIntInput a:&int32 b:int32
RefOut -> a:&T | T:type
RefOutput -> a:&int32
RefOutputFloatOutput -> a:&float32 b:float32
ReservedAttr | range:int
ReservedInput input:int32
Restrict a:T -> out:T | T:type in type: [DT_STRING, DT_BOOL]
Simple a:int32 -> out:float32
SimpleStruct -> a:n_a*int32 | n_a:int >= 0
SleepOp sleep_seconds:int32
StringListAttr | a:list(string) | b:string
TestAttr -> out:T | T:type in type: [DT_FLOAT, DT_DOUBLE]
TestStringOutput input:float32 -> output1:float32 output2:string
TwoFloatInputs a:float32 b:float32
TwoFloatInputsFloatOutput a:float32 b:float32 -> c:float32
TwoFloatInputsIntOutput a:float32 b:float32 -> c:int32
TwoFloatOutputs -> a:float32 b:float32
TwoIntInputs a:int32 b:int32
TwoIntOutputs -> a:int32 b:int32
TwoRefsIn a:&T b:&T | T:type
TypeList a:T | T:list(type) >= 0
TypeListRestrict a:T | T:list(type) >= 1 in type: [DT_STRING, DT_BOOL]
TypeListTwice a:T b:T | T:list(type) >= 0
Unary a:T -> b:T | T:type
"""
_ATTR = re.compile(r"(?P<name>\w+):(?P<type>[a-z()]+)( >= (?P<least>\d+))?( = (?P<default>.*))?( in (?P<allowed>.*))?")


def _definition(line: str) -> OpDef:
    head, *attrs = line.split(" | ")
    inputs, _, results = head.partition("->")
    name, *args = inputs.split()
    found = [_attr(each.strip()) for each in attrs]
    lists = {attr.name for attr in found if attr.type == "list(type)"}
    both = ([_arg(each, lists) for each in given] for given in (args, results.split()))
    return OpDef(name, *both, found)


def _arg(text: str, lists: set[str]) -> ArgDef:
    name, _, kind = text.partition(":")
    count, _, kind = kind.rpartition("*")
    made = ArgDef(name, number_attr=count, is_ref=kind.startswith("&"))
    kind = kind.removeprefix("&")
    if kind in lists:
        made.type_list_attr = kind
    elif len(kind) == 1:
        made.type_attr = kind
    else:
        made.type = as_dtype(kind).as_datatype_enum
    return made


def _attr(text: str) -> AttrDef:
    found = _ATTR.fullmatch(text)
    assert found is not None
    made = AttrDef(found["name"], found["type"])
    if found["least"]:
        made.has_minimum, made.minimum = True, int(found["least"])
    values = {
        "default_value": found["default"],
        "allowed_values": found["allowed"] and f"list {{ {found['allowed']} }}",
    }
    for name, value in values.items():
        if value:
            getattr(made, name).CopyFrom(message_of(type(getattr(made, name)), parsed(value)))
    return made


def _maker(op_def: OpDef) -> Any:
    """Return the function that makes an operation, with its inputs, then its attributes, then its name as arguments."""
    given = [arg.name for arg in op_def.input_arg]
    told = {part for arg in op_def.input_arg for part in (arg.type_attr, arg.type_list_attr, arg.number_attr)}
    names = [*given, *(attr.name for attr in op_def.attr if attr.name not in told)]
    defaults = {attr.name: None for attr in op_def.attr if attr.HasField("default_value") and attr.name in names}

    results = [arg.name for arg in op_def.output_arg]
    kind = namedtuple(op_def.name.replace(">", ""), results) if len(results) > 1 else None

    def make(*args: Any, name: str | None = None, **keywords: Any) -> Any:
        given = {**defaults, **dict(zip(names, args, strict=False)), **keywords}
        made = apply_op(op_def.name, name, **given)
        return made if kind is None else kind(*made)

    return make


_ALL = OpList(op=[_definition(line) for line in _DEFINITIONS.replace("\\\n", "").strip().splitlines()])
register_op_list(_ALL)
_known = {each.name: each for each in _ALL.op}
_known["Old"].deprecation.CopyFrom(OpDeprecation(8, "For reasons"))


def _text_of(label: str) -> Any:
    return lambda graph: lambda: np.array(f"My label is: {label}".encode(), object)


def _sleep(seconds: Any) -> None:
    end, last = time.monotonic() + int(seconds), end_of_run()
    while (now := time.monotonic()) < end:
        if last is not None:
            check_time(last)
        time.sleep(min(end - now, 0.05))


def _deadline() -> Any:
    last = end_of_run()
    if last is None:
        raise InvalidArgumentError(None, None, "Deadline has not been set.")
    return np.int64((time.time() + last - time.monotonic()) * 1e6)


for _label in ("default", "overload_1", "overload_2"):
    register_kernel("KernelLabel", Kernel(_text_of(_label)), _label.replace("default", ""))
register_kernel("GraphDefVersion", Kernel(lambda graph: lambda: np.int32(graph.graph_def_versions.producer)))
register_kernel("GetDeadline", Kernel(lambda graph: _deadline))
register_kernel("SleepOp", Kernel(lambda graph: _sleep))
register_kernel("DevicePlacementOp", Kernel(lambda graph: lambda: np.array(LOCAL_CPU.encode(), object)))
register_kernel("Old", Kernel(lambda graph: lambda: None))
_op_def_lib = OpDefLibrary()
_op_def_lib.add_op_list(_ALL)
_MADE = {
    re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", each.name.replace(">", "")).lower(): _maker(each)
    for each in _ALL.op
}
__all__ = list(_MADE)
globals().update(_MADE)
