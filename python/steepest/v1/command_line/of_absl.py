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

__all__ = ["FLAGS", "absl_module", "of_absl"]

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


class _Flags:
    """The flags of the program as attributes; ``sys.argv`` is read when the first one is, if nobody has before."""

    def __getattr__(self, name: str) -> Any:
        flags = _flags()
        if name in flags and not flags.is_parsed():
            flags(sys.argv)
        return getattr(flags, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_flags(), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_flags(), name)

    def __call__(self, argv: Sequence[str], known_only: bool = False) -> list[str]:
        rest: list[str] = _flags()(argv, known_only=known_only)
        return rest

    def __getitem__(self, name: str) -> Any:
        return _flags()[name]

    def __setitem__(self, name: str, flag: Any) -> None:
        _flags()[name] = flag

    def __contains__(self, name: str) -> bool:
        return name in _flags()

    def __iter__(self) -> Iterator[str]:
        return iter(_flags())

    def __len__(self) -> int:
        return len(_flags())

    def __dir__(self) -> list[str]:
        return dir(_flags())

    def __str__(self) -> str:
        return str(_flags())

    def __repr__(self) -> str:
        return f"<flags {_flags().flag_values_dict()}>"


FLAGS = _Flags()
