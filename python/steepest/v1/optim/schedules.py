"""Learning rates that follow the global step: nodes in graph mode, the core's schedules in eager mode."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...ops.tensor import Tensor as EagerTensor
from ...optim import schedules as _schedules
from ..graph import shape_inference
from ..graph.build import call
from ..graph.constants import constant, constant_array
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.scopes import name_scope
from ..ops.cast_ops import cast
from ..ops.concat_ops import stack
from ..ops.gather_ops import gather
from ..ops.math_ops import greater
from ..ops.matmul_ops import add_n
from ..ops.random_ops import random_normal

__all__ = [
    "cosine_decay",
    "cosine_decay_restarts",
    "exponential_decay",
    "inverse_time_decay",
    "linear_cosine_decay",
    "natural_exp_decay",
    "noisy_linear_cosine_decay",
    "piecewise_constant",
    "piecewise_constant_decay",
    "polynomial_decay",
]


_NAMES = {  # of TensorFlow's scopes, where they are not the functions' in another spelling
    "cosine_decay_restarts": "SGDRDecay",
    "natural_exp_decay": "ExponentialTimeDecay",
}


def _of_nodes(
    schedule: Callable[..., Callable[[], float]], shape: Any = shape_inference.broadcast, name: str | None = None
) -> Callable[..., Any]:
    """Return a schedule that is a node where an argument is one; in eager mode it is the schedule itself."""
    label = name or schedule.__name__
    default = _NAMES.get(label) or label.title().replace("_", "")

    @functools.wraps(schedule)
    def decayed(*args: Any, **kwargs: Any) -> Any:
        arguments = inspect.signature(schedule).bind(*args, **kwargs).arguments
        name = arguments.pop("name", None)
        for step in {"global_step", "x"} & arguments.keys():
            if arguments[step] is None:
                raise ValueError(f"{step} is required for {label}.")
        nodes = {key: value for key, value in arguments.items() if isinstance(value, Node)}
        if executing_eagerly() or not nodes:
            rate = schedule(**arguments)
            if executing_eagerly():
                return _tensor_of(rate, _type_of(arguments))
            if any(callable(value) for value in arguments.values()):
                return rate
            dtype = _type_of(arguments)
            return constant(dtype.type(rate()), dtype, name=name or default)
        fixed = {key: value for key, value in arguments.items() if key not in nodes}
        schedule(**fixed, **dict.fromkeys(nodes, 1.0))  # raises now where another argument is wrong
        dtype = _type_of(arguments)

        def one(*now: Any) -> Any:
            return schedule(**fixed, **dict(zip(nodes, map(float, now), strict=True)))()

        def value(*now: Any) -> Any:
            given = [unwrap(each) for each in now]
            if any(np.ndim(each) for each in given):  # rates of several steps
                return np.vectorize(one, otypes=[dtype])(*given)
            return dtype.type(one(*given))

        return call(
            label,
            value,
            list(nodes.values()),
            name=name or default,
            shape=shape,
            dtype=dtype,
            same=False,
            differentiable=False,
        )

    return decayed


def _type(value: Any) -> str:
    """Return the name of a number's type."""
    if callable(value) and not hasattr(value, "dtype"):
        return "int64"  # of a step that is called nothing is known before
    return as_dtype(value.dtype if hasattr(value, "dtype") else constant_array(value).dtype).base_dtype.name


def _type_of(arguments: dict[str, Any]) -> Any:
    """Return the type of a rate: that of the given rates, Python's numbers being float32."""
    given = arguments.get("learning_rate", arguments.get("values", 0.0))
    dtype = given._tensor().dtype.dtype if isinstance(given, Node) else np.asarray(constant_array(given)).dtype
    return dtype if dtype.kind in "fV" or "values" in arguments else np.dtype(np.float32)


def _tensor_of(rate: Callable[[], Any], dtype: Any) -> Callable[[], EagerTensor]:
    """Return a schedule that gives tensors, as TensorFlow's do in eager mode."""
    return lambda: EagerTensor(np.asarray(rate(), dtype))


