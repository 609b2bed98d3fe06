"""``tf.raw_ops``: operations under the names of their types, with arguments by the names of their definitions."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any

from ..graph.missing import told
from .module_table import SPACES

__all__ = ["candidates"]

# Types whose functions have other names, or other names of arguments.
_REDUCED = {"input": "input_tensor", "keep_dims": "keepdims"}
_OTHERS: dict[str, tuple[str, dict[str, str]]] = {
    **{name: (f"reduce_{name.lower()}", _REDUCED) for name in ("All", "Any", "Max", "Mean", "Min", "Prod", "Sum")},
    "Cast": ("cast", {"DstT": "dtype"}),
    "FusedBatchNorm": ("python.ops.gen_nn_ops._fused_batch_norm", {}),
    "GatherV2": ("gather", {}),
    "Pack": ("stack", {}),
    "Pad": ("pad", {"input": "tensor"}),
    "Select": ("where", {}),
    "Softmax": ("nn.softmax", {}),
    "Slice": ("slice", {"input": "input_"}),
    "StridedSlice": ("strided_slice", {"input": "input_"}),
    "Split": ("split", {"num_split": "num_or_size_splits"}),
    "SplitV": ("split", {"size_splits": "num_or_size_splits", "num_split": "num"}),
    "Transpose": ("transpose", {"x": "a"}),
    "Unpack": ("unstack", {}),
}


def __getattr__(name: str) -> Any:
    if not name[:1].isupper():
        raise AttributeError(name)
    found = candidates(name)
    if not found:
        raise AttributeError(told(f"raw_ops.{name}"))
    return _raw(name, found)


def _raw(name: str, found: list[tuple[Callable[..., Any], dict[str, str]]]) -> Callable[..., Any]:
    """Return the function of a type of operations: it takes arguments by their names."""

    def raw(*positional: Any, **arguments: Any) -> Any:
        if positional:
            raise TypeError(f"{name} only takes keyword args. Please pass these args as kwargs instead.")
        refused = None
        for function, others in found:
            named = {others.get(key, key): value for key, value in arguments.items()}
            try:
                inspect.signature(inspect.unwrap(function)).bind(**getattr(function, "first_form", dict)(named))
            except TypeError as error:
                refused = error
            else:
                return function(**named)
        raise TypeError(f"tf.raw_ops.{name}: {refused}")

    raw.__name__ = raw.__qualname__ = name
    raw.__doc__ = f"Make an operation of the type {name}; its arguments are given by their names."
    return raw


@functools.cache
def candidates(name: str) -> list[tuple[Callable[..., Any], dict[str, str]]]:
    """Return the functions that may make operations of a type, each with other names of arguments."""
    found: list[tuple[Callable[..., Any], dict[str, str]]] = []
    if name in _OTHERS:
        path, others = _OTHERS[name]
        function: Any = functools.reduce(getattr, path.split("."), _top())
        found.append((function, others))
    own = _function_name(name)
    for path in SPACES:
        if not path.startswith("ops.gen_"):
            continue
        function = getattr(importlib.import_module(f"{__package__}.{path}"), own, None)
        if inspect.isfunction(function) and all(function is not each for each, _ in found):
            found.append((function, {}))
    return found


def _top() -> Any:
    return importlib.import_module(__package__.rpartition(".")[0])


def _function_name(name: str) -> str:
    """Return the name of the function that makes operations of a type: ``mat_mul`` for ``MatMul``."""
    letters = []
    for at, letter in enumerate(name):
        if at and letter.isupper() and (name[at - 1].islower() or name[at + 1 : at + 2].islower()):
            letters.append("_")
        letters.append(letter.lower())
    return "".join(letters)
