"""TensorFlow's ``tf_should_use``: results of a program's functions that nobody uses are told of."""

from __future__ import annotations

import functools
import sys
import traceback
from collections.abc import Callable
from typing import Any

from ..functions.body_exits import add_exit_callback_to_default_func_graph, in_body
from ..graph import log as tf_logging  # under the name in which programs replace its functions
from ..graph.mode import executing_eagerly
from .decorators import make_decorator

__all__ = ["_add_should_use_warning", "should_use_result", "tf_logging"]

_LEFT_ALONE = frozenset({"__class__", "__init__", "__new__", "__getattribute__", "__del__", "__dict__", "__weakref__"})


class _Watched:
    """Whether a result has been used, and where it was made."""

    def __init__(self, kind: str, shown: str, made_at: list[str], fatal: bool) -> None:
        self.used = False
        self._told = (
            f"Object was never used (type {kind}): {shown}. If you want to mark it as used call its "
            f'"mark_used()" method. It was originally created here:\n{"".join(made_at)}'
        )
        if fatal:
            add_exit_callback_to_default_func_graph(self._check)

    def _check(self) -> None:
        if not self.used:
            self.used = True  # once is enough
            raise RuntimeError(self._told)

    def __del__(self) -> None:
        if not self.used:
            tf_logging.error(self._told)


def _kind(of: type) -> type:
    """Return a class of objects that stand for one of another class: any use of them is noted, and is one of that."""

    def used(self: Any) -> Any:
        whole, watched = object.__getattribute__(self, "_of")
        watched.used = True
        return whole

    def forwarded(name: str) -> Callable[..., Any]:
        return lambda self, *args, **kwargs: getattr(used(self), name)(*args, **kwargs)

    def begin(self: Any, whole: Any, watched: _Watched) -> None:
        object.__setattr__(self, "_of", (whole, watched))

    def read(self: Any, name: str) -> Any:
        if name == "__class__":
            return of
        whole = used(self)
        return (lambda: None) if name == "mark_used" else getattr(whole, name)

    special = {name for name in dir(of) if name.startswith("__") and callable(getattr(of, name, None))}
    methods: dict[str, Any] = {name: forwarded(name) for name in special - _LEFT_ALONE}
    methods.update({"__init__": begin, "__getattribute__": read, "__slots__": ("_of",)})
    methods["__setattr__"] = lambda self, name, value: setattr(used(self), name, value)
    return type(of.__name__, (), methods)


_kinds: dict[type, type] = {}


def _add_should_use_warning(x: Any, error_in_function: bool = False, warn_in_eager: bool = False) -> Any:
    """Return what stands for ``x``, and tells of it where it goes and was never used."""
    if x is None or (isinstance(x, (list, tuple)) and not x):
        return x
    if not error_in_function if in_body() else executing_eagerly() and not warn_in_eager:
        return x
    if type(x) not in _kinds:
        _kinds[type(x)] = _kind(type(x))
    made_at = traceback.format_stack(sys._getframe(1))
    return _kinds[type(x)](x, _Watched(str(type(x)), repr(x), made_at, in_body()))


def should_use_result(fn: Any = None, warn_in_eager: bool = False, error_in_function: bool = False) -> Any:
    """Decorate a function: a result of it that was never used when it goes is told of, as an error that is logged.

    Args:
        fn: the function.
        warn_in_eager: whether that holds in eager mode too.
        error_in_function: whether it is an error (RuntimeError) in the body of a function that is traced.

    Source: ``tf_should_use.should_use_result``.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        @functools.wraps(function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            return _add_should_use_warning(result, error_in_function, warn_in_eager)

        text = (function.__doc__ or "") + (
            f"\n\nNote: The output of this function should be used. If it is not, {'an' if error_in_function else 'a'} "
            f"{'error' if error_in_function else 'warning'} will be given."
        )
        return make_decorator(function, watched, "should_use_result", text)

    return decorate if fn is None else decorate(fn)
