"""Graphs of messages whose nodes were made by hand: operations of known kernels, and of definitions alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..graph.attr_values import AttrValue
from ..graph.constants import constant
from ..graph.dtypes import as_dtype, name_in_messages
from ..graph.errors import NotFoundError
from ..graph.graph import Graph
from ..graph.graph_def import GRAPH_DEF_VERSION, GraphDef, NodeDef
from ..graph.node import Operation, Tensor
from ..graph.op_registry import defined, python_value, types_of, with_defaults
from ..graph.shapes import TensorShape
from ..graph.tensor_protos import make_ndarray
from ..ops import activation_ops, math_ops
from ..ops.array_ops import identity, reshape, transpose
from ..ops.cast_ops import cast
from ..ops.concat_ops import concat, stack
from ..ops.control_flow_ops import no_op
from ..ops.creation_ops import placeholder
from ..ops.matmul_ops import add_n, matmul

__all__ = ["graph_by_hand"]

# By type: what makes an operation of its inputs, its attributes and its name. Of messages of this library's graphs only
# such may be here whose attributes and inputs tell all: what others compute is in their functions, not in messages.
_Maker = Callable[[list[Tensor], dict[str, Any], str], Any]


def _of_inputs(function: Any, count: int, **attributes: str) -> _Maker:
    """Return the maker of a function of so many inputs, of which some arguments are attributes that must be there."""

    def make(inputs: list[Tensor], attrs: dict[str, Any], name: str) -> Any:
        if len(inputs) != count:
            raise ValueError(f"NodeDef expected {count} inputs, do not match {len(inputs)} inputs specified")
        given = {word: _needed(attrs, attribute) for word, attribute in attributes.items()}
        return function(*inputs, **given, name=name)

    return make


def _needed(attrs: Mapping[str, Any], name: str) -> Any:
    if name not in attrs:
        raise ValueError(f"NodeDef missing attr '{name}'")
    return attrs[name]


def _joined(inputs: list[Tensor], attrs: dict[str, Any], name: str) -> Any:
    if _needed(attrs, "N") + 1 != len(inputs):
        raise ValueError(f"NodeDef expected {attrs['N'] + 1} inputs, do not match {len(inputs)} inputs specified")
    return concat(inputs[:-1], inputs[-1], name=name)


_ONE = {  # types of operations of one tensor, whose functions have TensorFlow's names for them
    "Abs": "abs",
    "Ceil": "ceil",
    "Cos": "cos",
    "Erf": "erf",
    "Floor": "floor",
    "LogicalNot": "logical_not",
    "Log1p": "log1p",
    "Reciprocal": "reciprocal",
    "Rsqrt": "rsqrt",
    "Sign": "sign",
    "Sin": "sin",
    "Tan": "tan",
}
_TWO = {
    "Atan2": "atan2",
    "FloorDiv": "floordiv",
    "FloorMod": "floormod",
    "Greater": "greater",
    "GreaterEqual": "greater_equal",
    "Less": "less",
    "LessEqual": "less_equal",
    "LogicalAnd": "logical_and",
    "LogicalOr": "logical_or",
    "Maximum": "maximum",
    "Minimum": "minimum",
    "Pow": "pow",
    "SquaredDifference": "squared_difference",
}

_KERNELS: dict[str, _Maker] = {
    **{kind: _of_inputs(getattr(math_ops, name), 1) for kind, name in _ONE.items()},
    **{kind: _of_inputs(getattr(math_ops, name), 2) for kind, name in _TWO.items()},
    "AddN": lambda inputs, attrs, name: add_n(inputs, name=name),
    "Add": _of_inputs(math_ops.first_add, 2),
    "AddV2": _of_inputs(math_ops.add, 2),
    "Cast": _of_inputs(cast, 1, dtype="DstT"),
    "ConcatV2": _joined,
    "Const": lambda inputs, attrs, name: constant(
        make_ndarray(_needed(attrs, "value")), _needed(attrs, "dtype"), name=name
    ),
    "Exp": _of_inputs(math_ops.exp, 1),
    "Identity": _of_inputs(identity, 1),
    "Log": _of_inputs(math_ops.log, 1),
    "MatMul": _of_inputs(matmul, 2, transpose_a="transpose_a", transpose_b="transpose_b"),
    "Mul": _of_inputs(math_ops.multiply, 2),
    "Neg": _of_inputs(math_ops.negative, 1),
    "NoOp": _of_inputs(no_op, 0),
    "Pack": lambda inputs, attrs, name: stack(inputs, _needed(attrs, "axis"), name=name),
    "Placeholder": lambda inputs, attrs, name: placeholder(_needed(attrs, "dtype"), attrs.get("shape"), name),
    "RealDiv": _of_inputs(math_ops.divide, 2),
    "Relu": _of_inputs(activation_ops.relu, 1),
    "Reshape": _of_inputs(reshape, 2),
    "Sigmoid": _of_inputs(math_ops.sigmoid, 1),
    "Sqrt": _of_inputs(math_ops.sqrt, 1),
    "Square": _of_inputs(math_ops.square, 1),
    "Sub": _of_inputs(math_ops.subtract, 2),
    "Tanh": _of_inputs(math_ops.tanh, 1),
    "Transpose": _of_inputs(transpose, 2),
}


_LAST_WITHOUT_SCALARS = 21
"""The last version of messages in which the shape of a placeholder with no sizes is one that is not known."""


def graph_by_hand(graph_def: GraphDef, given: Mapping[tuple[str, int], Tensor], scope: str) -> tuple[Graph, set[str]]:
    """Return the graph of a message that was made by hand, and the names of what is only there for ``given``.

    ``given`` are the tensors that stand for inputs by their names: for those that the message lacks, too. ``scope`` is
    what errors put before the names of nodes. Raises ValueError for nodes that contradict their definitions or each
    other, NotFoundError for a type of operation that is not known.
    """
    _check_versions(graph_def)
    nodes = {node.name: node for node in graph_def.node}
    for node in graph_def.node:
        if node is not nodes[node.name]:
            raise ValueError(f"Node '{node.name}' is not unique")
    graph = Graph()
    graph.graph_def_versions.CopyFrom(graph_def.versions)
    lacking = {name: tensor for (name, _), tensor in given.items() if name not in nodes}
    with graph.as_default():
        for name, tensor in lacking.items():
            placeholder(tensor.dtype.base_dtype, tensor.shape, name)
        waiting = list(graph_def.node)
        while waiting:
            ready = [node for node in waiting if all(_source(each) in graph._operations for each in node.input)]
            for node in ready:
                _made(graph, node, nodes, scope, {key: given[key] for key in given if key[0] in lacking})
            waiting = [node for node in waiting if node.name not in graph._operations]
            if waiting and not ready:
                raise _unready(waiting, nodes)
    return graph, set(lacking)


def _check_versions(graph_def: GraphDef) -> None:
    producer, least = graph_def.versions.producer, graph_def.versions.min_consumer
    if producer < 0:
        raise ValueError(
            f"GraphDef producer version {producer} below min producer 0 supported by TensorFlow 1.15.  "
            "Please regenerate your graph."
        )
    if least > GRAPH_DEF_VERSION:
        raise ValueError(
            f"GraphDef min consumer version {least} above current version {GRAPH_DEF_VERSION} for TensorFlow 1.15.  "
            "Please upgrade TensorFlow."
        )


def _source(given: str) -> str:
    """Return the name of the operation of an input: ``name``, ``name:1`` or ``^name``."""
    name, _, number = given.removeprefix("^").partition(":")
    return name if not number or number.isdecimal() else given


def _unready(waiting: list[NodeDef], nodes: Mapping[str, NodeDef]) -> ValueError:
    for node in waiting:
        for each in node.input:
            if _source(each) not in nodes:
                return ValueError(f"Node '{node.name}': Unknown input node '{each}'")
    return ValueError(f"Node '{waiting[0].name}': its inputs are in a cycle, which no node of a loop closes")


def _made(
    graph: Graph, node: NodeDef, nodes: Mapping[str, NodeDef], scope: str, given: Mapping[tuple[str, int], Tensor]
) -> None:
    known = defined(node.op)
    if known is None and node.op not in _KERNELS:
        raise NotFoundError(None, None, f"Op type not registered '{node.op}' in binary running on this machine")
    inputs = [_tensor(graph, node, each) for each in node.input if not each.startswith("^")]
    attrs = dict(node.attr)
    old = node.op == "Placeholder" and graph.graph_def_versions.producer <= _LAST_WITHOUT_SCALARS
    if old and "shape" in attrs and not attrs["shape"].shape.dim:
        del attrs["shape"]
    near = [text.removeprefix(b"loc:@").decode() for text in attrs.pop("_class", AttrValue()).list.s]
    for name in near:
        if name not in nodes:
            raise ValueError(f"Node '{node.name}' expects to be colocated with unknown node '{name}'")
    shapes = attrs.pop("_output_shapes", AttrValue()).list.shape
    if known is not None:
        named = {name: value for name, value in attrs.items() if name in {attr.name for attr in known.attr}}
        attrs = with_defaults(known, named)
        _check_inputs(node, inputs, types_of(known.input_arg, attrs), scope, given)
        op = graph.create_op(node.op, inputs, name=f"{node.name}/", attrs=attrs, op_def=known)
    else:
        values = {name: python_value(value) for name, value in attrs.items()}
        if inputs and "T" in values:
            _check_inputs(node, inputs[:1], [values["T"]], scope, given)
        try:
            op = _KERNELS[node.op](inputs, values, f"{node.name}/").op
        except (TypeError, ValueError) as error:
            raise ValueError(f"Node '{node.name}' (type {node.op}): {error}") from error
    for output, shape in zip(op.outputs, shapes, strict=False):
        output.set_shape(TensorShape(shape))
    op._add_control_inputs([graph._operations[_source(each)] for each in node.input if each.startswith("^")])
    if node.device:
        op._set_device(node.device)
    if near:
        op._attributes["_class"] = [f"loc:@{name}".encode() for name in near]


def _tensor(graph: Graph, node: NodeDef, given: str) -> Tensor:
    op: Operation = graph._operations[_source(given)]
    number = int(given.partition(":")[2] or 0)
    if number >= len(op.outputs):
        raise ValueError(
            f"Node '{node.name}': Connecting to invalid output {number} of source node {op.name} which has "
            f"{len(op.outputs)} outputs"
        )
    return op.outputs[number]


def _check_inputs(
    node: NodeDef, inputs: list[Tensor], types: list[Any], scope: str, given: Mapping[tuple[str, int], Tensor]
) -> None:
    if len(inputs) != len(types):
        names = ", ".join(name_in_messages(each) for each in types)
        raise ValueError(
            f"NodeDef expected inputs '{names}' do not match {len(inputs)} inputs specified; "
            f"NodeDef: {scope}{node.name}"
        )
    for number, (tensor, dtype) in enumerate(zip(inputs, types, strict=True)):
        if tensor.dtype.base_dtype != as_dtype(dtype).base_dtype:
            other = given.get((tensor.op.name, tensor.value_index))
            source = f"{scope}{tensor.name}" if other is None else other.name
            raise ValueError(
                f"Input {number} of node {scope}{node.name} was passed {name_in_messages(tensor.dtype.base_dtype)} "
                f"from {source} incompatible with expected {name_in_messages(dtype)}."
            )
