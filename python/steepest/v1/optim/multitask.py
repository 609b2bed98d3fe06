"""Optimizers for several tasks: gradients of zeros are taken for missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import describe, must
from ...ops.indexed_slices import IndexedSlices
from ...ops.symbolic import Symbolic
from ...optim.clip import clip_by_global_norm as clip_arrays
from ...optim.native import NativeUpdater
from ...optim.optimizer import Optimizer
from ...optim.updates import array_of, to_pairs
from ..ops.clip_ops import clip_by_global_norm

__all__ = ["MultitaskOptimizerWrapper", "clip_gradients_by_global_norm"]

Pairs = list[tuple[Any, Any]]


def _is_zero(gradient: Any) -> bool:
    values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
    return not np.count_nonzero(array_of(values))


def _without_zeros(pairs: Pairs) -> Pairs:
    """Take gradients that are zero throughout for missing: a hook."""
    return [(None if g is None or _is_zero(g) else g, v) for g, v in pairs]


class MultitaskOptimizerWrapper:
    """An optimizer for which a gradient of zeros throughout is a missing one: its variable and slots stay.

    Everything else is the wrapped optimizer's, which gets a hook at the front of its ``hooks``. A step without any
    gradient but zeros only counts the global step. (TensorFlow's also advances Adam's powers.)

    Args:
        opt: one of the library's optimizers.

    Raises:
        TypeError: for anything else.

    Source: ``tf.contrib.opt.MultitaskOptimizerWrapper``.
    """

    def __init__(self, opt: Optimizer) -> None:
        if not isinstance(opt, Optimizer):
            raise TypeError(must(type(self).__name__, "opt", "be an optimizer", describe(opt)))
        self._opt = opt
        if _without_zeros not in opt.hooks:
            opt.hooks.insert(0, _without_zeros)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opt, name)

    def minimize(self, loss: Any, global_step: Any = None, var_list: Any = None, **kwargs: Any) -> Any:
        """Do what ``Optimizer.minimize`` does."""
        name = kwargs.pop("name", None)
        pairs = self._opt.compute_gradients(loss, var_list, **kwargs)
        return self.apply_gradients(pairs, global_step, name)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Do what ``Optimizer.apply_gradients`` does with the gradients that are not zero throughout."""
        pairs = to_pairs("apply_gradients", grads_and_vars)
        if any(isinstance(variable, Symbolic) for _, variable in pairs):
            if not isinstance(self._opt._updater, NativeUpdater):
                rule = "be one of the library's in graph mode"
                raise TypeError(must(type(self).__name__, "opt", rule, describe(self._opt)))
        elif all(gradient is None or _is_zero(gradient) for gradient, _ in pairs):
            if global_step is not None:
                global_step.assign_add(np.ones((), global_step.dtype))
            return None
        return self._opt.apply_gradients(pairs, global_step, name)


def clip_gradients_by_global_norm(gradients_variables: Any, clip_norm: Any = 20.0) -> tuple[Pairs, Any]:
    """Return the pairs with gradients scaled together to a norm of at most ``clip_norm``, and the norm of before.

    Gradients of zeros add nothing to the norm. Source: ``tf.contrib.opt.clip_gradients_by_global_norm``.
    """
    pairs = to_pairs("clip_gradients_by_global_norm", gradients_variables)
    symbolic = any(isinstance(variable, Symbolic) for _, variable in pairs)
    clipped, norm = (clip_by_global_norm if symbolic else clip_arrays)([gradient for gradient, _ in pairs], clip_norm)
    return [(gradient, variable) for gradient, (_, variable) in zip(clipped, pairs, strict=True)], norm
