"""Properties of classes, for TensorFlow's ``decorator_utils``: read from a class as from its objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

__all__ = ["cached_classproperty", "classproperty"]


class classproperty:
    """A property whose function takes the class. Source: ``decorator_utils.classproperty``."""

    def __init__(self, func: Callable[[Any], Any]) -> None:
        self._func = func

    def __get__(self, instance: Any, owner: type) -> Any:
        return self._func(owner)

    def __set__(self, instance: Any, value: Any) -> NoReturn:
        raise AttributeError("property can't be set: it is one of the class")

    def __delete__(self, instance: Any) -> NoReturn:
        raise AttributeError("property can't be deleted: it is one of the class")


class cached_classproperty(classproperty):
    """The same, whose function is called once for each class. Source: ``decorator_utils.cached_classproperty``."""

    def __init__(self, func: Callable[[Any], Any]) -> None:
        super().__init__(func)
        self._values: WeakKeyDictionary[type, Any] = WeakKeyDictionary()

    def __get__(self, instance: Any, owner: type) -> Any:
        if owner not in self._values:
            self._values[owner] = self._func(owner)
        return self._values[owner]
