"""``tf.contrib.opt.LARSOptimizer``: momentum that sums steps, each of them already at its parameter's own rate."""

from __future__ import annotations

from typing import Any

from ... import LARSOptimizer as CoreOptimizer
from ..ops.cast_ops import cast
from ..ops.gather_ops import where
from ..ops.math_ops import greater
from ..ops.norm_ops import norm
from . import training_ops

__all__ = ["LARSOptimizer"]


class LARSOptimizer(CoreOptimizer):
    """``a = a * momentum + rate * (g + weight_decay * w)``, ``w -= a``, as TensorFlow 1.15 has it.

    ``rate`` is ``learning_rate * eeta * |w| / (|g| + weight_decay * |w| + epsilon)``, and ``learning_rate`` where one
    of the lengths is 0. For variables in ``skip_list`` it is ``learning_rate``, without the decay. Sparse gradients
    take the steps of `MomentumOptimizer`. `steepest.LARSOptimizer` sums gradients, as TensorFlow did before.

    Source: ``tf.contrib.opt.LARSOptimizer``.
    """

    _own_methods = frozenset({"_apply_dense", "_apply_sparse", "_resource_apply_dense", "_resource_apply_sparse"})

    def compute_lr(self, grad: Any, var: Any) -> tuple[Any, Any]:
        """Return the rate of a variable, and the gradient that it is for."""
        rate = self._given(self._learning_rate, grad)
        if any(text in var.name for text in self._skip_list or ()):
            return rate, grad
        decay, epsilon, eeta = (self._given(v, grad) for v in (self._weight_decay, self._epsilon, self._eeta))
        length, slope = norm(var), norm(grad)
        one = cast(1, grad.dtype.base_dtype)
        trust = where(greater(slope, 0), eeta * length / (slope + decay * length + epsilon), one)
        return rate * where(greater(length, 0), trust, one), grad + decay * var

    def _given(self, value: Any, grad: Any) -> Any:
        return cast(self._call_if_callable(value), grad.dtype.base_dtype)

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._applied("apply_momentum", var, grad)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._applied("resource_apply_momentum", handle, grad)

    def _applied(self, operation: str, var: Any, grad: Any) -> Any:
        rate, grad = self.compute_lr(grad, var)
        slot, one = self.get_slot(var, "momentum"), cast(1, grad.dtype.base_dtype)
        arguments = (var, slot, one, grad * rate, self._given(self._momentum, grad))
        return getattr(training_ops, operation)(*arguments, use_nesterov=self._use_nesterov)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._applied_to_rows("sparse_apply_momentum", var, grad.values, grad.indices)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return self._applied_to_rows("resource_sparse_apply_momentum", handle, grad, indices)

    def _applied_to_rows(self, operation: str, var: Any, rows: Any, indices: Any) -> Any:
        rate, momentum = self._given(self._learning_rate, rows), self._given(self._momentum, rows)
        arguments = (var, self.get_slot(var, "momentum"), rate, rows, indices, momentum)
        return getattr(training_ops, operation)(*arguments, use_nesterov=self._use_nesterov)
