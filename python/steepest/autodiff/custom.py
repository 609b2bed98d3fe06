"""Functions that change how they are differentiated."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.errors import must
from ..ops.dispatch import Operand, any_recorded, has_complex, is_recorded, record, unwrap
from ..ops.registry import Primitive
from ..ops.state import recording
from ..ops.tensor import Tensor
from ..variables.variable import Variable

__all__ = ["custom_gradient", "name_of", "stop_gradient"]


def name_of(f: Any) -> str:
    """Return a function's name for messages."""
    return getattr(f, "__name__", None) or type(f).__name__


def stop_gradient(x: Any) -> Any:
    """Return the value of x, through which no gradient flows.

    A Variable's value is copied. The result is a Tensor that no tape records while one does, else a plain array.

    Source: ``tf.stop_gradient``.

    Example:
        >>> (gradient,) = st.gradients_function(lambda x: x * st.stop_gradient(x))(3.0)
        >>> float(gradient)
        3.0
    """
    if isinstance(x, (list, tuple)):
        return type(x)(stop_gradient(item) for item in x)
    value = unwrap(x)
    if isinstance(x, Variable):
        value = value.copy()
    if not isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
    return Tensor(value) if recording().tapes and isinstance(x, Operand) else value


def custom_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate ``f(*args) -> (value, grad_fn)``: the gradient is what ``grad_fn`` says.

    ``grad_fn(g)`` takes the gradient that arrives at the value and returns one gradient for each argument, each of the
    argument's shape, None where there is none (of a single argument, the gradient itself will do). Derivatives of
    derivatives go through what grad_fn computes.

    Raises:
        TypeError: when f does not return a pair with a function.
        ValueError: when grad_fn returns another number of gradients, or one of another shape.

    Source: ``tf.custom_gradient``.

    Example:
        >>> @st.custom_gradient
        ... def clipped(x):
        ...     return x, lambda g: np.clip(g, -1, 1)
        >>> (gradient,) = st.gradients_function(lambda x: 5 * clipped(x))(3.0)
        >>> float(gradient)
        1.0
    """
    name = name_of(f)

    @functools.wraps(f)
    def decorated(*args: Any) -> Any:
        # An argument is followed in its own right: what f computes from it stays on record for grad_fn's own
        # derivative, while the result is known to the tape by grad_fn alone.
        inputs = tuple(a._operand() if isinstance(a, Variable) else a for a in args)
        pair = f(*inputs)
        if not (isinstance(pair, tuple) and len(pair) == 2 and callable(pair[1])):
            raise TypeError(must(name, "result", "be a pair (value, grad_fn) under custom_gradient", pair))
        value, grad_fn = pair
        value = unwrap(value)
        if not any_recorded(inputs):
            return value
        if isinstance(value, (list, tuple, dict)):
            raise TypeError(must(name, "value", "be one array under custom_gradient", value))
        if not isinstance(value, (np.ndarray, np.generic)):
            value = np.asarray(value)
        rule = _GivenGradient(name, grad_fn)
        operands = tuple(a if is_recorded(a) else unwrap(a) for a in inputs)
        return record(value, Primitive(f, vjp_argnums=rule, name=name), operands)

    return decorated


class _GivenGradient:
    """The rule of a function under `custom_gradient`: asks ``grad_fn`` once for all arguments."""

    def __init__(self, name: str, grad_fn: Callable[..., Any]) -> None:
        self._name = name
        self._grad_fn = grad_fn

    def __call__(self, positions: list[int], g: Any, y: Any, *args: Any) -> list[Any]:
        gradients = self._checked(self._grad_fn(g), args)
        return [gradients[position] for position in positions]

    def _checked(self, gradients: Any, args: tuple[Any, ...]) -> list[Any]:
        who = f"{self._name}: grad_fn"
        if not isinstance(gradients, (list, tuple)):
            gradients = (gradients,)
        if len(gradients) != len(args):
            raise ValueError(
                must(who, "result", f"be one gradient for each of {len(args)} arguments", f"{len(gradients)}")
            )
        checked: list[Any] = []
        for position, (gradient, argument) in enumerate(zip(gradients, args, strict=True)):
            if gradient is not None:
                if not isinstance(gradient, (np.ndarray, np.generic, Tensor)):
                    gradient = np.asarray(unwrap(gradient))
                if gradient.shape != np.shape(unwrap(argument)):
                    rule = f"have the shape {np.shape(unwrap(argument))} of argument {position}"
                    raise ValueError(must(who, "gradient", rule, f"shape {gradient.shape}"))
                if gradient.dtype.kind == "c" and not has_complex(argument):
                    rule = f"be real, as argument {position} is"
                    raise TypeError(must(who, "gradient", rule, f"dtype {gradient.dtype}"))
            checked.append(gradient)
        return checked
