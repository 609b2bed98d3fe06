"""TensorFlow's ``deprecation``: functions and arguments whose use is warned of, once each, and texts that say so."""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..graph import log
from . import strict_mode
from .decorators import make_decorator
from .signatures import getfullargspec

__all__ = [
    "DeprecatedNamesAlreadySet",
    "DeprecatedNamesAlreadySetError",
    "add_notice_to_docstring",
    "deprecated",
    "deprecated_alias",
    "deprecated_arg_values",
    "deprecated_args",
    "deprecated_argument_lookup",
    "deprecated_endpoints",
    "get_qualified_name",
    "rewrite_argument_docstring",
    "silence",
    "validate_callable",
]


class DeprecatedNamesAlreadySetError(Exception):
    """A function has been given its deprecated names already."""


DeprecatedNamesAlreadySet = DeprecatedNamesAlreadySetError  # TensorFlow 1's name
_silent = False
_warned: set[Any] = set()


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Warn of nothing inside."""
    global _silent
    before, _silent = _silent, True
    try:
        yield
    finally:
        _silent = before


def get_qualified_name(function: Any) -> str:
    """Return the name of a function, behind that of its class."""
    return str(function.__qualname__ if hasattr(function, "__qualname__") else function.__name__)


def validate_callable(func: Any, decorator_name: str) -> None:
    """Raise ValueError for what cannot be called."""
    if not hasattr(func, "__call__"):  # noqa: B004 - proxies have it where `callable` says no
        raise ValueError(
            f"{func} is not a function. If this is a property, make sure @property appears before @{decorator_name} in "
            f"your source code:\n\n@property\n@{decorator_name}\ndef method(...)"
        )


def add_notice_to_docstring(
    doc: str | None,
    instructions: str,
    no_doc_str: str,
    suffix_str: str,
    notice: Sequence[str],
    notice_type: str = "Warning",
) -> str:
    """Return a text with a suffix behind its first line and a notice below it."""
    lines = inspect.cleandoc(doc).splitlines() if doc else [no_doc_str]
    if doc:
        lines[0] += f" {suffix_str}"
    told = ["", f"{notice_type}: {notice[0]}", *notice[1:], instructions]
    apart = [""] if len(lines) > 1 and lines[1].strip() else []
    return "\n".join([lines[0], *told, *apart, *lines[1:]])


def _checked(date: str | None, instructions: str | None) -> str:
    """Return when something goes, in words; ValueError for a date or instructions that are none."""
    if date is not None and not re.match(r"20\d\d-[01]\d-[0123]\d", date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")
    return "in a future version" if date is None else f"after {date}"


def _warn(key: Any, once: bool, text: str, *values: Any) -> None:
    """Warn, behind where the program called; of one thing once where ``once`` says so."""
    if _silent or key in _warned:
        return
    if once:
        _warned.add(key)
    if strict_mode.STRICT_MODE:
        raise RuntimeError(f"This behavior has been deprecated, which is an error in strict mode: {text % values}")
    caller = sys._getframe(2)
    log.warning(f"From %s: {text}", f"{caller.f_code.co_filename}:{caller.f_lineno}", *values)


def _noted(func: Any, kind: str, suffix: str, text: str, instructions: str) -> str:
    notice = [text, "Instructions for updating:"]
    return add_notice_to_docstring(
        func.__doc__, instructions, f"DEPRECATED FUNCTION{kind}", suffix, notice, "Deprecated"
    )


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[[Any], Any]:
    """Return a decorator of functions and classes that warns when they are called, and says so in their text."""
    when = _checked(date, instructions)

    def decorate(func: Any) -> Any:
        validate_callable(func, "deprecated")
        makes = "__init__" if inspect.isclass(func) else None
        if makes and any("__new__" in vars(each) for each in func.__mro__[:-1]):
            makes = "__new__"
        called = func if makes is None else getattr(func, makes)

        @functools.wraps(called)
        def warned(*args: Any, **kwargs: Any) -> Any:
            text = "%s (from %s) is deprecated and will be removed %s.\nInstructions for updating:\n%s"
            _warn(func, warn_once, text, get_qualified_name(func), func.__module__, when, instructions)
            return called(*args, **kwargs)

        noted = _noted(
            func, "", "(deprecated)", f"THIS FUNCTION IS DEPRECATED. It will be removed {when}.", instructions
        )
        if makes is None:
            return make_decorator(func, warned, "deprecated", noted)
        func.__doc__ = noted
        setattr(func, makes, staticmethod(warned) if makes == "__new__" else warned)
        return func

    return decorate


_NONE = object()


def deprecated_args(
    date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any, **kwargs: Any
) -> Callable[[Any], Any]:
    """Return a decorator of functions that warns when they are given certain arguments.

    Args:
        date, instructions: when they go, and what to do instead.
        deprecated_arg_names_or_tuples: names, or pairs of a name and the value that is not warned of.
        kwargs: ``warn_once=False`` warns at each call.
    """
    when = _checked(date, instructions)
    if not deprecated_arg_names_or_tuples:
        raise ValueError("Specify which argument is deprecated.")
    if unknown := {name: value for name, value in kwargs.items() if name != "warn_once"}:
        raise ValueError(f"Illegal argument to deprecated_args: {unknown}")
    once = kwargs.get("warn_once", True)
    allowed: dict[str, Any] = dict(
        each if isinstance(each, tuple) else (each, _NONE) for each in deprecated_arg_names_or_tuples
    )

    def decorate(func: Any) -> Any:
        validate_callable(func, "deprecated_args")
        spec = getfullargspec(func)
        names = [*spec.args, *spec.kwonlyargs]
        open_names = {name: kind for name, kind in (("args", spec.varargs), ("kwargs", spec.varkw)) if kind}
        missing = [name for name in allowed if name not in names and name not in open_names.values()]
        if missing:
            raise ValueError(
                f"The following deprecated arguments are not present in the function signature: {missing}. Found next "
                f"arguments: {[*spec.args, spec.varargs, spec.varkw]}."
            )

        @functools.wraps(func)
        def warned(*args: Any, **named: Any) -> Any:
            given: dict[str, Any] = {**dict(zip(spec.args, args, strict=False)), **named}
            if spec.varargs and args[len(spec.args) :]:
                given[spec.varargs] = args[len(spec.args) :]
            if spec.varkw and (more := {name: value for name, value in named.items() if name not in names}):
                given[spec.varkw] = more
            for name, fine in allowed.items():
                if name in given and not _is(given[name], fine):
                    text = (
                        "calling %s (from %s) with %s is deprecated and will be removed %s.\n"
                        "Instructions for updating:\n%s"
                    )
                    told = get_qualified_name(func), func.__module__, name, when, instructions
                    _warn((func, name), once, text, *told)
            return func(*args, **named)

        listed = ", ".join(sorted(allowed))
        told = f"SOME ARGUMENTS ARE DEPRECATED: `({listed})`. They will be removed {when}."
        text = _noted(func, " ARGUMENTS", "(deprecated arguments)", told, instructions)
        return make_decorator(func, warned, "deprecated", text)

    return decorate


def _is(value: Any, other: Any) -> bool:
    """Tell whether two values are the same one, or equal; arrays and tensors are equal to themselves alone."""
    return value is other or (
        type(value) is type(other) and isinstance(value, (bool, int, float, str)) and value == other
    )


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any
) -> Callable[[Any], Any]:
    """Return a decorator of functions that warns when they are given certain values of arguments."""
    when = _checked(date, instructions)
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")

    def decorate(func: Any) -> Any:
        validate_callable(func, "deprecated_arg_values")
        signature = inspect.signature(func)

        @functools.wraps(func)
        def warned(*args: Any, **named: Any) -> Any:
            bound = signature.bind(*args, **named)
            bound.apply_defaults()
            for name, wrong in deprecated_kwargs.items():
                if name in bound.arguments and _is(bound.arguments[name], wrong):
                    text = (
                        "Calling %s (from %s) with %s=%s is deprecated and will be removed %s.\n"
                        "Instructions for updating:\n%s"
                    )
                    told = get_qualified_name(func), func.__module__, name, wrong, when, instructions
                    _warn((func, name), warn_once, text, *told)
            return func(*args, **named)

        listed = ", ".join(f"{name}={value!r}" for name, value in sorted(deprecated_kwargs.items()))
        told = f"SOME ARGUMENT VALUES ARE DEPRECATED: `({listed})`. They will be removed {when}."
        text = _noted(func, " ARGUMENT VALUES", "(deprecated argument values)", told, instructions)
        return make_decorator(func, warned, "deprecated", text)

    return decorate


def deprecated_endpoints(*names: str) -> Callable[[Any], Any]:
    """Return a decorator that tells a function its deprecated names; `DeprecatedNamesAlreadySet` the second time."""

    def decorate(func: Any) -> Any:
        if "_tf_deprecated_api_names" in func.__dict__:
            told = f"Deprecated names are already set to {func._tf_deprecated_api_names}."
            raise DeprecatedNamesAlreadySetError(f"Cannot set deprecated names for {func.__name__} to {names}. {told}")
        func._tf_deprecated_api_names = names
        return func

    return decorate


def deprecated_alias(deprecated_name: str, name: str, func_or_class: Any, warn_once: bool = True) -> Any:
    """Return a function, or a class, under another name: it does the same, and warns when it is called."""
    instead = f"Please use {name} instead."
    text = "The name %s is deprecated. Please use %s instead.\n"
    key = object()

    if not inspect.isclass(func_or_class):
        validate_callable(func_or_class, "deprecated")

        @functools.wraps(func_or_class)
        def warned(*args: Any, **kwargs: Any) -> Any:
            _warn(key, warn_once, text, deprecated_name, name)
            return func_or_class(*args, **kwargs)

        told = "THIS FUNCTION IS DEPRECATED. It will be removed in a future version."
        doc = _noted(func_or_class, "", "(deprecated)", told, instead)
        return make_decorator(func_or_class, warned, "deprecated", doc)

    def begin(self: Any, *args: Any, **kwargs: Any) -> None:
        _warn(key, warn_once, text, deprecated_name, name)
        func_or_class.__init__(self, *args, **kwargs)

    notice = ["THIS CLASS IS DEPRECATED. It will be removed in a future version. "]
    doc = add_notice_to_docstring(
        func_or_class.__doc__, instead, "DEPRECATED CLASS", "(deprecated)", notice, "Deprecated"
    )
    first = func_or_class.__init__
    made = {"__init__": make_decorator(first, begin, "deprecated_alias", first.__doc__), "__doc__": doc}
    return type(func_or_class.__name__, (func_or_class,), made)


def deprecated_argument_lookup(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """Return which of an argument under its new name and its old one was given. Raises ValueError for both."""
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old_value


def rewrite_argument_docstring(old_doc: str, old_argument: str, new_argument: str) -> str:
    """Return a text with another name for an argument."""
    return old_doc.replace(f"`{old_argument}`", f"`{new_argument}`").replace(f"{old_argument}:", f"{new_argument}:")
