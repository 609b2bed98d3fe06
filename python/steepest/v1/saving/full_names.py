"""Checkpoints of objects that are read by the names which variables had when they were written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..graph.errors import NotFoundError
from .checkpoint_state import existing_arrays
from .object_graphs import OBJECT_GRAPH, decoded
from .saveables import Taken
from .saved_variables import variables_with_arrays

__all__ = ["keys_by_full_names", "object_graph_key_mapping", "values_of_objects"]

_NO_VALUES = (
    "\n\nExisting variables not in the checkpoint: {}\n\n"
    "Variables names when this checkpoint was written which don't exist now: {}\n\n"
    "({} variable name(s) did match)\n\n"
    "Could not find some variables in the checkpoint (see names above). Saver was attempting to load an object-based "
    "checkpoint (saved using tf.train.Checkpoint or tf.keras.Model.save_weights) using variable names. If the "
    "checkpoint was written with eager execution enabled, it's possible that variable names have changed (for example "
    "missing a '_1' suffix). It's also possible that there are new variables which did not exist when the checkpoint "
    "was written. You can construct a Saver(var_list=...) with only the variables which previously existed, and if "
    "variable names have changed you may need to make this a dictionary with the old names as keys. If you're using an "
    "Estimator, you'll need to return a tf.train.Saver inside a tf.train.Scaffold from your model_fn."
)


def keys_by_full_names(arrays: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the arrays of objects by the names of the variables; nothing where no objects were saved."""
    if OBJECT_GRAPH not in arrays:
        return {}
    nodes = decoded(bytes(arrays[OBJECT_GRAPH].item()))
    return dict(pair for node in nodes for pair in node.attributes.values())


def object_graph_key_mapping(checkpoint_path: str) -> dict[str, str]:
    """Return the names of the arrays of objects in a checkpoint by the names of the variables.

    Raises NotFoundError for a checkpoint that is not of objects.

    Source: ``saver.object_graph_key_mapping`` of TensorFlow.
    """
    arrays = existing_arrays(checkpoint_path)
    if OBJECT_GRAPH not in arrays:
        raise NotFoundError(None, None, f"Key {OBJECT_GRAPH} not found in checkpoint")
    return keys_by_full_names(arrays)


def values_of_objects(
    named: Mapping[str, Any], arrays: Mapping[str, Any], keys: Mapping[str, str], reshape: bool
) -> list[tuple[Any, Any]]:
    """Return variables with their values in a file of objects, where they are by other names.

    Raises NotFoundError where one is missing, InvalidArgumentError for another shape or type.
    """
    taken = {name: each for name, each in named.items() if isinstance(each, Taken)}
    names = {name for name in named if name not in taken}.union(*(each.names() for each in taken.values()))
    if missing := names - keys.keys():
        extra, matching = keys.keys() - names, keys.keys() & names
        told = _NO_VALUES.format(", ".join(sorted(missing)), ", ".join(sorted(extra)), len(matching))
        raise NotFoundError(None, None, told)
    of_taken = {name: arrays[keys[name]] for each in taken.values() for name in each.names()}
    plain = {keys[name]: each for name, each in named.items() if name not in taken}
    return variables_with_arrays(taken, of_taken, reshape) + variables_with_arrays(plain, arrays, reshape)
