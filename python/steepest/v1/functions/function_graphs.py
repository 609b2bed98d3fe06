"""Graphs of functions: their arguments and results, what they take from outside, and what is asked for at each call."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ...variables.variable import Variable as CoreVariable
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.nests import flatten, pack_sequence_as
from ..graph.node import Node, Operation
from ..graph.session import Session
from ..graph.session_values import lifted
from ..ops.creation_ops import placeholder
from ..ops.sparse_ops import convert_to_tensor
from ..ops.type_specs import TensorSpec
from ..variables.handles import handle_of, variable_of
from ..variables.variables import Variable
from .captures import CapturingGraph

__all__ = ["FuncGraph", "FunctionGraph"]


class FunctionGraph(CapturingGraph):
    """The graph of a function's nodes.

    ``inputs`` stand for its arguments, ``outputs`` are the results one after another, ``structured_outputs`` the same
    in their structure, and ``control_outputs`` operations that have to run besides.

    Source: ``FuncGraph`` of ``tensorflow/python/framework/func_graph.py``.
    """

    _building_function = True

    def __init__(self, name: str = "", collections: Any = None, **accepted: Any) -> None:
        del accepted
        super().__init__()
        self.name = name
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        self.structured_outputs: Any = None
        self.structured_input_signature: Any = None
        self.control_outputs: list[Operation] = []
        self._arguments: set[int] = set()  # ids of variables that are no captures
        self._asked: dict[Node, tuple[Callable[[], Any], TensorSpec]] = {}
        self._asked_by_key: dict[Any, Any] = {}
        self._saving_errors: set[str] = set()
        outside = get_default_graph()
        self._outer = None if executing_eagerly() else weakref.ref(outside)
        for key, items in (collections or {}).items():
            for item in items:
                self.add_to_collection(key, item)

    @property
    def outer_graph(self) -> Any:
        """The graph in which it was made; where that is no more, the default one."""
        outer = None if self._outer is None else self._outer()
        return get_default_graph() if outer is None else outer

    def mark_as_unsaveable(self, error_message: str) -> None:
        """Have saved models refuse the function, and say why."""
        self._saving_errors.add(error_message)

    @property
    def saveable(self) -> bool:
        """Whether saved models may have the function."""
        return not self._saving_errors

    # What it takes from outside ------------------------------------------------------------------

    @property
    def captures(self) -> list[tuple[Any, Node]]:
        """What it takes from outside, handles for variables, each with the node that stands for it."""
        given = self._arguments
        return [(_outside(value), _inside(node)) for value, node in self._captures.values() if id(value) not in given]

    @property
    def external_captures(self) -> list[Any]:
        """What it takes from outside."""
        return [value for value, _ in self.captures]

    @property
    def internal_captures(self) -> list[Node]:
        """The nodes that stand for that."""
        return [node for _, node in self.captures]

    @property
    def deferred_external_captures(self) -> list[Any]:
        """The functions that are asked at each call."""
        return [closure for closure, _ in self._asked.values()]

    @property
    def deferred_internal_captures(self) -> list[Node]:
        """The nodes that stand for what they give."""
        return list(self._asked)

    def capture(self, tensor: Any, name: str | None = None) -> Any:
        """Return the node that stands for a tensor or a variable of eager mode, a node of its own as it is."""
        del name
        return tensor if isinstance(tensor, Node) and tensor.graph is self else self._captured(tensor)

    def capture_call_time_value(
        self, closure: Callable[[], Any], spec: Any, key: Any = None, default_value: Any = None, placeholder: Any = None
    ) -> Any:
        """Return nodes for a nest of specs; each call of the function asks ``closure`` for their values.

        Of several with one ``key`` the first one is asked. Calls raise TypeError for values that are not of the specs.
        """
        del default_value
        key = object() if key is None else key
        if key not in self._asked_by_key:
            specs = flatten(spec)
            with lifted(self):  # also in a branch or a loop it is one value, which a run is given
                nodes = [placeholder] if placeholder is not None else [_node_for(each) for each in specs]
            for place, (node, each) in enumerate(zip(nodes, specs, strict=True)):
                self._asked[node] = _part(closure, place), each
            self._asked_by_key[key] = pack_sequence_as(spec, nodes)
        return self._asked_by_key[key]

    def captured_for(self, node: Node) -> Any:
        """Return what a node stands for: a tensor, the handle of a variable, or a function that is asked."""
        if node in self._asked:
            return self._asked[node][0]
        return next(value for value, inside in self.captures if inside is node)

    def replace_capture(self, tensor: Any, placeholder: Any) -> None:
        """Have a node stand for another tensor of outside."""
        self.take_instead({placeholder: tensor}, {})

    def replace_capture_with_deferred_capture(
        self, tensor: Any, closure: Callable[[], Any], spec: Any, placeholder: Any = None, default_value: Any = None
    ) -> None:
        """Have the node that stands for a tensor of outside stand for what ``closure`` gives at each call."""
        del default_value
        node = placeholder if placeholder is not None else dict(_by_id(self.captures))[id(tensor)]
        self.take_instead({node: closure}, {node: spec})

    def take_instead(self, values: dict[Node, Any], specs: dict[Node, Any]) -> None:
        """Have nodes stand for others: for tensors, or for what functions give at each call, which has these specs."""
        kept = [(value, node) for value, node in self._captures.values() if _inside(node) not in values]
        for node, value in values.items():
            self._asked.pop(node, None)
            if callable(value):
                self._asked[node] = value, specs.get(node) or TensorSpec.from_tensor(node)
            elif isinstance(outside := variable_of(value), CoreVariable):  # its node is the same for all
                kept.append((outside, self._captured(outside)))
            else:
                kept.append((value, node))
        self._captures = {id(value): (value, node) for value, node in kept}

    def hold_captures(self, session: Session) -> dict[Node, Any]:
        """Let a session hold the captured variables; return what is to be fed for the rest."""
        fed = super().hold_captures(session)
        for node, (closure, spec) in self._asked.items():
            fed[node] = _value(closure(), spec)
        return fed


FuncGraph = FunctionGraph


def _by_id(captures: Sequence[tuple[Any, Node]]) -> list[tuple[int, Node]]:
    return [(id(value), node) for value, node in captures]


def _outside(value: Any) -> Any:
    return handle_of(value) if isinstance(value, CoreVariable) else value


def _inside(node: Any) -> Node:
    """Return what stands for something captured: for a variable what its node in the graph is made of."""
    found: Node = node.initial_value if isinstance(node, Variable) else node
    return found


def _node_for(spec: TensorSpec) -> Node:
    node: Node = placeholder(spec.dtype, spec.shape, name="deferred_capture")
    return node


def _part(closure: Callable[[], Any], place: int) -> Callable[[], Any]:
    return lambda: flatten(closure())[place]


def _value(value: Any, spec: TensorSpec) -> Any:
    """Return what a function gave as a tensor. Raises TypeError for one that is not of the spec."""
    tensor = convert_to_tensor(value, preferred_dtype=spec.dtype)
    given = TensorSpec(tensor.get_shape(), tensor.dtype.base_dtype)
    if not spec.is_compatible_with(given):
        raise TypeError(f"Can not cast {given!r} to {spec!r}")
    return tensor
