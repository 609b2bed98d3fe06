"""TensorFlow's ``save_util_v1``: what saves the objects that depend on each other, as a list."""

from __future__ import annotations

from typing import Any

from ..saving.object_graphs import base_of, listed_objects, objects_by_saver, saved_graph
from ..saving.object_metadata import ObjectGraph, graph_of_nodes
from ..saving.saveable_forms import SERIALIZE_TO_TENSORS_NAME, saveable_objects_for_op, saveable_objects_from_trackable
from ..saving.saveables import escaped
from .trackable_names import ObjectGraphView

__all__ = ["serialize_gathered_objects"]


def serialize_gathered_objects(
    graph_view: ObjectGraphView,
    object_map: Any = None,
    call_with_mapped_captures: Any = None,
    saveables_cache: Any = None,
) -> tuple[list[Any], ObjectGraph, dict[Any, Any], dict[str, dict[str, Any]]]:
    """Return what saves the objects; the objects; feeds, of which there are none; and those of registered savers.

    ``object_map`` has, by object, another one that is saved in its place and under its name.
    """
    del call_with_mapped_captures, saveables_cache
    nodes, _ = saved_graph(graph_view.root)
    objects = listed_objects(graph_view.root)
    mapped = [value if object_map is None else object_map.get(value, value) for value in objects]
    found: list[Any] = []
    for value, node in zip(mapped, nodes, strict=True):
        key = next((key for _, key in node.attributes.values()), None)
        if key is None or node.saver is not None:
            continue
        for attribute, make in saveable_objects_from_trackable(value).items():
            own = "" if attribute == SERIALIZE_TO_TENSORS_NAME else escaped(attribute)
            name = base_of(key, value if not own else None) + own
            found += saveable_objects_for_op(make(name) if callable(make) else make, name)
    return found, graph_of_nodes(nodes), {}, objects_by_saver(nodes, mapped)
