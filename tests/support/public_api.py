"""What the public API is: every name of the public modules, with its parameters and its docstring's first line.

    python tests/support/public_api.py > tests/snapshots/public_api.txt

Annotations are left out: they may become more precise. A class is listed with the methods and properties that it or its
bases define here, an optimizer also with TensorFlow's protected methods, which users' subclasses override and call.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from enum import Enum
from typing import Any

import steepest
import steepest.checkpoint
import steepest.mpi
import steepest.nn
import steepest.testing
import steepest.v1

MODULES = [
    steepest,
    steepest.checkpoint,
    steepest.clip,
    steepest.hooks,
    steepest.mpi,
    steepest.nn,
    steepest.schedules,
    steepest.testing,
    steepest.v1,
]
PROTECTED = [
    "_apply_dense",
    "_apply_sparse",
    "_apply_sparse_duplicate_indices",
    "_assert_valid_dtypes",
    "_call_if_callable",
    "_create_non_slot_variable",
    "_create_slots",
    "_finish",
    "_get_beta_accumulators",
    "_get_non_slot_variable",
    "_get_or_make_slot",
    "_get_or_make_slot_with_initializer",
    "_prepare",
    "_resource_apply_dense",
    "_resource_apply_sparse",
    "_resource_apply_sparse_duplicate_indices",
    "_slot_dict",
    "_valid_dtypes",
    "_zeros_slot",
]


def ours(thing: Any) -> bool:
    return str(getattr(thing, "__module__", "")).partition(".")[0] == "steepest"


def default(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, float, str, tuple, frozenset)):
        return repr(value)
    return getattr(value, "__name__", None) or f"<{type(value).__name__}>"


def parameters(thing: Any) -> str:
    """The names, kinds and defaults of what a callable takes."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(?)"
    parts, star = [], False
    for parameter in signature.parameters.values():
        text = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            parts.append("*")
        star = star or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        parts.append(text if parameter.default is parameter.empty else f"{text}={default(parameter.default)}")
    return f"({', '.join(parts)})"


def headline(thing: Any) -> str:
    text = inspect.getdoc(thing) or ""
    return f"  # {text.splitlines()[0]}" if text else ""


def members(name: str, cls: type) -> Iterator[str]:
    """A class' methods and properties, inherited ones too, where they are written in this package."""
    wanted = set(PROTECTED) if issubclass(cls, steepest.Optimizer) else set()
    for attribute in sorted(dir(cls)):
        value = inspect.getattr_static(cls, attribute)
        if attribute.startswith("_") and attribute not in wanted:
            continue
        if isinstance(value, (staticmethod, classmethod)):
            value = getattr(cls, attribute)
        if isinstance(value, property):
            if ours(value.fget):
                yield f"{name}.{attribute}: property{headline(value)}"
        elif inspect.isroutine(value):
            if ours(value):
                yield f"{name}.{attribute}{parameters(value)}{headline(value)}"
        elif not isinstance(value, types.MemberDescriptorType) and (issubclass(cls, Enum) or not callable(value)):
            yield f"{name}.{attribute}"


def entries(name: str, module: types.ModuleType, seen: set[str]) -> Iterator[str]:
    """All names of a module; the modules of ``steepest.v1`` that are namespaces of TensorFlow's follow."""
    seen.add(module.__name__)
    for public in sorted(getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")]):
        value, full = getattr(module, public), f"{name}.{public}"
        if isinstance(value, types.ModuleType):
            yield f"{full}: module"
            if value.__name__.startswith("steepest.v1.") and value.__name__ not in seen:
                yield from entries(full, value, seen)
        elif isinstance(value, type):
            yield f"{full}{parameters(value)}: class{headline(value) if ours(value) else ''}"
            if ours(value):
                yield from members(full, value)
        elif callable(value):
            yield f"{full}{parameters(value)}{headline(value)}"
        else:
            yield f"{full}: {type(value).__name__}"


def public_api() -> str:
    """The whole snapshot; a class that has several names is listed under each."""
    lines = []
    for module in MODULES:
        lines += entries(module.__name__, module, set())
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(public_api(), end="")
