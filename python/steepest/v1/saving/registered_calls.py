"""What registered savers write becomes a part of a checkpoint, and they read it there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..graph.constants import constant
from ..graph.mode import executing_eagerly
from ..graph.nests import flatten
from ..graph.node import Node
from ..graph.run_values import array_of
from ..ops.sparse_ops import convert_to_tensor
from .checkpoint_state import arrays_of, remove_checkpoint
from .registered_savers import get_restore_function, get_save_function

__all__ = ["restore_registered", "saved_registered"]


def saved_registered(by_saver: Mapping[str, Mapping[str, Any]], file_prefix: str, session: Any) -> dict[str, Any]:
    """Return the arrays that registered savers write, by name; their files are deleted.

    Raises ValueError for a saver that returns anything but prefixes of files.
    """
    arrays: dict[str, Any] = {}
    for saver, trackables in by_saver.items():
        made = get_save_function(saver)(trackables=trackables, file_prefix=constant(f"{file_prefix}-{saver}"))
        prefixes = [] if made is None else flatten(made)
        for each in prefixes:
            prefix = convert_to_tensor(each) if isinstance(each, (str, bytes)) else each
            if getattr(prefix, "dtype", None) != "string":
                raise ValueError(
                    f"Registered saver must return a (maybe empty) list of string type tensors. Got {made}."
                )
            path = os.fsdecode(array_of(session.run(prefix) if isinstance(prefix, Node) else prefix).item())
            arrays.update({name: array.copy() for name, array in arrays_of(path).items()})
            remove_checkpoint(path)
    return arrays


def restore_registered(by_saver: Mapping[str, Mapping[str, Any]], path: str, session: Any) -> None:
    """Let registered savers give objects what a checkpoint has for them; in a graph the operations they return run."""
    for saver, trackables in by_saver.items():
        made = get_restore_function(saver)(trackables=trackables, merged_prefix=constant(path))
        if made is not None and not executing_eagerly():
            session.run(made)
