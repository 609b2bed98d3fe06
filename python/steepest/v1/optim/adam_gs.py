"""``tf.contrib.opt.AdamGSOptimizer``: Adam whose powers of the decays come from the global step."""

from __future__ import annotations

from typing import Any

from ...optim.optimizer import Optimizer
from ..ops.array_ops import expand_dims, identity, shape
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import group
from ..ops.gather_ops import gather
from ..ops.math_ops import pow as power
from ..ops.math_ops import sqrt
from ..ops.position_ops import scatter_nd
from ..ops.sparse_ops import convert_to_tensor
from ..variables.scatter_ops import scatter_sub, scatter_update
from . import training_ops

__all__ = ["AdamGSOptimizer", "LazyAdamGSOptimizer"]


class AdamGSOptimizer(Optimizer):
    """Adam that keeps no powers of its decays: they are those of the global step plus one.

    Args:
        global_step: the variable that counts the steps; a number stays what it is.
        learning_rate, beta1, beta2, epsilon: those of `AdamOptimizer`.
        use_locking: accepted.
        name: of the slots.

    Source: ``tf.contrib.opt.AdamGSOptimizer``.
    """

    def __init__(
        self,
        global_step: Any = 0,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(use_locking, name)
        self._global_step = global_step
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._global_step_on_worker: Any = None

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        step = self._global_step_on_worker
        return power(self._beta1_t, step), power(self._beta2_t, step)

    def _create_slots(self, var_list: Any) -> None:
        for variable in var_list:
            self._zeros_slot(variable, "m", self._name)
            self._zeros_slot(variable, "v", self._name)

    def _prepare(self) -> None:
        named = {"learning_rate": self._lr, "beta1": self._beta1, "beta2": self._beta2, "epsilon": self._epsilon}
        tensors = [convert_to_tensor(self._call_if_callable(value), name=name) for name, value in named.items()]
        self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t = tensors
        self._global_step_on_worker = cast(identity(self._global_step) + 1, "float32")

    def _numbers(self, var: Any) -> list[Any]:
        """Return both powers, the rate, both decays and epsilon in a variable's type."""
        numbers = (*self._get_beta_accumulators(), self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        return [cast(number, var.dtype.base_dtype) for number in numbers]

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        apply = getattr(training_ops, "apply_adam")  # noqa: B009  # the module makes its functions
        return apply(var, self.get_slot(var, "m"), self.get_slot(var, "v"), *self._numbers(var), grad)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._apply_dense(grad, handle)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._resource_apply_sparse(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        whole = scatter_nd(expand_dims(indices, 1), grad, shape(handle, out_type=indices.dtype))
        return self._apply_dense(whole, handle)  # rows without a gradient move too


class LazyAdamGSOptimizer(AdamGSOptimizer):
    """An `AdamGSOptimizer` that leaves rows without a gradient alone.

    Source: ``tf.contrib.opt.LazyAdamGSOptimizer``.
    """

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        beta1_power, beta2_power, rate, beta1, beta2, epsilon = self._numbers(handle)
        m, v = self.get_slot(handle, "m"), self.get_slot(handle, "v")
        m_rows = beta1 * gather(m, indices) + (1 - beta1) * grad
        v_rows = beta2 * gather(v, indices) + (1 - beta2) * grad * grad
        step = rate * sqrt(1 - beta2_power) / (1 - beta1_power) * m_rows / (sqrt(v_rows) + epsilon)
        updates = [scatter_update(m, indices, m_rows), scatter_update(v, indices, v_rows)]
        return group(scatter_sub(handle, indices, step), *updates)
