"""Control flow of a program's own: ``switch`` and ``merge``, and parts that run in rounds, of composites too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph.build import convert
from ..graph.composites import is_composite, parts_of, with_parts
from ..graph.nests import assert_same_structure
from ..graph.node import Node
from ..graph.scopes import colocate_with, name_scope
from . import switch_ops
from .internal_names import _as_indexed_slices
from .reference_ops import (
    is_reference,
    ref_enter,
    ref_exit,
    ref_identity,
    ref_merge,
    ref_next_iteration,
    ref_switch,
)
from .sparse_ops import convert_to_tensor
from .switch_ops import next_iteration

__all__ = ["_Enter", "_Identity", "_NextIteration", "_SwitchRefOrTensor", "exit", "merge", "switch"]


def switch(data: Any, pred: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Return two tensors: ``data`` is the second where ``pred`` is true, else the first. The other one is dead.

    What is computed from a dead tensor, and what waits for it, does not run, until `merge` takes it. ``data`` may be a
    composite: both results are then.

    Raises RuntimeError in eager mode; in a run InvalidArgumentError where a dead tensor is fetched.
    Source: ``control_flow_ops.switch``.
    """
    with name_scope(name, "Switch") as scope:
        if is_composite(data):
            pairs = [switch_ops.switch(part, pred) for part in parts_of(data)]
            return tuple(with_parts(data, list(parts)) for parts in zip(*pairs, strict=True))
        return switch_ops.switch(convert_to_tensor(data, dtype, "data"), pred, scope)


def merge(inputs: Sequence[Any], name: str | None = None) -> Any:
    """Return the one of several tensors that is not dead, and its position; where all are dead, both are.

    Composites must have the same parts; tensors among `IndexedSlices` become such.

    Raises ValueError where one is None. Source: ``control_flow_ops.merge``.
    """
    if any(each is None for each in inputs):
        raise ValueError(f"At least one of the merge inputs is None: {inputs}")
    with name_scope(name, "Merge") as scope:
        if not any(map(is_composite, inputs)):
            tensors = [each if isinstance(each, Node) else convert_to_tensor(each) for each in inputs]
            return (ref_merge if all(map(is_reference, tensors)) else switch_ops.merge)(tensors, scope)
        values = [each if is_composite(each) else _as_indexed_slices(convert_to_tensor(each)) for each in inputs]
        for value in values[1:]:
            assert_same_structure(values[0], value, expand_composites=True)
        found = [switch_ops.merge(parts) for parts in zip(*map(parts_of, values), strict=True)]
        return with_parts(values[0], [part for part, _ in found]), found[0].value_index


def exit(data: Any, name: str | None = None) -> Any:
    """Return the value that leaves a frame: that of the round in which it is not dead.

    Source: ``control_flow_ops.exit``.
    """
    if is_composite(data):
        return with_parts(data, [exit(part) for part in parts_of(data)])
    return ref_exit(data, name) if is_reference(data) else switch_ops.leave(data, name)


def _SwitchRefOrTensor(data: Any, pred: Any, name: str = "Switch") -> Any:
    """Do what `switch` does, near to ``data``, with a variable itself where it stands for one."""
    near = parts_of(data)[0] if is_composite(data) else data
    with colocate_with(near.op, ignore_existing=True):
        return ref_switch(data, pred, name) if is_reference(data) else switch(data, pred, name=name)


def _Identity(data: Any, name: str | None = None) -> Any:
    """Return the same tensor, variable or composite."""
    if is_composite(data):
        return with_parts(data, [_Identity(part) for part in parts_of(data)])
    return ref_identity(data, name)


def _NextIteration(data: Any, name: str | None = None) -> Any:
    """Do what `next_iteration` does, also with composites and variables themselves."""
    if is_composite(data):
        return with_parts(data, [_NextIteration(part) for part in parts_of(data)])
    return ref_next_iteration(data, name) if is_reference(data) else next_iteration(data, name)


def _Enter(
    data: Any,
    frame_name: str,
    is_constant: bool = False,
    parallel_iterations: int = 10,
    use_ref: bool = True,
    use_input_shape: bool = True,
    name: str | None = None,
) -> Any:
    """Do what `enter` does, also with composites and, if ``use_ref``, variables themselves."""
    options = frame_name, is_constant, parallel_iterations
    if is_composite(data):
        return with_parts(data, [_Enter(part, *options, use_ref, use_input_shape) for part in parts_of(data)])
    result = (
        ref_enter(data, *options, name) if use_ref and is_reference(data) else switch_ops.enter(data, *options, name)
    )
    if use_input_shape:
        result.set_shape(convert(data).get_shape())
    return result
