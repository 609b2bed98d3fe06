"""What NumPy's protocols, ``__array_ufunc__`` and ``__array_function__``, ask of taped values and variables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import _core
from ..base.errors import must
from .dispatch import Operand, any_recorded, apply, has_complex, needs_real, unwrap, wrap_result
from .registry import COMPLEX, COMPOSITES, NONDIFFERENTIABLE, PRIMITIVES, WITH_OPTIONS, has_late_rule
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
    for option in ("where", "initial", "mean", "correction"):
        if option in kwargs and kwargs[option] is not np._NoValue and kwargs[option] is not True:
            remedy = "write it with np.where, or use stop_gradient(x)"
            raise TypeError(must(name, option, "be absent for recorded values", kwargs[option], remedy))


def call_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Evaluate what ``__array_ufunc__`` is asked for, but for plain calls of ufuncs that have a derivative."""
    for out in kwargs.get("out", ()):
        if isinstance(out, Operand):
            remedy = "a Variable has assign, assign_add and assign_sub; a Tensor never changes"
            raise TypeError(must(ufunc.__name__, "out", "be a plain array", out, remedy))
    if recording().floor != np.inf and ufunc not in NONDIFFERENTIABLE and any_recorded(inputs, kwargs):
        if method != "__call__":
            return _call_method(ufunc, method, inputs, kwargs)
        _check_options(ufunc.__name__, kwargs)
        primitive = PRIMITIVES.get(ufunc)
        if primitive is not None:
            return apply(primitive, inputs, kwargs)
        if ufunc in COMPOSITES:
            return _composed(ufunc, COMPOSITES[ufunc], inputs, kwargs)
        if has_late_rule(ufunc):
            return call_ufunc(ufunc, method, inputs, kwargs)
        raise no_rule(ufunc.__name__)
    return wrap_result(getattr(ufunc, method)(*unwrap(inputs), **unwrap(kwargs)))


def _call_method(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Evaluate ``np.add.reduce`` and the like on recorded values."""
    if kwargs.get("out", (None,)) == (None,):
        kwargs = {name: value for name, value in kwargs.items() if name != "out"}
    _check_options(ufunc.__name__, {"out": kwargs.get("out")})
    function = getattr(ufunc, method)
    if function in COMPOSITES:
        return _composed(function, COMPOSITES[function], inputs, kwargs)
    if method == "outer" and not kwargs and (ufunc in PRIMITIVES or ufunc in COMPOSITES):
        a, b = inputs
        return ufunc(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)
    raise no_rule(f"{ufunc.__name__}.{method}")


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
        if function in WITH_OPTIONS:
            return _with_options(function, args, kwargs)
        _check_options(function.__name__, kwargs)
        kwargs = {name: value for name, value in kwargs.items() if name != "out"}
    if named:
        args, kwargs = _positional(function, args, kwargs)
    if function in COMPOSITES:
        return _composed(function, COMPOSITES[function], args, kwargs)
    if primitive is None:
        if has_late_rule(function):
            return call_function(function, args, kwargs)
        raise no_rule(function.__name__)
    return apply(primitive, args, kwargs or None)


def _with_options(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Evaluate a reduction with its options."""
    arguments = inspect.signature(function).bind(*args, **kwargs).arguments
    _check_options(function.__name__, {"out": arguments.pop("out", None)})
    x = arguments.pop("a")
    options = {name: value for name, value in arguments.items() if value is not np._NoValue}
    if _REFUSED.isdisjoint(options):
        return function(x, **options)
    return _composed(PRIMITIVES[function], WITH_OPTIONS[function], (x,), options)


def _composed(function: Any, parts: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Evaluate a function through the parts that it is made of."""
    if function not in COMPLEX and has_complex(args, kwargs):
        raise needs_real(getattr(function, "name", None) or function.__name__, "complex numbers")
    return parts(*args, **kwargs)


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
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except ValueError:  # a function in C that does not tell
        return args, kwargs
    return bound.args, bound.kwargs


_core.register_tape(call_ufunc=call_ufunc, call_function=call_function, refused=_REFUSED)
