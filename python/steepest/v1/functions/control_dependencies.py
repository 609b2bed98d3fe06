"""``framework.auto_control_deps``: operations of a block run in the order in which the program makes them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import TracebackType
from typing import Any

from ..graph.composites import is_composite, parts_of, with_parts
from ..graph.effects import in_order
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation
from ..ops.array_ops import identity
from ..ops.loop_ops import leaves, rebuilt
from .function_bodies import reads

__all__ = ["AutomaticControlDependencies", "automatic_control_dependencies"]


class AutomaticControlDependencies:
    """Gives the operations made inside ``with`` control dependencies: reads and writes of variables keep their order.

    What is marked as returned is there once all effects of the block are done. ``ops_which_must_run`` are, after the
    block, the operations of it that have a state or an effect.

    Source: ``tensorflow.python.framework.auto_control_deps.AutomaticControlDependencies``.
    """

    def __init__(self) -> None:
        self._returned: list[Node] = []
        self.ops_which_must_run: set[Operation] = set()

    def mark_as_return(self, tensor: Any) -> Any:
        """Return the tensor that is to be taken from the block in place of another."""
        if is_composite(tensor):
            return with_parts(tensor, [self.mark_as_return(part) for part in parts_of(tensor)])
        marked = identity(tensor)
        self._returned.append(marked)
        return marked

    def __enter__(self) -> AutomaticControlDependencies:
        if not executing_eagerly():
            self._graph = get_default_graph()
            self._before = self._graph.version
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if executing_eagerly() or error is not None:
            return
        if self._graph is not get_default_graph():
            raise RuntimeError("Graph changed while trying to add control dependencies.")
        marked = {tensor.op for tensor in self._returned}
        made = [op for op in self._graph.get_operations()[self._before :] if op not in marked]
        self.ops_which_must_run.update(op for op in made if op.op_def.is_stateful or reads([op]))
        last = in_order(made, self._graph._context.branch)
        if last is not None:
            for op in marked:
                op._add_control_inputs([last])


def automatic_control_dependencies(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function whose body is a block of `AutomaticControlDependencies`."""

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with AutomaticControlDependencies() as block:
            result = f(*args, **kwargs)
            marked = [block.mark_as_return(leaf) if isinstance(leaf, Node) else leaf for leaf in leaves(result)]
            return rebuilt(result, marked)

    return wrapper
