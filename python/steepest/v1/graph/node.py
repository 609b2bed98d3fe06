"""Operations and tensors: calls that a session makes later, and their results."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Mapping, Sequence
from traceback import StackSummary
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from ...ops.symbolic import Symbolic
from .attr_values import AttrValue
from .default_session import Evaluator, session_for
from .dtypes import DType
from .graph_def import NodeDef, node_def_of
from .no_values import NoValue, OperatorNotAllowedInGraphError
from .node_shapes import NodeShapes
from .op_defs import OpDef
from .op_descriptions import lines_of, op_def_of, places_of_callers
from .op_registry import python_value
from .operation_editing import OperationEditing
from .reference import Reference
from .shapes import Shape, as_shape, compatible, contradiction, merge, text

if TYPE_CHECKING:
    from .graph import Graph

__all__ = ["Node", "Operation", "OperatorNotAllowedInGraphError", "Tensor", "next_operation_number"]

_numbers = itertools.count()
_FOLDED_CALLS = 200
_FOLDED_PIECES = ("Split", "SplitV", "Unpack")


def next_operation_number() -> int:
    """Return a number above those of the operations that were made, and below those that will be."""
    return next(_numbers)


class Node(NodeShapes, NoValue, Symbolic):
    """What tensors and variables of a graph share: both can be fetched, fed to operations, and computed with.

    Arithmetic operators and NumPy's functions on nodes make nodes (`steepest.v1.ops.operators`).
    """

    __slots__ = ("__weakref__",)
    __array_priority__ = 1000.0

    op: Operation

    def _tensor(self) -> Tensor:
        """Return the tensor that stands for this object in operations."""
        raise NotImplementedError

    @property
    def graph(self) -> Graph:
        """The graph that this node is in."""
        return self.op.graph

    @property
    def name(self) -> str:
        """The name of the operation, and which of its outputs this is: ``"add:0"``."""
        return self._tensor().name

    def __deepcopy__(self, memo: Any) -> NoReturn:
        raise NotImplementedError("__deepcopy__() is only available when eager execution is enabled.")

    def ref(self) -> Reference:
        """Return an object that is equal to another where both stand for the same node: a key for dicts."""
        return Reference(self)

    experimental_ref = ref

    @property
    def device(self) -> str:
        """Where the program asked for it to run; everything runs on the CPU."""
        return self.op.device

    def eval(self, feed_dict: Mapping[Any, Any] | None = None, session: Evaluator | None = None) -> Any:
        """Return the value, in ``session`` or in the default session; ValueError where there is none."""
        return session_for("eval", session, self).run(self, feed_dict)


class Tensor(Node):
    """One result of an operation. ``==`` and ``hash`` go by identity, so that tensors are keys of ``feed_dict``.

    Source: ``tf.Tensor``.
    """

    __slots__ = ("__dict__", "_shape", "dtype", "op", "value_index")  # programs give tensors attributes of their own

    def __init__(self, op: Operation, value_index: int, dtype: DType, shape: Shape) -> None:
        self.op = op
        self.value_index = value_index
        self.dtype = dtype
        self._shape = shape

    def _tensor(self) -> Tensor:
        return self

    @property
    def name(self) -> str:
        """The name of the operation, and which of its outputs this is: ``"add:0"``."""
        return f"{self.op.name}:{self.value_index}"

    def set_shape(self, shape: Any) -> None:
        """Add what the program knows of the shape; ValueError where it contradicts what is known."""
        added = as_shape(shape)
        if not compatible(self._shape, added):
            raise ValueError(contradiction(self._shape, added))
        self._shape = merge(self._shape, added)

    def _shape_tuple(self) -> Shape:
        """Return the sizes, None where the rank is not known: libraries ask."""
        return self._shape

    @property
    def _value_index(self) -> int:
        """Which of the operation's outputs it is: libraries ask."""
        return self.value_index

    def _as_tf_output(self) -> Tensor:
        """Return what functions of TensorFlow's core take for the tensor, the tensor itself: libraries ask."""
        return self

    def _as_node_def_input(self) -> str:
        """Return the name that it has among the inputs in a message: libraries ask."""
        return self.name.removesuffix(":0")

    def consumers(self) -> list[Operation]:
        """Return the operations that take this tensor."""
        return [op for op in self.graph.get_operations() for tensor in op.inputs if tensor is self]

    def _apply_gradients(self, optimizer: Any, pairs: list[tuple[Any, Any]], global_step: Any, name: str | None) -> Any:
        raise NotImplementedError(f"Trying to update a Tensor {self!r}")

    def __repr__(self) -> str:
        return f"<tf.Tensor {self.name!r} shape={text(self._shape)} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        shape = "" if self._shape is None else f", shape={text(self._shape)}"
        place = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name}{place})'


