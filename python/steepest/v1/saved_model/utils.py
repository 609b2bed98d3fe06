"""``tf.saved_model.utils``: what a signature knows of a tensor."""

from __future__ import annotations

import dataclasses
from typing import Any

from ..graph.build import convert
from ..graph.dtypes import as_dtype
from ..graph.graph import Graph, get_default_graph
from ..graph.missing import namespace
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..graph.shape_protos import TensorShapeProto
from ..graph.shapes import TensorShape
from ..ops.sparse_ops import SparseTensor

__all__ = [
    "TensorInfo",
    "build_tensor_info",
    "build_tensor_info_from_op",
    "get_element_from_tensor_info",
    "get_tensor_from_tensor_info",
]

__getattr__, __dir__ = namespace(__name__)


@dataclasses.dataclass
class CooSparse:
    """The names of the parts of a sparse tensor. Source: ``TensorInfo.CooSparse``."""

    values_tensor_name: str = ""
    indices_tensor_name: str = ""
    dense_shape_tensor_name: str = ""


@dataclasses.dataclass
class TensorInfo:
    """The name of a tensor, or those of the parts of a sparse one, TensorFlow's number of its type, and its shape.

    Source: ``TensorInfo``.
    """

    name: str = ""
    dtype: int = 0
    tensor_shape: TensorShapeProto = dataclasses.field(default_factory=TensorShapeProto)
    coo_sparse: CooSparse = dataclasses.field(default_factory=CooSparse)

    def WhichOneof(self, oneof_group: str) -> str | None:
        """Return which of the fields is set that tell the tensor."""
        return "coo_sparse" if self.coo_sparse != CooSparse() else "name" if self.name else None

    def ClearField(self, field_name: str) -> None:
        """Give a field its first value."""
        setattr(self, field_name, getattr(TensorInfo(), field_name))

    def described(self) -> list[Any]:
        """Return what JSON can have."""
        sizes = None if self.tensor_shape.unknown_rank else list(self.tensor_shape)
        sparse = self.WhichOneof("encoding") == "coo_sparse"
        name = list(dataclasses.astuple(self.coo_sparse)) if sparse else self.name
        return [name, as_dtype(self.dtype).name if self.dtype else "", sizes]

    @classmethod
    def of(cls, described: list[Any]) -> TensorInfo:
        """Return what was described."""
        name, dtype, shape = described
        parts, name = (CooSparse(*name), "") if isinstance(name, list) else (CooSparse(), name)
        number = as_dtype(dtype).as_datatype_enum if dtype else 0
        return cls(name, number, TensorShape(shape).as_proto(), parts)


TensorInfo.CooSparse = CooSparse  # type: ignore[attr-defined]  # where TensorFlow's programs find it


def build_tensor_info(tensor: Any) -> TensorInfo:
    """Return what a signature knows of a tensor; RuntimeError in eager mode. Source: ``build_tensor_info``."""
    if executing_eagerly():
        raise RuntimeError("`build_tensor_info` is not supported in Eager mode.")
    if isinstance(tensor, SparseTensor):
        parts = CooSparse(tensor.values.name, tensor.indices.name, tensor.dense_shape.name)
        number = tensor.dtype.base_dtype.as_datatype_enum
        return TensorInfo("", number, tensor.get_shape().as_proto(), parts)
    node = convert(tensor)
    return TensorInfo(node.name, node.dtype.base_dtype.as_datatype_enum, node.shape.as_proto())


def build_tensor_info_from_op(op: Operation) -> TensorInfo:
    """Return what a signature knows of an operation: its name. RuntimeError in eager mode."""
    if executing_eagerly():
        raise RuntimeError("`build_tensor_info_from_op` is not supported in Eager mode.")
    return TensorInfo(op.name)


def get_element_from_tensor_info(tensor_info: TensorInfo, graph: Graph | None = None, import_scope: Any = None) -> Any:
    """Return the tensor or operation of a graph that has an info's name; KeyError where there is none.

    Source: ``get_element_from_tensor_info``.
    """
    graph = get_default_graph() if graph is None else graph
    return graph.as_graph_element(f"{import_scope}/{tensor_info.name}" if import_scope else tensor_info.name)


def get_tensor_from_tensor_info(tensor_info: TensorInfo, graph: Graph | None = None, import_scope: Any = None) -> Any:
    """Return the tensor of a graph, by default of the default graph; ValueError for an info without a name.

    Source: ``get_tensor_from_tensor_info``.
    """
    graph = get_default_graph() if graph is None else graph

    def named(name: str) -> Any:
        return graph.get_tensor_by_name(f"{import_scope}/{name}" if import_scope else name)

    encoding, parts = tensor_info.WhichOneof("encoding"), tensor_info.coo_sparse
    if encoding == "coo_sparse":
        return SparseTensor(
            named(parts.indices_tensor_name), named(parts.values_tensor_name), named(parts.dense_shape_tensor_name)
        )
    if encoding is None:
        raise ValueError(f"Invalid TensorInfo.encoding: {tensor_info!r:.80}")
    return named(tensor_info.name)
