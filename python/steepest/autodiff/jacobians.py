"""Jacobians and Hessians, whole or times a vector, by the tape."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.arrays import to_array
from ..base.errors import must
from ..base.typing import Value
from ..ops.dispatch import is_recorded, unwrap, wrap_result
from ..ops.tensor import Tensor
from ..variables.variable import Variable
from .functional import check_value, positions_of, released, watchable
from .tape import GradientTape

__all__ = ["hessian", "hvp", "jacobian", "jvp"]


def _source(who: str, f: Callable[..., Any], param: int | str, args: tuple[Any, ...]) -> tuple[int, list[Any]]:
    """Return which argument is differentiated, and the arguments with that one as something that a tape can watch."""
    if not isinstance(param, (int, str, np.integer)) or isinstance(param, bool):
        raise TypeError(must(who, "param", "be the position or the name of one parameter", param))
    (position,) = positions_of(who, f, [param], len(args))
    arguments = list(args)
    x = arguments[position]
    if not isinstance(x, Variable):
        x = watchable(who, x, [])
        if not isinstance(x, Tensor):
            raise TypeError(must(who, "argument", "be one array", args[position]))
    if x.dtype.kind in "biu":
        raise TypeError(must(who, "argument", "be of floats", f"dtype {x.dtype}"))
    arguments[position] = x
    return position, arguments


def _vector(who: str, v: Any, x: Any) -> Any:
    """Return the vector in the type of ``x``, recorded where it is."""
    if not is_recorded(v):
        v = to_array(who, "v", unwrap(v))
    elif isinstance(v, Variable):
        v = v._operand()
    if v.shape != x.shape:
        raise ValueError(must(who, "v", f"have the argument's shape {x.shape}", f"shape {v.shape}"))
    if v.dtype.kind not in "biuf":
        raise TypeError(must(who, "v", "be real numbers", f"dtype {v.dtype}"))
    return v if v.dtype == x.dtype else v.astype(x.dtype)


def _called(who: str, f: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Return f's value, one array."""
    value = f(*args, **kwargs)
    check_value(f, value)
    if isinstance(value, Variable):
        value = value._operand()
    if not isinstance(value, Tensor):
        if isinstance(value, (list, tuple, dict)):
            raise TypeError(must(who, "value", "be one array", value, "differentiate with respect to each by itself"))
        value = to_array(who, "value", value)
    if value.dtype.kind == "c":
        remedy = "differentiate np.real(z) and np.imag(z)"
        raise TypeError(must(who, "value", "be real", f"dtype {value.dtype}", remedy))
    return value


def _dense(gradient: Any) -> Any:
    return gradient if isinstance(gradient, (np.ndarray, np.generic, Tensor)) else gradient.to_dense()


def jacobian(f: Callable[..., Any], param: int | str = 0) -> Callable[..., Value]:
    """Return a function of f's arguments that gives the Jacobian ``d f(...)[i] / d param[j]``.

    Its shape is that of f's value followed by that of the argument. One backward pass is made for each element of the
    value. Under a tape the Jacobian is recorded.

    Args:
        f: a function of arrays that returns one array.
        param: the position or the name of the parameter, an array of floats.

    Raises:
        TypeError: when the returned function is called, for an argument or a value that is not one array of floats.
        ValueError: when it is called, if f returns None or does not have the parameter.

    Source: ``jax.jacrev``, ``autograd.jacobian``.

    Example:
        >>> st.jacobian(lambda x: x * x)(np.array([1.0, 3.0])).tolist()
        [[2.0, 0.0], [0.0, 6.0]]
    """
    who = "jacobian"

    @functools.wraps(f)
    def rows(*args: Any, **kwargs: Any) -> Any:
        position, arguments = _source(who, f, param, args)
        x = arguments[position]
        with GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = _called(who, f, arguments, kwargs)
        if not isinstance(y, Tensor):
            return wrap_result(np.zeros(y.shape + x.shape, x.dtype))
        gradients = []
        for k in range(y.size):
            one = np.zeros(y.shape, y.dtype)
            one.reshape(-1)[k] = 1
            gradients.append(_dense(tape.gradient(y, x, one, unconnected_gradients="zero")))
        if not gradients:
            return wrap_result(np.zeros(y.shape + x.shape, x.dtype))
        return released(np.reshape(np.stack(gradients), y.shape + x.shape))

    return rows


