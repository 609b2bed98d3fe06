"""What NumPy's protocols, ``__array_ufunc__`` and ``__array_function__``, ask of taped values and variables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import _core
from ..base.errors import must
from .dispatch import Operand, any_recorded, apply, unwrap, wrap_result
from .registry import COMPOSITES, NONDIFFERENTIABLE, PRIMITIVES
from .state import recording

__all__ = ["call_function", "call_ufunc"]

_REFUSED = frozenset({"out", "where", "initial", "mean", "correction"})
_WAY_OUT = (
    "use stop_gradient(x) where no gradient is meant, .numpy() for the plain value, or custom_gradient to give the rule"
)


def leaves(value: Any) -> Iterator[Any]:
    """Give the tensors and variables in a nest of lists, tuples and dicts."""
    if isinstance(value, Operand):
        yield value
    elif type(value) in (list, tuple):
        for item in value:
            yield from leaves(item)
    elif type(value) is dict:
        yield from leaves(list(value.values()))


def no_rule(name: str) -> TypeError:
    """Return the error for a function that has no derivative here."""
    return TypeError(must(name, "function", "have a derivative rule on recorded values", "none", _WAY_OUT))


def _check_options(name: str, kwargs: dict[str, Any]) -> None:
    if kwargs.get("out") is not None:
        remedy = "drop out= and use the result"
        raise TypeError(must(name, "out", "be absent for recorded values", "an array", remedy))
    for option in (_REFUSED - {"out"}) & kwargs.keys():
        if kwargs[option] is not np._NoValue and kwargs[option] is not True:
            remedy = "write it with np.where, or use stop_gradient(x)"
            raise TypeError(must(name, option, "be absent for recorded values", kwargs[option], remedy))


def call_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Evaluate what ``__array_ufunc__`` is asked for, but for plain calls of ufuncs that have a derivative."""
    for out in kwargs.get("out", ()):
        if isinstance(out, Operand):
            remedy = "a Variable has assign, assign_add and assign_sub; a Tensor never changes"
            raise TypeError(must(ufunc.__name__, "out", "be a plain array", out, remedy))
    if recording().floor != np.inf and ufunc not in NONDIFFERENTIABLE and any_recorded(inputs, kwargs):
        _check_options(ufunc.__name__, kwargs)
        primitive = PRIMITIVES.get(ufunc)
        if method == "__call__" and primitive is not None:
            return apply(primitive, inputs, kwargs)
        if method == "__call__" and ufunc in COMPOSITES:
            return COMPOSITES[ufunc](*inputs, **kwargs)
        raise no_rule(ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}")
    return wrap_result(getattr(ufunc, method)(*unwrap(inputs), **unwrap(kwargs)))


def call_function(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Evaluate what ``__array_function__`` is asked for, but for plain calls of functions that have a derivative."""
    primitive = PRIMITIVES.get(function)
    refused = not _REFUSED.isdisjoint(kwargs)
    for out in leaves(kwargs.get("out")) if refused else ():
        remedy = "a Variable has assign, assign_add and assign_sub; a Tensor never changes"
        raise TypeError(must(function.__name__, "out", "be a plain array", out, remedy))
    if recording().floor == np.inf or function in NONDIFFERENTIABLE:
        return _evaluated(function, args, kwargs)
    named = bool(kwargs) and any_recorded(kwargs)
    if not named and not any_recorded(*args):
        return _evaluated(function, args, kwargs)
    if refused:
        _check_options(function.__name__, kwargs)
    if named:
        args, kwargs = _positional(function, args, kwargs)
    implementation = COMPOSITES.get(function)
    if implementation is not None:
        return implementation(*args, **kwargs)
    if primitive is None:
        raise no_rule(function.__name__)
    return apply(primitive, args, kwargs or None)


def _evaluated(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    value = function(*unwrap(args), **unwrap(kwargs))
    if (
        recording().floor != np.inf
        and type(value) is np.ndarray
        and value.base is not None
        and function not in NONDIFFERENTIABLE
    ):
        value = value.copy()  # as in `apply`: it may be a view of a variable
    return wrap_result(value)


def _positional(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Move the arguments that are recorded values from keywords to their positions."""
    bound = inspect.signature(function).bind(*args, **kwargs)
    return bound.args, bound.kwargs


_core.register_tape(call_ufunc=call_ufunc, call_function=call_function, refused=_REFUSED)
