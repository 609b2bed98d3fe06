"""Whether a function asks for ``tf.gradients``, which its code tells: only then is its body recorded in eager mode.

What is recorded then begins with the arguments, and with the tensors that the code names.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import Any

from ...ops.tensor import Tensor
from ..graph.nests import flatten

__all__ = ["asks_for_gradients", "tensors_named"]

_ASKING = frozenset({"gradients", "hessians"})
_MOST = 200  # functions that are looked at


def asks_for_gradients(func: Callable[..., Any]) -> bool:
    """Tell whether a function, or one that it names, has ``gradients`` or ``hessians`` among the names in its code.

    Functions are found by global names, names in the surrounding function, and methods of the same object.
    """
    return any(not _ASKING.isdisjoint(names) for _, names in _walked(func))


def tensors_named(func: Callable[..., Any]) -> list[Tensor]:
    """Return the tensors that are in what a function, or one that it names, takes from outside: also in nests."""
    found: list[Tensor] = []
    for function, names in _walked(func):
        for value in _named(function, names):
            nested = isinstance(value, (list, tuple, dict)) and len(value) < _MOST
            found += [leaf for leaf in (flatten(value) if nested else [value]) if isinstance(leaf, Tensor)]
    return found


def _walked(func: Callable[..., Any]) -> Iterator[tuple[Any, set[str]]]:
    """Yield a function and those that it names, with the names in their code."""
    seen: set[int] = set()
    waiting: list[Any] = [func]
    while waiting and len(seen) < _MOST:
        function = _plain(waiting.pop())
        code = getattr(function, "__code__", None)
        if code is None or id(code) in seen or str(getattr(function, "__module__", "")).startswith("steepest."):
            continue
        seen.add(id(code))
        names = set(_names(code))
        yield function, names
        waiting += [each for each in _named(function, names) if callable(each) and not inspect.isclass(each)]


def _plain(function: Any) -> Any:
    """Return the function behind partial ones, `tf.function` and objects that are called; None where there is none."""
    for _ in range(10):
        if inspect.ismethod(function) or inspect.isfunction(function):
            return inspect.unwrap(function)
        if isinstance(function, functools.partial):
            function = function.func
        elif hasattr(function, "python_function"):
            function = function.python_function
        else:
            function = _of_class(function, "__call__")
    return None


def _of_class(holder: Any, name: str) -> Any:
    """Return a method of an object, without asking for what would be computed; None where it has none."""
    found = inspect.getattr_static(type(holder), name, None)
    return found.__get__(holder) if inspect.isfunction(found) else found if hasattr(found, "python_function") else None


def _names(code: CodeType) -> Iterator[str]:
    """Yield the global names and attributes in code and in the functions that are made inside."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _named(function: Any, names: set[str]) -> list[Any]:
    """Return what a function takes from outside by name, where it can be found without running anything."""
    found: list[Any] = []
    if inspect.ismethod(function):
        holder, function = function.__self__, function.__func__
        found += [_of_class(holder, name) for name in names]
        found += [value for name, value in vars(holder).items() if name in names] if hasattr(holder, "__dict__") else []
    globals_ = getattr(function, "__globals__", {})
    modules = (vars(globals_[name]) for name in names if isinstance(globals_.get(name), ModuleType))
    found += [names_of[name] for names_of in (globals_, *modules) for name in names if name in names_of]
    for cell in getattr(function, "__closure__", None) or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # not filled yet
            continue
    return found
