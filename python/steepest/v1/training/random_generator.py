"""``tf.random.Generator``: a random generator whose state is a variable. Its numbers are TensorFlow's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.determinism import is_op_determinism_enabled
from ..graph.dtypes import as_dtype
from ..graph.nests import map_structure
from ..graph.node import Node
from ..graph.scopes import init_scope, name_scope
from ..ops.array_ops import reshape, shape
from ..ops.cast_ops import cast
from ..ops.concat_ops import concat, stack, unstack
from ..ops.creation_ops import zeros, zeros_like
from ..ops.math_ops import add, maximum
from ..ops.philox_ops import (
    Algorithm,
    convert_alg_to_int,
    non_deterministic_ints,
    stateless_random_normal_v2,
    stateless_random_uniform_full_int_v2,
    stateless_random_uniform_int_v2,
    stateless_random_uniform_v2,
    stateless_truncated_normal_v2,
    unsupported_alg_error_msg,
)
from ..ops.reduce_ops import reduce_prod
from ..ops.sparse_ops import convert_to_tensor
from ..ops.stateless_draw_ops import stateless_random_binomial
from ..saving.data_structures import AutoTrackable
from ..variables.generator_state import rng_read_and_skip
from ..variables.second_variable import Variable

__all__ = [
    "Algorithm",
    "Generator",
    "create_rng_state",
    "get_global_generator",
    "set_global_generator",
]

_COUNTERS = {1: 2, 2: 1, 3: 2}


def _counter_size(alg: int) -> int:
    """Return how many integers the counter of an algorithm has; ValueError for a number that is none's."""
    size = _COUNTERS.get(int(alg))
    if size is None:
        raise ValueError(unsupported_alg_error_msg(alg))
    return size


def _signed(number: Any) -> Any:
    return number - 2**64 if isinstance(number, int) and number >= 2**63 else number


def _state_tensor(value: Any) -> Any:
    """Return integers as int64, large ones without a sign among them."""
    return cast(map_structure(_signed, value) if isinstance(value, (int, list, tuple)) else value, "int64")


def create_rng_state(seed: Any, alg: Any) -> Any:
    """Return the state of a generator for a seed: its last integers are those of the seed, those before are zeros.

    Args:
        seed: an integer, of which 64 bits become one of the state, or a vector of integers.
        alg: an `Algorithm`, its name or its number.

    Source: ``tf.random.create_rng_state``.
    """
    size = _counter_size(convert_alg_to_int(alg)) + 1
    if isinstance(seed, int):
        seed = [seed >> 64 * place & 2**64 - 1 for place in range(size)]
    given = reshape(_state_tensor(seed), [-1])[:size]
    known = given.shape.num_elements()
    if known is not None:
        return concat([zeros([size - known], "int64"), given], 0)
    state = concat([zeros([maximum(size - shape(given)[0], 0)], "int64"), given], 0)
    state.set_shape([size])
    return state


