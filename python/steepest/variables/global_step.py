"""The global step: one int64 counter that optimizers and schedules share."""

from __future__ import annotations

import numpy as np

from .collections import GraphKeys
from .names import get_default_store
from .scopes import name_scope
from .variable import Variable

__all__ = ["create_global_step", "get_global_step", "get_or_create_global_step"]


def get_global_step() -> Variable | None:
    """Return the global step, or None when there is none.

    It is the single item of ``GraphKeys.GLOBAL_STEP``, else the shared variable of that name.

    Raises:
        TypeError: when that variable is not an integer scalar.
    """
    store = get_default_store()
    candidates = store.collected(GraphKeys.GLOBAL_STEP, None)
    step: Variable | None = candidates[0] if len(candidates) == 1 else store.named.get(GraphKeys.GLOBAL_STEP)
    if step is None:
        return None
    if np.dtype(step.dtype).kind not in "iu":
        raise TypeError(f'Existing "global_step" does not have integer type: {np.dtype(step.dtype).name}')
    if tuple(step.shape) != ():
        raise TypeError(f'Existing "global_step" is not scalar: {tuple(step.shape)}')
    return step


def create_global_step() -> Variable:
    """Make the global step: int64, scalar, 0, not trainable, named ``global_step`` in whatever scope.

    Raises:
        ValueError: when there is one already.
    """
    return made_global_step(Variable)


def made_global_step(variable_class: type[Variable]) -> Variable:
    """Do what `create_global_step` does, with a class of variables."""
    store = get_default_store()
    with store.lock:
        if get_global_step() is not None:
            raise ValueError('"global_step" already exists; get_or_create_global_step() returns it.')
        with name_scope(None):
            step = variable_class(
                np.zeros((), np.int64),
                trainable=False,
                name=GraphKeys.GLOBAL_STEP,
                collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
            )
        store.named[GraphKeys.GLOBAL_STEP] = step
    return step


def get_or_create_global_step() -> Variable:
    """Return the global step; make it when there is none. Raises as :func:`get_global_step`."""
    with get_default_store().lock:
        step = get_global_step()
        return create_global_step() if step is None else step
