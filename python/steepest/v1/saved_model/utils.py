"""``tf.saved_model.utils``: what a signature knows of a tensor."""

from __future__ import annotations

import dataclasses
from typing import Any

from ..graph.build import convert
from ..graph.dtypes import as_dtype
from ..graph.graph import Graph, get_default_graph
from ..graph.missing import namespace
from ..graph.shapes import TensorShape
from ..ops.sparse_ops import SparseTensor

__all__ = ["build_tensor_info", "get_tensor_from_tensor_info"]

__getattr__, __dir__ = namespace(__name__)


@dataclasses.dataclass
class TensorInfo:
    """The name of a tensor, TensorFlow's number of its type, and its shape. Source: ``TensorInfo``."""

    name: str
    dtype: int
    tensor_shape: TensorShape

    def described(self) -> list[Any]:
        """Return what JSON can have."""
        dims = self.tensor_shape
        return [self.name, as_dtype(self.dtype).name, None if dims.ndims is None else dims.as_list()]

    @classmethod
    def of(cls, described: list[Any]) -> TensorInfo:
        """Return what was described."""
        name, dtype, shape = described
        return cls(name, as_dtype(dtype).as_datatype_enum, TensorShape(shape))


def build_tensor_info(tensor: Any) -> TensorInfo:
    """Return what a signature knows of a tensor; TypeError for a sparse one. Source: ``build_tensor_info``."""
    if isinstance(tensor, SparseTensor):
        raise TypeError("build_tensor_info: tensor must be a dense tensor, got a SparseTensor; give its parts")
    node = convert(tensor)
    return TensorInfo(node.name, node.dtype.base_dtype.as_datatype_enum, node.shape)


def get_tensor_from_tensor_info(tensor_info: TensorInfo, graph: Graph | None = None, import_scope: Any = None) -> Any:
    """Return the tensor of a graph, by default of the default graph. Source: ``get_tensor_from_tensor_info``."""
    name = f"{import_scope}/{tensor_info.name}" if import_scope else tensor_info.name
    return (get_default_graph() if graph is None else graph).get_tensor_by_name(name)
