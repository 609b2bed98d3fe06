"""``tf.contrib.opt.ShampooOptimizer``: Adagrad with a matrix for each axis of a variable."""

from __future__ import annotations

from typing import Any

from ...optim.optimizer import Optimizer
from ..graph import log
from ..graph.build import convert
from ..graph.graph import get_default_graph
from ..ops.array_ops import expand_dims, shape, transpose
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import cond
from ..ops.creation_ops import zeros, zeros_like
from ..ops.decomposition_ops import svd
from ..ops.gather_ops import gather, where
from ..ops.math_ops import greater, maximum
from ..ops.math_ops import mod as modulo
from ..ops.math_ops import pow as power
from ..ops.matmul_ops import eye, matmul, tensordot
from ..ops.position_ops import scatter_nd
from ..ops.reduce_ops import reduce_sum
from ..variables.scatter_ops import scatter_add
from ..variables.state_ops import assign, assign_add, assign_sub
from .matrix_functions import matrix_inverse_pth_root, matrix_square_root

__all__ = ["ShampooOptimizer"]


class ShampooOptimizer(Optimizer):
    """``w -= learning_rate * (g, along each axis times the axis' matrix ** (-alpha / rank))``, in graph mode.

    An axis' matrix sums what ``tensordot(g, g)`` over all other axes gives, divided by the length of the axis; axes
    that are longer than ``max_matrix_size`` have a vector of squares instead. The arguments from ``gbar_decay`` to
    ``precond_update_interval`` are numbers, or functions of the number of the step.

    Args:
        global_step: the number of steps taken.
        max_matrix_size: the longest axis that has a matrix.
        gbar_decay, gbar_weight: of the average of gradients that is used instead of a gradient.
        mat_gbar_decay, mat_gbar_weight: of the matrices' sums.
        learning_rate: the rate.
        svd_interval: after so many steps the powers of matrices are computed again.
        precond_update_interval: after so many steps matrices are added to.
        epsilon: is added to matrices' diagonals.
        alpha: of the power.
        use_iterative_root: whether powers are computed by products of matrices, else by the singular values.
        use_locking: accepted.
        name: of the slots.

    Source: ``tf.contrib.opt.ShampooOptimizer``.
    """

    def __init__(
        self,
        global_step: Any = 0,
        max_matrix_size: int = 768,
        gbar_decay: Any = 0.0,
        gbar_weight: Any = 1.0,
        mat_gbar_decay: Any = 1.0,
        mat_gbar_weight: Any = 1.0,
        learning_rate: Any = 1.0,
        svd_interval: Any = 1,
        precond_update_interval: Any = 1,
        epsilon: float = 1e-4,
        alpha: Any = 0.5,
        use_iterative_root: bool = False,
        use_locking: bool = False,
        name: str = "Shampoo",
    ) -> None:
        super().__init__(use_locking, name)
        self._global_step = cast(global_step, "float32")
        self._max_matrix_size = max_matrix_size
        self._gbar_decay, self._gbar_weight = gbar_decay, gbar_weight
        self._mat_gbar_decay, self._mat_gbar_weight = mat_gbar_decay, mat_gbar_weight
        self._learning_rate, self._alpha, self._epsilon = learning_rate, alpha, epsilon
        self._svd_interval, self._precond_update_interval = svd_interval, precond_update_interval
        self._use_iterative_root = use_iterative_root

    def _keeps_powers(self) -> bool:
        return callable(self._svd_interval) or self._svd_interval > 1

    def _create_slots(self, var_list: Any) -> None:
        for variable in var_list:
            self._zeros_slot(variable, "gbar", self._name)
            for axis, size in enumerate(variable.get_shape().as_list()):
                first = zeros([size], variable.dtype.base_dtype)
                if size <= self._max_matrix_size:
                    one = eye(size, dtype=variable.dtype.base_dtype)
                    first = zeros_like(one)
                    if self._keeps_powers():
                        self._get_or_make_slot(variable, one, f"H_{axis}", self._name)
                self._get_or_make_slot(variable, first, f"Gbar_{axis}", self._name)

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._applied(grad, var)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._applied(grad, handle)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._resource_apply_sparse(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        if handle.get_shape().as_list()[0] <= self._max_matrix_size or self._gbar_decay != 0.0:
            return self._applied(
                scatter_nd(expand_dims(indices, 1), grad, shape(handle, out_type=indices.dtype)), handle
            )
        return self._applied(grad, handle, indices)

    def _now(self, value: Any) -> Any:
        return value(self._global_step + 1) if callable(value) else value

    def _averaged(self, average: Any, decay: Any, rest: Any) -> Any:
        """Return ``decay * average + rest``, which an average that is used again becomes."""
        if not callable(decay) and decay == 0.0:
            return rest
        if not callable(decay) and decay == 1.0:
            return assign_add(average, rest)
        return assign_add(average, (self._now(decay) - 1) * average + rest)

    def _applied(self, grad: Any, var: Any, indices: Any = None) -> Any:
        if indices is not None and (callable(self._mat_gbar_decay) or self._mat_gbar_decay != 1.0):
            raise ValueError("ShampooOptimizer: mat_gbar_decay must be 1 for sparse gradients of long variables")
        if indices is None:
            moved = self._averaged(self.get_slot(var, "gbar"), self._gbar_decay, self._now(self._gbar_weight) * grad)
        else:
            if self._gbar_decay != 0.0:
                log.warning("Not applying momentum for variable: %s", var.name)
            moved = grad
        sizes = var.get_shape().as_list()
        exponent = -self._now(self._alpha) / len(sizes)
        for axis, size in enumerate(sizes):
            others = [other for other in range(len(sizes)) if other != axis]
            if size <= self._max_matrix_size:
                factor = self._matrix(var, grad, axis, others, size, exponent)
                moved = tensordot(moved, factor, axes=([0], [0]), name=f"precond_{axis}")
            else:
                rows = indices if axis == 0 else None
                factor = self._vector(self.get_slot(var, f"Gbar_{axis}"), grad, others, size, exponent, rows, indices)
                moved = transpose(moved, [*range(1, len(sizes)), 0]) * factor  # the first axis comes last, as there
        rate = self._now(self._learning_rate)
        if indices is not None:
            return scatter_add(var, indices, -rate * moved)
        return assign_sub(var, rate * moved)

    def _matrix(self, var: Any, grad: Any, axis: int, others: list[int], size: int, exponent: Any) -> Any:
        """Return the power of an axis' matrix, once a gradient is added to it."""
        slot, every = self.get_slot(var, f"Gbar_{axis}"), self._now(self._precond_update_interval)
        step = self._global_step + 1

        def added() -> Any:
            outer = tensordot(grad, grad, axes=(others, others), name=f"grad_outer_{axis}")
            return self._averaged(slot, self._mat_gbar_decay, self._now(self._mat_gbar_weight) * every * outer)

        mean = cond(modulo(step, every) < 1, added, lambda: convert(slot)) / float(size)
        if not self._keeps_powers():
            return self._power(mean, size, exponent)
        kept = self.get_slot(var, f"H_{axis}")
        due = modulo(step, self._now(self._svd_interval)) < 1
        return cond(due, lambda: assign(kept, self._power(mean, size, exponent)), lambda: convert(kept))

    def _power(self, matrix: Any, size: int, exponent: Any) -> Any:
        with get_default_graph().name_scope("matrix_iterative_power"):
            if self._use_iterative_root:
                root = matrix_square_root(matrix, size, 100, self._epsilon)
                return matrix_inverse_pth_root(root, size, 2 * exponent, ridge_epsilon=0.0)
            if size == 1:
                return power(matrix + self._epsilon, exponent)
            damped = matrix + self._epsilon * eye(size, dtype=matrix.dtype)
            values, left, right = svd(damped, full_matrices=True)
            return matmul(right * power(maximum(values, self._epsilon), exponent), transpose(left))

    def _vector(
        self, slot: Any, grad: Any, others: list[int], size: int, exponent: Any, rows: Any, indices: Any
    ) -> Any:
        """Return the powers of the sums of squares along a long axis, for a sparse gradient those of its rows."""
        squares = grad * grad
        if others:
            squares = reduce_sum(squares, axis=others) / (1.0 if indices is not None else float(size))
        squares = self._now(self._mat_gbar_weight) * squares
        if rows is not None:
            sums = gather(scatter_add(slot, rows, squares), rows)
        else:
            sums = self._averaged(slot, self._mat_gbar_decay, squares)
        return where(greater(sums, 0), power(sums, exponent), zeros_like(sums))
