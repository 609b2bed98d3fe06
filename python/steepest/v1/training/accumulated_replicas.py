"""`SyncReplicasOptimizer` in one process: gradients of several runs are put together before they are applied."""

from __future__ import annotations

from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ...optim.optimizer import Optimizer
from ...variables.collections import GraphKeys
from ..ops.accumulator_ops import ConditionalAccumulator, SparseConditionalAccumulator
from ..ops.control_flow_ops import group, no_op
from ..ops.creation_ops import fill
from ..ops.queue_ops import FIFOQueue
from ..variables.state_ops import assign
from ..variables.variables import Variable
from .queue_runner import QueueRunner
from .session_hooks import SessionRunHook

__all__ = ["AccumulatedReplicas", "AccumulatedReplicasHook"]


class AccumulatedReplicas:
    """The operations of TensorFlow's ``SyncReplicasOptimizer``.

    A run of `apply_gradients` adds its gradients to accumulators, and waits for a token. A queue runner takes the mean
    of as many gradients as are asked for, lets the optimizer apply it, and gives out tokens with the new step. What a
    run adds whose last token is of an earlier step is left out.

    Args:
        opt: the optimizer.
        replicas_to_aggregate: how many gradients make a step.
        total_num_replicas: how many runs may wait at once, by default as many.
        averages: a moving average of variables, and these; None for none.
        name: the name scope.
    """

    def __init__(
        self, opt: Optimizer, replicas_to_aggregate: int, total_num_replicas: int | None, averages: Any, name: str
    ) -> None:
        self.opt, self.name, self.needed, self._averages = opt, name, replicas_to_aggregate, averages
        self.replicas = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        self.local_init: Any = None
        self.chief_init: Any = None
        self.runner: Any = None
        self.tokens: Any = None
        self.global_step: Any = None

    def apply_gradients(self, pairs: list[tuple[Any, Any]], global_step: Any) -> Any:
        """Return the operation of one replica. ValueError without a global step."""
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        graph = global_step.graph
        kind = global_step.dtype.base_dtype
        local = [GraphKeys.LOCAL_VARIABLES]
        step = Variable(0, trainable=False, collections=local, dtype=kind, name="sync_rep_local_step")
        self.local_init = assign(step, global_step)
        added: list[Any] = []
        means: list[Any] = []
        accumulators: list[Any] = []
        with graph.name_scope(f"{self.name}/"):
            for gradient, variable in pairs:
                if gradient is None:
                    means.append(None)
                    continue
                shared = f"{variable.name}/grad_accum"
                if isinstance(gradient, IndexedSlices):
                    rows = SparseConditionalAccumulator(gradient.values.dtype, (), shared)
                    added.append(rows.apply_indexed_slices_grad(gradient, step))
                    means.append(rows.take_indexed_slices_grad(self.needed))
                    accumulators.append(rows)
                else:
                    whole = ConditionalAccumulator(gradient.dtype, variable.shape, shared)
                    added.append(whole.apply_grad(gradient, step))
                    means.append(whole.take_grad(self.needed))
                    accumulators.append(whole)
            variables = [variable for _, variable in pairs]
            with graph.name_scope(None):
                update = self.opt.apply_gradients(zip(means, variables, strict=True), global_step)
            self.tokens = FIFOQueue(-1, kind, shapes=(), name="sync_token_q", shared_name="sync_token_q")
            dummy = FIFOQueue(1, "int32", shapes=(), name="dummy_queue", shared_name="dummy_queue")
            with graph.control_dependencies(added):
                token = self.tokens.dequeue()
            train = assign(step, token)
            with graph.control_dependencies([update]):
                given = self.tokens.enqueue_many((fill([max(self.replicas, self.needed)], global_step),))
            average, averaged = self._averages
            if average is not None:
                with graph.control_dependencies([given]):
                    given = average.apply(averaged)
            self.runner = QueueRunner(dummy, [given])
            steps = [each.set_global_step(global_step, name="SetGlobalStep") for each in accumulators]
            self.chief_init = group(self.local_init, *steps)
        self.global_step = global_step
        return train

    def first_tokens(self, num_tokens: int = -1) -> Any:
        """Return the operation that puts the first tokens in. ValueError for too few, or before there are gradients."""
        if self.runner is None:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self.needed - self.replicas
        if num_tokens == -1:
            num_tokens = self.needed
        elif num_tokens < needed:
            raise ValueError(f"Too few tokens to finish the first step: {num_tokens} (given) vs {needed} (needed)")
        if num_tokens <= 0:
            return no_op(name="no_init_tokens")
        return self.tokens.enqueue_many((fill([num_tokens], self.global_step),))


class AccumulatedReplicasHook(SessionRunHook):
    """The hook of a `SyncReplicasOptimizer` in one process: it begins steps and, of the chief, the queue runner."""

    def __init__(self, replicas: AccumulatedReplicas, is_chief: bool, num_tokens: int) -> None:
        self._replicas, self._is_chief, self._num_tokens = replicas, is_chief, num_tokens
        self._first: Any = None

    def begin(self) -> None:
        """Make the operations. ValueError before the optimizer was told of gradients."""
        if self._replicas.runner is None:
            raise ValueError("SyncReplicasOptimizer.apply_gradient should be called before using the hook.")
        if self._is_chief:
            self._first = group(self._replicas.first_tokens(self._num_tokens))

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Begin the steps, and let the chief's queue runner go."""
        session.run(self._replicas.chief_init if self._is_chief else self._replicas.local_init)
        if self._is_chief:
            session.run(self._first)
            self._replicas.runner.create_threads(session, coord=coord, daemon=True, start=True)
