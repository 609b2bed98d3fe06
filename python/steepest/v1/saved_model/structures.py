"""Nests of specs, tensors and plain values as JSON has them: arguments and results of functions in a saved model."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...ops.dispatch import Operand
from ..functions.forms import Parts, parts_like
from ..functions.graph_functions import NotForFilesError
from ..graph.build import dtype_of
from ..graph.constants import constant
from ..graph.dtypes import as_dtype
from ..graph.graph import Graph, default_graphs_set_aside
from ..graph.node import Tensor
from ..graph.shapes import TensorShape
from ..ops.sparse_ops import SparseTensor
from ..ops.type_specs import TensorSpec
from ..saving.graph_values import Writing
from ..saving.graph_values_read import Reading
from ..variables.variable_spec import VariableSpec

__all__ = ["described", "made", "with_fields"]


def described(nest: Any) -> Any:
    """Return a nest as JSON has it: lists of a word and what belongs to it. NotForFilesError for other objects."""
    if isinstance(nest, Parts):
        if not isinstance(nest.whole.value, SparseTensor):
            raise NotForFilesError(f"a {type(nest.whole.value).__name__} cannot be an argument in a file")
        return ["sparse argument", [described(part) for part in nest.parts]]
    if isinstance(nest, SparseTensor):
        return ["sparse", [described(part) for part in (nest.indices, nest.values, nest.dense_shape)]]
    if isinstance(nest, TensorSpec):
        shape = None if nest.shape.dims is None else nest.shape.as_list()
        return ["spec", shape, nest.dtype.name, nest.name]
    if isinstance(nest, VariableSpec):
        shape = None if nest.shape.dims is None else nest.shape.as_list()
        return ["variable", shape, nest.dtype.name, nest.trainable, nest.alias_id]
    if isinstance(nest, Tensor):
        return ["tensor", nest.op.name, nest.value_index]
    if isinstance(nest, Mapping):
        return ["dict", [[described(key), described(item)] for key, item in nest.items()]]
    if hasattr(nest, "_fields"):
        return ["fields", type(nest).__name__, list(nest._fields), [described(item) for item in nest]]
    if isinstance(nest, (list, tuple)):
        return ["list" if isinstance(nest, list) else "tuple", [described(item) for item in nest]]
    if isinstance(nest, Operand):
        return ["constant", as_dtype(dtype_of(nest)).name, Writing().encode(np.asarray(nest))]
    return ["value", Writing().encode(nest)]


def made(form: Any, tensor: Callable[[str, int], Any] | None = None) -> Any:
    """Return the nest that was described; ``tensor`` gives what stands for a tensor's operation and position."""
    kind, *parts = form
    if kind == "value":
        return Reading(Graph(), {}, {}).decode(parts[0])
    if kind == "constant":
        return constant(Reading(Graph(), {}, {}).decode(parts[1]), parts[0])
    if kind == "tensor":
        assert tensor is not None
        return tensor(*parts)
    if kind == "spec":
        return TensorSpec(TensorShape(parts[0]), parts[1], parts[2])
    if kind == "variable":
        return VariableSpec(TensorShape(parts[0]), *parts[1:])
    again = functools.partial(made, tensor=tensor)
    if kind == "dict":
        return {again(key): again(item) for key, item in parts[0]}
    if kind == "fields":
        return with_fields(parts[0], parts[1])(*map(again, parts[2]))
    items = [again(item) for item in parts[0]]
    if kind == "sparse":
        return SparseTensor(*items)
    if kind == "sparse argument":
        return _sparse_argument(items)
    return items if kind == "list" else tuple(items)


def with_fields(name: str, names: list[str]) -> Any:
    """Return the class of tuples with these names, the same one for the same."""
    return _kind(name, tuple(names))


@functools.cache
def _kind(name: str, names: tuple[str, ...]) -> Any:
    return collections.namedtuple(name, names)


def _sparse_argument(specs: list[TensorSpec]) -> Parts:
    """Return what stands in a form for a sparse tensor."""
    dtype: Any = specs[1].dtype.as_numpy_dtype
    with default_graphs_set_aside():
        whole = SparseTensor(np.zeros((0, 1), np.int64), np.zeros((0,), dtype), np.ones((1,), np.int64))
    return parts_like(whole, specs)
