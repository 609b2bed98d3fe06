"""``op_def_library``: operations made of definitions, by the names of their inputs and attributes."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from ..graph.node import Operation
from ..graph.op_defs import OpDef, OpList
from ..graph.op_registry import defined
from ..graph.same_graph import _get_graph_from_inputs
from ..graph.scopes import colocate_with, name_scope
from .op_attributes import checked_attribute
from .op_inputs import Inputs, attr_named

__all__ = ["OpDefLibrary", "apply_op"]


class OpDefLibrary:
    """Definitions of operations, of which `apply_op` makes operations. Source: ``op_def_library.OpDefLibrary``."""

    def __init__(self) -> None:
        self._ops: dict[str, OpDef] = {}

    def add_op(self, op_def: OpDef) -> None:
        """Take a definition.

        Raises TypeError for what is none and for one that contradicts itself, ValueError for one without a name,
        RuntimeError for a name that is there.
        """
        if not isinstance(op_def, OpDef):
            raise TypeError(f"{op_def} is {type(op_def)}, not an op_def_pb2.OpDef")
        if not op_def.name:
            raise ValueError(f"{op_def} missing name.")
        if op_def.name in self._ops:
            raise RuntimeError(f"Op name {op_def.name} registered twice.")
        _check(op_def)
        self._ops[op_def.name] = op_def

    def add_op_list(self, op_list: OpList) -> None:
        """Take several definitions."""
        if not isinstance(op_list, OpList):
            raise TypeError(f"{op_list} is {type(op_list)}, not an op_def_pb2.OpList")
        for op_def in op_list.op:
            self.add_op(op_def)

    def apply_op(self, op_type_name: str, name: str | None = None, **keywords: Any) -> Any:
        """Make an operation: inputs and attributes are given by their names, with ``_`` behind Python's own words.

        Returns its results, in lists where the definition has lists; the operation where there are none. Raises
        RuntimeError for an unknown name, TypeError and ValueError for what the definition does not allow.
        """
        op_def = self._ops.get(op_type_name)
        if op_def is None:
            raise RuntimeError(f"Unrecognized Op name {op_type_name}")
        return made_of(op_def, name, keywords)


def apply_op(op_type_name: str, name: str | None = None, **keywords: Any) -> Any:
    """Do what `OpDefLibrary.apply_op` does, for an operation whose definition is known everywhere."""
    op_def = defined(op_type_name)
    if op_def is None:
        raise RuntimeError(f"Unrecognized Op name {op_type_name}")
    return made_of(op_def, name, keywords)


def made_of(op_def: OpDef, name: str | None, keywords: dict[str, Any]) -> Any:
    """Return what an operation of a definition gives."""
    values = [each for given in keywords.values() for each in (given if isinstance(given, (list, tuple)) else [given])]
    graph = _get_graph_from_inputs(values)
    with graph.as_default(), name_scope(name or op_def.name) as scope, ExitStack() as stack:
        inputs = Inputs(op_def)
        for arg in op_def.input_arg:
            word = _word(arg.name, keywords, "No argument for input {}")
            inputs.take(arg, word, keywords.pop(word))
        attributes, absent = inputs.attributes, f"No argument found for attr {{}} for {op_def.name}"
        for attr in op_def.attr:
            if attr.name not in attributes:
                attributes[attr.name] = keywords.pop(_word(attr.name, keywords, absent))
            elif attr.name in keywords:
                raise TypeError(f"Should not specify value for inferred attr '{attr.name}' for {op_def.name}.")
        attrs = {attr.name: checked_attribute(op_def.name, attr, attributes[attr.name]) for attr in op_def.attr}
        if keywords:
            raise TypeError(f"{op_def.name} got unexpected keyword arguments: {', '.join(sorted(keywords))}")
        for tensor in inputs.references:
            stack.enter_context(colocate_with(tensor))
        op = graph.create_op(op_def.name, inputs.tensors, name=scope, attrs=attrs, op_def=op_def)
    return _structured(op_def, attrs, op)


def _word(name: str, keywords: dict[str, Any], absent: str) -> str:
    """Return by which word an argument was given. Raises TypeError, in the words of ``absent``, for none."""
    for word in (name, f"{name}_"):
        if word in keywords:
            return word
    raise TypeError(absent.format(name))


def _structured(op_def: OpDef, attrs: dict[str, Any], op: Operation) -> Any:
    found: list[Any] = []
    at = 0
    for arg in op_def.output_arg:
        several = bool(arg.number_attr or arg.type_list_attr)
        count = attrs[arg.number_attr].i if arg.number_attr else 1
        count = len(attrs[arg.type_list_attr].list.type) if arg.type_list_attr else count
        found.append(op.outputs[at : at + count] if several else op.outputs[at])
        at += count
    if not found or (found == [[]] and op_def.is_stateful):
        return op
    return found[0] if len(found) == 1 else tuple(found)


def _check(op_def: OpDef) -> None:
    """Raise TypeError for a definition whose inputs or results are not of one kind, or of attributes that it lacks."""
    for arg in [*op_def.input_arg, *op_def.output_arg]:
        count = sum(map(bool, (arg.type, arg.type_attr, arg.type_list_attr)))
        if count != 1:
            raise TypeError(f"Arg '{arg.name}' of '{op_def.name}' must have one type field not {count}")
        for part, kind in (("type_attr", "type"), ("type_list_attr", "list(type)"), ("number_attr", "int")):
            name = getattr(arg, part)
            given = attr_named(op_def, name).type if name else kind
            if given != kind:
                raise TypeError(f"Attr '{name}' of '{op_def.name}' used as a {part} but has type {given}")
