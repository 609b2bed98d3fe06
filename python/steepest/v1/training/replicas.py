"""Optimizers of several processes in graphs: gradients are added over all ranks before they are applied."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import describe, must
from ...mpi import broadcast_variables
from ...mpi.reduction import Reduction
from ...ops.dispatch import unwrap
from ...ops.indexed_slices import IndexedSlices
from ...ops.symbolic import Symbolic
from ...optim.optimizer import Optimizer
from ...optim.updates import to_pairs
from ...variables.collections import GraphKeys, global_variables
from ..graph.build import call
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..ops.control_flow_ops import group
from ..variables.state_ops import assign
from .accumulated_replicas import AccumulatedReplicas, AccumulatedReplicasHook
from .session_hooks import SessionRunHook
from .wrappers import Wrapper

__all__ = [
    "BroadcastGlobalVariablesHook",
    "DistributedOptimizer",
    "SyncReplicasOptimizer",
    "broadcast_global_variables",
]

Pairs = list[tuple[Any, Any]]


class DistributedOptimizer(Wrapper):
    """An optimizer whose ``compute_gradients`` returns the mean of all ranks' gradients, added in a fixed order.

    The ranks are those of an MPI job. With as many examples on each the steps have the same bits as those of
    `steepest.mpi.DistributedOptimizer`. Slots are on every rank.

    Args:
        optimizer: the optimizer that takes the steps.
        name: a non-empty string.
        comm: an mpi4py communicator, by default all ranks.
        average: divide the sum by the number of ranks.
        compression: None, "bfloat16" or "float16": gradients are rounded to it before they are added.
        sparse_as_dense: how rows travel: True, False or "auto".

    Raises:
        ImportError: without a communicator where mpi4py is not installed.
        TypeError: for what is no optimizer.

    Source: ``horovod.tensorflow.DistributedOptimizer``.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        name: str = "Distributed",
        comm: Any = None,
        average: bool = True,
        compression: str | None = None,
        sparse_as_dense: bool | str = "auto",
    ) -> None:
        super().__init__(optimizer, False, name)
        self._comm = comm
        self._reduction = Reduction(comm, average, compression, sparse_as_dense)

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Pairs:
        """Return the wrapped optimizer's gradients, those of all ranks together."""
        return self._added(self._opt.compute_gradients(*args, **kwargs))

    def _added(self, pairs: Pairs) -> Pairs:
        """Return the gradients of all ranks together."""
        if any(isinstance(variable, Symbolic) for _, variable in pairs):
            return self._nodes(pairs)
        named = [(variable.name, variable.shape, variable.dtype) for _, variable in pairs]
        sums = self._reduction(named, [gradient for gradient, _ in pairs])
        return [(gradient, variable) for gradient, (_, variable) in zip(sums, pairs, strict=True)]

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Do what the wrapped optimizer does."""
        return self._opt.apply_gradients(grads_and_vars, global_step, name)

    def _nodes(self, pairs: Pairs) -> Pairs:
        chosen = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
        if not chosen:
            return pairs
        named: list[tuple[str, tuple[int, ...], Any]] = []
        inputs: list[Any] = []
        forms: list[tuple[Any, Any]] = []
        for gradient, variable in chosen:
            shape = variable._tensor()._shape
            if shape is None or None in shape:
                rule = "have a static shape when ranks share it"
                raise ValueError(must(type(self).__name__, f"variable {variable.op.name!r}", rule, describe(shape)))
            dtype = variable.dtype.base_dtype
            named.append((variable.op.name, tuple(shape), dtype.dtype))
            if isinstance(gradient, IndexedSlices):
                inputs += [gradient.values, gradient.indices]
                forms += [((None, *shape[1:]), dtype), ((None,), gradient.indices.dtype.base_dtype)]
            else:
                inputs.append(gradient)
                forms.append((shape, dtype))
        sparse = [isinstance(gradient, IndexedSlices) for gradient, _ in chosen]
        outputs = self._call(_Run(self._reduction, named, sparse), inputs, forms)
        sums: dict[Any, Any] = {}
        for gradient, variable in chosen:
            first = next(outputs)
            rows = isinstance(gradient, IndexedSlices)
            sums[variable] = IndexedSlices(first, next(outputs), gradient.dense_shape) if rows else first
        return [(sums.get(variable), variable) for _, variable in pairs]

    def _call(self, run: _Run, inputs: list[Any], forms: list[tuple[Any, Any]]) -> Any:
        shapes, dtypes = [shape for shape, _ in forms], [dtype for _, dtype in forms]
        more: dict[str, Any] = {"same": False, "differentiable": False}
        if len(forms) == 1:
            return iter([call("HorovodAllreduce", run, inputs, shape=shapes[0], dtype=dtypes[0], **more)])
        return iter(call("HorovodAllreduce", run, inputs, shape=shapes, dtype=dtypes, outputs=len(forms), **more))


class _Run:
    """What the node does when a session runs: one exchange of all gradients."""

    def __init__(self, reduction: Reduction, named: list[tuple[str, tuple[int, ...], Any]], sparse: list[bool]) -> None:
        self.reduction, self.named, self.sparse = reduction, named, sparse

    def __call__(self, *values: Any) -> Any:
        arrays = iter([np.asarray(value) for value in values])
        gradients: list[Any] = []
        types: list[Any] = []
        for (_, shape, _), rows in zip(self.named, self.sparse, strict=True):
            first = next(arrays)
            second = next(arrays) if rows else None
            gradients.append(IndexedSlices(first, second, shape) if rows else first)
            types.append(None if second is None else second.dtype)
        out: list[Any] = []
        for (_, _, dtype), kind, total in zip(self.named, types, self.reduction(self.named, gradients), strict=True):
            if kind is None:
                out.append(total.astype(dtype, copy=False))
            else:
                out += [total.values.astype(dtype, copy=False), total.indices.astype(kind, copy=False)]
        return out[0] if len(out) == 1 else tuple(out)


class SyncReplicasOptimizer(Optimizer):
    """TensorFlow's name for optimizers of several ranks: every rank is a replica, and all wait for all.

    As there, `compute_gradients` returns this rank's gradients, which may be clipped; `apply_gradients` takes their
    mean over all ranks. In one process, without ``comm``, runs of sessions are the replicas, as many as are asked for:
    their gradients wait in accumulators, and a queue runner takes the steps (`make_session_run_hook`).

    Args:
        opt: the optimizer that takes the steps.
        replicas_to_aggregate: the number of ranks, in one process any number. With ranks fewer, which in
            TensorFlow drops the gradients of late replicas, are refused: what is dropped would depend on time.
        total_num_replicas: the number of ranks, in one process how many runs may wait at once; None for the same.
        variable_averages, variables_to_average: in one process averages that move after each step, and of what; None.
        use_locking: ignored.
        name: a non-empty string.
        comm: an mpi4py communicator, by default all ranks.

    Raises:
        ValueError: for another number of replicas than ranks, or averages.

    Source: ``tf.train.SyncReplicasOptimizer``.
    """

    # Not a subclass of `Wrapper`: programs that go through ``tf.train`` ask that ``__base__`` is `Optimizer`.
    compute_gradients: Any = Wrapper.compute_gradients
    get_slot: Any = Wrapper.get_slot
    get_slot_names: Any = Wrapper.get_slot_names
    variables: Any = Wrapper.variables
    _inner: Any = Wrapper._inner

    def __init__(
        self,
        opt: Optimizer,
        replicas_to_aggregate: int,
        total_num_replicas: int | None = None,
        variable_averages: Any = None,
        variables_to_average: Any = None,
        use_locking: bool = False,
        name: str = "sync_replicas",
        comm: Any = None,
    ) -> None:
        super().__init__(use_locking, name)
        self._opt, self._ranks = opt, DistributedOptimizer(opt, name, comm)
        self._applied = False
        size, who = self._ranks._reduction._joint._wire.size, type(self).__name__
        self._here: AccumulatedReplicas | None = None
        if comm is None and size == 1 and not {replicas_to_aggregate, total_num_replicas} <= {1, None}:
            averages = variable_averages, variables_to_average
            self._here = AccumulatedReplicas(opt, replicas_to_aggregate, total_num_replicas, averages, name)
            return
        for argument, value in (
            ("replicas_to_aggregate", replicas_to_aggregate),
            ("total_num_replicas", total_num_replicas),
        ):
            if value is not None and value != size:
                raise ValueError(must(who, argument, f"be the number of ranks, {size}", describe(value)))
        if variable_averages is not None or variables_to_average is not None:
            remedy = "put a MovingAverageOptimizer around the optimizer inside"
            raise ValueError(must(who, "variable_averages", "be None", describe(variable_averages), remedy))

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Apply the mean of all ranks' gradients. ValueError without a pair."""
        pairs = to_pairs("apply_gradients", grads_and_vars)
        if not pairs:
            raise ValueError("Must supply at least one variable")
        self._applied = True
        if self._here is not None:
            return self._here.apply_gradients(pairs, global_step)
        return self._opt.apply_gradients(self._ranks._added(pairs), global_step, name)

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> SessionRunHook:
        """Return a hook for a `MonitoredSession`, which gives all ranks the variables of the first one.

        Args:
            is_chief, num_tokens: of replicas in one process: which one takes the steps, and how many runs may begin
                before the first one. Ranks wait for no tokens.
        """
        return _ReplicasHook(self) if self._here is None else AccumulatedReplicasHook(self._here, is_chief, num_tokens)

    def get_chief_queue_runner(self) -> Any:
        """Return the queue runner that takes the steps of replicas in one process."""
        if self._here is None or self._here.runner is None:
            raise ValueError("Should be called after apply_gradients().")
        return self._here.runner

    def get_init_tokens_op(self, num_tokens: int = -1) -> Any:
        """Return the operation that lets the first runs of replicas in one process begin."""
        if self._here is None:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        return self._here.first_tokens(num_tokens)


