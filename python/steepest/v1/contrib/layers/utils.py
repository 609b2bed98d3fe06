"""``tf.contrib.layers.utils``: names of layers' outputs in collections, conditions known early, numbers of axes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from ...graph.graph import get_default_graph
from ...graph.missing import namespace
from ...graph.shapes import TensorShape
from ...layers.utils import constant_value, smart_cond, static_cond
from .model_variables import append_tensor_alias, collected
from .model_variables import named as get_variable_collections

__all__ = [
    "append_tensor_alias",
    "channel_dimension",
    "collect_named_outputs",
    "constant_value",
    "convert_collection_to_dict",
    "gather_tensors_aliases",
    "get_tensor_aliases",
    "get_variable_collections",
    "last_dimension",
    "n_positive_integers",
    "smart_cond",
    "static_cond",
    "two_element_tuple",
]

__getattr__, __dir__ = namespace(__name__)


def check_data_format(data_format: Any) -> None:
    """Raise ValueError for another place of an image's channels than the last and the second axis."""
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError("data_format has to be either NCHW or NHWC.")


def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:
    """Put an output into collections with another name for it, and return it."""
    return collected(collections, outputs, alias)


def get_tensor_aliases(tensor: Any) -> list[str]:
    """Return the other names of a tensor, or its own where it has none."""
    if hasattr(tensor, "aliases"):
        return list(tensor.aliases)
    return [tensor.op.name if tensor.name.endswith(":0") else tensor.name]


def gather_tensors_aliases(tensors: Iterable[Any]) -> list[str]:
    """Return the other names of several tensors."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> OrderedDict[str, Any]:
    """Return what is in a collection by its names."""
    graph = get_default_graph()
    found = OrderedDict((a, tensor) for tensor in graph.get_collection(collection) for a in get_tensor_aliases(tensor))
    if clear_collection:
        graph.clear_collection(collection)
    return found


def _dimension(shape: TensorShape, at: int, min_rank: int) -> int:
    if shape.dims is None:
        raise ValueError("dims of shape must be known but is None")
    sizes: list[Any] = shape.as_list()
    if len(sizes) < min_rank:
        raise ValueError(f"rank of shape must be at least {min_rank} not: {len(sizes)}")
    if sizes[at] is None:
        raise ValueError(f"dimension {at} of shape must be known but is None: {shape}")
    return int(sizes[at])


def channel_dimension(shape: TensorShape, data_format: str, min_rank: int = 1) -> int:
    """Return the size of the second axis for ``"channels_first"``, else of the last. Raises ValueError if unknown."""
    return _dimension(shape, 1 if data_format == "channels_first" else -1, min_rank)


def last_dimension(shape: TensorShape, min_rank: int = 1) -> int:
    """Return the size of the last axis. Raises ValueError where it is not known."""
    return _dimension(shape, -1, min_rank)


def two_element_tuple(int_or_tuple: Any) -> tuple[int, int]:
    """Return a number twice, or the two that are given. Raises ValueError for anything else."""
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if isinstance(int_or_tuple, (list, tuple)) and len(int_or_tuple) != 2:
        raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
    if isinstance(int_or_tuple, (list, tuple, TensorShape)) and len(int_or_tuple) == 2:
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n: int, value: Any) -> tuple[int, ...]:
    """Return a positive integer n times, or the n that are given. Raises ValueError for anything else."""
    if int(n) < 1 or int(n) != n:
        raise ValueError("n must be a positive integer")
    try:
        values = (int(value),) * int(n)
    except (TypeError, ValueError):
        words = f"Expected sequence of {n} positive integers, but received {value!r}"
        if len(value) != n:
            raise ValueError(words) from None
        try:
            values = tuple(int(each) for each in value)
        except (TypeError, ValueError):
            raise ValueError(words) from None
    for each in values:
        if each < 1:
            raise ValueError(f"expected positive integer, but received {each}")
    return values
