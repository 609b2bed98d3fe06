"""``get_variable``: variables that are made once and shared by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.arrays import to_dtype
from ..base.errors import describe, must
from ..base.typing import Array, ArrayLike, DTypeLike
from .collections import GraphKeys
from .names import get_default_store
from .scopes import AUTO_REUSE, get_variable_scope, name_scope
from .variable import Variable

__all__ = ["get_variable", "glorot_uniform", "shared_variable"]


def glorot_uniform(shape: Sequence[int], dtype: DTypeLike = np.float32) -> Array:
    """Draw from ``U(-r, r)`` with ``r = sqrt(6 / (fan_in + fan_out))``, ``get_variable``'s default start.

    The last two axes are fan-in and fan-out, each times the product of the axes before them (a
    convolution's window); a vector of n has both fans n. ``set_random_seed`` makes it reproducible.

    Source: Glorot and Bengio 2010, "Understanding the difficulty of training deep feedforward
    neural networks"; ``tf.glorot_uniform_initializer``.
    """
    shape = tuple(shape)
    window = math.prod(shape[:-2])
    fan_in, fan_out = (shape[-2:] if len(shape) > 1 else shape * 2) or (1, 1)
    reach = math.sqrt(6.0 / max(1.0, window * (fan_in + fan_out)))
    return get_default_store().rng.uniform(-reach, reach, shape).astype(dtype)


def get_variable(
    name: str,
    shape: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    initializer: ArrayLike | Callable[..., ArrayLike] | None = None,
    regularizer: Callable[[Variable], Any] | None = None,
    trainable: bool = True,
    collections: Sequence[str] | None = None,
) -> Variable:
    """Return the variable ``name`` of the current variable scope: a new one, or the shared one under reuse.

    The variable lives as long as the store, not as long as its users.

    Args:
        name: below the scope's name.
        shape: the lengths of the axes; not to be given with an array or a number as initializer.
        dtype: by default the scope's, else what ``Variable`` makes of the array or number, else float32.
        initializer: an array, a number, or a callable ``initializer(shape, dtype=dtype)`` such as ``np.zeros``; by
            default the scope's, else `glorot_uniform` (zeros for integers).
        regularizer: a function of the variable, by default the scope's. An eager loss is computed anew at each step,
            so what is stored in ``GraphKeys.REGULARIZATION_LOSSES`` is a callable without arguments.
        trainable: as for `Variable`.
        collections: as for `Variable`.

    Raises:
        TypeError: for a name that is not a string.
        ValueError: in TensorFlow's words, when the variable exists and the scope does not reuse, when the scope reuses
            and it does not exist, when shape or dtype differ from the shared variable's, when there is neither shape
            nor initializer, and when a constant comes with a shape.

    Source: ``tf.get_variable``.

    Example:
        >>> with st.variable_scope("layer", reuse=st.AUTO_REUSE):
        ...     w = st.get_variable("w", [2, 3])
        ...     shared = st.get_variable("w", [2, 3])
        >>> w.name, w.shape, shared is w
        ('layer/w', (2, 3), True)
    """

    def make(full_name: str, sizes: tuple[int, ...] | None, dtype: Any, start: Any) -> Variable:
        value = _initial_value(full_name, sizes, dtype, start)
        with name_scope(None):
            return Variable(value, trainable=trainable, name=full_name, collections=collections)

    shared, rule = shared_variable(name, shape, dtype, initializer, regularizer, make)
    variable: Variable = shared
    if rule is not None:
        get_default_store().collection(GraphKeys.REGULARIZATION_LOSSES).append(lambda: rule(variable))
    return variable


Make = Callable[[str, "tuple[int, ...] | None", Any, Any], Any]


def shared_variable(
    name: str, shape: Any, dtype: Any, initializer: Any, regularizer: Callable[..., Any] | None, make: Make
) -> tuple[Any, Callable[..., Any] | None]:
    """Return the variable that `get_variable` returns, and the regularizer of a new one, else None.

    ``make(full name, shape, dtype, initializer)`` makes the variable where there is none to share. Raises as there.
    """
    if not isinstance(name, str):
        raise TypeError(must("get_variable", "name", "be a string", name))
    store = get_default_store()
    scope = get_variable_scope()
    full_name = scope.full_name(name)
    initializer = scope.initializer if initializer is None else initializer
    dtype = scope.dtype if dtype is None else dtype
    if dtype is not None:
        to_dtype("get_variable", dtype)
    sizes = None if shape is None else _as_shape(shape)
    if shape is not None and initializer is not None and not callable(initializer):
        raise ValueError("If initializer is a constant, do not specify shape.")
    with store.lock:
        shared = store.named.get(full_name)
        if shared is not None:
            if not scope.reuse:
                raise ValueError(
                    f"Variable {full_name} already exists, disallowed. "
                    "Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
                )
            _check_shared(shared, full_name, sizes, dtype)
            return shared, None
        if scope.reuse and scope.reuse is not AUTO_REUSE:
            raise ValueError(
                f"Variable {full_name} does not exist, or was not created with tf.get_variable(). "
                "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"
            )
        if sizes is None and (initializer is None or callable(initializer)):
            raise ValueError(
                f"Shape of a new variable ({full_name}) must be fully defined, but instead was None; "
                "give shape, or an array as initializer."
            )
        variable = make(full_name, sizes, dtype, initializer)
        store.named[full_name] = variable
    return variable, scope.regularizer if regularizer is None else regularizer


def _as_shape(shape: Any) -> tuple[int, ...]:
    try:
        sizes = (shape,) if isinstance(shape, int | np.integer) else tuple(shape)
        sizes = tuple(int(size.__index__()) for size in sizes)
    except (TypeError, AttributeError):
        raise TypeError(must("get_variable", "shape", "be an integer or a list of integers", describe(shape))) from None
    if any(size < 0 for size in sizes):
        raise ValueError(must("get_variable", "shape", "have no negative size", repr(sizes)))
    return sizes


def _check_shared(shared: Variable, name: str, shape: tuple[int, ...] | None, dtype: Any) -> None:
    own = tuple(int(size) for size in shared.shape)
    if shape is not None and shape != own:
        raise ValueError(f"Trying to share variable {name}, but specified shape {shape} and found shape {own}.")
    if dtype is not None and np.dtype(dtype) != np.dtype(shared.dtype):
        found = getattr(shared.dtype, "name", shared.dtype)
        raise ValueError(
            f"Trying to share variable {name}, but specified dtype {np.dtype(dtype).name} and found dtype {found}."
        )


def _initial_value(name: str, shape: tuple[int, ...] | None, dtype: Any, initializer: Any) -> Any:
    if initializer is not None and not callable(initializer):
        return initializer if dtype is None else np.asarray(initializer, dtype)
    assert shape is not None
    kind = np.dtype(np.float32 if dtype is None else dtype)
    if initializer is None:
        initializer = np.zeros if kind.kind in "iub" else glorot_uniform
    value = np.asarray(initializer(shape, dtype=kind), dtype=kind)
    if value.shape != shape:
        raise ValueError(must("get_variable", "initializer", f"return shape {shape} for {name}", str(value.shape)))
    return value
