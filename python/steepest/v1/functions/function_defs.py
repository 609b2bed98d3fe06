"""What a function of a graph says of itself: signature, nodes and attributes, as TensorFlow's messages have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..graph.attr_values import AttrValue
from ..graph.graph import Graph
from ..graph.graph_def import FunctionDef, node_def_of
from ..graph.node import Operation, Tensor
from ..graph.op_defs import ArgDef, OpDef

__all__ = ["FunctionDef", "attribute_of", "definition_of", "graph_to_function_def", "stateful_among"]


def definition_of(
    name: str,
    description: str,
    arguments: Sequence[Tensor],
    made: Sequence[Operation],
    results: Sequence[Tensor],
    out_names: Sequence[str],
    options: Mapping[str, Any],
) -> FunctionDef:
    """Return the message for a body that was made of arguments."""
    inputs = [ArgDef(tensor.op.name, tensor.dtype.as_datatype_enum) for tensor in arguments]
    names = out_names or _distinct([tensor.op.name.rpartition("/")[2] for tensor in results])
    outputs = [ArgDef(each, tensor.dtype.as_datatype_enum) for each, tensor in zip(names, results, strict=True)]
    stateful = bool(stateful_among(made))
    signature = OpDef(name, inputs, outputs, is_stateful=stateful, description=description)
    attributes = {("_noinline" if key == "noinline" else key): _attribute(value) for key, value in options.items()}
    ret = {each: tensor.name for each, tensor in zip(names, results, strict=True)}
    return FunctionDef(signature, [node_def_of(op) for op in made], attributes, ret)


def stateful_among(made: Sequence[Operation]) -> list[tuple[str, str]]:
    """Return the names and types of the operations that have a state or an effect."""
    return [(op.name, op.type) for op in made if op.op_def.is_stateful]


def _distinct(names: Sequence[str]) -> list[str]:
    """Return names that differ: one that comes again gets a number."""
    found: list[str] = []
    for name in names:
        unique, number = name, 1
        while unique in found:
            unique, number = f"{name}_{number}", number + 1
        found.append(unique)
    return found


def _attribute(value: Any) -> AttrValue:
    """Return the attribute for a value; TypeError for one that is none."""
    if isinstance(value, bool):
        return AttrValue(b=value)
    if isinstance(value, int):
        return AttrValue(i=value)
    if isinstance(value, float):
        return AttrValue(f=value)
    if isinstance(value, str):
        return AttrValue(s=value.encode())
    raise TypeError(f"an attribute of a function must be a number, a truth value or a text, got {value!r:.80}")


def attribute_of(name: str, value: Any) -> AttrValue:
    """Return the attribute of a function for a value, or a list of values. Raises ValueError for what is none."""
    if isinstance(value, AttrValue):
        return value
    made = AttrValue()
    try:
        for each in value if isinstance(value, list) else ():
            part = _attribute(each)
            getattr(made.list, str(part.WhichOneof("value"))).append(part.content)
        return made if isinstance(value, list) else _attribute(value)
    except TypeError:
        raise ValueError(
            f"Attribute {name} must be bool, int, float, string, list, or AttrValue. Got {type(value)}."
        ) from None


def graph_to_function_def(
    graph: Graph,
    operations: Sequence[Operation],
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor],
    out_names: Any = (),
) -> FunctionDef:
    """Return the message for operations of a graph as the body of a function; those that make inputs are no part of it.

    Raises ValueError for a wrong number of names.
    """
    if out_names and len(out_names) != len(outputs):
        raise ValueError(
            f"Length of out_names ({len(out_names)}) does not match number of outputs ({len(outputs)}): {out_names!r}"
        )
    arguments = {tensor.op for tensor in inputs if len(tensor.op.outputs) == 1}
    body = [op for op in operations if op not in arguments]
    return definition_of("", "", inputs, body, outputs, out_names, {})
