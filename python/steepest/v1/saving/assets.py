"""``tf.saved_model.Asset``: a file that goes along with a saved model, and the tensor that is its path."""

from __future__ import annotations

import os
from typing import Any

from ...variables.collections import GraphKeys
from ..graph.constants import constant
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.scopes import init_scope
from ..ops.sparse_ops import convert_to_tensor
from .trackable import Trackable

__all__ = ["Asset"]


class Asset(Trackable):
    """A file. A saved model has a copy of it, and the loaded one the copy's path.

    Args:
        path: where the file is: a text, an object of a path, or a tensor of a text.

    Source: ``tf.saved_model.Asset``.
    """

    def __init__(self, path: Any) -> None:
        super().__init__()
        path = path if hasattr(path, "dtype") else os.fspath(path)
        with init_scope():
            self._path = path if hasattr(path, "dtype") else constant(path, "string", name="asset_path")
            if not executing_eagerly():
                get_default_graph().add_to_collection(GraphKeys.ASSET_FILEPATHS, self._path)

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        """Return the path."""
        return convert_to_tensor(self._path, dtype, name)

    @property
    def asset_path(self) -> Any:
        """The path, as a tensor."""
        return self._path
