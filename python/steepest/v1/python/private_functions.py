"""Functions that programs and tests of TensorFlow take from its internal modules: they have no public name."""

from __future__ import annotations

import collections.abc as collections_abc
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from ..autodiff.custom_gradients import get_dependent_variables as _get_dependent_variables
from ..autodiff.gradients import gradients
from ..graph import composites, shape_inference
from ..graph.build import call
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.fetches import SparseTensorValue
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.run_values import array_of
from ..ops.array_ops import identity, rank, stop_gradient
from ..ops.candidate_sampling_ops import _logits
from ..ops.cast_ops import cast
from ..ops.control_flow_case import case
from ..ops.control_flow_ops import cond
from ..ops.math_ops import floordiv, mod, multiply, truncatediv, truncatemod
from ..ops.sort_ops import nth_element
from ..saving.saver import _get_saver_or_default
from ..train import get_global_step
from ..variables.initializers import fans
from ..variables.safe_first_values import safe_first_value
from ..variables.state_ops import assign_add

__all__ = [
    "TF_TryEvaluateConstant_wrapper",
    "TF_bfloat16_type",
    "_all_saveable_objects",
    "_as_original_type",
    "_as_tensor_list",
    "_bucketize",
    "_compute_fans",
    "_compute_sampled_logits",
    "_get_dependent_variables",
    "_get_global_step_read",
    "_get_or_create_global_step_read",
    "_get_saver_or_default",
    "_hessian_vector_product",
    "_increment_global_step",
    "_sum_rows",
    "_try_guard_against_uninitialized_dependencies",
    "collections_abc",
    "get_variable_by_name",
    "in_graph_mode",
    "is_sparse",
    "nth_element",
    "rank_internal",
    "reduced_shape",
    "smart_case",
    "smart_cond",
    "smart_constant_value",
]


def get_variable_by_name(var_name: str) -> Any:
    """Return the trainable variable whose operation has a name; None where only others have it.

    Raises ValueError where no variable, or several trainable ones, have it.
    Source: ``custom_gradient.get_variable_by_name``.
    """
    named = [
        each for each in get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES) if each.op.name == var_name
    ]
    if not named:
        raise ValueError(f"Unsuccessful at finding variable {var_name}.")
    trained = [variable for variable in named if variable.trainable]
    if len(trained) > 1:
        raise ValueError(f"Unsuccessful at finding trainable variable {var_name}. Candidates: {trained}")
    return trained[0] if trained else None


def TF_TryEvaluateConstant_wrapper(graph: Any, output: Any) -> Any:  # TensorFlow's name
    """Return the value that a tensor has whatever runs: an array, or None where it has none.

    Source: ``tensorflow.python.pywrap_tensorflow.TF_TryEvaluateConstant_wrapper``.
    """
    return shape_inference.known_value(output)


def TF_bfloat16_type() -> Any:  # TensorFlow's name
    """Return NumPy's type of bfloat16. Source: ``tensorflow.python.pywrap_tensorflow.TF_bfloat16_type``."""
    return as_dtype("bfloat16").as_numpy_dtype


def _as_tensor_list(tensors: Any) -> Any:
    """Return the tensors of a dict in the order of its keys as texts; anything else as it is."""
    return [tensors[key] for key in sorted(tensors, key=str)] if isinstance(tensors, dict) else tensors


def _as_original_type(original_tensors: Any, tensor_list: Any) -> Any:
    """Return listed tensors in the form that they were given in: of a dict's keys, or as they are."""
    if not isinstance(original_tensors, dict):
        return tensor_list
    listed = [tensor_list] if len(original_tensors) == 1 else tensor_list
    return {key: listed[place] for place, key in enumerate(sorted(original_tensors, key=str))}


def _all_saveable_objects(scope: str | None = None) -> list[Any]:
    """Return what a saver saves where it is given nothing: global variables, and other objects that are saved."""
    graph = get_default_graph()
    return [
        *graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope),
        *graph.get_collection(GraphKeys.SAVEABLE_OBJECTS, scope),
    ]


def rank_internal(input: Any, name: str | None = None, optimize: bool = True) -> Any:
    """Return the number of axes; ``optimize`` is accepted."""
    return rank(input, name)


def in_graph_mode() -> bool:
    """Tell whether functions make nodes: the opposite of ``tf.executing_eagerly()``."""
    return not executing_eagerly()


def _try_guard_against_uninitialized_dependencies(name: str, initial_value: Any) -> Any:
    """Return an initial value with variables in it as they are or as they begin; loops stay as they are."""
    del name
    return safe_first_value(initial_value)


floor_div, floor_mod, truncate_div, truncate_mod = floordiv, mod, truncatediv, truncatemod
_STEP_READ = "global_step_read_op_cache"
_SLICE_TYPE_ERROR = (
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid "
    "indices"
)


def _compute_sampled_logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    subtract_log_q: bool = True,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = None,
    seed: int | None = None,
) -> tuple[Any, Any]:
    """Return the logits of true and sampled classes beside each other, and the labels that belong to them."""
    sizes = inputs, num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits
    return _logits(weights, biases, labels, *sizes, partition_strategy, seed, subtract_log_q)


