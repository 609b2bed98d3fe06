"""The collections of a graph: lists of anything, by name."""

from __future__ import annotations

from typing import Any

from ...variables.names import Store

__all__ = ["GraphCollections"]


class GraphCollections:
    """The methods of a graph that read and fill its collections."""

    _store: Store

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
        """Return the names of the collections that hold something."""
        return [name for name, items in self._store._collections.items() if len(items)]

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        """Return a new list of the collection's items, of those whose name matches ``scope`` where it is given."""
        return self._store.collected(name, scope)

    def get_collection_ref(self, name: str) -> Any:
        """Return the collection itself."""
        return self._store.collection(name)

    collections = property(get_all_collection_keys)
