"""Objects whose attributes are their dependencies, lists and dicts among them."""

from __future__ import annotations

from typing import Any

from .containers import List, Mapping, TrackableDataStructure, sticky_attribute_assignment, wrap_or_unwrap
from .dict_wrapper import _DictWrapper
from .list_wrapper import ListWrapper
from .trackable import NoDependency, Trackable

__all__ = [
    "AutoTrackable",
    "List",
    "ListWrapper",
    "Mapping",
    "TrackableDataStructure",
    "_DictWrapper",
    "sticky_attribute_assignment",
    "wrap_or_unwrap",
]


class AutoTrackable(Trackable):
    """An object whose attributes are its dependencies: variables, optimizers, layers, others, lists and dicts of them.

    Plain lists and dicts that attributes are set to become `ListWrapper` and such, which follow later changes.

    Source: ``AutoTrackable`` of ``tensorflow/python/training/tracking/tracking.py``.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if getattr(self, "_self_setattr_tracking", True):
            value = sticky_attribute_assignment(self, name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._forget(name)
        super().__delattr__(name)

    def _no_dependency(self, value: Any) -> Any:
        return NoDependency(value)
