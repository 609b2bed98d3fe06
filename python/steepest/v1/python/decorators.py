"""TensorFlow's ``tf_decorator``: decorated functions that still tell which function they stand for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

__all__ = ["TFDecorator", "fullargspec_to_signature", "make_decorator", "rewrap", "unwrap"]


class TFDecorator:
    """A function that stands for another one: its decorator's name, text and signature.

    Source: ``tensorflow.python.util.tf_decorator.TFDecorator``.
    """

    def __init__(
        self, decorator_name: str, target: Any, decorator_doc: str | None = "", decorator_argspec: Any = None
    ) -> None:
        self.decorated_target = target
        self.decorator_name = decorator_name
        self.decorator_doc = decorator_doc
        self.decorator_argspec = decorator_argspec
        if decorator_argspec is not None:
            self.__signature__ = fullargspec_to_signature(decorator_argspec)
        for name in ("__name__", "__qualname__"):
            if hasattr(target, name):
                setattr(self, name, getattr(target, name))
        own = getattr(target, "__doc__", None)
        self.__doc__ = decorator_doc or own or ("" if decorator_doc is not None else None)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self.decorated_target.__get__(instance, owner)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.decorated_target(*args, **kwargs)


def fullargspec_to_signature(fullargspec: Any) -> inspect.Signature:
    """Return the signature that `inspect.FullArgSpec` tells, or an ``ArgSpec``, in which nothing is by name only."""
    kinds = inspect.Parameter
    args, varargs, varkw, values = fullargspec[:4]
    by_name, given = fullargspec[4:6] or ((), None)
    defaults = {**dict(zip(reversed(args), reversed(values or ()), strict=False)), **(given or {})}
    listed: list[tuple[Any, Any]] = [(name, kinds.POSITIONAL_OR_KEYWORD) for name in args]
    listed += [(varargs, kinds.VAR_POSITIONAL)] if varargs else []
    listed += [(name, kinds.KEYWORD_ONLY) for name in by_name]
    listed += [(varkw, kinds.VAR_KEYWORD)] if varkw else []
    return inspect.Signature([kinds(name, kind, default=defaults.get(name, kinds.empty)) for name, kind in listed])


def make_decorator(
    target: Callable[..., Any],
    decorator_func: Any,
    decorator_name: str | None = None,
    decorator_doc: str | None = "",
    decorator_argspec: Any = None,
) -> Any:
    """Return ``decorator_func``, which stands for ``target`` from now on: it has its name, text and signature.

    The name of the decorator is by default that of the function that calls this one.
    """
    if decorator_name is None:
        frame = inspect.currentframe()
        decorator_name = frame.f_back.f_code.co_name if frame is not None and frame.f_back is not None else ""
    decorator = TFDecorator(decorator_name, target, decorator_doc, decorator_argspec)
    decorator_func._tf_decorator = decorator
    for name in ("__name__", "__qualname__", "__module__"):
        if hasattr(target, name):
            setattr(decorator_func, name, getattr(target, name))
    if hasattr(target, "__dict__"):
        decorator_func.__dict__.update((k, v) for k, v in target.__dict__.items() if k not in decorator_func.__dict__)
    decorator_func.__doc__ = decorator.__doc__
    decorator_func.__wrapped__ = target
    if decorator_argspec is not None:
        decorator_func.__signature__ = fullargspec_to_signature(decorator_argspec)
    return decorator_func


def _decorator_of(function: Any) -> TFDecorator | None:
    found = function if isinstance(function, TFDecorator) else getattr(function, "_tf_decorator", None)
    return found if isinstance(found, TFDecorator) else None


def unwrap(maybe_tf_decorator: Any) -> tuple[list[TFDecorator], Any]:
    """Return the decorators of a function, the outermost first, and the function that they stand for."""
    found: list[TFDecorator] = []
    target = maybe_tf_decorator
    while (decorator := _decorator_of(target)) is not None:
        found.append(decorator)
        target = decorator.decorated_target
    return found, target


def rewrap(decorator_func: Any, previous_target: Any, new_target: Any) -> Any:
    """Have the decorator of ``previous_target`` stand for a new function."""
    if decorator_func is previous_target:
        return new_target
    inner = decorator_func
    while (decorator := _decorator_of(inner)) is not None and decorator.decorated_target is not previous_target:
        inner = decorator.decorated_target
    if decorator is None:
        raise ValueError("rewrap: previous_target must be what unwrap gives for the function, got another one")
    decorator.decorated_target = new_target
    getattr(inner, "__func__", inner).__wrapped__ = new_target  # a bound method takes no attributes
    return decorator_func
