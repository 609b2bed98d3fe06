"""Random values that follow from a key and a counter: TensorFlow's own numbers, of its algorithm Philox."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.arguments import as_vector, call_with
from ..graph.build import call, dtype_of
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.node import Node, Tensor
from ..graph.run_values import array_of
from ..graph.shape_inference import shape_value
from . import philox_draws
from .seed_pairs import check_pair, mixed_pair
from .sparse_ops import convert_to_tensor

__all__ = [
    "Algorithm",
    "convert_alg_to_int",
    "get_key_counter_alg",
    "non_deterministic_ints",
    "state_parts",
    "stateless_random_get_key_counter",
    "stateless_random_normal_v2",
    "stateless_random_uniform_full_int_v2",
    "stateless_random_uniform_int_v2",
    "stateless_random_uniform_v2",
    "stateless_truncated_normal_v2",
    "unsupported_alg_error_msg",
]


class Algorithm(enum.Enum):
    """How numbers are made. There is Philox, which is what ``AUTO_SELECT`` takes. Source: ``tf.random.Algorithm``."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


_NAMES = {"philox": 1, "threefry": 2, "autoselect": 3}


def convert_alg_to_int(alg: Any) -> Any:
    """Return the number of an algorithm by this, its name or a member of `Algorithm`; a tensor as it is."""
    if isinstance(alg, int | Node) or hasattr(alg, "numpy"):
        return alg
    if isinstance(alg, Algorithm):
        return alg.value
    if not isinstance(alg, str):
        raise TypeError(f"Can't convert argument `alg` (of value {alg} and type {type(alg)}) to int.")
    number = _NAMES.get(alg.strip().lower().replace("-", "").replace("_", ""))
    if number is None:
        raise ValueError(unsupported_alg_error_msg(alg))
    return number


def unsupported_alg_error_msg(alg: Any) -> str:
    """Return what is said of an algorithm that is none."""
    if isinstance(alg, int):
        known: Any = [each.value for each in Algorithm]
    else:
        known = ["philox", "threefry", "auto_select"] if isinstance(alg, str) else list(Algorithm)
    first, second, third = known
    return (
        f"Argument `alg` got unsupported value {alg}. Supported values are {first} for the Philox algorithm, {second} "
        f"for the ThreeFry algorithm, and {third} for auto-selection."
    )


def check_kernel(alg: Any) -> None:
    """Raise InvalidArgumentError, as a kernel does, for a number that is not that of an algorithm with one."""
    if np.shape(alg) != ():
        raise InvalidArgumentError(None, None, f"algorithm must have shape [], not {list(np.shape(alg))}")
    if int(alg) not in (Algorithm.PHILOX.value, Algorithm.AUTO_SELECT.value):
        raise InvalidArgumentError(None, None, f"Unsupported algorithm id: {int(alg)}")


def state_parts(values: Any) -> tuple[int, int]:
    """Return the key and the counter, both without a sign, of an array of a state: a counter of two, and a key."""
    low, high, key = (int(value) & 2**64 - 1 for value in values[:3])
    return key, low | high << 64


Draw = Callable[..., Any]


def _drawn(
    op_type: str, draw: Draw, shape: Any, key: Any, counter: Any, alg: Any, dtype: Any, name: Any, *bounds: Any
) -> Any:
    kind = as_dtype(dtype).base_dtype

    def compute(sizes: Any, own: Any, counters: Any, algorithm: Any, *limits: Any) -> Any:
        check_kernel(array_of(algorithm))
        numbers = [*array_of(counters).tolist(), *array_of(own).reshape(-1).tolist()]
        given = [int(array_of(limit)) for limit in limits]
        if given and given[0] >= given[1]:
            raise ValueError(f"Need minval < maxval, got {given[0]} >= {given[1]}")
        return draw(*state_parts(numbers), math.prod(sizes), kind.dtype, *given).reshape(sizes)

    def shape_fn(sizes: Any, *_: Any) -> Any:
        return shape_value(sizes) if isinstance(sizes, Tensor) else sizes

    inputs = [convert_to_tensor(each) for each in (key, counter, alg, *bounds)]
    options: Any = {"shape": shape_fn, "name": name, "dtype": kind, "differentiable": False, "same": False}
    return call_with(op_type, [(shape, as_vector)], compute, inputs, **options)


