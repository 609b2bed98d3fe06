"""Summaries of tensors and of whole collections, each under its own name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ....variables.collections import GraphKeys
from ...graph.graph import get_default_graph
from ...ops.cast_ops import cast
from ...ops.reduce_ops import reduce_mean
from ...summary import histogram, scalar

__all__ = [
    "summarize_activation",
    "summarize_activations",
    "summarize_biases",
    "summarize_collection",
    "summarize_tensor",
    "summarize_tensors",
    "summarize_variables",
    "summarize_weights",
]


def summarize_tensor(tensor: Any, tag: str | None = None) -> Any:
    """Return the summary of a tensor: of a number, or of how values are spread; None for texts and truth values."""
    if tensor.dtype.base_dtype.name in ("string", "bool"):
        return None
    name = tag or f"{tensor.op.name}_summary"
    return scalar(name, tensor) if tensor.get_shape().ndims == 0 else histogram(name, tensor)


def summarize_activation(op: Any) -> Any:
    """Return the summary of an activation: how it is spread, and the shares that ReLU or softplus and ReLU6 cut off."""
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        before = op.op.inputs[0]
        scalar(f"{op.op.name}/zeros", reduce_mean(cast(before < 0, "float32")))
        if op.op.type == "Relu6":
            scalar(f"{op.op.name}/sixes", reduce_mean(cast(before > 6, "float32")))
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


def summarize_variables(
    name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_tensor
) -> list[Any]:
    """Return the summaries of the graph's global variables."""
    return summarize_collection(GraphKeys.GLOBAL_VARIABLES, name_filter, summarizer)


def summarize_weights(name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_tensor) -> list[Any]:
    """Return the summaries of what is in the collection of weights."""
    return summarize_collection(GraphKeys.WEIGHTS, name_filter, summarizer)


def summarize_biases(name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_tensor) -> list[Any]:
    """Return the summaries of what is in the collection of biases."""
    return summarize_collection(GraphKeys.BIASES, name_filter, summarizer)
