"""What a layer adds to training beside its outputs: losses, and operations that are to run too."""

from __future__ import annotations

from typing import Any

from ...variables.collections import GraphKeys
from .. import nest
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation
from ..graph.walks import reached

__all__ = ["Additions"]


class Additions:
    """The losses and updates of a layer, some of which belong to certain inputs."""

    trainable: bool
    stateful: bool
    _losses: list[Any]
    _updates: list[Any]
    _of_inputs: list[Any]

    @property
    def losses(self) -> list[Any]:
        """The losses that were added, then those of functions and of regularizers, as they are now.

        In eager mode those that were added before the last call are forgotten.
        """
        found = [loss for loss in self._losses if not _is_function(loss)]
        found += [loss() for loss in self._losses if _is_function(loss)]
        return [loss for loss in found if loss is not None]

    @property
    def updates(self) -> list[Any]:
        """The operations that are to run beside training: none where the layer is not trained."""
        return list(self._updates) if self.trainable or self.stateful else []

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses, or functions that give them, whose values are put into REGULARIZATION_LOSSES too."""
        for loss in losses if isinstance(losses, (list, tuple)) else [losses]:
            if loss is None:
                continue
            self._losses.append(loss)
            if inputs is not None:
                self._of_inputs.append(loss)
            if not executing_eagerly():
                value = loss() if _is_function(loss) else loss
                get_default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, value)

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """Return the losses that belong to inputs; for None those that belong to none."""
        return self._belonging(self.losses, inputs)

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """Return the updates that belong to inputs; for None those that belong to none."""
        return self._belonging(self.updates, inputs)

    def _belonging(self, items: list[Any], inputs: Any) -> list[Any]:
        found = [each for each in items if any(each is other for other in self._of_inputs) == (inputs is not None)]
        starts = {node.op for node in nest.flatten(inputs) if isinstance(node, Node)}
        return [each for each in found if reached([getattr(each, "op", each)], _taken) & starts] if starts else found

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Add operations that are to run beside training; a call of the layer puts them into UPDATE_OPS."""
        if executing_eagerly():
            return
        for update in updates if isinstance(updates, (list, tuple)) else [updates]:
            op = getattr(update, "op", update)  # of a tensor, what computes it
            self._updates.append(op)
            if inputs is not None:
                self._of_inputs.append(op)

    def _forget_losses(self) -> None:
        self._losses = [loss for loss in self._losses if _is_function(loss)]

    def _collect_updates(self) -> None:
        graph = get_default_graph()
        there = {id(each) for each in graph.get_collection(GraphKeys.UPDATE_OPS)}
        for update in self.updates:
            if id(update) not in there:
                graph.add_to_collection(GraphKeys.UPDATE_OPS, update)


def _is_function(loss: Any) -> bool:
    return callable(loss) and not hasattr(loss, "dtype")


def _taken(op: Operation) -> list[Operation]:
    """Return the operations whose results an operation takes."""
    return [tensor.op for tensor in op.operands]
