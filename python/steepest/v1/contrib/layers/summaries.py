"""Summaries of tensors and of whole collections, each under its own name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ....variables.collections import GraphKeys
from ...graph.graph import get_default_graph
from ...nn import zero_fraction
from ...summary import histogram, scalar

__all__ = [
    "summarize_activation",
    "summarize_activations",
    "summarize_collection",
    "summarize_tensor",
    "summarize_tensors",
]


def summarize_tensor(tensor: Any, tag: str | None = None) -> Any:
    """Return the summary of a tensor: of a number, or of how values are spread."""
    name = tag or tensor.op.name
    return scalar(name, tensor) if tensor.get_shape().ndims == 0 else histogram(name, tensor)


def summarize_activation(op: Any) -> Any:
    """Return the summary of an activation: how it is spread, and the share of zeros after ReLU or softplus."""
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        scalar(f"{op.op.name}/zeros", zero_fraction(op))
    return histogram(f"{op.op.name}/activation", op)


def summarize_tensors(tensors: Iterable[Any], summarizer: Callable[[Any], Any] = summarize_tensor) -> list[Any]:
    """Return the summaries of several tensors."""
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(
    collection: str, name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_tensor
) -> list[Any]:
    """Return the summaries of what is in a collection under names that match a pattern."""
    return summarize_tensors(get_default_graph().get_collection(collection, name_filter), summarizer)


def summarize_activations(
    name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_activation
) -> list[Any]:
    """Return the summaries of the graph's activations."""
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)
