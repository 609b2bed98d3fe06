"""Whose flags they are: absl's where absl-py is installed, so that programs that use both have one set of them."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, wraps
from typing import Any, TypeVar

from ..graph.log import get_logger
from .flag_values import FLAGS as OWN

__all__ = ["FLAGS", "FlagsOf", "absl_module", "of_absl"]

_F = TypeVar("_F", bound=Callable[..., Any])
_OLD = {"flag_name": "name", "default_value": "default", "docstring": "help"}  # of the first TensorFlow


@cache
def absl_module(name: str) -> Any:
    """Return a module of absl, None where absl-py is not installed."""
    if importlib.util.find_spec("absl") is None:
        return None
    module = importlib.import_module(f"absl.{name}")
    if name == "flags":
        module.disclaim_key_flags()  # flags belong to the modules that call this one
    return module


def of_absl(function: _F) -> _F:
    """Decorate a function that stands for absl's of the same name where that is installed. Old names are taken too."""

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if not _OLD.keys().isdisjoint(options):
            get_logger().warning(
                "Use of the keyword argument names (flag_name, default_value, docstring) is deprecated, "
                "please use (name, default, help) instead."
            )
            options = {_OLD.get(name, name): value for name, value in options.items()}
        absl = absl_module("flags")
        return (function if absl is None else getattr(absl, function.__name__))(*args, **options)

    return call  # type: ignore[return-value]


def _flags() -> Any:
    absl = absl_module("flags")
    return OWN if absl is None else absl.FLAGS


class FlagsOf:
    """Flags as attributes; ``sys.argv`` is read when the first one is, if nobody has before.

    Args:
        flags: the set of flags.

    Source: ``_FlagValuesWrapper`` of TensorFlow's ``flags``.
    """

    def __init__(self, flags: Any) -> None:
        object.__setattr__(self, "_wrapped", flags)

    def _own(self) -> Any:
        return object.__getattribute__(self, "_wrapped")

    def __getattr__(self, name: str) -> Any:
        flags = self._own()
        if name in flags and not flags.is_parsed():
            flags(sys.argv)
        return getattr(flags, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._own(), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._own(), name)

    def __call__(self, argv: Sequence[str], known_only: bool = False) -> list[str]:
        rest: list[str] = self._own()(argv, known_only=known_only)
        return rest

    def __getitem__(self, name: str) -> Any:
        return self._own()[name]

    def __setitem__(self, name: str, flag: Any) -> None:
        self._own()[name] = flag

    def __contains__(self, name: str) -> bool:
        return name in self._own()

    def __iter__(self) -> Iterator[str]:
        return iter(self._own())

    def __len__(self) -> int:
        return len(self._own())

    def __dir__(self) -> list[str]:
        return dir(self._own())

    def __str__(self) -> str:
        return str(self._own())

    def __repr__(self) -> str:
        return f"<flags {self._own().flag_values_dict()}>"


class _Flags(FlagsOf):
    """The flags of the program."""

    def __init__(self) -> None:
        pass

    def _own(self) -> Any:
        return _flags()


FLAGS = _Flags()
