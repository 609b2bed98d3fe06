"""The states of random generators: variables of a counter and a key, which are read and move on in one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..graph.run_values import array_of
from ..graph.session_values import held, store_value
from ..ops.cast_ops import cast
from ..ops.philox_ops import (
    check_kernel,
    non_deterministic_ints,
    state_parts,
    stateless_random_normal_v2,
    stateless_random_uniform_full_int_v2,
    stateless_random_uniform_int_v2,
    stateless_random_uniform_v2,
    stateless_truncated_normal_v2,
)
from ..ops.reduce_ops import reduce_prod
from ..ops.sparse_ops import convert_to_tensor
from .handles import variable_of
from .write_op import target_of

__all__ = [
    "non_deterministic_ints",
    "rng_read_and_skip",
    "rng_skip",
    "stateful_standard_normal",
    "stateful_standard_normal_v2",
    "stateful_truncated_normal",
    "stateful_uniform",
    "stateful_uniform_full_int",
    "stateful_uniform_int",
]

_SIZE, _EACH = 3, 256


def _moved(state: Any, algorithm: Any, delta: Any) -> Any:
    """Return a state whose counter has moved on by so many results."""
    check_kernel(array_of(algorithm))
    if np.shape(delta) != ():
        raise InvalidArgumentError(None, None, f"delta must have shape [], not {list(np.shape(delta))}")
    if state.dtype != np.int64:
        raise InvalidArgumentError(None, None, f"dtype of RNG state variable must be int64, not {state.dtype}")
    if state.ndim != 1:
        raise InvalidArgumentError(None, None, f"RNG state must have one and only one dimension, not {state.ndim}")
    if state.size < _SIZE:
        told = f"For the Philox algorithm, the size of state must be at least {_SIZE}; got {state.size}"
        raise InvalidArgumentError(None, None, told)
    _, counter = state_parts(state.tolist())
    counter += int(array_of(delta)) * _EACH & 2**64 - 1
    moved = state.copy()
    moved[:2] = np.array([counter & 2**64 - 1, counter >> 64 & 2**64 - 1], np.uint64).view(np.int64)
    return moved


def rng_read_and_skip(resource: Any, alg: Any, delta: Any, name: str | None = None) -> Any:
    """Return the state of a generator, whose counter then moves on by ``256 * delta``.

    Raises InvalidArgumentError for what is no state, and for an algorithm that there is not.
    """
    variable = variable_of(resource)
    algorithm = alg if hasattr(alg, "dtype") else convert_to_tensor(alg, "int64")
    delta = convert_to_tensor(delta)
    if executing_eagerly():
        state = np.array(unwrap(variable))
        variable.assign(_moved(state, algorithm, delta))
        return convert_to_tensor(state)
    op = target_of("rng_read_and_skip", variable)

    def read(session: Any, number: Any, count: Any) -> Any:
        state = np.array(unwrap(held(session, op)))
        store_value(session, op, _moved(state, number, count))
        return state

    graph, before = op.graph, op.outputs[0]
    operation = Operation(
        graph,
        "RngReadAndSkip",
        graph._operation_name(name, "RngReadAndSkip"),
        read,
        (algorithm, delta),
        [(before.dtype.base_dtype, before._shape)],
        contextual=True,
        writes=True,
        differentiable=False,
        attributes={"target": op},
    )
    return operation.outputs[0]


def rng_skip(resource: Any, algorithm: Any, delta: Any, name: str | None = None) -> Any:
    """Move the counter of a generator on by ``256 * delta``; return the operation that does so, in eager mode None."""
    read = rng_read_and_skip(resource, algorithm, delta, name)
    return None if executing_eagerly() else read.op


def _stateful(draw: Callable[..., Any], name: str, default: str, bounds: int = 0) -> Callable[..., Any]:
    def operation(resource: Any, algorithm: Any, shape: Any, *args: Any, **options: Any) -> Any:
        limits, rest = args[:bounds], args[bounds:]
        named = dict(zip(("dtype", "name") if not bounds else ("name",), rest, strict=False)) | options
        if not bounds:
            named.setdefault("dtype", default)
        sizes = convert_to_tensor(shape, "int64") if np.shape(shape) == (0,) else convert_to_tensor(shape)
        state = rng_read_and_skip(resource, algorithm, reduce_prod(cast(sizes, "int64")))
        return draw(shape, state[2:3], state[:2], cast(algorithm, "int32"), *limits, **named)

    operation.__name__ = operation.__qualname__ = name
    operation.__doc__ = f"Return what ``{draw.__name__}`` gives for the state of a generator, which moves on."
    return operation


stateful_standard_normal_v2 = _stateful(stateless_random_normal_v2, "stateful_standard_normal_v2", "float32")
stateful_truncated_normal = _stateful(stateless_truncated_normal_v2, "stateful_truncated_normal", "float32")
stateful_uniform = _stateful(stateless_random_uniform_v2, "stateful_uniform", "float32")
stateful_uniform_full_int = _stateful(stateless_random_uniform_full_int_v2, "stateful_uniform_full_int", "uint64")
stateful_uniform_int = _stateful(stateless_random_uniform_int_v2, "stateful_uniform_int", "int64", bounds=2)


def stateful_standard_normal(resource: Any, shape: Any, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return what `stateful_standard_normal_v2` does, of Philox."""
    return stateful_standard_normal_v2(resource, 1, shape, dtype, name)
