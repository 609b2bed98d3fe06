"""Methods of graphs that few programs call: what may be fed and fetched, operations of unknown types, other blocks."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .attr_values import AttrValue
from .devices import Places
from .dtypes import as_dtype
from .graph_def import VersionDef
from .node import Operation
from .node_context import NodeContext
from .op_defs import OpDef
from .op_kernels import kernel_of
from .op_registry import defined, python_value, types_of, with_defaults

__all__ = ["GraphEditing"]


class GraphEditing:
    """What a graph allows to be fed and fetched, ``create_op``, and blocks that give nodes gradients or attributes."""

    _unfeedable: set[Any]
    _unfetchable: set[Any]
    _finalized: bool
    _context: NodeContext
    _places: Places
    _versions: VersionDef

    @property
    def _c_graph(self) -> Any:
        """What functions of TensorFlow's core take for the graph: the graph itself. Libraries ask."""
        return self

    def is_feedable(self, tensor: Any) -> bool:
        """Tell whether a run may replace the tensor's value; every tensor's may, unless that was prevented."""
        return tensor not in self._unfeedable

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Tell whether a run may return it."""
        return getattr(tensor_or_op, "op", tensor_or_op) not in self._unfetchable

    def prevent_feeding(self, tensor: Any) -> None:
        """Refuse to replace the tensor's value."""
        self._unfeedable.add(tensor)

    def prevent_fetching(self, op: Operation) -> None:
        """Refuse to return the operation or its values."""
        self._unfetchable.add(op)

    def create_op(
        self,
        op_type: str,
        inputs: Sequence[Any],
        dtypes: Sequence[Any] | None = None,
        input_types: Any = None,
        name: str | None = None,
        attrs: dict[str, Any] | None = None,
        op_def: OpDef | None = None,
        **accepted: Any,
    ) -> Operation:
        """Make an operation of any type, which has a name, inputs and results of these types, but no function.

        Where ``dtypes`` are not given, they are those that ``op_def``, or the known definition of the type, tells. A
        run of it is a NotFoundError, unless the type has a kernel. It is there for programs that work on graphs.

        Raises NotImplementedError for a type that graphs of this version no longer have.
        Source: ``tf.Graph.create_op``.
        """
        graph: Any = self
        for tensor in inputs:
            graph.as_graph_element(tensor)
        known, given = op_def or defined(op_type), dict(attrs or {})
        if known is not None and 0 < known.deprecation.version <= self._versions.producer:
            raise NotImplementedError(
                f"Op {op_type} is not available in GraphDef version {self._versions.producer}. It has been removed in "
                f"version {known.deprecation.version}. {known.deprecation.explanation}."
            )
        if dtypes is None and known is not None:
            dtypes = types_of(known.output_arg, with_defaults(known, given))
        results = [(as_dtype(dtype), None) for dtype in dtypes or ()]
        full_name = graph._operation_name(name or op_type, op_type)
        attributes = {name: python_value(value) for name, value in given.items()}
        if (rule := self._context.overrides.get(op_type)) is not None:
            attributes["_gradient_op_type"] = rule.encode()
        label = self._context.labels.get(op_type, "")
        if label:
            attributes["_kernel"] = label.encode()
        kernel = kernel_of(op_type, label)
        function = kernel.make(graph)
        made = Operation(
            graph, op_type, full_name, function, list(inputs), results, kernel.contextual, attributes=attributes
        )
        made.definition = known, {name: value for name, value in given.items() if isinstance(value, AttrValue)}
        return made

    _building_function, _container = False, ""

    @functools.cached_property
    def _planned(self) -> list[Callable[[], Operation]]:
        return []

    def _create_op_from_tf_operation(self, c_op: Callable[[], Operation]) -> Operation:
        """Make an operation that ``ops._create_c_op`` described: libraries ask."""
        self._planned.remove(c_op)
        return c_op()

    def _add_new_tf_operations(self) -> list[Operation]:
        """Make all operations that were described and not made: libraries ask."""
        return [self._create_op_from_tf_operation(c_op) for c_op in list(self._planned)]

    @property
    def building_function(self) -> bool:
        """Whether it is the graph of a function: libraries mark theirs by ``_building_function``."""
        return self._building_function

    @contextmanager
    def gradient_override_map(self, op_type_map: dict[str, str]) -> Iterator[None]:
        """Give nodes of these types, made inside, gradients that ``tf.RegisterGradient`` has by name.

        Raises TypeError for what is no dict of strings.
        """
        if not isinstance(op_type_map, dict):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        if not all(isinstance(text, str) for pair in op_type_map.items() for text in pair):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        before = self._context.overrides
        self._context.overrides = {**before, **op_type_map}
        try:
            yield
        finally:
            self._context.overrides = before

    @contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Accept a container for variables; a session has its own."""
        before, self._container = self._container, container_name
        try:
            yield container_name
        finally:
            self._container = before

    @contextmanager
    def _attr_scope(self, attr_map: dict[str, Any]) -> Iterator[None]:
        """Give the operations made inside attributes, `AttrValue` by name; None takes one away again."""
        if not isinstance(attr_map, dict):
            raise TypeError("attr_map must be a dictionary mapping strings to AttrValue protocol buffers")
        before = self._context.attributes
        merged = {**before, **{name: value and value.content for name, value in attr_map.items()}}
        self._context.attributes = {name: value for name, value in merged.items() if value is not None}
        try:
            yield
        finally:
            self._context.attributes = before

    @contextmanager
    def _original_op(self, op: Any) -> Iterator[None]:
        """Let the operations made inside say that they are made for ``op``."""
        before, self._context.original = self._context.original, op
        try:
            yield
        finally:
            self._context.original = before

    @contextmanager
    def _kernel_label_map(self, op_to_kernel_label_map: dict[str, str]) -> Iterator[None]:
        """Have operations of these types, made inside, computed by the functions that are known by a label.

        Raises TypeError for what is no dict of strings.
        """
        told = "op_to_kernel_label_map must be a dictionary mapping strings to strings"
        if not isinstance(op_to_kernel_label_map, dict):
            raise TypeError(told)
        if not all(isinstance(text, str) for pair in op_to_kernel_label_map.items() for text in pair):
            raise TypeError(told)
        before, self._context.labels = self._context.labels, {**self._context.labels, **op_to_kernel_label_map}
        try:
            yield
        finally:
            self._context.labels = before

    @property
    def graph_def_versions(self) -> VersionDef:
        """The version of the form of TensorFlow's messages that this one follows."""
        return self._versions

    def _unsafe_unfinalize(self) -> None:
        """Allow further nodes again."""
        self._finalized = False

    def switch_to_thread_local(self) -> None:
        """From now on devices, control dependencies and their like are of the thread that opens them alone.

        Each thread begins with those that are open now. Name scopes are of one thread in any case.
        """
        if not isinstance(self._context, threading.local):
            self._context = _ContextOfThread(vars(self._context))
            self._places = _PlacesOfThread(vars(self._places))


class _ContextOfThread(threading.local, NodeContext):
    """What new nodes get from the blocks of one thread."""

    def __init__(self, start: dict[str, Any]) -> None:  # of each thread
        NodeContext.__init__(self)
        vars(self).update(start)


class _PlacesOfThread(threading.local, Places):
    """Where the blocks of one thread put new nodes."""

    def __init__(self, start: dict[str, Any]) -> None:
        Places.__init__(self)
        vars(self).update(start)
