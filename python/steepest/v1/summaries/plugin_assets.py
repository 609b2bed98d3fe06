"""Files that go along with a graph's summaries: for each plug-in of TensorBoard an object that gives them."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import Any

from ..graph.graph import Graph, get_default_graph

__all__ = ["PluginAsset", "get_all_plugin_assets", "get_plugin_asset", "write_plugin_assets"]

_PREFIX = "__tensorboard_plugin_asset__"


class PluginAsset(ABC):
    """What a graph has for one plug-in of TensorBoard; a subclass has a ``plugin_name`` of its own.

    Source: ``PluginAsset`` of TensorFlow's ``plugin_asset``.
    """

    plugin_name: str | None = None

    @abstractmethod
    def assets(self) -> dict[str, str]:
        """Return the texts of the files, by their names."""
        raise NotImplementedError


def get_plugin_asset(plugin_asset_cls: type[PluginAsset], graph: Graph | None = None) -> Any:
    """Return a graph's object of a class, which is made when it is first asked for.

    Raises ValueError for a class without a name, or with that of another one.
    """
    graph = get_default_graph() if graph is None else graph
    name = plugin_asset_cls.plugin_name
    if not name:
        raise ValueError(f"Class {plugin_asset_cls.__name__} has no plugin_name")
    held = graph.get_collection(_PREFIX + name)
    if not held:
        held = [plugin_asset_cls()]
        graph.add_to_collection(_PREFIX + name, held[0])
        graph.add_to_collection(_PREFIX, name)
    if not isinstance(held[0], plugin_asset_cls):
        pair = f"{plugin_asset_cls.__name__} and {type(held[0]).__name__}"
        raise ValueError(f"Plugin name collision between classes {pair}")
    return held[0]


def get_all_plugin_assets(graph: Graph | None = None) -> list[Any]:
    """Return the objects that a graph has for plug-ins."""
    graph = get_default_graph() if graph is None else graph
    return [each for name in graph.get_collection(_PREFIX) for each in graph.get_collection(_PREFIX + name)]


def write_plugin_assets(graph: Graph, logdir: str) -> None:
    """Write the files of a graph's objects below ``plugins`` in the folder of its events."""
    for each in get_all_plugin_assets(graph):
        folder = os.path.join(logdir, "plugins", each.plugin_name)
        os.makedirs(folder, exist_ok=True)
        for name, content in each.assets().items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content)