def hessian(f: Callable[..., Any], param: int | str = 0) -> Callable[..., Value]:
    """Return a function of f's arguments that gives the Hessian ``d^2 f(...) / d param[i] d param[j]``.

    The Jacobian of the Jacobian: its shape is that of f's value, for a loss (), followed by that of the argument twice.
    For arguments, errors and cost see `jacobian`; `hvp` is the Hessian times a vector, at the cost of two gradients.

    Source: ``jax.hessian``, ``autograd.hessian``.

    Example:
        >>> st.hessian(lambda x: x[0] ** 2 * x[1])(np.array([1.0, 3.0])).tolist()
        [[6.0, 2.0], [2.0, 0.0]]
    """
    return jacobian(jacobian(f, param), param)


def hvp(f: Callable[..., Any], param: int | str = 0) -> Callable[..., Value]:
    """Return a function of f's arguments and a vector v, the last one, that gives the Hessian times v.

    ``sum_j d^2 f(...) / d param[i] d param[j] * v[j]``, of the argument's shape, as is v: the gradient of the gradient
    times v.

    Args:
        f: a function of arrays that returns a scalar.
        param: the position or the name of the parameter, an array of floats.

    Raises:
        TypeError: when the returned function is called, for an argument that is not one array of floats.
        ValueError: when it is called, if f does not return a scalar, or v has another shape than the argument.

    Source: ``autograd.hessian_vector_product``, ``torch.autograd.functional.hvp``.

    Example:
        >>> st.hvp(lambda x: x[0] ** 2 * x[1])(np.array([1.0, 3.0]), np.array([1.0, 0.0])).tolist()
        [6.0, 2.0]
    """
    who = "hvp"

    @functools.wraps(f)
    def product(*args: Any, **kwargs: Any) -> Any:
        *given, v = _with_vector(who, args)
        position, arguments = _source(who, f, param, tuple(given))
        x = arguments[position]
        v = _vector(who, v, x)
        with GradientTape() as outer:
            outer.watch(x)
            with GradientTape() as inner:
                inner.watch(x)
                y = _called(who, f, arguments, kwargs)
            if y.shape != ():
                raise ValueError(must(who, "value", "be a scalar", f"shape {y.shape}", "sum it, or use jacobian"))
            if not isinstance(y, Tensor):
                return wrap_result(np.zeros(x.shape, x.dtype))
            gradient = _dense(inner.gradient(y, x, unconnected_gradients="zero"))
        if not isinstance(gradient, Tensor):  # f is linear
            return wrap_result(np.zeros(x.shape, x.dtype))
        return released(_dense(outer.gradient(gradient, x, v, unconnected_gradients="zero")))

    return product


def jvp(f: Callable[..., Any], param: int | str = 0) -> Callable[..., tuple[Value, Value]]:
    """Return a function of f's arguments and a vector v, the last one, that gives f's value and the Jacobian times v.

    ``(f(...), sum_j d f(...)[i] / d param[j] * v[j])``: the derivative of f in the direction v, of the value's shape.
    The tape goes backwards only, so it is the gradient of ``sum(u * J)`` times v with respect to u: the cost of two
    gradients.

    Args:
        f: a function of arrays that returns one array.
        param: the position or the name of the parameter, an array of floats.

    Raises:
        TypeError: when the returned function is called, for an argument or a value that is not one array of floats.
        ValueError: when it is called, if f returns None, or v has another shape than the argument.

    Source: ``jax.jvp``, ``autograd.make_jvp``.

    Example:
        >>> value, slope = st.jvp(lambda x: x * x)(np.array([1.0, 3.0]), np.array([1.0, 10.0]))
        >>> slope.tolist()
        [2.0, 60.0]
    """
    who = "jvp"

    @functools.wraps(f)
    def forward(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        *given, v = _with_vector(who, args)
        position, arguments = _source(who, f, param, tuple(given))
        x = arguments[position]
        v = _vector(who, v, x)
        with GradientTape() as outer:
            with GradientTape() as inner:
                inner.watch(x)
                y = _called(who, f, arguments, kwargs)
            if not isinstance(y, Tensor):
                return released(y), wrap_result(np.zeros(y.shape, y.dtype))
            u = Tensor(np.zeros(y.shape, y.dtype))
            outer.watch(u)
            back = _dense(inner.gradient(y, x, u, unconnected_gradients="zero"))
        slope = outer.gradient(back, u, v, unconnected_gradients="zero") if isinstance(back, Tensor) else u.value
        return released(y), released(slope)

    return forward


def _with_vector(who: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(args) < 2:
        raise TypeError(must(who, "arguments", "be those of the function and a vector", f"{len(args)}"))
    return args
