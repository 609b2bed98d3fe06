"""The operations of a saver in its graph: they write the file whose name they are fed, and read it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..graph.constants import constant
from ..graph.graph import Graph
from ..graph.node import Operation
from ..graph.run_values import array_of
from ..graph.session_values import lifted
from ..ops.array_ops import identity
from ..ops.creation_ops import placeholder_with_default

__all__ = ["OF_SAVER", "saver_operations"]

OF_SAVER = "of_saver"  # an attribute: such operations are made anew by who needs them, and are not in files of graphs


def saver_operations(
    graph: Graph, name: str | None, filename: Any, save: Callable[[Any, str], None], restore: Callable[[Any, str], None]
) -> tuple[str, str, str]:
    """Make the operations; return the names of the tensor to feed, of the one that saves, and of what restores.

    Args:
        graph: the graph, which may be finalized.
        name: of the scope, by default ``save``.
        filename: the file where nothing is fed, by default ``model``.
        save, restore: what is done with a session and a path.
    """
    with _changed(graph), graph.as_default(), lifted(graph), graph.name_scope(name or "save"):
        made = placeholder_with_default(constant(filename or "model", name="filename/input"), (), name="filename")
        path = placeholder_with_default(made, (), name="Const")
        saving = _operation(graph, "SaveV2", "SaveV2", save, path, writes=False)
        with graph.control_dependencies([saving]):
            saved = identity(path, name="control_dependency")
        restoring = _operation(graph, "NoOp", "restore_all", restore, path, writes=True)
    return path.name, saved.name, restoring.name


@contextmanager
def _changed(graph: Graph) -> Iterator[None]:
    """Let operations be added, also to a graph that is finalized, and mark them as a saver's."""
    finalized, before = graph.finalized, len(graph.get_operations())
    if finalized:
        graph._unsafe_unfinalize()
    try:
        yield
    finally:
        for op in graph.get_operations()[before:]:
            op._attributes[OF_SAVER] = True
        if finalized:
            graph.finalize()


def _operation(
    graph: Graph, op_type: str, name: str, action: Callable[[Any, str], None], path: Any, writes: bool
) -> Operation:
    def run(session: Any, given: Any) -> None:
        action(session, os.fsdecode(array_of(given).item()))

    full_name = graph._operation_name(name, op_type)
    return Operation(graph, op_type, full_name, run, [path], (), contextual=True, writes=writes, differentiable=False)
