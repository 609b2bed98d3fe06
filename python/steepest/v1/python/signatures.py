"""TensorFlow's ``tf_inspect``: Python's `inspect`, which sees the function behind its decorators."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from inspect import (
    BoundArguments,
    FullArgSpec,
    Parameter,
    Signature,
    getframeinfo,
    getmembers,
    getmodule,
    getmro,
    stack,
)
from typing import Any, NamedTuple

from ..functions.traced_functions import Function
from .decorators import unwrap

__all__ = [
    "ArgSpec",
    "BoundArguments",
    "FullArgSpec",
    "Parameter",
    "Signature",
    "getargspec",
    "getcallargs",
    "getdoc",
    "getfile",
    "getframeinfo",
    "getfullargspec",
    "getmembers",
    "getmodule",
    "getmro",
    "getsource",
    "isanytargetmethod",
    "stack",
]


def __getattr__(name: str) -> Any:
    """Return what `inspect` has under the name, for the function behind the decorators."""
    if name == "currentframe":
        return inspect.currentframe
    if name.startswith("is") or name in ("getsourcefile", "getsourcelines", "signature"):
        return _seen_through(getattr(inspect, name))
    raise AttributeError(name)


def _seen_through(function: Callable[..., Any]) -> Callable[..., Any]:
    return functools.wraps(function)(lambda obj, *more, **named: function(unwrap(obj)[1], *more, **named))


def isanytargetmethod(obj: Any) -> bool:
    """Tell whether one of the functions that an object stands for, behind decorators and partial ones, has a self."""
    decorators, target = unwrap(obj)
    found = [*(decorator.decorated_target for decorator in decorators), target]
    if any(map(inspect.ismethod, found)):
        return True
    if isinstance(target, functools.partial):
        return isanytargetmethod(target.func)
    return callable(target) and not inspect.isfunction(target)


getfile = _seen_through(inspect.getfile)
getsource = _seen_through(inspect.getsource)


def getdoc(obj: Any) -> str | None:
    """Return the text of an object, that of its decorator where it has one."""
    return inspect.getdoc(obj)


class ArgSpec(NamedTuple):
    """A signature without what may only be given by name."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple[Any, ...] | None


def getfullargspec(obj: Any) -> FullArgSpec:
    """Return the signature of a function: what a decorator says of it, else that of the function behind it."""
    decorators, target = unwrap(obj)
    for decorator in decorators:
        if decorator.decorator_argspec is not None:
            found: FullArgSpec = decorator.decorator_argspec
            return found
    if isinstance(target, functools.partial):
        inside, function = unwrap(target.func)
        if all(decorator.decorator_argspec is None for decorator in inside):
            target = functools.partial(function, *target.args, **target.keywords)
    if isinstance(target, Function):
        target = target.python_function
    if isinstance(target, functools.partial) or inspect.isclass(target) or inspect.isroutine(target):
        return _without_types(inspect.getfullargspec(target), target)
    return inspect.getfullargspec(type(target).__call__)


def _without_types(spec: FullArgSpec, target: Any) -> FullArgSpec:
    """Leave the annotations of this package out: TensorFlow has none, and programs compare its signatures to theirs."""
    ours = (getattr(target, "__module__", None) or "").startswith("steepest.")
    return spec._replace(annotations={}) if ours else spec


def getargspec(obj: Any) -> ArgSpec:
    """Return the signature of a function, a class, a callable object or a partial function.

    What may only be given by name is behind the rest, with the defaults that it has. Raises ValueError for a partial
    one whose open arguments follow given ones, TypeError for what cannot be called.
    """
    if isinstance(obj, functools.partial):
        return _of_partial(obj)
    decorators, target = unwrap(obj)
    for decorator in decorators:
        if decorator.decorator_argspec is not None:
            found: ArgSpec = decorator.decorator_argspec
            return found
    spec = getfullargspec(target)
    defaults = (*(spec.defaults or ()), *(spec.kwonlydefaults or {}).values())
    return ArgSpec(spec.args + spec.kwonlyargs, spec.varargs, spec.varkw, defaults or None)


_OPEN = object()


def _of_partial(obj: functools.partial[Any]) -> ArgSpec:
    args, varargs, keywords, defaults = getargspec(obj.func)[:4]
    values = [_OPEN] * (len(args) - len(defaults or ())) + list(defaults or ())
    args, values = args[len(obj.args) :], values[len(obj.args) :]
    for name, value in obj.keywords.items():
        if name in args:
            values[args.index(name)] = value
        elif not keywords:
            raise ValueError(
                f"{obj}: Function does not have **kwargs parameter, but contains an unknown partial keyword {name}."
            )
    first = next((k for k, value in enumerate(values) if value is not _OPEN), len(values))
    wrong = [name for name, value in zip(args[first:], values[first:], strict=True) if value is _OPEN]
    if wrong:
        raise ValueError(
            f"{obj} has some keyword-only arguments, which are not supported: {wrong}. Some arguments {wrong} do not "
            "have default value, but they are positioned after those with default values. This can not be expressed "
            "with ArgSpec."
        )
    return ArgSpec(args, varargs, keywords, tuple(values[first:]) or None)


def getcallargs(func: Any, *positional: Any, **named: Any) -> dict[str, Any]:
    """Return which argument gets which value: the given ones by name, those by place in the others, defaults.

    What is missing, or one too many, is left out.
    """
    spec = getfullargspec(func)
    values = dict(named)
    if inspect.ismethod(func):
        positional = (func.__self__, *positional)
    values.update(zip([name for name in spec.args if name not in named], positional, strict=False))
    last = spec.args[len(spec.args) - len(spec.defaults or ()) :]
    defaults = {**dict(zip(last, spec.defaults or (), strict=True)), **(spec.kwonlydefaults or {})}
    return {**values, **{name: default for name, default in defaults.items() if name not in values}}
