"""Optimizers of what is minimized under constraints: a step of the program's variables and one of the multipliers'."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import Any

from ....optim.optimizer import Optimizer
from ...graph.constants import constant
from ...graph.scopes import control_dependencies
from ...ops.array_ops import reshape
from ...ops.cast_ops import cast
from ...ops.control_flow_ops import cond, group
from ...ops.creation_ops import ones_like
from ...ops.loop_ops import while_loop
from ...ops.math_ops import logical_and, not_equal
from ...ops.reduce_ops import reduce_any
from ...ops.sparse_ops import convert_to_tensor
from ...variables.state_ops import assign_add
from ...variables.variables import Variable
from .problem import ConstrainedMinimizationProblem

__all__ = ["ConstrainedOptimizer", "RegretOptimizer", "raised_above_zero"]


class ConstrainedOptimizer(metaclass=ABCMeta):
    """Base class: a subclass has ``_minimize_constrained``, with the arguments of `minimize_constrained`.

    Args:
        optimizer: the `tf.train.Optimizer` that takes the steps.

    Source: ``tf.contrib.constrained_optimization.ConstrainedOptimizer``.
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self._optimizer = optimizer

    @property
    def optimizer(self) -> Optimizer:
        """The optimizer that takes the steps."""
        return self._optimizer

    @abstractmethod
    def _minimize_constrained(self, minimization_problem: ConstrainedMinimizationProblem, **options: Any) -> Any:
        """Return the operation of a step under the constraints."""

    def minimize_constrained(
        self,
        minimization_problem: ConstrainedMinimizationProblem,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """Return the operation of a step under the constraints.

        Args:
            minimization_problem: the objective and the constraints.
            global_step: a variable that the step raises by 1, or None.

        The other arguments are those of `tf.train.Optimizer.minimize`.
        """
        options = {
            "global_step": global_step,
            "var_list": var_list,
            "gate_gradients": gate_gradients,
            "aggregation_method": aggregation_method,
            "colocate_gradients_with_ops": colocate_gradients_with_ops,
            "name": name,
            "grad_loss": grad_loss,
        }
        with control_dependencies(minimization_problem.pre_train_ops or []):
            return self._minimize_constrained(minimization_problem, **options)

    def minimize_unconstrained(
        self,
        minimization_problem: ConstrainedMinimizationProblem,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """Return the operation of a step for the objective alone; the arguments are those of `minimize_constrained`."""
        with control_dependencies(minimization_problem.pre_train_ops or []):
            return self._optimizer.minimize(
                minimization_problem.objective,
                global_step=global_step,
                var_list=var_list,
                gate_gradients=gate_gradients,
                aggregation_method=aggregation_method,
                colocate_gradients_with_ops=colocate_gradients_with_ops,
                name=name,
                grad_loss=grad_loss,
            )

    def minimize(
        self,
        minimization_problem: ConstrainedMinimizationProblem,
        unconstrained_steps: Any = None,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """Return the operation of a step, whose first ``unconstrained_steps`` minimize the objective alone.

        The other arguments are those of `minimize_constrained`. Raises ValueError for ``unconstrained_steps`` without
        a ``global_step``.
        """
        rest = (global_step, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, name, grad_loss)
        if unconstrained_steps is None:
            return self.minimize_constrained(minimization_problem, *rest)
        if global_step is None:
            raise ValueError("global_step cannot be None if unconstrained_steps is provided")
        steps = convert_to_tensor(unconstrained_steps)
        return cond(
            cast(global_step, steps.dtype) < steps,
            true_fn=lambda: self.minimize_unconstrained(minimization_problem, *rest),
            false_fn=lambda: self.minimize_constrained(minimization_problem, *rest),
        )


class RegretOptimizer(ConstrainedOptimizer):
    """The step of both kinds of multipliers: that of the variables for a loss, that of a state, and its projection.

    Args:
        optimizer: the optimizer of the variables.
        constraint_optimizer: that of the state; ``optimizer`` where it is None.
    """

    _state_name = ""

    def __init__(self, optimizer: Optimizer, constraint_optimizer: Optimizer | None = None) -> None:
        super().__init__(optimizer)
        self._constraint_optimizer = constraint_optimizer

    @property
    def constraint_optimizer(self) -> Optimizer | None:
        """The optimizer of the state."""
        return self._constraint_optimizer

    @abstractmethod
    def _initial_state(self, num_constraints: int) -> Any:
        """Return the first value of the state."""

    @abstractmethod
    def _loss_and_gradient(self, state: Any, objective: Any, constraints: Any, proxies: Any) -> tuple[Any, Any]:
        """Return what the variables minimize, and by what the state is to rise."""

    @abstractmethod
    def _projection_op(self, state: Any, name: str | None = None) -> Any:
        """Return the operation that puts the state back to where it may be."""

    def _constraint_grad_and_var(self, state: Any, gradient: Any) -> tuple[Any, Any]:
        """Return what an optimizer, which minimizes, is told for the state to rise."""
        return -gradient, state

    def _minimize_constrained(self, minimization_problem: ConstrainedMinimizationProblem, **options: Any) -> Any:
        objective, constraints = minimization_problem.objective, minimization_problem.constraints
        proxies = minimization_problem.proxy_constraints
        proxies = constraints if proxies is None else proxies
        if len({each.dtype.base_dtype.name for each in (objective, constraints, proxies)}) > 1:
            raise ValueError("objective, constraints and proxy_constraints must have the same dtype")
        count = minimization_problem.num_constraints
        constraints, proxies = reshape(constraints, [count]), reshape(proxies, [count])
        state = Variable(lambda: self._initial_state(count), trainable=False, name=self._state_name)
        loss, gradient = self._loss_and_gradient(state, objective, constraints, proxies)
        global_step, name = options.pop("global_step"), options.pop("name")
        pairs = self._optimizer.compute_gradients(loss, **options)
        of_state = [self._constraint_grad_and_var(state, gradient)]
        if self._constraint_optimizer is None:
            updates = [self._optimizer.apply_gradients([*pairs, *of_state], name="update")]
        else:
            # All gradients are there before either step changes what they are computed from.
            with control_dependencies([each for each, _ in [*pairs, *of_state] if each is not None]):
                updates = [
                    self._optimizer.apply_gradients(pairs, name="update"),
                    self._constraint_optimizer.apply_gradients(of_state, name="optimizer_state_update"),
                ]
        with control_dependencies(updates):
            if global_step is None:
                return self._projection_op(state, name=name)
            counted = assign_add(global_step, 1, name="global_step_increment")
            return group(self._projection_op(state, name="project"), counted, name=name)


def raised_above_zero(values: Any, dimension: int, shift: Callable[[Any, Any], Any]) -> Any:
    """Return the values of least distance whose sum is right and of which none is below 0.

    ``shift(values, above)`` is what those that are above 0 (marked by 1) are moved by for their sum to be right; those
    that come below 0 stay 0. At most ``dimension`` times.
    """

    def step(count: Any, values: Any, above: Any, before: Any) -> tuple[Any, Any, Any, Any]:
        del before
        values = values + shift(values, above) * above
        now = cast(values > 0, values.dtype)
        return count + 1, values * now, now, above

    def goes_on(count: Any, values: Any, above: Any, before: Any) -> Any:
        del values
        return logical_and(count < dimension, reduce_any(not_equal(above, before)))

    everywhere = ones_like(values)
    first = step(constant(0), values, everywhere, everywhere)
    return while_loop(goes_on, step, first, name="euclidean_projection")[1]
