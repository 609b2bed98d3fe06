"""Functions of ``tf.contrib.framework`` on graphs: Python functions of nests, placeholders, the global step."""

from __future__ import annotations

from typing import Any

from .. import nest
from ..graph.graph import Graph
from ..ops.script_ops import py_func as flat_py_func
from ..train import assert_global_step, get_global_step

__all__ = ["assert_or_get_global_step", "get_placeholders", "py_func"]


def py_func(
    func: Any,
    args: Any = (),
    kwargs: Any = None,
    output_types: Any = None,
    output_shapes: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Return what a Python function gives for arrays, when a session runs: nests of tensors of known types.

    Args:
        func: takes arrays in the structure of ``args`` and ``kwargs``, and gives them in that of ``output_types``.
        args: a list of tensors, and nests of them.
        kwargs: a dict of tensors, and nests of them.
        output_types: a nest of types, or a function of the tensors that gives one.
        output_shapes: the nest of shapes, or a function; by default they are not known.
        stateful: whether the function has effects.
        name: of the operation.

    Raises TypeError for arguments that are no list, and no dict; ValueError, in a run, for another structure.

    Source: ``tf.contrib.framework.py_func``.
    """
    kwargs = {} if kwargs is None else kwargs
    for what, given, kinds in (("args", args, (list, tuple)), ("kwargs", kwargs, (dict,))):
        if not isinstance(given, kinds):
            wanted = "list" if what == "args" else "dict"
            raise TypeError(f"{what} must be {wanted} and not {type(given)}. args: {given}")
    types = output_types(*args, **kwargs) if callable(output_types) else output_types
    shapes = output_shapes(*args, **kwargs) if callable(output_shapes) else output_shapes
    structure = [list(args), kwargs]

    def call(*values: Any) -> Any:
        positional, named = nest.pack_sequence_as(structure, list(values))
        result = func(*positional, **named)
        nest.assert_same_structure(types, result)
        return nest.flatten(result)

    found = flat_py_func(call, nest.flatten(structure), nest.flatten(types), stateful=stateful, name=name)
    if shapes is not None:
        for tensor, shape in zip(found, _up_to(types, shapes), strict=True):
            tensor.set_shape(shape)
    return nest.pack_sequence_as(types, found)


def _up_to(types: Any, shapes: Any) -> list[Any]:
    """Return what is in the places of the types, one after another; shapes may be lists themselves."""
    if isinstance(types, dict):
        return [each for key in sorted(types) for each in _up_to(types[key], shapes[key])]
    if isinstance(types, (list, tuple)):
        return [each for part, own in zip(types, shapes, strict=True) for each in _up_to(part, own)]
    return [shapes]


def get_placeholders(graph: Graph) -> list[Any]:
    """Return the placeholders of a graph. TypeError for what is none. Source: ``tf.contrib.framework``."""
    if not isinstance(graph, Graph):
        raise TypeError(f"Input graph needs to be a Graph: {graph}")
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


def assert_or_get_global_step(graph: Any = None, global_step_tensor: Any = None) -> Any:
    """Return a tensor that can be a global step: the one given, or else the graph's, None where there is none.

    Raises TypeError for one that cannot.
    """
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor
