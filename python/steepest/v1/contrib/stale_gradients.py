"""``tf.contrib.opt.DropStaleGradientOptimizer``: gradients that were computed too many steps ago are left out."""

from __future__ import annotations

from typing import Any

from ...optim.optimizer import Optimizer
from ..graph.graph import get_default_graph
from ..ops.array_ops import identity, reshape
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import cond
from ..ops.math_ops import less_equal
from ..summary import scalar
from ..training.global_steps import get_global_step
from ..training.wrappers import Pairs, Wrapper
from ..variables.get_variable import get_variable
from ..variables.initializers import Zeros

__all__ = ["DropStaleGradientOptimizer"]


class DropStaleGradientOptimizer(Wrapper):
    """An optimizer whose step is taken only where the global step has moved little since the gradients were computed.

    Args:
        opt: the optimizer that takes the steps.
        staleness: by so many steps it may have moved.
        use_locking: accepted.
        name: accepted.

    The variable ``stale_counter`` counts the steps that were left out.

    Source: ``tf.contrib.opt.DropStaleGradientOptimizer``.
    """

    def __init__(
        self, opt: Optimizer, staleness: int, use_locking: bool = False, name: str = "DropStaleGradient"
    ) -> None:
        super().__init__(opt, use_locking, name)
        self._staleness = staleness
        self._local_step: Any = None

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Pairs:
        """Return the gradients of the wrapped optimizer, computed after the global step was read."""
        graph = get_default_graph()
        with graph.colocate_with(loss):
            self._local_step = get_global_step() + 0
        with graph.control_dependencies([self._local_step]):
            return super().compute_gradients(identity(loss), *args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Return the tensor that takes the step, or leaves it out, and then is the number of those left out."""
        pairs = list(grads_and_vars)
        graph = get_default_graph()
        with graph.colocate_with(global_step):
            left_out = get_variable("stale_counter", [], initializer=Zeros(), trainable=False)
        given = [getattr(grad, "op", grad) for grad, _ in pairs if grad is not None]
        with graph.control_dependencies(given), graph.colocate_with(global_step):
            moved = reshape(global_step - self._local_step, ())

        def accept() -> Any:
            with graph.control_dependencies([self._opt.apply_gradients(pairs, global_step=global_step, name=name)]):
                return identity(0.0)

        changed = left_out.assign_add(cond(less_equal(moved, self._staleness), accept, lambda: identity(1.0)))
        scalar("Gradient staleness percentage", left_out / cast(global_step + 1, "float32"))
        return changed
