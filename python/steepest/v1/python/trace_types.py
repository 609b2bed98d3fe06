"""TensorFlow's ``trace_type`` and ``type_utils``: what functions and messages know of values before they are there."""

from __future__ import annotations

from typing import Any

from ..graph.handle_data import FullTypeDef
from ..ops.type_spec import TypeSpec, type_spec_from_value

__all__ = ["InternalCastContext", "InternalPlaceholderContext", "from_value", "fulltypes_for_flat_tensors"]


class InternalCastContext:
    """What is told where values are cast: whether specs may stand for them."""

    def __init__(self, allow_specs: bool = False) -> None:
        self.allow_specs = allow_specs


class InternalPlaceholderContext:
    """What is told where nodes are made that stand for values."""

    def __init__(self, context_graph: Any = None, placeholder_mapping: Any = None, unnest_only: bool = False) -> None:
        self.context_graph, self.placeholder_mapping, self.unnest_only = context_graph, placeholder_mapping, unnest_only


def from_value(value: Any, context: Any = None) -> Any:
    """Return the spec of a value, a spec as it is."""
    del context
    return value if isinstance(value, TypeSpec) else type_spec_from_value(value)


def fulltypes_for_flat_tensors(element_spec: TypeSpec) -> list[FullTypeDef]:
    """Return a message for each tensor of a value: the numbers of their types tell all."""
    return [FullTypeDef() for _ in element_spec._flat_tensor_specs]
