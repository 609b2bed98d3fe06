"""The operations of a saver in its graph: they write the file whose name they are fed, and read it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..graph.constants import constant
from ..graph.graph import Graph
from ..graph.node import Operation
from ..graph.run_values import array_of
from ..graph.session_values import lifted
from ..ops.array_ops import identity
from ..ops.creation_ops import placeholder_with_default

__all__ = ["OF_SAVER", "saved_by", "saver_operations"]

# An attribute: such operations are made anew by who needs them, and are not in files of graphs. It is what they save.
OF_SAVER = "of_saver"


def saver_operations(
    graph: Graph,
    name: str | None,
    filename: Any,
    saved: Mapping[str, Any],
    save: Callable[[Any, str], None],
    restore: Callable[[Any, str], None],
) -> tuple[str, str, str]:
    """Make the operations; return the names of the tensor to feed, of the one that saves, and of what restores.

    Args:
        graph: the graph, which may be finalized.
        name: of the scope, by default ``save``.
        filename: the file where nothing is fed, by default ``model``.
        saved: what is saved, by its names.
        save, restore: what is done with a session and a path.
    """
    with _changed(graph, saved), graph.as_default(), lifted(graph), graph.name_scope(name or "save"):
        made = placeholder_with_default(constant(filename or "model", name="filename/input"), (), name="filename")
        path = placeholder_with_default(made, (), name="Const")
        saving = _operation(graph, "SaveV2", "SaveV2", save, path, writes=False)
        with graph.control_dependencies([saving]):
            written = identity(path, name="control_dependency")
        restoring = _operation(graph, "NoOp", "restore_all", restore, path, writes=True)
    return path.name, written.name, restoring.name


def saved_by(graph: Graph, tensor_name: str) -> Mapping[str, Any]:
    """Return what the tensor of this name saves. Raises ValueError where it is no saver's."""
    op = graph._operations.get(tensor_name.partition(":")[0])
    if op is None or OF_SAVER not in op._attributes:
        raise ValueError(
            f"saver_def must specify the save_tensor_name: {tensor_name!r} is none of a Saver's in the graph"
        )
    saved: Mapping[str, Any] = op._attributes[OF_SAVER]
    return saved


@contextmanager
def _changed(graph: Graph, saved: Mapping[str, Any]) -> Iterator[None]:
    """Let operations be added, also to a graph that is finalized, and mark them as those that save this."""
    finalized, before = graph.finalized, len(graph.get_operations())
    if finalized:
        graph._unsafe_unfinalize()
    try:
        yield
    finally:
        for op in graph.get_operations()[before:]:
            op._attributes[OF_SAVER] = saved
        if finalized:
            graph.finalize()


def _operation(
    graph: Graph, op_type: str, name: str, action: Callable[[Any, str], None], path: Any, writes: bool
) -> Operation:
    def run(session: Any, given: Any) -> None:
        action(session, os.fsdecode(array_of(given).item()))

    full_name = graph._operation_name(name, op_type)
    return Operation(graph, op_type, full_name, run, [path], (), contextual=True, writes=writes, differentiable=False)
