"""TensorFlow's list of a graph's resources besides variables, and what initializes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..graph.constants import constant
from ..graph.graph import get_default_graph
from ..ops.concat_ops import stack
from ..ops.control_flow_ops import group, no_op
from ..ops.gather_ops import boolean_mask
from ..ops.math_ops import logical_not

__all__ = [
    "initialize_resources",
    "local_resources",
    "register_resource",
    "report_uninitialized_resources",
    "shared_resources",
]


class _Resource(NamedTuple):
    handle: Any
    create: Any
    is_initialized: Any


def register_resource(handle: Any, create_op: Any, is_initialized_op: Any, is_shared: bool = True) -> None:
    """Add a resource to the graph's collection of those that are shared, or of those that are local."""
    key = "resources" if is_shared else "local_resources"
    get_default_graph().add_to_collection(key, _Resource(handle, create_op, is_initialized_op))


def shared_resources() -> list[Any]:
    """Return the graph's shared resources."""
    return list(get_default_graph().get_collection("resources"))


def local_resources() -> list[Any]:
    """Return the graph's local resources."""
    return list(get_default_graph().get_collection("local_resources"))


def report_uninitialized_resources(
    resource_list: Sequence[Any] | None = None, name: str = "report_uninitialized_resources"
) -> Any:
    """Return the names of resources that are not initialized."""
    listed = [*shared_resources(), *local_resources()] if resource_list is None else list(resource_list)
    with get_default_graph().name_scope(name):
        if not listed:
            return constant([], "string")
        missing = logical_not(stack([each.is_initialized for each in listed]))
        return boolean_mask(constant([each.handle.name for each in listed]), missing)


def initialize_resources(resource_list: Sequence[Any], name: str = "init") -> Any:
    """Return the operation that initializes resources, variables among them."""
    made = [each.create if isinstance(each, _Resource) else each.initializer for each in resource_list]
    return group(*made, name=name) if made else no_op(name=name)
