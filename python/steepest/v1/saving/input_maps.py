"""What stands for tensors of a graph that is imported: found by name, checked by type, and what shapes follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..graph.branches import branches_of
from ..graph.build import convert
from ..graph.dtypes import as_dtype, name_in_messages
from ..graph.graph import get_default_graph
from ..graph.node import Node, Operation, Tensor
from ..graph.scopes import name_scope
from ..graph.shape_inference import known_value, probe
from ..variables.variables import Variable

__all__ = ["Instead", "forget_shapes", "instead_of", "parsed", "text_of_name"]


@dataclass
class Instead:
    """What stands for tensors of a file, by operation and position, for operations, and for variables."""

    tensors: dict[tuple[str, int], Tensor] = field(default_factory=dict)
    waited: dict[str, Operation] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)


def text_of_name(given: Any) -> str | None:
    """Return a name as text, None for what is no name."""
    given = given.decode() if isinstance(given, bytes) else given
    return given if isinstance(given, str) else None


def parsed(name: str) -> tuple[str, int]:
    """Return the operation of a tensor's name and its position; ValueError for what is no such name."""
    op, colon, position = name.partition(":")
    if not colon:
        return name, 0
    if not position.isdecimal():
        raise ValueError(f"Cannot convert {name!r} to a tensor name.")
    return op, int(position)


def instead_of(content: dict[str, Any], input_map: Any, scope: str) -> Instead:
    """Return what an ``input_map`` puts for tensors of a file whose nodes are made under a scope.

    Raises TypeError for what is no map of names; ValueError for names that the file does not have, for a tensor of
    another type than its users take, and for values that are no tensors where there is no scope for them.
    """
    names = [text_of_name(each) for each in input_map] if isinstance(input_map, Mapping) else [None]
    if None in names:
        told = f"Argument `input_map` must be a dictionary. Obtained {type(input_map).__name__}"
        raise TypeError(f"{told}: input_map must be a dictionary mapping strings to Tensor objects.")
    values = list(input_map.values())
    if not scope and not all(isinstance(value, Tensor) for value in values):
        raise ValueError(
            "tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor values. Try calling "
            "tf.convert_to_tensor() on `input_map` values before calling tf.import_graph_def()."
        )
    known = {entry["name"]: entry["outputs"] for entry in _entries(content)}
    missing = [name for name in names if name is not None and not _has(known, name)]
    if missing:
        raise ValueError(f"Attempted to map inputs that were not found in graph_def: [{', '.join(missing)}]")
    found = Instead()
    with name_scope(f"{scope}_inputs/" if scope else None):
        for name, value in zip(names, values, strict=True):
            assert name is not None
            tensor = (
                get_default_graph().as_graph_element(value) if isinstance(value, Node) else convert(value)._tensor()
            )
            if name.startswith("^"):
                found.waited[name[1:]] = tensor.op
            else:
                found.tensors[parsed(name)] = tensor
    _check_types(content, found, scope)
    return found


def _entries(content: Mapping[str, Any]) -> list[Any]:
    """Return the operations of a content, and those outside of which they take something."""
    return [*content["operations"], *content.get("unbound", ())]


def _has(known: Mapping[str, Any], name: str) -> bool:
    op, position = parsed(name.removeprefix("^"))
    return op in known and (name.startswith("^") or position < len(known[op]))


def _check_types(content: dict[str, Any], instead: Instead, scope: str) -> None:
    dtypes = {
        (entry["name"], position): as_dtype(dtype).base_dtype
        for entry in _entries(content)
        for position, (dtype, _) in enumerate(entry["outputs"])
    }
    for entry in content["operations"]:
        for number, (name, position) in enumerate(entry["inputs"]):
            tensor = instead.tensors.get((name, position))
            if tensor is not None and tensor.dtype.base_dtype != dtypes[name, position]:
                raise ValueError(
                    f"Input {number} of node {scope}{entry['name']} was passed "
                    f"{name_in_messages(tensor.dtype.base_dtype)} from "
                    f"{tensor.name} incompatible with expected "
                    f"{name_in_messages(dtypes[name, position])}."
                )


def forget_shapes(content: dict[str, Any], instead: Instead, operations: Mapping[str, Operation]) -> None:
    """Find the shapes anew of what is computed from tensors of other shapes than those for which they stand.

    Where functions cannot tell, shapes are forgotten: where only the first sizes differ, those of batches, only these,
    elsewhere all sizes, and with another number of dimensions the whole shape.
    """
    if not instead.tensors:
        return
    entries = {entry["name"]: entry for entry in _entries(content)}
    changed: dict[Tensor, int] = {}
    for (name, position), tensor in instead.tensors.items():
        if name not in entries:  # the message lacks it
            continue
        known = _known(entries[name]["outputs"][position][1], tensor._shape)
        if known is None and tensor.dtype.is_integer and entries[name]["type"] == "Const":
            known = _RANK  # it may have said sizes
        if known is not None:
            changed[tensor] = known
    for entry in content["operations"]:
        op = operations[entry["name"]]
        if op.type != "Shape" and not all(tensor.op.folded_calls for tensor in op.operands):
            op.folded_calls = 0  # a constant may be none any more
        sources = [*op.operands, *(each for branch in branches_of(op) for each in branch.results)]
        forgotten = [changed[each] for each in sources if isinstance(each, Tensor) and each in changed]
        anew = _anew(op) if forgotten else None
        for output in op.outputs if forgotten else ():
            changed[output] = min(forgotten)
            output._shape = _less(output._shape, min(forgotten)) if anew is None else anew


def _anew(op: Operation) -> Any:
    """Return the shape of numbers that an operation computes of small arrays alone, None where it is not found."""
    function = op.function
    if function is None or op.contextual or op.writes or branches_of(op) or len(op.outputs) != 1:
        return None
    sizes = any(tensor.dtype.is_integer and known_value(tensor) is None for tensor in op.operands)
    if sizes or not op.outputs[0].dtype.is_floating:
        return None
    try:
        return probe(op.name, op.type, function, op.operands, op.outputs[0].dtype)[1]
    except ValueError:
        return None


# What is still known of shapes: none, the number of sizes, all sizes but the first, or all.
_NOTHING, _RANK, _ROWS, _ALL = range(4)


def _known(before: Any, now: Any) -> int | None:
    """Return what shapes tell that were found for one shape where another has come, None where all still holds."""
    if before is None:
        return None
    if now is None or len(now) != len(before):
        return _NOTHING
    differ = [k for k, (old, new) in enumerate(zip(before, now, strict=True)) if old is not None and old != new]
    if differ:
        return _ROWS if differ == [0] else _RANK
    return _ALL if tuple(now) != tuple(before) else None


def _less(shape: Any, known: int) -> Any:
    if shape is None or known == _NOTHING:
        return None
    if known == _ALL:
        return shape
    return (None,) * len(shape) if known == _RANK else (None, *shape[1:])[: len(shape)]
