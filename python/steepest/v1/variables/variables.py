"""Variables of a graph: a name, a type and a shape; each session holds a value of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from ...ops.indexed_slices import IndexedSlices
from ...variables.scopes import collection_keys
from ...variables.variable import Variable as EagerVariable
from ..graph.default_session import Evaluator, session_for
from ..graph.devices import Beside
from ..graph.dtypes import DType, as_dtype
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly, resource_variables_enabled
from ..graph.node import Node, Operation, Tensor
from ..graph.options import VariableAggregation, VariableSynchronization, check_collections, trained_by_default
from ..graph.scopes import get_variable_scope
from ..graph.session_values import lifted, reader, show_as, shown, store_value
from ..graph.shapes import Shape, as_shape
from ..ops.array_ops import identity
from ..ops.array_ops import shape as shape_of_value
from ..ops.control_flow_ops import cond
from .eager_variable import eager_variable
from .first_values import first_values_as, initial_tensor, shape_held, starting
from .rows_variable import apply_rows, summed
from .safe_first_values import check_first, safe_first_value
from .slot_creator import variable_beside
from .state_ops import assign, assign_add, assign_sub, changed, count_up_to
from .variable_creators import CreatedThroughCreators
from .variable_parts import NamedParts
from .variable_rows import RowMethods
from .variables_initializer import is_variable_initialized

__all__ = ["Variable"]


class Variable(NamedParts, RowMethods, Node, metaclass=CreatedThroughCreators):
    """A variable of the default graph; in eager mode `steepest.Variable`.

    Its value in a session begins when ``initializer`` runs, usually through ``global_variables_initializer``. Used in
    an operation it stands for the value at the time at which that operation runs; fetched, for the value after the
    run.

    Args:
        initial_value: a value, a node, or a function without arguments that returns one.
        trainable: whether it enters ``GraphKeys.TRAINABLE_VARIABLES``; by default it does unless ``synchronization`` is
            ``ON_READ``.
        collections: names of collections to enter, by default ``[GraphKeys.GLOBAL_VARIABLES]``.
        validate_shape: the shape of the initial value must be known, and stays.
        name: made unique; ``"Variable"`` by default.
        dtype: the type, by default that of the initial value.
        constraint: a function of the variable that optimizers apply to it after each dense update.
        caching_device: reading the variable, also by fetching it, reads a copy on this device, which a run makes before
            the variable changes.
        use_resource: a shape that is not known stays open, for values of other shapes; ``shape`` says what is known.
        variable_def, import_scope: see `from_proto`, whose variable this then is.
        expected_shape, aggregation: accepted for TensorFlow's sake.

    Raises:
        ValueError: without an initial value, or for one whose shape is not known. TypeError: for a wrong type.

    Source: ``tf.Variable`` of TensorFlow 1.
    """

    __slots__ = (
        "__dict__",  # programs give variables attributes of their own
        "_constraint",
        "_initial_value",
        "_initializer",
        "_is_resource",
        "_trainable",
        "aggregation",
        "op",
        "synchronization",
    )

    _distribute_strategy = None
    _cached_value: Tensor | None = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a variable of the mode: in eager mode one of the core, which `__init__` below does not touch."""
        return eager_variable(*args, **kwargs) if executing_eagerly() else super().__new__(cls)

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Sequence[str] | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: Any = None,
        constraint: Callable[[Any], Any] | None = None,
        use_resource: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ) -> None:
        del variable_def, expected_shape, import_scope
        graph = get_default_graph()
        check_first(initial_value, graph._context.branch)
        check_collections(collections)
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self._trainable = trained_by_default(trainable, synchronization)
        self._constraint = constraint
        if use_resource is None:
            use_resource = getattr(get_variable_scope(), "use_resource", None) or None
        self._is_resource = resource_variables_enabled() if use_resource is None else bool(use_resource)
        self.synchronization = synchronization or VariableSynchronization.AUTO
        self.aggregation = aggregation or VariableAggregation.NONE
        keys = collection_keys(collections, self._trainable)
        with lifted(graph), graph.name_scope(name or "Variable") as scope:
            if callable(initial_value) and not isinstance(initial_value, (Node, np.ndarray)):
                with graph.name_scope("Initializer"), graph.colocate_with(Beside(scope[:-1])):
                    first = initial_tensor(initial_value(), dtype)
            else:
                first = initial_tensor(initial_value, dtype)
            held_shape, is_open = shape_held(first, validate_shape, self._is_resource, shape)
            self._make(graph, scope[:-1], first, held_shape, is_open)
            if caching_device is not None:  # what surrounds the variable tells nothing of where it is cached
                with graph.colocate_with(None, True), graph.device(caching_device), graph.name_scope(scope):
                    self._cached_value = identity(self, name="read")
        for key in keys:
            graph._store.enter(key, self)

    def _make(self, graph: Graph, name: str, first: Tensor, shape: Shape, is_open: bool) -> None:
        dtype = first.dtype.base_dtype if self._is_resource else first.dtype.base_dtype.reference()
        given = {"owner": self, "open": is_open, "container": graph._container.encode()}
        op = Operation(graph, "VariableV2", name, None, (), [(dtype, shape)], contextual=True, attributes=given)
        op.function = reader(op)
        self.op = op
        self._begin_with(first, f"{name}/Assign")

    def _begin_with(self, first: Tensor, name: str) -> None:
        """Make the initializer: initializers of before, and groups of them, still give what they gave."""
        graph, op = self.graph, self.op
        dtype, shape = op.outputs[0].dtype, op.outputs[0]._shape
        self._initial_value = first
        with graph.colocate_with(op):
            self._initializer = Operation(
                graph,
                "AssignVariableOp" if self._is_resource else "Assign",
                name,
                lambda session, value: store_value(session, op, value),
                (safe_first_value(first),),
                [(dtype, shape)],
                contextual=True,
                writes=True,
                differentiable=False,
                attributes={"target": op},
            )

    def _restore(self, trainable: bool, first: Tensor, initializer: Operation, constraint: Any, *kinds: int) -> None:
        """Become what a file says, whose operations have been made; ``kinds`` are synchronization and aggregation."""
        self.op.function = shown(self.op) if "held" in self.op._attributes else reader(self.op)
        self._trainable, self._constraint = trainable, constraint
        self._initial_value, self._initializer = first, initializer
        self._is_resource = not self.dtype._is_ref_dtype
        together, how = kinds or (0, 0)
        self.synchronization, self.aggregation = VariableSynchronization(together), VariableAggregation(how)

    def _show_as(self, dtype: Any) -> None:
        """Be of another type for programs; sessions hold the type of the initial value."""
        show_as(self.op, as_dtype(dtype))

    def __bool__(self) -> bool:  # type: ignore[override]  # ``average(v) or v`` asks whether there is a variable
        return True if not self._is_resource else super().__bool__()

    def _tensor(self) -> Tensor:
        return self.op.outputs[0] if self._cached_value is None else self._cached_value

    @property
    def dtype(self) -> DType:
        """The element type, as a reference: it prints as ``float32_ref``."""
        return self.op.outputs[0].dtype

    @property
    def trainable(self) -> bool:
        """Whether it is to be trained."""
        return self._trainable

    @property
    def initializer(self) -> Operation:
        """The operation that gives the variable its initial value."""
        return self._initializer

    @property
    def initial_value(self) -> Tensor:
        """The initial value."""
        return self._initial_value

    @property
    def constraint(self) -> Any:
        """The function that is applied after each dense update, or None."""
        return self._constraint

    def set_shape(self, shape: Any) -> None:
        """Add what the program knows of the shape."""
        self._tensor().set_shape(shape)

    def __iter__(self) -> NoReturn:
        raise TypeError(f"'Variable' object is not iterable. Iterating over {self.name} is not allowed in Graph mode.")

    def value(self) -> Tensor:
        """Return the tensor that stands for the variable; of a resource, one that reads it, as `read_value` does."""
        copied: Tensor = self._tensor()  # with a caching device, the copy there
        return identity(copied, name="ReadVariableOp") if self._is_resource and copied is self.op.outputs[0] else copied

    def _ref(self) -> Tensor:
        return self.op.outputs[0]

    def _as_graph_element(self) -> Tensor:
        return self._tensor()

    def read_value(self) -> Tensor:
        """Return a node that reads the variable once what it depends on has run."""
        read: Tensor = identity(self.op.outputs[0], name="read")
        return read

    def initialized_value(self) -> Tensor:
        """Return the variable's value, or its initial value in a session where it has none yet."""
        with self.graph.colocate_with(self.op):
            chosen: Tensor = cond(is_variable_initialized(self), self.read_value, lambda: self._initializer.operands[0])
        return chosen

    def is_initialized(self, name: str | None = None) -> Any:
        """Return the tensor that tells whether the variable has a value in the session that runs."""
        return is_variable_initialized(self, name)

    def eval(self, session: Evaluator | None = None) -> Any:  # type: ignore[override]  # TensorFlow's arguments
        """Return the value in ``session`` or in the default session; ValueError where there is none."""
        return session_for("eval", session, self).run(self)

    def load(self, value: Any, session: Evaluator | None = None) -> None:
        """Give the variable a value in a session, by default in the default session."""
        session_for("load", session, self).run(self._initializer, {self._initializer.operands[0]: value})

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Return the tensor that overwrites the variable and then is its value; its operation without read_value."""
        return changed(assign(self, value, use_locking=use_locking, name=name), read_value)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Return the tensor that adds ``delta`` to the variable and then is its value."""
        return changed(assign_add(self, delta, use_locking, name), read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Return the tensor that subtracts ``delta`` from the variable and then is its value."""
        return changed(assign_sub(self, delta, use_locking, name), read_value)

    def count_up_to(self, limit: int) -> Any:
        """Return the tensor that is the value, and then adds 1; OutOfRangeError, in a run, once it is ``limit``."""
        return count_up_to(self, limit)

    def _is_at_hand(self) -> bool:
        return self.graph is get_default_graph()

    def _slot_key(self) -> Any:
        return (self.graph, self.op.name)

    def _new_variable(self, initial_value: Any, shape: Any, dtype: Any, name: str, beside: bool) -> Any:
        sizes = as_shape(getattr(initial_value, "shape", ()) if shape is None else shape)
        known = sizes is not None and None not in sizes
        if shape is not None:
            initial_value = starting(initial_value, sizes if known else self._first_shape, as_dtype(dtype))

        def new_variable(full_name: str) -> Any:
            kind = getattr(self, "_is_resource", None)  # tensors have slots too
            return Variable(initial_value, False, validate_shape=known, name=full_name, use_resource=kind)

        return variable_beside(self, name, new_variable) if beside else new_variable(name)

    def _first_shape(self) -> Tensor:
        """Return the shape that the variable begins with, where only a session knows it."""
        sizes: Tensor = shape_of_value(self.initialized_value())
        return sizes

    _first_values = first_values_as
    _summed = staticmethod(summed)

    def _apply_rows(self, optimizer: Any, slices: IndexedSlices) -> Any:
        return apply_rows(optimizer, self, slices)

    def __repr__(self) -> str:
        return f"<tf.Variable {self.name!r} shape={self.shape} dtype={self.dtype.name}>"

    __str__ = __repr__


Variable.register(EagerVariable)  # a virtual subclass: isinstance(v, tf.Variable) holds in both modes
