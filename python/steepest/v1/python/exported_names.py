"""TensorFlow's ``tf_export``: the public names that a program gives its functions, classes and constants."""

from __future__ import annotations

import functools
import sys
from typing import Any

from .decorators import unwrap

__all__ = [
    "KERAS_API_NAME",
    "TENSORFLOW_API_NAME",
    "InvalidSymbolNameError",
    "api_export",
    "get_canonical_name",
    "get_canonical_name_for_symbol",
    "get_symbol_from_name",
    "get_v1_constants",
    "get_v1_names",
    "get_v2_constants",
    "get_v2_names",
    "keras_export",
    "kwarg_only",
    "tf_export",
]

TENSORFLOW_API_NAME, KERAS_API_NAME = "tensorflow", "keras"
_V1 = "compat.v1."
_by_name: dict[str, Any] = {}


class InvalidSymbolNameError(Exception):
    """A name that may not be exported."""


def _own(symbol: Any, attribute: str) -> tuple[Any, ...]:
    """Return names of a symbol, which a class does not have from the one above it."""
    of = symbol.__dict__ if isinstance(symbol, type) else getattr(symbol, "__dict__", {})
    return tuple(of.get(attribute, ()))


def get_symbol_from_name(name: str) -> Any:
    """Return what was exported under a name, None where there is nothing; names of version 1 follow ``compat.v1.``."""
    return _by_name.get(name)


def get_canonical_name_for_symbol(
    symbol: Any, api_name: str = TENSORFLOW_API_NAME, add_prefix_to_v1_names: bool = False
) -> str | None:
    """Return the first name of a symbol that is not deprecated, one of version 2 where it has one; else None."""
    del api_name
    _, symbol = unwrap(symbol)
    old = _own(symbol, "_tf_deprecated_api_names")
    for names, prefix in ((_own(symbol, "_tf_api_names"), ""), (_own(symbol, "_tf_api_names_v1"), _V1)):
        if names:
            return (prefix if add_prefix_to_v1_names else "") + str(get_canonical_name(names, old))
    return None


def get_canonical_name(api_names: Any, deprecated_api_names: Any = ()) -> str | None:
    """Return the first of some names that is not deprecated, else the first."""
    fine = [name for name in api_names if name not in (deprecated_api_names or ())]
    return next(iter(fine or api_names), None)


def _names(symbol: Any, attribute: str) -> list[str]:
    return list(_own(unwrap(symbol)[1], attribute))


def get_v1_names(symbol: Any) -> list[str]:
    """Return the names of a symbol in version 1: those of its own, and those of every version."""
    return list(dict.fromkeys([*_names(symbol, "_tf_api_names_v1"), *_names(symbol, "_tf_api_names")]))


def get_v2_names(symbol: Any) -> list[str]:
    """Return the names of a symbol in version 2."""
    return _names(symbol, "_tf_api_names")


def get_v1_constants(module: Any) -> list[Any]:
    """Return the constants of version 1 of a module: pairs of their names and the name in the module."""
    found = [*getattr(module, "_tf_api_constants_v1", ()), *getattr(module, "_tf_api_constants", ())]
    return [each for k, each in enumerate(found) if each not in found[:k]]


def get_v2_constants(module: Any) -> list[Any]:
    """Return the constants of version 2 of a module."""
    return list(getattr(module, "_tf_api_constants", ()))


class api_export:
    """A decorator that gives a function or a class public names.

    Args:
        *args: the names.
        api_name: the package's name.
        v1: the names of version 1, by default the same ones.
        allow_multiple_exports: as it is.

    Source: ``tf_export.api_export``.
    """

    def __init__(
        self, *args: str, api_name: str = TENSORFLOW_API_NAME, v1: Any = None, allow_multiple_exports: bool = True
    ) -> None:
        del api_name, allow_multiple_exports
        for name in (*args, *(v1 or ())):
            if not isinstance(name, str):
                raise InvalidSymbolNameError(f"Expected a string, got {name!r}")
        self._names = args
        self._names_v1 = args if v1 is None else tuple(v1)

    def __call__(self, func: Any) -> Any:
        """Give a function or a class the names; return it."""
        _, target = unwrap(func)
        for attribute, names in (("_tf_api_names", self._names), ("_tf_api_names_v1", self._names_v1)):
            if names or attribute == "_tf_api_names_v1":
                setattr(target, attribute, tuple(names))
        _by_name.update(dict.fromkeys(self._names, func))
        _by_name.update({_V1 + name: func for name in self._names_v1})
        return func

    def export_constant(self, module_name: str, name: Any) -> None:
        """Give a constant of a module the names."""
        module = sys.modules[module_name]
        for attribute, names in (("_tf_api_constants", self._names), ("_tf_api_constants_v1", self._names_v1)):
            if not hasattr(module, attribute):
                setattr(module, attribute, [])
            getattr(module, attribute).append((names, name))


tf_export = functools.partial(api_export, api_name=TENSORFLOW_API_NAME)
keras_export = functools.partial(api_export, api_name=KERAS_API_NAME)


def kwarg_only(f: Any) -> Any:
    """Decorate a function so that its arguments must be given by their names."""

    @functools.wraps(f)
    def by_name(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise TypeError(
                f"{f.__name__} only takes keyword args (possible keys: {', '.join(_arguments(f))}). "
                "Please pass these args as kwargs instead."
            )
        return f(**kwargs)

    return by_name


def _arguments(function: Any) -> tuple[str, ...]:
    code = unwrap(function)[1].__code__
    return tuple(code.co_varnames[: code.co_argcount])
