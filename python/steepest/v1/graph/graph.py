"""A graph: the nodes of one program, their names and collections, and what new nodes get."""

from __future__ import annotations

import functools
import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

from ...variables.names import Store
from ...variables.scopes import name_scope as _core_name_scope
from .dead_values import DIVIDING
from .devices import Places
from .graph_collections import GraphCollections
from .graph_def import GRAPH_DEF_VERSION, GraphDef, VersionDef, graph_def_of
from .graph_editing import GraphEditing
from .node import Node, Operation, Tensor
from .node_context import Controller, NodeContext
from .node_names import element_of
from .op_names import COMPOSED, DEFAULTS

__all__ = ["Graph", "get_default_graph", "reset_default_graph"]


_ROOT = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")
_INNER = re.compile(r"[A-Za-z0-9_.\\/>-]*")


class Graph(GraphCollections, GraphEditing):
    """Nodes, collections and variables of one program; sessions evaluate it.

    ``with graph.as_default():`` makes it the graph in which functions make nodes.

    Source: ``tf.Graph``.
    """

    _takes_in = False  # whether values of eager mode may be used in it

    def __init__(self) -> None:
        self._store = Store(permanent=True)
        self._operations: dict[str, Operation] = {}
        self._context = NodeContext()
        self._places = Places()
        self._finalized = False
        self._unfeedable: set[Any] = set()
        self._unfetchable: set[Any] = set()
        self._functions: dict[Any, Any] = {}
        self._outside_of_bodies = []
        self._partitioned: dict[str, Any] = {}  # variables in parts that get_variable shares
        self._versions = VersionDef(GRAPH_DEF_VERSION)
        self._divides = False  # whether an operation may give dead values
        self._edits = 0  # counts changes to existing operations; a session makes a new plan after one
        self.seed: int | None = None
        self._seeds_given = 0  # to operations without one of their own: they are numbered
        self._graph_key: Any = object()  # graphs of functions may have that of the graph around them

    def _add(self, operation: Operation) -> None:
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        self._operations[operation.name] = operation
        if operation.type in DIVIDING:
            self._divides = True
        if self._places.devices or self._places.near:
            self._places.put(operation)

    @functools.cached_property
    def _resource_creator_stack(self) -> dict[str, list[Any]]:
        """The functions that take part when objects with resources are made, by the names of these."""
        return defaultdict(list)

    @property
    def version(self) -> int:
        """A number that grows with every node."""
        return len(self._operations)

    @property
    def finalized(self) -> bool:
        """Whether nodes can no longer be added."""
        return self._finalized

    def finalize(self) -> None:
        """Refuse further nodes."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        """Take them again, after a session that had finished the graph."""
        self._finalized = False

    def get_operations(self) -> list[Operation]:
        """Return all operations in the order in which they were made."""
        return list(self._operations.values())

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> GraphDef:
        """Return the operations' names, types and inputs as a message, which ``tf.import_graph_def`` takes too.

        ``add_shapes`` tells the static shapes of their results as ``_output_shapes``.
        """
        return graph_def_of(self.get_operations()[from_version or 0 :], self, add_shapes)

    def get_operation_by_name(self, name: str) -> Operation:
        """Return an operation; KeyError when there is none of that name, TypeError for what is not a string."""
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {name!r}.")
        operation: Operation = self.as_graph_element(name, allow_tensor=False)
        return operation

    def get_tensor_by_name(self, name: str) -> Tensor:
        """Return the tensor ``"operation:0"``; KeyError when there is none, ValueError for another form of name."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {name!r}.")
        tensor: Tensor = self.as_graph_element(name, allow_operation=False)
        return tensor

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """Return the tensor or operation of this graph that ``obj``, a node, a variable or a name, stands for.

        Raises KeyError for an unknown name, ValueError for a node of another graph, TypeError for anything else.
        """
        expected = " or ".join(["Tensor"] * allow_tensor + ["Operation"] * allow_operation)
        if not expected:
            raise ValueError("allow_tensor and allow_operation can't both be False.")
        if isinstance(obj, Node) and allow_tensor:
            obj = obj._tensor()
            if obj.graph is not self:
                raise ValueError(f"Tensor {obj} is not an element of this graph.")
            return obj
        if isinstance(obj, Operation) and allow_operation:
            if obj.graph is not self:
                raise ValueError(f"Operation {obj.name} is not an element of this graph.")
            return obj
        stands_for = getattr(obj, "_as_graph_element", None)
        if callable(stands_for):
            return self.as_graph_element(stands_for(), allow_tensor, allow_operation)
        obj = obj.decode() if isinstance(obj, bytes) else obj
        if not isinstance(obj, str):
            raise TypeError(f"Can not convert a {type(obj).__name__} into a {expected}.")
        return element_of(self._operations, obj, allow_tensor, allow_operation)

    def _captured(self, value: Any) -> Node:
        """Raise RuntimeError for a value of eager mode: only graphs of functions take such in."""
        raise RuntimeError("Attempting to capture an EagerTensor without building a function.")

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """Return ``name`` below the current name scope, with ``_1``, ``_2``, ... where it is taken."""
        return self._store.unique_name(name, mark_as_used)

    def _operation_name(self, name: str | bytes | None, op_type: str) -> str:
        """Return the name of a new operation; one that ends with ``/``, a scope's, is taken as it is."""
        name = name.decode() if isinstance(name, bytes) else name
        if name is not None and not isinstance(name, str):
            raise TypeError(f"the name of an operation must be a string, got {name!r}")
        if name and name.endswith("/"):
            return name[:-1]
        if name is not None and not (_INNER if self._store.state.name_scope else _ROOT).fullmatch(name):
            raise ValueError(f"{name!r} is not a valid node name. Accepted names conform to Regex /{_ROOT.pattern}/")
        if (composed := COMPOSED.get(op_type)) is None:
            return self.unique_name(name or DEFAULTS.get(op_type, op_type))
        scope = self.unique_name(name or composed[0])[len(self.get_name_scope()) :].lstrip("/")
        return self.unique_name(f"{scope}/{composed[1] or name or composed[0]}")

    def get_name_scope(self) -> str:
        """Return the current name scope, without the last ``/``."""
        return self._store.state.name_scope

    _name_stack = property(get_name_scope)  # programs read it

    @contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        """Put ``name/`` before the names of the nodes made inside; yield that prefix."""
        with ExitStack() as stack:
            with self._store.as_default():
                opened = stack.enter_context(_core_name_scope(name))
            yield opened

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Make this the default graph of this thread."""
        _stack.graphs.append(self)
        try:
            yield self
        finally:
            if _stack.graphs[-1] is not self:
                raise AssertionError("Nesting violated for default stack of graphs: leave the inner ones first")
            _stack.graphs.pop()

    @contextmanager
    def control_dependencies(self, control_inputs: Any) -> Iterator[None]:
        """Run the operations in the list before any node that is made inside; None forgets those of outside."""
        before = self._context.controllers
        if control_inputs is None:
            self._context.controllers = []
        else:
            known = {op for controller in before for op in controller.inputs}
            added = dict.fromkeys(self._controller(item) for item in control_inputs)
            self._context.awaited += added
            for op in added:  # TensorFlow 2 marks what a program waits for
                op._attributes["_has_manual_control_dependencies"] = True
            self._context.controllers = [*before, Controller([op for op in added if op not in known])]
        try:
            yield
        finally:
            self._context.controllers = before

    def _controller(self, item: Any) -> Operation:
        if hasattr(item, "values") and hasattr(item, "indices"):
            item = item.values
        element = self.as_graph_element(item)
        operation: Operation = getattr(element, "op", element)
        return operation

    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:
        """Record a device on the nodes that are made inside ``with``; everything runs on the CPU."""
        return self._places.device(device_name_or_function)

    def colocate_with(self, op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:
        """Record an operation that the nodes made inside ``with`` are to be near to; everything runs on the CPU."""
        return self._places.colocated(op, ignore_existing)

    @property
    def is_control_flow_graph(self) -> bool:
        """Whether what is made next belongs to a way of a ``cond`` or to a loop."""
        return self._get_control_flow_context() is not None

    def _get_control_flow_context(self) -> Any:
        """Return the branch or loop whose body is being made, None outside of them: libraries ask."""
        return self._context.branch

    def __repr__(self) -> str:
        return f"<steepest.v1.Graph of {len(self._operations)} operations>"


class _Stack(threading.local):
    """The default graphs of this thread: those that it has entered, and below them one of its own."""

    def __init__(self) -> None:  # of each thread
        self.graphs: list[Graph] = []
        self.root = Graph()

    @property
    def stack(self) -> list[Graph]:
        """The graphs: libraries ask."""
        return self.graphs

    def reset(self) -> None:
        """Leave all of them: libraries ask."""
        self.graphs.clear()

    def get_default(self) -> Graph:
        """Return the graph in which functions make nodes."""
        return get_default_graph()


_stack = _Stack()


def get_default_graph() -> Graph:
    """Return the graph in which functions make nodes: that of the innermost ``as_default()``, or this thread's own."""
    return _stack.graphs[-1] if _stack.graphs else _stack.root


