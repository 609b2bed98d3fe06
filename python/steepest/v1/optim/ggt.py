"""``tf.contrib.opt.GGTOptimizer``: Adagrad with the matrix of all parameters, from a window of gradients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...optim.optimizer import Optimizer
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.scopes import control_dependencies
from ..ops.array_ops import expand_dims, reshape, transpose
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import cond, group
from ..ops.decomposition_ops import svd
from ..ops.math_ops import greater, minimum, mod, sqrt
from ..ops.math_ops import pow as power
from ..ops.matmul_ops import eye, matmul
from ..ops.reduce_ops import reduce_min
from ..variables.scatter_ops import scatter_update
from ..variables.state_ops import assign, assign_add, assign_sub

__all__ = ["GGTOptimizer"]


class GGTOptimizer(Optimizer):
    """``w -= learning_rate * (M M^T) ** (-1/2) m``, where ``m`` averages gradients and ``M`` has its last values.

    All variables are one vector, in the order of their names. The columns of ``M`` are the averages of the last
    ``window`` steps, divided by the root of how many there were. Where the smallest root of a singular value of
    ``M^T M + svd_eps`` is above ``eps``, what lies outside of ``M`` is divided by it and added.

    Args:
        learning_rate: the rate.
        beta1: the decay of the average.
        use_locking: accepted.
        name: of the update.
        window: how many averages there are.
        eps, svd_eps: see above.
        sigma_eps: is added to the roots of singular values before they are inverted.

    The variables are of one type, float32 or float64. Raises NotImplementedError for sparse gradients.

    Source: ``tf.contrib.opt.GGTOptimizer``; Agarwal et al., 2018.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        use_locking: bool = False,
        name: str = "GGT",
        window: int = 10,
        eps: Any = 1e-4,
        svd_eps: Any = 1e-6,
        sigma_eps: Any = 1e-2,
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._beta1, self._window = learning_rate, beta1, window
        self._eps, self._svd_eps, self._sigma_eps = eps, svd_eps, sigma_eps
        self._places: dict[int, slice] = {}  # by the identity of a variable
        self._updated: list[Any] = []

    def _create_slots(self, var_list: Any) -> None:
        first, end = min(var_list, key=lambda each: str(each.name)), 0
        for variable in sorted(var_list, key=lambda each: str(each.name)):
            size = math.prod(variable.get_shape().as_list())
            self._places[id(variable)] = slice(end, end + size)
            end += size
        kind = first.dtype.base_dtype.as_numpy_dtype
        for name, shape in (("global_step", ()), ("grad_buffer", (self._window, end))):
            self._create_non_slot_variable(np.zeros(shape, kind), name, first)
        for name in ("moment1", "flat_grad"):
            self._create_non_slot_variable(np.zeros(end, kind), name, first)

    def _own(self, name: str) -> Any:
        return self._get_non_slot_variable(name, None if executing_eagerly() else get_default_graph())

    def _get_global_step(self) -> Any:
        return self._own("global_step")

    def _get_moment1(self) -> Any:
        return self._own("moment1")

    def _get_grad_buffer(self) -> Any:
        return self._own("grad_buffer")

    def _get_flat_grad(self) -> Any:
        return self._own("flat_grad")

    def _prepare(self) -> None:
        self._updated = []

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        self._updated.append(var)
        place = self._places[id(var)]
        return scatter_update(self._get_flat_grad(), np.arange(place.start, place.stop), reshape(grad, [-1]))

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._apply_dense(grad, handle)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        raise NotImplementedError("Sparse gradient updates are not supported.")

    _resource_apply_sparse: Any = _apply_sparse

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        with control_dependencies([] if executing_eagerly() else update_ops):
            step = assign_add(self._get_global_step(), 1)
            kind = step.dtype.base_dtype
            rate, beta1, eps, svd_eps, sigma_eps = (
                cast(self._call_if_callable(value), kind)
                for value in (self._learning_rate, self._beta1, self._eps, self._svd_eps, self._sigma_eps)
            )
            moment = self._get_moment1()
            moment = assign(moment, beta1 * moment + (1 - beta1) * self._get_flat_grad())
            buffer = scatter_update(self._get_grad_buffer(), mod(cast(step - 1, "int32"), self._window), moment)
            columns = transpose(buffer / sqrt(minimum(step, cast(self._window, kind))))
            values, u, _ = svd(
                matmul(columns, columns, transpose_a=True) + eye(self._window, dtype=kind) * svd_eps,
                full_matrices=False,
            )
            roots, vector = sqrt(values), expand_dims(moment, -1)
            inside = matmul(u, matmul(columns, vector, transpose_a=True), transpose_a=True)

            def within(scales: Any) -> Any:
                return matmul(columns, matmul(u, expand_dims(scales, -1) * inside))

            head, smallest = within(1 / power(roots + sigma_eps, 3)), reduce_min(roots)
            whole = cond(
                greater(smallest, eps), lambda: head + (vector - within(1 / values)) / smallest, lambda: head + 0
            )
            steps = [
                assign_sub(var, rate * reshape(whole[self._places[id(var)]], var.get_shape())) for var in self._updated
            ]
            return group(*steps, name=name_scope) if not executing_eagerly() else None
