"""Clipping of nodes: TensorFlow's formulas; norms sum the duplicates of `IndexedSlices`, as the core's do."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import is_recorded, unwrap, wrap_result
from ...ops.indexed_slices import IndexedSlices
from ...optim import clip as _clip
from ...variables.variable import Variable as EagerVariable
from ..graph import shape_inference
from ..graph.build import call, convert
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.run_values import array_of
from ..graph.shapes import compatible
from ..graph.static_values import constant_value
from .sparse_ops import convert_to_tensor

__all__ = ["clip_by_average_norm", "clip_by_global_norm", "clip_by_norm", "clip_by_value", "global_norm"]


def _makes_nodes(*values: Any) -> bool:
    """Whether nodes are to be made: in graph mode, and of anything but None."""
    return not executing_eagerly() and any(value is not None for value in values)


def _given(t: Any) -> Any:
    """Return what eager mode clips: numbers and lists of Python have TensorFlow's types there, not NumPy's."""
    plain = executing_eagerly() and isinstance(t, (bool, int, float, list, tuple))
    return convert_to_tensor(t) if plain else t


def _with(t: Any, values: Any) -> Any:
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values


def _values(t: Any) -> Any:
    return t.values if isinstance(t, IndexedSlices) else t


def _parts(t: Any) -> list[Any]:
    return [t.values, t.indices] if isinstance(t, IndexedSlices) else [t]


def _joined(t: Any, parts: Any) -> Any:
    """Return the run's value of ``t`` from those of its parts."""
    return IndexedSlices(parts[0], array_of(parts[1])) if isinstance(t, IndexedSlices) else parts[0]


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """Return ``max(min(t, clip_value_max), clip_value_min)``; see `steepest.clip_by_value`.

    Raises ValueError for None, and for bounds that would enlarge t.
    """
    if t is None:
        raise ValueError(
            "clip_by_value: None values not supported; a gradient of None means that the loss does not depend on the "
            "variable: leave it out before clipping"
        )
    if not _makes_nodes(t):
        given = _given(t)
        bounds: Any = (clip_value_min, clip_value_max)
        if getattr(getattr(given, "dtype", None), "kind", "") == "V":  # bfloat16, which NumPy would widen
            bounds = tuple(x if hasattr(x, "dtype") else np.asarray(x).astype(given.dtype) for x in bounds)
        return wrap_result(_clip.clip_by_value(given, *bounds))

    def shape_fn(x: Any, low: Any, high: Any) -> Any:
        result_shape = shape_inference.broadcast(x, low, high)
        if not compatible(result_shape, x):
            raise ValueError(f"Shapes {x} and {result_shape} are incompatible: the bounds must not enlarge t")
        same_rank = x is None or result_shape is None or len(x) == len(result_shape)
        return shape_inference.merged(x, result_shape if same_rank else None)

    inputs = (_values(t), clip_value_min, clip_value_max)
    clipped = call(
        "clip_by_value", lambda x, low, high: np.maximum(np.minimum(x, high), low), inputs, name=name, shape=shape_fn
    )
    return _with(t, clipped)


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """Scale t down to ``clip_norm`` where its norm exceeds it; see `steepest.clip_by_norm`. ValueError for None."""
    if t is None:
        raise ValueError("clip_by_norm: None values not supported.")
    if not _makes_nodes(t):
        return wrap_result(_clip.clip_by_norm(_given(t), clip_norm, axes))
    fed = [axes] if isinstance(axes, Node) and constant_value(axes) is None else []
    axes = constant_value(axes) if isinstance(axes, Node) and not fed else axes
    parts = _parts(t)
    dtype = convert(parts[0]).dtype
    if not dtype.is_floating:
        raise TypeError(f"clip_by_norm: t must be of a floating type, got {dtype.name}")

    def clipped(limit: Any, *values: Any) -> Any:
        at: Any = axes
        if fed:
            values, at = values[:-1], array_of(values[-1])
        at = None if at is None else tuple(np.atleast_1d(at).tolist())
        if np.ndim(limit):  # a limit for each of several norms
            length = np.sqrt(np.sum(np.square(values[0]), axis=at, keepdims=True))
            return values[0] * (limit / np.maximum(length, limit)).astype(values[0].dtype)
        return _values(_clip.clip_by_norm(_joined(t, values), float(unwrap(limit)), at))

    limit = convert(clip_norm) if isinstance(clip_norm, (Node, EagerVariable)) else np.float64(clip_norm)
    shape = convert(parts[0])._shape
    limits = limit._tensor()._shape if isinstance(limit, Node) else np.shape(limit)
    if not compatible(shape_inference.broadcast(shape, limits), shape):
        raise ValueError(f"clip_by_norm: clip_norm of shape {limits} must not enlarge t of shape {shape}")
    return _with(
        t, call("clip_by_norm", clipped, [limit, *parts, *fed], name=name, shape=shape, dtype=dtype, same=False)
    )


def clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Any:
    """Scale t down where its norm divided by its size exceeds ``clip_norm``; see `steepest.clip_by_average_norm`."""
    if not _makes_nodes(t):
        return wrap_result(_clip.clip_by_average_norm(_given(t), clip_norm))
    tensor = convert(t)
    return call(
        "clip_by_average_norm",
        lambda x, limit: _clip.clip_by_average_norm(x, float(unwrap(limit))),
        (tensor, clip_norm),
        name=name,
        shape=shape_inference.same,
    )


def _checked(t_list: Any) -> list[Any]:
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    return [_given(t) for t in t_list]


def global_norm(t_list: Any, name: str | None = None) -> Any:
    """Return the common norm of a list of tensors and `IndexedSlices`; None is passed over.

    Raises TypeError for what is not a list or tuple, or for several types.
    """
    present = [t for t in _checked(t_list) if t is not None]
    if not _makes_nodes(*present):
        norm = _clip.global_norm(present)
        return wrap_result(_as_values(norm, present)) if executing_eagerly() else convert(np.float32(norm))
    inputs = [part for t in present for part in _parts(t)]
    dtype = convert(_values(present[0])).dtype.base_dtype

    def norm_of(*values: Any) -> Any:
        rest = list(values)
        gradients = []
        for t in present:
            count = len(_parts(t))
            gradients.append(_joined(t, rest[:count]))
            del rest[:count]
        return _clip.global_norm(gradients).astype(dtype.dtype)

    return call("global_norm", norm_of, inputs, name=name, shape=(), dtype=dtype, same=False)


def _as_values(norm: Any, gradients: list[Any]) -> Any:
    """Return a norm in the type of the gradients, as TensorFlow's is."""
    dtypes = [np.dtype(_values(t).dtype) for t in gradients if t is not None and hasattr(_values(t), "dtype")]
    return norm.astype(dtypes[0]) if dtypes and hasattr(norm, "astype") else norm


def clip_by_global_norm(t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None) -> Any:
    """Scale all gradients together by ``clip_norm / max(norm, clip_norm)``; return the list and the norm of before.

    None stays None. A norm that is not finite makes everything NaN. Raises TypeError for what is not a list or tuple.
    Source: ``tf.clip_by_global_norm``.
    """
    gradients = _checked(t_list)
    if not _makes_nodes(*gradients):
        clipped_list, length = _clip.clip_by_global_norm(gradients, clip_norm, use_norm)
        return wrap_result((clipped_list, _as_values(length, gradients)))
    norm = global_norm(gradients) if use_norm is None else convert(use_norm)

    def scaled(x: Any, length: Any, limit: Any) -> Any:
        if is_recorded(length):
            return x * (limit / np.maximum(length, limit)).astype(x.dtype)
        norm_value, limit_value = float(unwrap(length)), float(unwrap(limit))
        factor = 1.0 if norm_value <= limit_value else limit_value / norm_value if np.isfinite(norm_value) else np.nan
        return x * x.dtype.type(factor)

    clipped: list[Any] = []
    for position, t in enumerate(gradients):
        if t is None:
            clipped.append(None)
            continue
        inputs = (_values(t), norm, clip_norm)
        values = call(
            "clip_by_global_norm",
            scaled,
            inputs,
            name=f"{name or 'clip_by_global_norm'}_{position}",
            shape=shape_inference.same,
            same=False,
        )
        clipped.append(_with(t, values))
    return clipped, norm
