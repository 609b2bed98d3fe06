"""``tf.contrib.mixed_precision``: optimizers whose losses are scaled, and who decides by how much."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ...optim.optimizer import Optimizer
from ..graph.mode import executing_eagerly
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import cond, group, no_op
from ..ops.math_ops import is_finite, maximum
from ..ops.reduce_ops import reduce_all
from ..ops.sparse_ops import convert_to_tensor
from ..variables.state_ops import assign, assign_add
from ..variables.variables import Variable
from .loss_scales import step_where
from .wrappers import Wrapper

__all__ = ["ExponentialUpdateLossScaleManager", "FixedLossScaleManager", "LossScaleManager", "LossScaleOptimizer"]

Pairs = list[tuple[Any, Any]]


class LossScaleManager(ABC):
    """Base of who decides by what losses are multiplied. Source: ``tf.contrib.mixed_precision.LossScaleManager``."""

    @abstractmethod
    def get_loss_scale(self) -> Any:
        """Return the number, a scalar of float32."""

    @abstractmethod
    def update_loss_scale(self, finite_grads: Any) -> Any:
        """Return the operation that changes the number by whether all gradients are finite; in eager mode do it."""


class FixedLossScaleManager(LossScaleManager):
    """The same number always; ValueError for one below 1. Source: ``tf.contrib.mixed_precision``'s of that name."""

    def __init__(self, loss_scale: float) -> None:
        if loss_scale < 1:
            raise ValueError("loss scale must be at least 1.")
        self._loss_scale = convert_to_tensor(loss_scale, "float32")

    def get_loss_scale(self) -> Any:
        """Return the number."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        """Return an operation that does nothing."""
        del finite_grads
        return no_op()


class ExponentialUpdateLossScaleManager(LossScaleManager):
    """A number that grows after so many steps in a row are good, and shrinks after so many are bad.

    Args:
        init_loss_scale: the number at first.
        incr_every_n_steps: so many steps in a row with finite gradients let it grow.
        decr_every_n_nan_or_inf: so many steps with others, in a row or not, let it shrink, but not below 1.
        incr_ratio, decr_ratio: what it is multiplied by.

    Source: ``tf.contrib.mixed_precision.ExponentialUpdateLossScaleManager``.
    """

    def __init__(
        self,
        init_loss_scale: float,
        incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int = 2,
        incr_ratio: float = 2,
        decr_ratio: float = 0.8,
    ) -> None:
        self._grows_after, self._shrinks_after = incr_every_n_steps, decr_every_n_nan_or_inf
        self._incr_ratio, self._decr_ratio = incr_ratio, decr_ratio
        self._loss_scale: Any = Variable(init_loss_scale, trainable=False, name="loss_scale", dtype="float32")
        self._num_good_steps: Any = Variable(0, trainable=False, name="good_steps", dtype="int32")
        self._num_bad_steps: Any = Variable(0, trainable=False, name="bad_steps", dtype="int32")

    def get_loss_scale(self) -> Any:
        """Return the variable that is the number."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        """Return the operation that counts a step, and lets the number grow or shrink."""
        scale, good, bad = self._loss_scale, self._num_good_steps, self._num_bad_steps

        def became(value: Any) -> Any:
            return group(assign(scale, value), assign(good, 0), assign(bad, 0))

        def grow() -> Any:
            larger = scale * self._incr_ratio
            return became(cond(is_finite(larger), lambda: larger, lambda: convert_to_tensor(scale)))

        def after_good() -> Any:
            return cond(good + 1 >= self._grows_after, grow, lambda: group(assign_add(good, 1)))

        def after_bad() -> Any:
            return cond(
                bad + 1 >= self._shrinks_after,
                lambda: became(maximum(1.0, scale * self._decr_ratio)),
                lambda: group(assign_add(bad, 1), assign(good, 0)),
            )

        return cond(finite_grads, after_good, after_bad)


class LossScaleOptimizer(Wrapper):
    """An optimizer whose losses are multiplied before gradients are taken, and whose gradients are divided again.

    A step with a gradient that is not finite is left out, and the manager is told of each step.

    Args:
        opt: the optimizer that takes the steps.
        loss_scale_manager: a `LossScaleManager`.

    Source: ``tf.contrib.mixed_precision.LossScaleOptimizer``.
    """

    def __init__(self, opt: Optimizer, loss_scale_manager: LossScaleManager) -> None:
        super().__init__(opt, False, opt.get_name())
        self._loss_scale_manager = loss_scale_manager

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Pairs:
        """Return the gradients of the loss, computed from the scaled one."""
        scale = self._loss_scale_manager.get_loss_scale()

        def scaled() -> Any:
            value = loss() if callable(loss) else loss
            return value * cast(scale, value.dtype.base_dtype)

        pairs: Pairs = self._opt.compute_gradients(scaled if executing_eagerly() else scaled(), *args, **kwargs)
        back = 1.0 / scale
        return [(None if gradient is None else _times(gradient, back), variable) for gradient, variable in pairs]

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Return the operation that applies gradients where all are finite, and tells the manager."""
        pairs = [(gradient, variable) for gradient, variable in grads_and_vars if gradient is not None]
        finite = reduce_all([reduce_all(is_finite(getattr(gradient, "values", gradient))) for gradient, _ in pairs])
        taken = step_where(finite, self._opt, pairs, global_step, name)
        changed = self._loss_scale_manager.update_loss_scale(finite)
        return None if executing_eagerly() else group(taken, changed)


def _times(gradient: Any, factor: Any) -> Any:
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(_times(gradient.values, factor), gradient.indices, gradient.dense_shape)
    return gradient * cast(factor, gradient.dtype.base_dtype)