class Generator(AutoTrackable):
    """A random generator. Its state, a counter and a key, is a variable that each draw moves on.

    Its numbers are those of TensorFlow's algorithm Philox. It can be saved as part of an object, and be an argument of
    a function. Source: ``tf.random.Generator``.
    """

    def __init__(self, copy_from: Generator | None = None, state: Any = None, alg: Any = None) -> None:
        """Make a generator that begins as another one does, or with a state.

        Args:
            copy_from: a generator whose state and algorithm are taken.
            state: three integers, the counter and the key; a variable of these is the generator's own.
            alg: an `Algorithm`, its name or its number.
        """
        if copy_from is not None:
            if alg is not None or state is not None:
                raise AssertionError("Generator: state and alg must be None where copy_from is given")
            alg, state = copy_from.algorithm, copy_from.state.read_value()
        elif alg is None or state is None:
            raise AssertionError("Generator: state and alg must be given, or copy_from")
        self._alg = convert_alg_to_int(alg)
        size = _counter_size(self._alg) + 1
        if isinstance(state, Variable):
            state.shape.assert_is_compatible_with([size])
            self._state_var = state
            return
        state = _state_tensor(state)
        state.shape.assert_is_compatible_with([size])
        with name_scope("random_generator"):
            self._state_var = Variable(state, dtype="int64", trainable=False, name="StateVar")

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """Return a generator with a state."""
        return cls(alg=alg, state=state)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """Return a generator with the state that `create_rng_state` makes of a seed, by default of Philox."""
        number = convert_alg_to_int(Algorithm.PHILOX if alg is None else alg)
        return cls(state=create_rng_state(seed, number), alg=number)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """Return a generator with a state that nothing fixes. RuntimeError where this is refused."""
        if is_op_determinism_enabled():
            raise RuntimeError('"from_non_deterministic_state" cannot be called when determinism is enabled.')
        number = convert_alg_to_int(Algorithm.PHILOX if alg is None else alg)
        return cls(state=non_deterministic_ints([_counter_size(number) + 1], "int64"), alg=number)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """Return a generator with a key, an integer, and a counter of two."""
        number = convert_alg_to_int(alg)
        return cls(state=_of_key_counter(key, counter, number), alg=number)

    def reset(self, state: Any) -> None:
        """Give the generator another state."""
        state = _state_tensor(state)
        state.shape.assert_is_compatible_with([_counter_size(self._alg) + 1])
        self._state_var.assign(state)

    def reset_from_seed(self, seed: Any) -> None:
        """Give the generator the state of a seed."""
        self._state_var.assign(create_rng_state(seed, self._alg))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Give the generator another key and counter."""
        self._state_var.assign(_of_key_counter(key, counter, self._alg))

    @property
    def state(self) -> Any:
        """The variable of the state."""
        return self._state_var

    @property
    def algorithm(self) -> Any:
        """The number of the algorithm."""
        return self._alg

    @property
    def key(self) -> Any:
        """The key, the last integer of the state."""
        return self.state[-1]

    def skip(self, delta: Any) -> Any:
        """Move the counter on by ``256 * delta``, and return the state before."""
        return rng_read_and_skip(self._state_var.handle, self._alg, delta)

    def _prepared(self, shape: Any) -> dict[str, Any]:
        """Return the key, counter and algorithm of a draw of a shape; the state has moved on."""
        if not isinstance(shape, Node):
            shape = convert_to_tensor(shape, "int64" if np.shape(shape) == (0,) else None)
        state = self.skip(reduce_prod(cast(shape, "int64")))
        size = _counter_size(self._alg)
        return {"key": state[size:], "counter": state[:size], "alg": self._alg}

    def _standard_normal(self, shape: Any, dtype: Any) -> Any:
        return stateless_random_normal_v2(shape, dtype=dtype, **self._prepared(shape))

    def _truncated_normal(self, shape: Any, dtype: Any) -> Any:
        return stateless_truncated_normal_v2(shape, dtype=dtype, **self._prepared(shape))

    def _uniform(self, shape: Any, dtype: Any) -> Any:
        return stateless_random_uniform_v2(shape, dtype=dtype, **self._prepared(shape))

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: str | None = None
    ) -> Any:
        """Return draws from the normal distribution; gradients flow to a mean and a deviation that are tensors."""
        with name_scope(name, "stateful_normal") as scope:
            mean, stddev = convert_to_tensor(mean, dtype), convert_to_tensor(stddev, dtype)
            return add(self._standard_normal(shape, dtype) * stddev, mean, name=scope)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: str | None = None
    ) -> Any:
        """Return draws from the normal distribution, those beyond two deviations left out."""
        with name_scope(name, "truncated_normal") as scope:
            mean, stddev = convert_to_tensor(mean, dtype), convert_to_tensor(stddev, dtype)
            return add(self._truncated_normal(shape, dtype) * stddev, mean, name=scope)

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32", name: str | None = None
    ) -> Any:
        """Return draws from ``[minval, maxval)``; integers of all that their type has where neither is given.

        Raises ValueError for one bound of integers without the other, and for bounds that are no single integers.
        """
        kind = as_dtype(dtype)
        if kind.is_integer and (minval is None) != (maxval is None):
            raise ValueError(
                f"For integer dtype {kind}, minval and maxval must be both `None` or both non-`None`; got "
                f"minval={minval} and maxval={maxval}"
            )
        with name_scope(name, "stateful_uniform") as scope:
            if kind.is_integer and minval is None:
                return self.uniform_full_int(shape, kind, scope)
            low = convert_to_tensor(minval, kind)
            high = convert_to_tensor(1 if maxval is None else maxval, kind)
            if not kind.is_integer:
                return add(self._uniform(shape, kind) * (high - low), low, name=scope)
            for what, bound in (("minval", low), ("maxval", high)):
                if bound.shape.ndims:
                    raise ValueError(f"{what} must be a scalar; got a tensor of shape {bound.shape}")
            return stateless_random_uniform_int_v2(shape, minval=low, maxval=high, name=scope, **self._prepared(shape))

    def uniform_full_int(self, shape: Any, dtype: Any = "uint64", name: str | None = None) -> Any:
        """Return draws of all integers that a type has."""
        with name_scope(name, "stateful_uniform_full_int") as scope:
            return stateless_random_uniform_full_int_v2(shape, dtype=dtype, name=scope, **self._prepared(shape))

    def binomial(self, shape: Any, counts: Any, probs: Any, dtype: Any = "int32", name: str | None = None) -> Any:
        """Return how many of ``counts`` trials come true, with a probability of ``probs`` each; not TensorFlow's."""
        with name_scope(name, "binomial") as scope:
            parts = self._prepared(shape)
            pair = concat([parts["key"], parts["counter"][:1]], 0)
            return stateless_random_binomial(shape, pair, counts, probs, dtype, scope)

    def _make_int64_keys(self, shape: Any = ()) -> Any:
        return self.uniform_full_int(shape, "int64")

    def make_seeds(self, count: int = 1) -> Any:
        """Return ``count`` seeds of stateless operations, [2, count]."""
        keys = self._make_int64_keys([count])
        return stack([keys, zeros_like(keys)])

    def split(self, count: int = 1) -> list[Generator]:
        """Return ``count`` generators whose keys are drawn by this one."""
        size = _counter_size(self._alg)
        keys = unstack(self._make_int64_keys([count]), num=count)
        return [Generator(state=[0] * size + [key], alg=self._alg) for key in keys]


def _of_key_counter(key: Any, counter: Any, alg: int) -> Any:
    key, counter = _state_tensor(key), _state_tensor(counter)
    counter.shape.assert_is_compatible_with([_counter_size(alg)])
    key.shape.assert_is_compatible_with([])
    return concat([counter, reshape(key, [1])], 0)


_global: Generator | None = None


def get_global_generator() -> Generator:
    """Return the generator of the program; at first it has a state that nothing fixes.

    Raises RuntimeError where this is refused. Source: ``tf.random.get_global_generator``.
    """
    global _global
    if _global is None:
        if is_op_determinism_enabled():
            raise RuntimeError(
                '"get_global_generator" cannot be called if determinism is enabled, unless "set_global_generator" has '
                'already been called. Please call "set_global_generator" first.'
            )
        with init_scope():
            _global = Generator.from_non_deterministic_state()
    return _global


def set_global_generator(generator: Generator | None) -> None:
    """Set the generator of the program. Source: ``tf.random.set_global_generator``."""
    global _global
    _global = generator
