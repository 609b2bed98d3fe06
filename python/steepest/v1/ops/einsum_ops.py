"""Einstein's sums: what their equations say is checked before anything is computed."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.build import call, dtype_of
from ..graph.node import Node
from .linalg_ops import in_floats

__all__ = ["einsum"]

_EQUATION = re.compile(r"[a-zA-Z0]*(,[a-zA-Z0]*)*(->[a-zA-Z0]*)?")  # 0 stands for an ellipsis


@functools.lru_cache(maxsize=256)
def _checked(equation: str, count: int) -> None:
    """Raise ValueError for an equation that is none, or not one of ``count`` tensors."""
    resolved = equation.replace(" ", "")
    if "0" in resolved or not _EQUATION.fullmatch(resolved.replace("...", "0")):
        raise ValueError(f"Subscripts have incorrect format: {equation}")
    terms, _, result = resolved.replace("...", "0").partition("->")
    labels = terms.split(",")
    if len(labels) != count:
        raise ValueError(f'Got {count} inputs for equation "{equation}", expecting {len(labels)}')
    if missing := sorted(set(result) - set(terms) - {"0"}):
        raise ValueError(f"Output subscripts contain the label {missing[0]} not present in the input subscripts.")
    if len(set(result)) < len(result):
        raise ValueError(f"Output subscripts contain a label appearing more than once: {equation}")
    for label in labels:
        if label.count("0") > 1:
            dots = 3 * label.count("0")
            told = label.replace("0", "...")
            raise ValueError(
                f"Expected at most one ellipsis (...), but found {dots} periods (.) in the input subscript: {told}"
            )


def _shape_of(terms: str, result: str, *shapes: Any) -> Any:
    sizes: dict[str, Any] = {}
    for term, shape in zip(terms.split(","), shapes, strict=True):
        if shape is not None and len(shape) != len(term):
            raise ValueError(f"Shape must be rank {len(term)} but is rank {len(shape)}")
        for letter, size in zip(term, shape or [None] * len(term), strict=True):
            (sizes[letter],) = shape_inference.merged((sizes.get(letter),), (size,)) or (None,)
    return tuple(sizes[letter] for letter in result)


def _check_types(inputs: Sequence[Any]) -> None:
    types = [dtype_of(each).base_dtype for each in inputs if isinstance(each, Node)]
    if any(each != types[0] for each in types):
        told = ", ".join(each.name for each in types)
        raise TypeError(f"Tensors in list passed to 'inputs' of 'Einsum' Op have types [{told}] that don't all match.")


def einsum(equation: str, *inputs: Any, name: str | None = None, **accepted: Any) -> Any:
    """Return Einstein's sum over the repeated indices of ``equation``; ``optimize`` and ``greedy`` are accepted.

    Raises TypeError for other arguments or several types, ValueError for an equation that is none, or is not of the
    tensors' shapes. Source: ``tf.einsum``.
    """
    if unknown := set(accepted) - {"optimize", "greedy"}:
        raise TypeError(f"invalid keyword arguments for this function: {', '.join(sorted(unknown))}")
    _checked(equation, len(inputs))
    _check_types(inputs)
    terms, arrow, result = equation.replace(" ", "").partition("->")
    options: Any = {}
    if arrow and "." not in equation:
        options["shape"] = functools.partial(_shape_of, terms, result)
    return call("Einsum", in_floats(functools.partial(np.einsum, equation)), inputs, name=name, **options)