def _sum_rows(x: Any) -> Any:
    """Return the sums of the rows of a matrix."""
    return call("SumRows", lambda rows: np.sum(rows, axis=1), (x,), shape=lambda s: None if s is None else s[:1])


def _hessian_vector_product(ys: Any, xs: list[Any], v: list[Any]) -> list[Any]:
    """Return the product of the second derivatives of ``ys`` with ``v``, a part for each of ``xs``."""
    if len(v) != len(xs):
        raise ValueError("xs and v must have the same length.")
    pairs = [(g, vector) for g, vector in zip(gradients(ys, xs), v, strict=True) if g is not None]
    return gradients([multiply(g, stop_gradient(vector)) for g, vector in pairs], xs)


def _compute_fans(shape: Any) -> tuple[int, int]:
    """Return fan-in and fan-out of a variable's shape."""
    return fans(tuple(int(size) for size in shape))


def _bucketize(input: Any, boundaries: Any, name: str | None = None) -> Any:
    """Return for each number between which of the boundaries it lies; a run raises for unsorted ones."""
    if not isinstance(boundaries, (list, tuple)):
        raise TypeError(f"Expected list for 'boundaries', got {boundaries!r:.60}")
    bounds = np.asarray(boundaries, np.float32)

    def place(x: Any) -> Any:
        if np.any(np.diff(bounds) < 0):
            raise ValueError("Expected sorted boundaries")
        return np.searchsorted(bounds, array_of(x), side="right").astype(np.int32)

    shape = shape_inference.same
    return call("Bucketize", place, (input,), name=name, shape=shape, dtype="int32", differentiable=False)


bucketize = _bucketize


def reduced_shape(input_shape: Any, axes: Any) -> Any:
    """Return a shape with 1 for the size of each axis that is reduced."""

    def reduced(sizes: Any, which: Any) -> Any:
        out, wanted = np.array(array_of(sizes)), array_of(which)
        if np.any((wanted < -len(out)) | (wanted >= len(out))):
            raise InvalidArgumentError(None, None, f"reduced_shape: axes must be below {len(out)}, got {wanted}")
        out[wanted % len(out) if len(out) else []] = 1
        return out

    inputs = cast(input_shape, "int32"), cast(axes, "int32")
    return call("ReducedShape", reduced, inputs, shape=lambda sizes, _: sizes, differentiable=False)


def _get_or_create_global_step_read(graph: Any = None) -> Any:
    """Return a reading of the global step; None where there is none."""
    step, read = get_global_step(graph), _get_global_step_read(graph)
    if step is None or read is not None:
        return read
    with step.graph.as_default(), step.graph.name_scope(None), step.graph.name_scope(f"{step.op.name}/"):
        read = identity(step, "read")
    step.graph.add_to_collection(_STEP_READ, read)
    return read


def _get_global_step_read(graph: Any = None) -> Any:
    """Return the reading of the global step that was made before; None where there is none."""
    readings = (graph or get_default_graph()).get_collection(_STEP_READ)
    return readings[0] if readings else None


def is_sparse(tensor: Any) -> bool:
    """Tell whether a value is a sparse tensor, or a value of one."""
    return isinstance(tensor, SparseTensorValue) or composites.is_sparse(tensor)


def smart_constant_value(pred: Any) -> bool | None:
    """Return the truth value that is known before a session runs, None for one that is not. TypeError for others."""
    if isinstance(pred, (bool, np.bool_)) or pred in (0, 1):
        return bool(pred)
    if not isinstance(pred, Node) and not hasattr(pred, "numpy"):
        raise TypeError(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}")
    known = pred.numpy() if hasattr(pred, "numpy") else shape_inference.known_value(pred._tensor())
    return None if known is None else bool(known)


def smart_cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """Return `tf.cond`, or what the one function returns where ``pred`` is known before a session runs.

    Raises TypeError for what is no function.
    """
    for argument, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"`{argument}` must be callable.")
    known = smart_constant_value(pred)
    if known is None:
        return cond(pred, true_fn, false_fn, name=name)
    return true_fn() if known else false_fn()


def smart_case(pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, name: str = "smart_case") -> Any:
    """Return `tf.case`, or what the first function returns whose condition is known to be true."""
    pairs = []
    for condition, function in pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs:
        known = smart_constant_value(condition)
        if known is None:
            pairs.append((condition, function))
        elif known:
            default = function
            break
    if pairs:
        return case(pairs, default, exclusive, name=name)
    if default is None:
        raise ValueError("None of the conditions is true, and there is no default")
    return default()


def _increment_global_step(increment: Any, graph: Any = None) -> Any:
    """Return the tensor that adds to the global step. Raises ValueError where there is none."""
    step = get_global_step(graph)
    if step is None:
        raise ValueError("Global step tensor should be created by get_or_create_global_step before it is incremented.")
    return assign_add(step, increment)
