"""Scopes of default arguments: within ``arg_scope([layer], key=value)`` the layer's own argument is that value."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

__all__ = [
    "add_arg_scope",
    "arg_scope",
    "arg_scope_func_key",
    "arg_scoped_arguments",
    "current_arg_scope",
    "has_arg_scope",
]

Scope = dict[str, dict[str, Any]]

_SCOPE: ContextVar[Scope | None] = ContextVar("steepest.v1.arg_scope", default=None)
_TAKES_PART: dict[str, Any] = {}


def add_arg_scope(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function so that `arg_scope` may give its arguments. Source: ``tf.contrib.framework``."""

    @functools.wraps(func)
    def with_defaults(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **{**current_arg_scope().get(key, {}), **kwargs})

    key = arg_scope_func_key(func)
    with_defaults._key_op = key  # type: ignore[attr-defined]
    _TAKES_PART[key] = func  # which keeps the function, and so the address in its text
    return with_defaults


def arg_scope_func_key(op: Any) -> str:
    """Return the text that is a function's key in a scope."""
    return str(getattr(op, "_key_op", op))


def has_arg_scope(func: Callable[..., Any]) -> bool:
    """Tell whether a function takes part in `arg_scope`."""
    return arg_scope_func_key(func) in _TAKES_PART


def arg_scoped_arguments(func: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the arguments that have defaults, which `arg_scope` may give."""
    named = inspect.signature(_TAKES_PART[arg_scope_func_key(func)]).parameters.values()
    return tuple(each.name for each in named if each.default is not inspect.Parameter.empty)


def current_arg_scope() -> Scope:
    """Return the arguments of each function, by its key, in the scope that is open."""
    return _SCOPE.get() or {}


@contextlib.contextmanager
def arg_scope(list_ops_or_scope: Any, **kwargs: Any) -> Iterator[Scope]:
    """Give functions arguments within; inner scopes add to outer ones, and what a call says itself wins.

    Args:
        list_ops_or_scope: a list of functions, with the arguments as ``kwargs``; or a scope that was captured by
            ``with arg_scope(...) as scope``, which is opened again instead of the one that is open.

    Raises:
        TypeError: for anything else, or arguments beside a captured scope.
        ValueError: for a function that is not decorated by `add_arg_scope`.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError("When attempting to re-use a scope by suppling a dictionary, kwargs must be empty.")
        scope: Scope = dict(list_ops_or_scope)
    elif isinstance(list_ops_or_scope, (list, tuple)):
        scope = dict(current_arg_scope())
        for func in list_ops_or_scope:
            if not has_arg_scope(func):
                raise ValueError(f"{func!r} is not decorated with @add_arg_scope")
            key = arg_scope_func_key(func)
            scope[key] = {**scope.get(key, {}), **kwargs}
    else:
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    token = _SCOPE.set(scope)
    try:
        yield scope
    finally:
        _SCOPE.reset(token)
