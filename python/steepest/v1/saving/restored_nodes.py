"""Some objects of a checkpoint are restored by their numbers in it."""

from __future__ import annotations

from typing import Any

from .checkpoint_views import CheckpointView
from .functional_saver import MultiDeviceSaver
from .object_graphs import base_of
from .saveable_forms import (
    SaveableCompatibilityConverter,
    saveable_objects_from_trackable,
)
from .saveables import escaped
from .trackable import is_of_tensors, is_trackable

__all__ = ["restore_nodes"]


def restore_nodes(save_path: str, nodes_to_restore: dict[int, Any]) -> None:
    """Give each object the values that the object of its number has in a checkpoint.

    Raises ValueError for a number that is not there, for what cannot be saved, and where the values are not as many.

    Source: ``tensorflow/python/checkpoint/restore.py``.
    """
    if save_path is None:
        raise ValueError("save_path cannot be empty.")
    if not isinstance(nodes_to_restore, dict):
        raise ValueError("Expecting a dictionary of node_id to Trackable for nodes_to_restore.")
    view = CheckpointView(save_path)
    known = view.descendants()
    for number, value in nodes_to_restore.items():
        if number not in known:
            raise ValueError(
                f"The expected node_id: {number} to Trackable {value} to restore does not exist in the checkpoint."
            )
        if value is None or not is_trackable(value):
            raise ValueError(f"Expecting a valid Trackable to node_id: {number} but got trackable: {value}.")
    for number, value in nodes_to_restore.items():
        _restore(save_path, number, value, view._object_graph_proto.nodes[number].attributes)


def _restore(path: str, number: int, value: Any, attributes: list[Any]) -> None:
    makers = saveable_objects_from_trackable(value)
    if not attributes and not makers:
        return
    missing = (
        f"Trackable {value} expects checkpointed values but checkpoint does not contain serialized tensors for "
        f"node_id: {number}."
    )
    whose = value
    if not is_of_tensors(value):
        if not attributes:
            raise ValueError(missing)
        base = base_of(attributes[0].checkpoint_key, None)
        saveables = [make(name=base + escaped(name)) for name, make in makers.items()]
        if len(attributes) != len(saveables):
            raise ValueError(
                f"Size for saveable_objects for Trackable: {len(saveables)} did not match the size for "
                f"serialized_tensors for checkpoint: {len(attributes)}."
            )
        whose = SaveableCompatibilityConverter(value, saveables)
    tensors = whose._serialize_to_tensors()
    if tensors and not attributes:
        raise ValueError(missing)
    if attributes and not tensors:
        raise ValueError(
            f"Trackable {value} does not expect checkpointed values but checkpoint contains serialized tensors: "
            f"{attributes} for node_id: {number}."
        )
    if len(attributes) != len(tensors):
        raise ValueError(
            f"Size for serialized_tensors for Trackable: {len(tensors)} did not match size for serialized_tensors for "
            f"checkpoint: {len(attributes)}."
        )
    if whose is value:
        tensors = {each.checkpoint_key: tensors[each.name] for each in attributes}
    MultiDeviceSaver({whose: tensors}).restore(path)


def _extract_saveable_name(checkpoint_key: str) -> str:
    return base_of(checkpoint_key, None)
