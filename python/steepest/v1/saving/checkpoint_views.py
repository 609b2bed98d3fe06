"""The objects of a checkpoint, and those of a program, seen as they depend on each other; which of them match."""

from __future__ import annotations

import weakref
from collections import deque
from typing import Any

from ..graph import log
from .object_graphs import listed_objects
from .object_metadata import object_metadata
from .trackable import Trackable, children_of

__all__ = ["CheckpointView", "TrackableView"]


class TrackableView:
    """An object of a program, which may be given as a weak reference, and all that it depends on.

    Source: ``tf.train.TrackableView`` of TensorFlow 2.
    """

    def __init__(self, root: Any) -> None:
        self._root_ref = root if isinstance(root, weakref.ref) else weakref.ref(root)

    @classmethod
    def children(cls, obj: Any, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """Return what an object depends on, by name."""
        del save_type, kwargs
        return {each.name: each.ref for each in children_of(obj)}

    @property
    def root(self) -> Any:
        """The object."""
        return self._root_ref()

    def descendants(self) -> list[Any]:
        """Return the object and all that it depends on, the nearest first."""
        return listed_objects(self.root)


class CheckpointView:
    """The objects of a checkpoint, by their numbers; 0 is the first one's.

    Raises ValueError for a checkpoint that does not say which objects there are.

    Source: ``tf.train.CheckpointView`` of TensorFlow 2.
    """

    def __init__(self, save_path: str) -> None:
        self._object_graph_proto = object_metadata(save_path)

    def children(self, node_id: int) -> dict[str, int]:
        """Return the numbers of what an object depends on, by name."""
        return {each.local_name: each.node_id for each in self._object_graph_proto.nodes[node_id].children}

    def descendants(self) -> list[int]:
        """Return the numbers of all objects, the nearest first; slots of optimizers are none."""
        return list(self._descendants_with_paths())

    def _descendants_with_paths(self) -> dict[int, str]:
        paths = {0: "root"}
        waiting = deque([0])
        while waiting:
            number = waiting.popleft()
            for name, child in self.children(number).items():
                if child not in paths:
                    paths[child] = f"{paths[number]}.{name}"
                    waiting.append(child)
        return paths

    def match(self, obj: Any) -> dict[int, Any]:
        """Return by number the objects that have the same place below ``obj``, which has the number 0.

        A warning tells of two objects that have the places of one. Raises ValueError for what is no `Trackable`.
        """
        if not isinstance(obj, Trackable):
            raise ValueError(f"Expected a Trackable, got {obj} of type {type(obj)}.")
        found = {0: obj}
        waiting = deque([0])
        while waiting:
            number = waiting.popleft()
            here = TrackableView.children(found[number])
            for name, child in self.children(number).items():
                if name not in here or child == 0:
                    continue
                if child not in found:
                    found[child] = here[name]
                    waiting.append(child)
                elif found[child] is not here[name]:
                    log.warning(
                        "Inconsistent references when matching the checkpoint into this object graph. The referenced "
                        f"objects are: ({found[child]!r:.80} and {here[name]!r:.80})."
                    )
        return found

    def diff(self, obj: Any) -> tuple[dict[int, Any], list[int], list[Any]]:
        """Return what `match` does, the numbers without an object, and the objects without a number."""
        found = self.match(obj)
        known = {id(each) for each in found.values()}
        missing = [number for number in self.descendants() if number not in found]
        return found, missing, [each for each in TrackableView(obj).descendants() if id(each) not in known]
