"""``CriticalSection``: functions whose operations are not mixed with those of others that change the same variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..graph.collections import add_to_collection, get_collection
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.scopes import control_dependencies, name_scope
from .array_ops import identity
from .branch_results import filled
from .control_flow_ops import group, no_op
from .sparse_ops import convert_to_tensor

__all__ = ["CriticalSection"]

CRITICAL_SECTIONS = "critical_sections"
CRITICAL_SECTION_EXECUTIONS = "critical_section_executions"


class _Execution(NamedTuple):
    """A call of a function in a section, and the variables that it reads or changes."""

    section: CriticalSection
    op: Operation  # takes the section's lock
    resources: frozenset[Any]
    alone: bool


class CriticalSection:
    """Functions called through it run one after the other: no operation of one comes between those of another.

    Args:
        name: the name scope of what is made.
        shared_name: sections of one name are one; by default the name.

    Raises ValueError for both a definition and a name. Source: ``tf.CriticalSection``.
    """

    def __init__(
        self,
        name: str | None = None,
        shared_name: str | None = None,
        critical_section_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if critical_section_def is not None:
            if name is not None or shared_name is not None:
                raise ValueError("critical_section_def and shared_name are mutually exclusive.")
            raise NotImplementedError(f"Not yet implemented: the definition of a section, in {import_scope!r}")
        self._name, self._shared_name, self._executing = name or "CriticalSection", shared_name, False
        self._handle: Operation | None = None
        if not executing_eagerly():
            with name_scope(name or "CriticalSection") as scope:
                self._name = scope.rstrip("/")
            with control_dependencies(None):
                self._handle = no_op(self._name + "/")
            add_to_collection(CRITICAL_SECTIONS, self)
        self._shared_name = shared_name or self._name

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    def execute(self, fn: Callable[[], Any], exclusive_resource_access: bool = True, name: str | None = None) -> Any:
        """Return what ``fn()`` returns, tensors or operations; whoever takes a part of it has all that it does done.

        Raises ValueError where ``fn`` calls this section again, or one of its name, and where a function of another
        section takes the same variables, unless neither insists on ``exclusive_resource_access``.
        """
        if self._executing or (self._handle and any(same._executing for same in self._of_this_name())):
            raise ValueError(
                "The function fn attempts to directly access the CriticalSection in which it would be running.  This "
                "is illegal and would cause deadlocks."
            )
        with name_scope(name or "critical_section_execute"):
            if executing_eagerly():
                return filled(self._called(fn), _node)
            graph = get_default_graph()
            before = graph.version
            lock = _operation(graph, "MutexLock", section=self._shared_name if self._handle else id(self))
            with control_dependencies([lock]):
                results = self._called(fn)
            made = graph.get_operations()[before:]
            self._note(graph, lock, made, exclusive_resource_access)
            flat: list[Any] = []
            filled(results, lambda item: flat.append(_node(item)))
            if not flat:
                return results
            with control_dependencies(flat):
                done = _operation(graph, "ConsumeMutexLock", lock=lock)
            with control_dependencies([done]):
                together = iter([group(each) if isinstance(each, Operation) else identity(each) for each in flat])
            return filled(results, lambda _: next(together))

    def _of_this_name(self) -> list[CriticalSection]:
        """Return the sections of the graph that are this one: their shared names are equal."""
        return [each for each in get_collection(CRITICAL_SECTIONS) if each._shared_name == self._shared_name]

    def _called(self, fn: Callable[[], Any]) -> Any:
        self._executing = True
        try:
            return fn()
        finally:
            self._executing = False

    def _note(self, graph: Graph, lock: Operation, made: list[Operation], alone: bool) -> None:
        """Keep what a function takes. Raises ValueError where one of another section takes the same, and minds it."""
        inside = set(made)
        taken = [
            tensor for op in made for tensor in op.inputs if isinstance(tensor, Tensor) and tensor.op not in inside
        ]
        resources = frozenset(tensor.op for tensor in taken if tensor.op.type == "VariableV2")
        for other in get_collection(CRITICAL_SECTION_EXECUTIONS):
            if other.section._shared_name == self._shared_name or not (alone or other.alone):
                continue
            if common := resources & other.resources:
                names = [op.name for op in common]
                sections = f"(CriticalSection: {self._name}) or lock of CriticalSection: {other.section._name}"
                raise ValueError(
                    f"This execution would access resources: {names}.  Either this lock {sections} requested exclusive "
                    "resource access of this "
                    "resource.  Did you mean to call execute with keyword argument exclusive_resource_access=False?"
                )
        add_to_collection(CRITICAL_SECTION_EXECUTIONS, _Execution(self, lock, resources, alone))


def _operation(graph: Graph, kind: str, **attributes: Any) -> Operation:
    """Return an operation of a lock, that does nothing: the order of a run heeds it."""
    return Operation(graph, kind, graph._operation_name(None, kind), None, (), (), attributes=attributes)


def _node(item: Any) -> Any:
    return item if isinstance(item, Operation) else convert_to_tensor(item)
