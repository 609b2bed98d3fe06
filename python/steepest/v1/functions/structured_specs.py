"""What functions take and give as nests of specs, whose names say where in the nest each is."""

from __future__ import annotations

import inspect
import re
from typing import Any

from ..graph.node import Node
from ..graph.shapes import TensorShape
from ..ops.type_specs import TensorSpec
from .forms import Form

__all__ = ["inputs_by_path", "specs_by_path"]


def inputs_by_path(signature: inspect.Signature, form: Form) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a form: those that are given by position, and those by keyword."""
    names: list[str] = []
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{name}_{k}" for k in range(len(form.positional) - len(names))]
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(name)
    positional = [specs_by_path(value, (name,)) for name, value in zip(names, form.positional, strict=False)]
    return tuple(positional), {name: specs_by_path(value, (name,)) for name, value in form.named.items()}


def specs_by_path(nest: Any, path: tuple[Any, ...] = ()) -> Any:
    """Return a nest with named specs for its tensors and specs; names that a program gave stay."""
    if isinstance(nest, TensorSpec):
        return TensorSpec(nest.shape, nest.dtype, nest.name if _given(nest.name, path) else _word(path))
    if isinstance(nest, Node):
        tensor = nest._tensor()
        return TensorSpec(TensorShape(tensor.get_shape()), tensor.dtype.base_dtype, _word(path))
    if isinstance(nest, dict):
        return type(nest)((key, specs_by_path(value, (*path, key))) for key, value in nest.items())
    if (fields := getattr(nest, "_fields", None)) is not None:
        return type(nest)(*(specs_by_path(value, (*path, key)) for key, value in zip(fields, nest, strict=True)))
    if isinstance(nest, (list, tuple)):
        return type(nest)(specs_by_path(value, (*path, k)) for k, value in enumerate(nest))
    return nest


def _given(name: str | None, path: tuple[Any, ...]) -> bool:
    """Tell whether a program gave a spec its name: others have that of the parameter, or that and a number."""
    return name is not None and bool(path) and not re.fullmatch(rf"{re.escape(str(path[0]))}(_\d+)?", name)


def _word(path: tuple[Any, ...]) -> str:
    word = re.sub(r"[^a-zA-Z0-9]", "_", "_".join(map(str, path)))
    return "unknown" if not word else word if word[0].isalpha() else f"tensor_{word}"