class Operation(OperationEditing):
    """A call that a session makes later: ``function(*values of inputs)``.

    Args:
        function: takes the values of the inputs; gives the value, or a tuple of them where there are several outputs.
        contextual: ``function`` takes the session before the inputs.
        writes: it changes variables, so that reads that do not depend on it come first.
        differentiable: gradients flow from the result to the inputs.
        rows_of: the position of the input of which it takes rows; that input's gradient is sparse.

    Source: ``tf.Operation``.
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_attributes",
        "_places",
        "branch",
        "contextual",
        "control_inputs",
        "differentiable",
        "folded_calls",
        "function",
        "graph",
        "name",
        "number",
        "operands",
        "outputs",
        "rows_of",
        "type",
        "writes",
    )

    makes: ClassVar[type[Tensor]] = Tensor  # `tensor_kind` has the class that programs know
    _original_op: Operation | None = None  # for which it was made, where a block says so
    definition: tuple[OpDef | None, dict[str, AttrValue]] | None = None  # of one of any type: `Graph.create_op`

    def __init__(
        self,
        graph: Graph,
        kind: str,
        name: str,
        function: Callable[..., Any] | None,
        inputs: Sequence[Tensor],
        results: Sequence[tuple[DType, Shape]],
        contextual: bool = False,
        writes: bool = False,
        differentiable: bool = True,
        rows_of: int | None = None,
        attributes: dict[str, Any] | None = None,
    ) -> None:
        self.graph = graph
        self.type = kind
        self.name = name
        self.function = function
        self.operands = list(inputs)  # what the function takes; `inputs` is what TensorFlow calls so
        self.outputs = [self.makes(self, k, dtype, shape) for k, (dtype, shape) in enumerate(results)]
        self.contextual = contextual
        self.writes = writes
        self.differentiable = differentiable
        self.rows_of = rows_of
        self.number = next(_numbers)
        self.branch = graph._context.branch
        self.control_inputs = graph._context.before(self, {tensor.op for tensor in inputs})
        # How many calls compute the value from constants and static shapes; 0 where something else enters, or where it
        # takes too many. It is stored: counting anew would walk through the whole graph for every node.
        self.folded_calls = 1 if kind in ("Const", "Shape") else 0
        single = len(results) == 1 or kind in _FOLDED_PIECES
        if single and inputs and function is not None and not contextual:
            parts = [tensor.op.folded_calls for tensor in inputs]
            self.folded_calls = 1 + sum(parts) if all(parts) and sum(parts) < _FOLDED_CALLS else self.folded_calls
        named = graph._context.attributes
        self._attributes = {**named, **(attributes or {})} if named else attributes or {}
        if graph._context.original is not None:
            self._original_op = graph._context.original
        self._places = places_of_callers(sys._getframe(1))
        graph._add(self)

    @property
    def op(self) -> Operation:
        """The operation itself, as tensors and variables have one."""
        return self

    @property
    def node_def(self) -> NodeDef:
        """Its name, type and inputs as a message."""
        return node_def_of(self)

    @property
    def op_def(self) -> OpDef:
        """What its type's inputs and results are called, as far as one operation tells."""
        return op_def_of(self)

    @property
    def traceback(self) -> StackSummary:
        """The calls that made it, the outermost first, the last one that of the program."""
        return lines_of(self._places)

    @property
    def device(self) -> str:
        """Where the program asked for it to run; everything runs on the CPU."""
        place: str = self._attributes.get("_device", "")
        return place

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The tensors that it takes, before them the variable where it assigns to one."""
        target: Operation | None = self._attributes.get("target")
        return tuple(self.operands) if target is None else (target.outputs[0], *self.operands)

    def colocation_groups(self) -> list[bytes]:
        """Return what it is to be near to, as ``loc:@name``: by default itself."""
        groups: list[bytes] = self._attributes.get("_class") or [f"loc:@{self.name}".encode()]
        return groups

    def values(self) -> tuple[Tensor, ...]:
        """Return the outputs."""
        return tuple(self.outputs)

    def get_attr(self, name: str) -> Any:
        """Return what the operation was made with; ValueError for a name that it does not have."""
        if name in self._attributes:
            return self._attributes[name]
        if name in (attributes := self.node_def.attr):
            return python_value(attributes[name])
        raise ValueError(f"Operation {self.name!r} has no attr named {name!r}.")

    def run(self, feed_dict: Mapping[Any, Any] | None = None, session: Evaluator | None = None) -> None:
        """Run the operation in ``session`` or in the default session; ValueError where there is none."""
        session_for("run", session, self).run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Operation {self.name!r} type={self.type}>"

    def __str__(self) -> str:
        return str(self.node_def)
