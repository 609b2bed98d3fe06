"""The collections of a graph: lists of anything, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ...variables.names import Store

__all__ = ["GraphCollections"]


class GraphCollections:
    """The methods of a graph that read and fill its collections."""

    _store: Store
    _outside_of_bodies: list[tuple[dict[str, list[Any]], frozenset[str]]]

    def add_to_collection(self, name: str, value: Any) -> None:
        """Append any object to the collection ``name``."""
        self._store.collection(name).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Append an object to each of several collections, once where a name repeats."""
        for name in dict.fromkeys([names] if isinstance(names, str) else names):
            self.add_to_collection(name, value)

    def clear_collection(self, name: str) -> None:
        """Empty a collection."""
        self._store.collection(name).clear()

    def get_all_collection_keys(self) -> list[str]:
        """Return the names of the collections that hold something, those that are texts."""
        return [name for name, items in self._store._collections.items() if len(items) and isinstance(name, str)]

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        """Return a new list of the collection's items, of those whose name matches ``scope`` where it is given."""
        return self._store.collected(name, scope)

    def get_collection_ref(self, name: str) -> Any:
        """Return the collection itself."""
        return self._store.collection(name)

    # Bodies of functions ---------------------------------------------------------------------

    @contextmanager
    def _body_collections(self, shared: frozenset[str]) -> Iterator[None]:
        """Take what is put into collections inside ``with`` out again at its end, but for the ``shared`` ones.

        A function's body, which is made in the graph of its caller, reads the caller's collections and fills its own.
        """
        outside = {name: items for name, items in self._contents().items() if name not in shared}
        self._outside_of_bodies.append((outside, shared))
        try:
            yield
        finally:
            self._outside_of_bodies.pop()
            self._put(outside, shared)

    @contextmanager
    def _collections_outside(self) -> Iterator[None]:
        """Have the collections be those around all bodies inside ``with``: what is put into them stays, there alone."""
        if not self._outside_of_bodies:
            yield
            return
        outside, shared = self._outside_of_bodies[0]
        inside = self._contents()
        self._put(outside, shared)
        try:
            yield
        finally:
            outside.update((name, items) for name, items in self._contents().items() if name not in shared)
            self._put(inside, shared)

    def _contents(self) -> dict[str, list[Any]]:
        return {name: list(items) for name, items in self._store._collections.items()}

    def _put(self, contents: Mapping[str, list[Any]], shared: frozenset[str]) -> None:
        for name, items in self._store._collections.items():
            if name not in shared:
                items[:] = contents.get(name, [])

    collections = property(get_all_collection_keys)
