"""TensorFlow's ``dispatch``: a program's functions that take, in place of tensors, what other functions handle."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .decorators import make_decorator

__all__ = [
    "GlobalOpDispatcher",
    "OpDispatcher",
    "add_dispatch_list",
    "add_dispatch_support",
    "add_fallback_dispatch_list",
    "dispatch",
    "dispatch_for_types",
]

FALLBACK_DISPATCH_ATTR = "_tf_fallback_dispatchers"
_GLOBAL_DISPATCHERS: list[Any] = []


class OpDispatcher:
    """What a function may be called with in place of its own arguments; the base class of such handlers."""

    NOT_SUPPORTED = object()

    def handle(self, args: Any, kwargs: Any) -> Any:
        """Return the result for arguments; `NOT_SUPPORTED` where they are not this handler's."""
        return self.NOT_SUPPORTED

    def register(self, op: Any) -> None:
        """Ask this handler where ``op`` refuses its arguments; AssertionError for a function that does not dispatch."""
        if not hasattr(op, FALLBACK_DISPATCH_ATTR):
            raise AssertionError(f"Dispatching not enabled for {op}")
        getattr(op, FALLBACK_DISPATCH_ATTR).append(self)


class GlobalOpDispatcher:
    """The base class of handlers that are asked by every function that dispatches: ``handle(op, args, kwargs)``."""

    NOT_SUPPORTED = OpDispatcher.NOT_SUPPORTED

    def handle(self, op: Any, args: Any, kwargs: Any) -> Any:
        """Return the result of a function, or `NOT_SUPPORTED`."""

    def register(self) -> None:
        """Ask this handler too."""
        _GLOBAL_DISPATCHERS.append(self)


def dispatch(op: Any, args: Any, kwargs: Any) -> Any:
    """Return the result of the first handler of a function that takes the arguments, else ``NOT_SUPPORTED``."""
    for handler in getattr(op, FALLBACK_DISPATCH_ATTR):
        if (result := handler.handle(args, kwargs)) is not OpDispatcher.NOT_SUPPORTED:
            return result
    for each in _GLOBAL_DISPATCHERS:
        if (result := each.handle(op, args, kwargs)) is not OpDispatcher.NOT_SUPPORTED:
            return result
    return OpDispatcher.NOT_SUPPORTED


class _OfTypes(OpDispatcher):
    def __init__(self, function: Callable[..., Any], types: tuple[type, ...]) -> None:
        self._function, self._types = function, types

    def handle(self, args: Iterable[Any], kwargs: Mapping[str, Any]) -> Any:
        for argument in (*args, *kwargs.values()):
            each = argument if isinstance(argument, (list, tuple)) else [argument]
            if any(isinstance(item, self._types) for item in (argument, *each)):
                return self._function(*args, **kwargs)
        return self.NOT_SUPPORTED


def dispatch_for_types(op: Any, *types: type) -> Callable[[Any], Any]:
    """Return the decorator of a function that does what ``op`` does where an argument is, or holds, one of some types.

    It needs the arguments without defaults of ``op``; it may leave out others, which are then not given. AssertionError
    for other arguments, and for an ``op`` without `add_dispatch_support`.
    """

    def decorator(function: Any) -> Any:
        _OfTypes(_called_as(op, function), types).register(op)
        return function

    return decorator


def _needed(signature: inspect.Signature) -> list[str]:
    several = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    return [name for name, p in signature.parameters.items() if p.default is p.empty and p.kind not in several]


def _called_as(op: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is called as ``op`` is, and does what another one does."""
    wanted, own = inspect.signature(op), inspect.signature(function)
    if _needed(wanted) != _needed(own):
        raise AssertionError(
            "The decorated function's non-default arguments must be identical to that of the overridden op. "
            f"func has {_needed(own)}. op has {_needed(wanted)}."
        )
    missing = {name: p.default for name, p in wanted.parameters.items() if name not in own.parameters}
    if not missing:
        return function

    def called(*args: Any, **kwargs: Any) -> Any:
        bound = wanted.bind(*args, **kwargs)
        for name, default in missing.items():
            if bound.arguments.pop(name, default) is not default:
                raise AssertionError(
                    f"Dispatched op is called with argument `{name}` set to a non-default value, which is not "
                    "supported by the decorated function"
                )
        return function(*bound.args, **bound.kwargs)

    return called


def add_fallback_dispatch_list(target: Any) -> Any:
    """Let handlers be registered for a function, which calls `dispatch` by itself; AssertionError the second time."""
    if hasattr(target, FALLBACK_DISPATCH_ATTR):
        raise AssertionError(f"{target} already has a dispatch list")
    setattr(target, FALLBACK_DISPATCH_ATTR, [])
    return target


add_dispatch_list = add_fallback_dispatch_list


def add_dispatch_support(target: Any = None, iterable_parameters: Any = None) -> Any:
    """Return a function that asks its handlers where it raises TypeError or ValueError; without one the decorator.

    Args:
        target: the function.
        iterable_parameters: names of arguments that may be iterators: handlers see them as lists.
    """
    several = iterable_parameters or ()
    if not isinstance(several, (list, tuple)) or not all(isinstance(name, str) for name in several):
        raise TypeError("iterable_parameters should be a list or tuple of string.")
    if target is None:
        return lambda function: add_dispatch_support(function, iterable_parameters)

    def asking(*args: Any, **kwargs: Any) -> Any:
        if several:
            bound = inspect.signature(target).bind(*args, **kwargs)
            for name in several:
                if name in bound.arguments and not isinstance(bound.arguments[name], (list, tuple)):
                    bound.arguments[name] = list(bound.arguments[name])
            args, kwargs = bound.args, bound.kwargs
        try:
            return target(*args, **kwargs)
        except (TypeError, ValueError):
            if (result := dispatch(asking, args, kwargs)) is OpDispatcher.NOT_SUPPORTED:
                raise
            return result

    return make_decorator(target, add_fallback_dispatch_list(asking))
