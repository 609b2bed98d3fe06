"""``tf.contrib.framework``."""

from __future__ import annotations

from typing import Any

from ...variables.collections import GraphKeys
from ..graph.graph import get_default_graph
from ..graph.missing import namespace
from ..train import get_global_step, get_or_create_global_step

__all__ = ["get_global_step", "get_or_create_global_step", "get_trainable_variables", "get_variables"]

__getattr__, __dir__ = namespace(__name__)


def get_variables(
    scope: Any = None, suffix: str | None = None, collection: str = GraphKeys.GLOBAL_VARIABLES
) -> list[Any]:
    """Return the variables of a collection whose names begin with ``scope`` and end with ``suffix``."""
    name = getattr(scope, "name", scope)
    variables = get_default_graph().get_collection(collection, name)
    return [v for v in variables if suffix is None or v.op.name.endswith(suffix)]


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Return the trainable variables whose names begin with ``scope`` and end with ``suffix``."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)