def stateless_random_uniform_v2(
    shape: Any, key: Any, counter: Any, alg: Any, dtype: Any = "float32", name: str | None = None
) -> Any:
    """Return draws from ``[0, 1)`` that follow from a key [1] and a counter [2]."""
    return _drawn("StatelessRandomUniformV2", philox_draws.uniform, shape, key, counter, alg, dtype, name)


def stateless_random_normal_v2(
    shape: Any, key: Any, counter: Any, alg: Any, dtype: Any = "float32", name: str | None = None
) -> Any:
    """Return draws from the normal distribution that follow from a key [1] and a counter [2]."""
    return _drawn("StatelessRandomNormalV2", philox_draws.normal, shape, key, counter, alg, dtype, name)


def stateless_truncated_normal_v2(
    shape: Any, key: Any, counter: Any, alg: Any, dtype: Any = "float32", name: str | None = None
) -> Any:
    """Return draws within two standard deviations that follow from a key [1] and a counter [2]."""
    return _drawn("StatelessTruncatedNormalV2", philox_draws.truncated_normal, shape, key, counter, alg, dtype, name)


def stateless_random_uniform_full_int_v2(
    shape: Any, key: Any, counter: Any, alg: Any, dtype: Any = "uint64", name: str | None = None
) -> Any:
    """Return draws of all integers of a type that follow from a key [1] and a counter [2]."""
    draw = philox_draws.uniform_full_int
    return _drawn("StatelessRandomUniformFullIntV2", draw, shape, key, counter, alg, dtype, name)


def stateless_random_uniform_int_v2(
    shape: Any, key: Any, counter: Any, alg: Any, minval: Any, maxval: Any, name: str | None = None
) -> Any:
    """Return draws from ``[minval, maxval)``, integers, that follow from a key [1] and a counter [2]."""
    low = convert_to_tensor(minval)
    dtype, draw = dtype_of(low), philox_draws.uniform_int
    bounds = low, convert_to_tensor(maxval, dtype)
    return _drawn("StatelessRandomUniformIntV2", draw, shape, key, counter, alg, dtype, name, *bounds)


def stateless_random_get_key_counter(seed: Any, name: str | None = None) -> tuple[Any, Any]:
    """Return the key [1] and the counter [2] of a pair of integers, both uint64."""

    def parts(pair: Any) -> Any:
        key, *counter = mixed_pair(pair)
        return np.array([key], np.uint64), np.array(counter, np.uint64)

    def shape_fn(pair: Any) -> Any:
        check_pair(pair)
        return [(1,), (2,)]

    options: Any = {"dtype": ["uint64", "uint64"], "outputs": 2, "same": False, "differentiable": False}
    key, counter = call("StatelessRandomGetKeyCounter", parts, (seed,), shape=shape_fn, name=name, **options)
    return key, counter


def get_key_counter_alg(seed: Any, alg: Any) -> tuple[Any, Any, Any]:
    """Return the key, the counter and the number of the algorithm of a pair of integers; ValueError for ThreeFry."""
    number = convert_alg_to_int(Algorithm.AUTO_SELECT if alg is None else alg)
    if number not in (Algorithm.PHILOX.value, Algorithm.AUTO_SELECT.value):
        raise ValueError(unsupported_alg_error_msg(alg))
    return *stateless_random_get_key_counter(seed), number


def non_deterministic_ints(shape: Any, dtype: Any = "int64", name: str | None = None) -> Any:
    """Return draws of all integers of a type that nothing fixes."""
    kind = as_dtype(dtype).base_dtype

    def compute(sizes: Any) -> Any:
        return np.random.default_rng().integers(kind.min, kind.max, sizes, kind.dtype, endpoint=True)

    def shape_fn(sizes: Any) -> Any:
        return shape_value(sizes) if isinstance(sizes, Tensor) else sizes

    options: Any = {"shape": shape_fn, "name": name, "dtype": kind, "differentiable": False, "same": False}
    return call_with("NonDeterministicInts", [(shape, as_vector)], compute, (), **options)
