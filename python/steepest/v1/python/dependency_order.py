"""Objects in an order in which each comes behind those that it depends on, and paths to them as texts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["CyclicDependencyError", "order_by_dependency", "pretty_print_node_path"]


class CyclicDependencyError(Exception):
    """Some objects depend on each other: ``leftover_dependency_map`` has them, each with what it depends on."""

    def __init__(self, leftover_dependency_map: Mapping[Any, list[Any]]) -> None:
        super().__init__()
        self.leftover_dependency_map = leftover_dependency_map


def order_by_dependency(dependency_map: Mapping[Hashable, Iterable[Hashable]]) -> Iterator[Any]:
    """Return the keys of a map, each behind the keys that it depends on: those that it has by it in the map.

    Raises CyclicDependencyError where there is no such order, ValueError for what is no key.

    Source: ``tensorflow/python/trackable/trackable_utils.py`` (Kahn, 1962).
    """
    needs = {key: dict.fromkeys(others) for key, others in dependency_map.items()}
    unknown = {other for others in needs.values() for other in others if other not in needs}
    if unknown:
        raise ValueError(f"Found values in the dependency map which are not keys: {unknown}")
    waiting = dict.fromkeys(needs, 0)
    for others in needs.values():
        for other in others:
            waiting[other] += 1
    found = [key for key, count in waiting.items() if not count]
    for key in found:  # grows meanwhile
        for other in needs[key]:
            waiting[other] -= 1
            if not waiting[other]:
                found.append(other)
    if any(waiting.values()):
        left = {key: [each for each in needs[key] if waiting[each]] for key in needs if key not in found}
        raise CyclicDependencyError({key: others for key, others in left.items() if others})
    return reversed(found)


def pretty_print_node_path(path: Sequence[Any]) -> str:
    """Return a path of named dependencies as Python would write it."""
    return "root." + ".".join(each.name for each in path) if path else "root object"
