"""``tf.contrib.slim.summaries``: summaries under the names of the tensors that they tell of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....variables.collections import GraphKeys
from ...graph.graph import get_default_graph
from ...graph.missing import namespace
from ...nn import zero_fraction
from ...ops.script_ops import Print
from ...summary import histogram, image, scalar

__all__ = [
    "add_histogram_summaries",
    "add_histogram_summary",
    "add_image_summaries",
    "add_image_summary",
    "add_scalar_summaries",
    "add_scalar_summary",
    "add_zero_fraction_summaries",
    "add_zero_fraction_summary",
]

__getattr__, __dir__ = namespace(__name__)


def add_histogram_summary(tensor: Any, name: str | None = None, prefix: str | None = None) -> Any:
    """Return the histogram of a tensor as a summary ``prefix/name``, by default with the tensor's name."""
    return histogram(_full_name(tensor, name, prefix), tensor)


def add_image_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Return images as a summary ``prefix/name``, which prints the tensor where ``print_summary`` says so."""
    return _printed(image, tensor, _full_name(tensor, name, prefix), print_summary)


def add_scalar_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Return a number as a summary ``prefix/name``, which prints it where ``print_summary`` says so."""
    return _printed(scalar, tensor, _full_name(tensor, name, prefix), print_summary)


def add_zero_fraction_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Return the share of zeros in a tensor as a summary ``prefix/name/Fraction_of_Zero_Values``."""
    full = f"{_full_name(tensor, name, prefix)}/Fraction_of_Zero_Values"
    return add_scalar_summary(zero_fraction(tensor), full, print_summary=print_summary)


def add_histogram_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Return what `add_histogram_summary` gives for each tensor."""
    return [add_histogram_summary(tensor, prefix=prefix) for tensor in tensors]


def add_image_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Return what `add_image_summary` gives for each tensor."""
    return [add_image_summary(tensor, prefix=prefix) for tensor in tensors]


def add_scalar_summaries(tensors: Iterable[Any], prefix: str | None = None, print_summary: bool = False) -> list[Any]:
    """Return what `add_scalar_summary` gives for each tensor."""
    return [add_scalar_summary(tensor, prefix=prefix, print_summary=print_summary) for tensor in tensors]


def add_zero_fraction_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Return what `add_zero_fraction_summary` gives for each tensor."""
    return [add_zero_fraction_summary(tensor, prefix=prefix) for tensor in tensors]


def _full_name(tensor: Any, name: str | None, prefix: str | None) -> str:
    own = name or tensor.op.name
    return f"{prefix}/{own}" if prefix else own


def _printed(kind: Any, tensor: Any, name: str, prints: bool) -> Any:
    """Return a summary; one that prints is in the collection in place of the one that does not."""
    if not prints:
        return kind(name=name, tensor=tensor)
    printing = Print(kind(name=name, tensor=tensor, collections=[]), [tensor], name)
    get_default_graph().add_to_collection(GraphKeys.SUMMARIES, printing)
    return printing
