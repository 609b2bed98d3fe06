"""``tf.contrib.opt.AGNOptimizer``: workers step alone, and at times give their mean gradient to shared variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...optim.optimizer import Optimizer
from ...variables.collections import GraphKeys
from ..graph.graph import get_default_graph
from ..graph.scopes import colocate_with, device
from ..ops.control_flow_ops import cond, group, no_op
from ..ops.creation_ops import zeros_like
from ..ops.math_ops import equal, mod
from ..training.session_hooks import SessionRunHook
from ..training.wrappers import Wrapper
from ..variables.get_variable import get_variable
from ..variables.variable_creators import variable_creator_scope
from ..variables.variables_initializer import local_variables_initializer

__all__ = ["AGNCustomGetter", "AGNOptimizer"]

GLOBAL_VARIABLE_NAME = "global_center_variable"
GRAD_VARIABLE_NAME = "grad_variable"


class AGNCustomGetter:
    """A custom getter that makes each trainable variable local, with a shared one and a sum of gradients beside it.

    Args:
        worker_device: where the local variables and the sums are.

    Source: ``tf.contrib.opt.AGNCustomGetter``.
    """

    def __init__(self, worker_device: Any) -> None:
        self._worker_device = worker_device
        self._global_map: dict[Any, Any] = {}
        self._grad_map: dict[Any, Any] = {}

    def __call__(
        self, getter: Callable[..., Any], name: str, trainable: bool, collections: Any, *args: Any, **kwargs: Any
    ) -> Any:
        if not trainable:
            return getter(name, *args, trainable=trainable, collections=collections, **kwargs)
        local, shared = [GraphKeys.LOCAL_VARIABLES], [GraphKeys.GLOBAL_VARIABLES]
        with device(self._worker_device):
            made = getter(name, *args, trainable=True, collections=local, **kwargs)
        if kwargs["reuse"] is True:
            return made
        center = getter(f"{GLOBAL_VARIABLE_NAME}/{name}", *args, trainable=False, collections=shared, **kwargs)
        with device(self._worker_device):
            summed = getter(f"{GRAD_VARIABLE_NAME}/{name}", *args, trainable=False, collections=local, **kwargs)
        parts = [[each] if kwargs["partitioner"] is None else list(each) for each in (made, center, summed)]
        for part, center_part, summed_part in zip(*parts, strict=True):
            self._global_map[part], self._grad_map[part] = center_part, summed_part
        return made


class AGNOptimizer(Wrapper):
    """An optimizer that takes local steps, and each ``communication_period`` steps one on the shared variables.

    A local step is ``w = step(w, g)`` and ``a = a + g``; at the end of a period ``center = step(center, a / period)``,
    ``w = center`` and ``a = 0``, and the global step is counted.

    Args:
        optimizer: the one that takes both kinds of step. Its slots of local variables are local.
        num_worker: accepted: each worker divides by its own number of steps.
        custom_getter: the `AGNCustomGetter` with which the variables were made.
        communication_period: the steps between two that are shared.
        use_locking, name: accepted.

    Raises:
        TypeError: where ``optimizer`` is none.

    Source: ``tf.contrib.opt.AGNOptimizer``; Hermans, "Accumulated Gradient Normalization", 2017.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        num_worker: int,
        custom_getter: AGNCustomGetter,
        communication_period: int = 10,
        use_locking: bool = True,
        name: str = "AGNOptimizer",
    ) -> None:
        super().__init__(optimizer, use_locking, name)
        self._num_worker, self._period = num_worker, communication_period
        self._global_map, self._grad_map = custom_getter._global_map, custom_getter._grad_map
        local = [GraphKeys.LOCAL_VARIABLES]
        self._local_step = get_variable("local_step", initializer=0, trainable=False, collections=local)

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """Return the operation of one local step, which at the end of a period is the shared one too.

        Args:
            grads_and_vars: the local variables, each behind its gradient; where that is None it stays as it is.
            global_step: counted at the end of each period.
            name: accepted.
        """
        pairs = list(grads_and_vars)
        moved = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
        graph = get_default_graph()
        with variable_creator_scope(_local_in_place_of_global):
            steps = [self._opt.apply_gradients(pairs)]
        steps += [self._grad_map[variable].assign_add(gradient) for gradient, variable in moved]
        counted = self._local_step.assign_add(1, name="local_step_update").op
        with graph.control_dependencies([counted]):
            ends = equal(mod(self._local_step, self._period), 0)
        variables = [variable for _, variable in moved]
        with graph.control_dependencies(steps):
            return cond(ends, lambda: self._shared_step(variables, global_step), no_op)

    def _shared_step(self, variables: list[Any], global_step: Any) -> Any:
        graph = get_default_graph()
        sums = [self._grad_map[variable] for variable in variables]
        centers = [self._global_map[variable] for variable in variables]
        with graph.control_dependencies([each.assign(each / self._period) for each in sums]):
            step = self._opt.apply_gradients(list(zip(sums, centers, strict=True)))
        with graph.control_dependencies([step]):
            updates = []
            if global_step is not None:
                with colocate_with(global_step):
                    updates.append(global_step.assign_add(1))
            updates += [variable.assign(self._global_map[variable].read_value()) for variable in variables]
            return group(*updates, *(each.assign(zeros_like(each)) for each in sums))

    def get_init_op(self, task_index: int) -> Any:
        """Return the operation that sets local variables to the shared ones, and the sums to 0."""
        del task_index
        variables = get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES)
        if not variables:
            raise ValueError(
                "The lists of local_variables, global_center_variables,grad_center_variables should not be empty"
            )
        sums = [self._grad_map[variable] for variable in variables]
        updates = [variable.assign(self._global_map[variable]) for variable in variables]
        return group(*updates, *(each.assign(zeros_like(each)) for each in sums))

    def make_session_run_hook(self, is_chief: bool, task_index: int) -> SessionRunHook:
        """Return the hook that runs `get_init_op` in a new session."""
        return _InitHook(self, is_chief, task_index)


class _InitHook(SessionRunHook):
    def __init__(self, optimizer: AGNOptimizer, is_chief: bool, task_index: int) -> None:
        self._optimizer, self._is_chief, self._task_index = optimizer, is_chief, task_index

    def begin(self) -> None:
        """Make the operation, and that which initializes the local variables."""
        self._local_init_op = local_variables_initializer()
        self._init_op = self._optimizer.get_init_op(self._task_index)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Run it."""
        session.run(self._init_op)


def _local_in_place_of_global(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
    """Make a variable of the local collection where it would be of the global one."""
    given = kwargs.get("collections") or [GraphKeys.GLOBAL_VARIABLES]
    other = [each for each in given if each != GraphKeys.GLOBAL_VARIABLES]
    kwargs["collections"] = [*other, GraphKeys.LOCAL_VARIABLES] if len(other) < len(given) else given
    return next_creator(**kwargs)
