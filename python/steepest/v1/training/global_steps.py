"""The variable that counts the steps of a program's training."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...variables import global_step as _global_step
from ...variables.collections import GraphKeys
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.scopes import get_variable_scope
from ..graph.session import Session
from ..graph.session_values import lifted
from ..variables.eager_variable import EagerVariable
from ..variables.variables import Variable

__all__ = [
    "assert_global_step",
    "create_global_step",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
]


def get_global_step(graph: Graph | None = None) -> Any:
    """Return the graph's global step, None where there is none.

    It is the single item of ``GraphKeys.GLOBAL_STEP``, else the tensor ``global_step:0``. Raises TypeError where that
    is not an integer scalar.
    """
    if executing_eagerly():
        return _global_step.get_global_step()
    graph = graph or get_default_graph()
    steps = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(steps) == 1:
        step = steps[0]
    else:
        op = graph._operations.get(GraphKeys.GLOBAL_STEP)
        step = None if op is None else op.get_attr("owner") if op.type == "VariableV2" else op.outputs[0]
    if step is not None:
        assert_global_step(step)
    return step


def assert_global_step(global_step_tensor: Any) -> None:
    """Raise TypeError for a step that is not an integer scalar."""
    if not hasattr(global_step_tensor, "_tensor"):
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {global_step_tensor!r}')
    tensor = global_step_tensor._tensor()
    if not tensor.dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {tensor.dtype.base_dtype!r}')
    if tensor._shape is not None and tensor._shape != ():
        raise TypeError(f'Existing "global_step" is not scalar: {global_step_tensor.get_shape()}')


def create_global_step(graph: Graph | None = None) -> Any:
    """Make the graph's global step: int64, scalar, 0, not trainable. Raises ValueError where there is one."""
    if executing_eagerly():
        return _global_step.made_global_step(EagerVariable)
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with graph.as_default(), lifted(graph), graph.name_scope(None):
        name = get_variable_scope().full_name(GraphKeys.GLOBAL_STEP)
        step = Variable(
            np.zeros((), np.int64),
            trainable=False,
            name=name,
            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
        )
    graph._store.named[name] = step
    return step


def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """Return the graph's global step; make it where there is none."""
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def global_step(sess: Session, global_step_tensor: Any) -> int:
    """Return the value of a global step in a session."""
    return int(sess.run(global_step_tensor))