class BroadcastGlobalVariablesHook(SessionRunHook):
    """Gives the global variables, when a session begins, the values that they have on one rank.

    Args:
        root_rank: that rank.
        comm: an mpi4py communicator, by default all ranks.

    Source: ``horovod.tensorflow.BroadcastGlobalVariablesHook``.
    """

    def __init__(self, root_rank: int, comm: Any = None) -> None:
        self._root_rank, self._comm = root_rank, comm
        self._operation: Any = None

    def begin(self) -> None:
        """Make the operation."""
        self._operation = broadcast_global_variables(self._root_rank, self._comm)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Run it."""
        session.run(self._operation)


class _ReplicasHook(BroadcastGlobalVariablesHook):
    """The hook of a `SyncReplicasOptimizer`."""

    def __init__(self, replicas: SyncReplicasOptimizer) -> None:
        super().__init__(0, replicas._ranks._comm)
        self._replicas = replicas

    def begin(self) -> None:
        """Make the operation. ValueError before the optimizer was told of gradients: its slots are not there yet."""
        if not self._replicas._applied:
            raise ValueError("SyncReplicasOptimizer.apply_gradient should be called before using the hook.")
        super().begin()


def broadcast_global_variables(root_rank: int, comm: Any = None) -> Any:
    """Give the global variables the values that they have on one rank; in graphs the operation that does it."""
    if not isinstance(root_rank, int):
        raise TypeError(must("broadcast_global_variables", "root_rank", "be an integer", describe(root_rank)))
    if executing_eagerly():
        broadcast_variables(global_variables(), root_rank, comm)
        return None
    variables: list[Any] = get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)

    def run(*values: Any) -> Any:
        copies = [np.array(unwrap(value)) for value in values]
        broadcast_variables(copies, root_rank, comm)
        return copies[0] if len(copies) == 1 else tuple(copies)

    if not variables:
        return group()
    forms: dict[str, Any] = {"same": False, "differentiable": False}
    shapes = [variable._tensor()._shape for variable in variables]
    dtypes = [variable.dtype.base_dtype for variable in variables]
    if len(variables) == 1:
        nodes: Any = [call("HorovodBroadcast", run, variables, shape=shapes[0], dtype=dtypes[0], **forms)]
    else:
        nodes = call("HorovodBroadcast", run, variables, shape=shapes, dtype=dtypes, outputs=len(shapes), **forms)
    return group(*(assign(variable, node) for variable, node in zip(variables, nodes, strict=True)))