exponential_decay = _of_nodes(_schedules.exponential_decay)
inverse_time_decay = _of_nodes(_schedules.inverse_time_decay)
polynomial_decay = _of_nodes(_schedules.polynomial_decay)
cosine_decay = _of_nodes(_schedules.cosine_decay)
cosine_decay_restarts = _of_nodes(_schedules.cosine_decay_restarts)


_piecewise_constant = _of_nodes(_schedules.piecewise_constant, ())


def piecewise_constant(x: Any, boundaries: Any, values: Any, name: str | None = None) -> Any:
    """``values[k]`` from behind ``boundaries[k - 1]`` up to ``boundaries[k]``; see `steepest.schedules`.

    Boundaries and values may be tensors. Raises ValueError for boundaries of another type than x, values of several
    types, or another number of them.
    """
    step_type = None if x is None else _type(x)
    for boundary in map(_type, boundaries):
        if step_type and boundary != step_type and (boundary, step_type) != ("int32", "int64"):
            told = f"Boundaries ({as_dtype(boundary)!s}) must have the same dtype as x ({as_dtype(step_type)!s})."
            raise ValueError(told)
    if len(set(map(_type, values))) > 1:
        raise ValueError(f"Values must have elements all with the same dtype, got {[*map(_type, values)]}")
    if x is not None and len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    if not executing_eagerly() and any(isinstance(each, Node) for each in (*boundaries, *values)):
        with name_scope(name, "PiecewiseConstant"):
            behind = [cast(greater(x, boundary), "int32") for boundary in boundaries]
            return gather(stack(list(values)), add_n(behind) if behind else 0)
    return _piecewise_constant(x, boundaries, values, name)


piecewise_constant_decay = piecewise_constant


@_of_nodes
def natural_exp_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """``learning_rate * exp(-decay_rate * global_step / decay_steps)``; ``staircase`` floors the fraction."""
    return _schedules.exponential_decay(learning_rate, global_step, decay_steps, math.exp(-decay_rate), staircase)


@_of_nodes
def linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Any:
    """``learning_rate * ((alpha + linear) * cosine + beta)``, both falling. Source: Bello et al., 2017."""
    return lambda: _linear_cosine(learning_rate, global_step, decay_steps, num_periods, alpha, beta)


def noisy_linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    initial_variance: float = 1.0,
    variance_decay: float = 0.55,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Any:
    """`linear_cosine_decay` with Gaussian noise on its line.

    Its variance is ``initial_variance / (1 + t)**variance_decay``; t is the step, at most ``decay_steps``. Every
    evaluation draws anew. Source: Bello et al., 2017.
    """

    def noise() -> Any:
        return random_normal(())

    given = learning_rate, global_step, decay_steps, initial_variance, variance_decay, num_periods, alpha, beta
    return _noisy(noise if executing_eagerly() else noise(), *given, name=name)


@functools.partial(_of_nodes, name="noisy_linear_cosine_decay")
def _noisy(
    noise: Any,
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    initial_variance: Any,
    variance_decay: Any,
    num_periods: Any,
    alpha: Any,
    beta: Any,
    name: str | None = None,
) -> Any:
    def rate() -> float:
        done = min(float(unwrap(global_step)), decay_steps)
        deviation = math.sqrt(initial_variance / (1 + done) ** variance_decay)
        drawn = float(unwrap(noise() if callable(noise) else noise))
        shifted = alpha + deviation * drawn
        return _linear_cosine(learning_rate, global_step, decay_steps, num_periods, shifted, beta)

    return rate


def _linear_cosine(rate: Any, step: Any, decay_steps: float, num_periods: float, alpha: float, beta: float) -> float:
    done = min(float(unwrap(step)), decay_steps) / decay_steps
    wave = 0.5 * (1 + math.cos(math.pi * 2 * num_periods * done))
    return float(unwrap(rate) * ((alpha + 1 - done) * wave + beta))