def outside_of_functions() -> Graph | None:
    """Return the innermost graph that is not a function's: None where all of them are."""
    graphs = [*reversed(_stack.graphs), *([] if _stack.graphs else [_stack.root])]
    return next((graph for graph in graphs if not graph.building_function), None)


def taking_in() -> Graph | None:
    """Return the graph in which functions make nodes where it takes in values of eager mode: that of a function."""
    graph = _stack.graphs[-1] if _stack.graphs else None
    return graph if graph is not None and graph._takes_in else None


def within_graph() -> bool:
    """Tell whether this thread is inside ``with graph.as_default()``."""
    return bool(_stack.graphs)


@contextmanager
def default_graphs_set_aside() -> Iterator[None]:
    """Be outside of all ``graph.as_default()`` inside ``with``."""
    before, _stack.graphs = _stack.graphs, []
    try:
        yield
    finally:
        _stack.graphs = before


def reset_default_graph() -> None:
    """Replace the default graph of this thread by an empty one; AssertionError inside ``graph.as_default()``."""
    if _stack.graphs:
        raise AssertionError("Do not use tf.reset_default_graph() to clear nested graphs.")
    _stack.root = Graph()


def program_graph_has_nodes() -> bool:
    """Tell whether there are nodes in the default graph of the program (not of a ``with`` block)."""
    return bool(_stack.root._operations)
