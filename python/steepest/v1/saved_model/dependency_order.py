"""What has to be there before an object of a saved model is made again: the order exists, or an error says why not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from ..saving.trackable import Trackable

__all__ = ["check_order"]


def check_order(objects: Sequence[Any], children: Callable[[Any], Sequence[tuple[str, Any]]]) -> None:
    """Check what objects say by ``_deserialization_dependencies``.

    Raises ValueError for what an object does not depend on otherwise, and for objects that wait for each other.
    """
    order: TopologicalSorter[int] = TopologicalSorter()
    for each in objects:
        own = dict(children(each))
        needed = each._deserialization_dependencies(own) if isinstance(each, Trackable) else {}
        for name, value in needed.items():
            if not any(value is child for child in own.values()):
                raise ValueError(
                    f"Found an untracked dependency. Object {each} depends on {value}, but this dependency isn't "
                    f"listed as a child. Please track this child by overriding `_trackable_children` or use "
                    f"`._track_trackable`: {name}."
                )
        order.add(id(each), *(id(value) for value in needed.values()))
    try:
        order.prepare()
    except CycleError as error:
        raise ValueError(
            "Encountered a dependency cycle in the saved Trackable graph: objects wait for each other by "
            "`_deserialization_dependencies`. There is a dependency cycle in the saved Trackable graph."
        ) from error
