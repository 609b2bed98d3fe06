"""``tf.contrib.opt.RegAdagradOptimizer``: Adagrad, some of whose steps leave the accumulators as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ... import AdagradOptimizer
from ..ops.cast_ops import cast
from . import training_ops

__all__ = ["RegAdagradOptimizer"]


class RegAdagradOptimizer(AdagradOptimizer):
    """Adagrad, but for the steps made inside ``with optimizer.avoid_updating_slots()``.

    They divide by the roots of the accumulators and leave these alone: what regularizes does not slow the rest down.

    Source: ``tf.contrib.opt.RegAdagradOptimizer``.
    """

    _own_methods = frozenset({"_apply_dense", "_apply_sparse", "_resource_apply_dense", "_resource_apply_sparse"})

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "RegAdagrad",
    ) -> None:
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)
        self._should_update_slots = True

    @contextmanager
    def avoid_updating_slots(self) -> Iterator[None]:
        """Let the steps that are made inside ``with`` leave the accumulators as they are."""
        before, self._should_update_slots = self._should_update_slots, False
        try:
            yield
        finally:
            self._should_update_slots = before

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._applied("apply_adagrad", var, grad)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._applied("sparse_apply_adagrad", var, grad.values, grad.indices)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._applied("resource_apply_adagrad", handle, grad)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return self._applied("resource_sparse_apply_adagrad", handle, grad, indices)

    def _applied(self, operation: str, var: Any, *gradient: Any) -> Any:
        accumulator = self.get_slot(var, "accumulator")
        rate = cast(self._learning_rate_tensor, gradient[0].dtype.base_dtype)  # type: ignore[attr-defined]  # as TF's
        apply = getattr(training_ops, operation)
        return apply(var, accumulator, rate, *gradient, update_slots=self._should_update_slots)
