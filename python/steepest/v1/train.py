"""``tf.train``: optimizers, schedules, the global step, checkpoints, moving averages."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import (
    AdadeltaOptimizer,
    AdagradDAOptimizer,
    AdagradDecayOptimizer,
    AdagradDecayOptimizerV2,
    AdagradOptimizer,
    AdamAsyncOptimizer,
    AdamOptimizer,
    AdanOptimizer,
    FtrlOptimizer,
    FtrlProximalOptimizer,
    GradientDescentOptimizer,
    GroupAdamOptimizer,
    GroupFtrlOptimizer,
    LAMBOptimizer,
    LazyAdamOptimizer,
    LionOptimizer,
    MomentumOptimizer,
    ProximalAdagradOptimizer,
    ProximalGradientDescentOptimizer,
    RAdamOptimizer,
    RMSPropOptimizer,
    RowWiseAdagradOptimizer,
    RowWiseAdamOptimizer,
    RowWiseRMSPropOptimizer,
)
from ..optim.optimizer import Optimizer
from ..variables import global_step as _global_step
from ..variables.collections import GraphKeys
from .graph.graph import Graph, get_default_graph
from .graph.missing import namespace
from .graph.mode import executing_eagerly
from .graph.scopes import get_variable_scope
from .graph.session import Session
from .graph.session_values import lifted
from .pipelines.batches import (
    batch,
    batch_join,
    maybe_batch,
    maybe_batch_join,
    maybe_shuffle_batch,
    maybe_shuffle_batch_join,
    shuffle_batch,
    shuffle_batch_join,
)
from .pipelines.producers import (
    input_producer,
    limit_epochs,
    match_filenames_once,
    range_input_producer,
    slice_input_producer,
    string_input_producer,
)
from .summaries.reader import summary_iterator
from .summaries.saver_hook import StepCounterHook, SummarySaverHook
from .summaries.supervisor import Supervisor
from .summaries.training_session import MonitoredTrainingSession
from .summaries.writer import FileWriter as SummaryWriter
from .training.checkpoint import Checkpoint
from .training.checkpoint_manager import CheckpointManager
from .training.checkpoint_state import (
    CheckpointState,
    NewCheckpointReader,
    checkpoint_exists,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
    remove_checkpoint,
    update_checkpoint_state,
)
from .training.coordinator import Coordinator, LooperThread
from .training.eager_variable import EagerVariable
from .training.init_from_checkpoint import checkpoints_iterator, init_from_checkpoint
from .training.meta_graph import export_meta_graph as export_meta_graph
from .training.meta_graph import import_meta_graph as import_meta_graph
from .training.monitored_session import MonitoredSession, SingularMonitoredSession
from .training.moving_average import ExponentialMovingAverage, assign_moving_average
from .training.queue_runner import QueueRunner, add_queue_runner, start_queue_runners
from .training.queue_runner import QueueRunnerDef as QueueRunnerDef
from .training.replicas import SyncReplicasOptimizer
from .training.saver import Saver
from .training.saver_def import SaverDef
from .training.schedules import (
    cosine_decay,
    cosine_decay_restarts,
    exponential_decay,
    inverse_time_decay,
    linear_cosine_decay,
    natural_exp_decay,
    noisy_linear_cosine_decay,
    piecewise_constant,
    piecewise_constant_decay,
    polynomial_decay,
)
from .training.session_creators import ChiefSessionCreator, Scaffold, SessionCreator, WorkerSessionCreator
from .training.session_hooks import (
    FeedFnHook,
    FinalOpsHook,
    GlobalStepWaiterHook,
    NanLossDuringTrainingError,
    NanTensorHook,
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
    StopAtStepHook,
)
from .training.session_manager import SessionManager
from .training.variables import Variable
from .training.warm_start import warm_start
from .training.write_graph import write_graph
from .training.writing_hooks import CheckpointSaverHook, CheckpointSaverListener, LoggingTensorHook

__all__ = [
    "AdadeltaOptimizer",
    "AdagradDAOptimizer",
    "AdagradDecayOptimizer",
    "AdagradDecayOptimizerV2",
    "AdagradOptimizer",
    "AdamAsyncOptimizer",
    "AdamOptimizer",
    "AdanOptimizer",
    "Checkpoint",
    "CheckpointManager",
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "CheckpointState",
    "ChiefSessionCreator",
    "Coordinator",
    "ExponentialMovingAverage",
    "FeedFnHook",
    "FinalOpsHook",
    "FtrlOptimizer",
    "FtrlProximalOptimizer",
    "GlobalStepWaiterHook",
    "GradientDescentOptimizer",
    "GroupAdamOptimizer",
    "GroupFtrlOptimizer",
    "LAMBOptimizer",
    "LazyAdamOptimizer",
    "LionOptimizer",
    "LoggingTensorHook",
    "LooperThread",
    "MomentumOptimizer",
    "MonitoredSession",
    "MonitoredTrainingSession",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "NewCheckpointReader",
    "Optimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "QueueRunner",
    "RAdamOptimizer",
    "RMSPropOptimizer",
    "RowWiseAdagradOptimizer",
    "RowWiseAdamOptimizer",
    "RowWiseRMSPropOptimizer",
    "Saver",
    "SaverDef",
    "Scaffold",
    "SecondOrStepTimer",
    "SessionCreator",
    "SessionManager",
    "SessionRunArgs",
    "SessionRunContext",
    "SessionRunHook",
    "SessionRunValues",
    "SingularMonitoredSession",
    "StepCounterHook",
    "StopAtStepHook",
    "SummarySaverHook",
    "SummaryWriter",
    "Supervisor",
    "SyncReplicasOptimizer",
    "WorkerSessionCreator",
    "add_queue_runner",
    "assert_global_step",
    "assign_moving_average",
    "batch",
    "batch_join",
    "checkpoint_exists",
    "checkpoints_iterator",
    "cosine_decay",
    "cosine_decay_restarts",
    "create_global_step",
    "exponential_decay",
    "export_meta_graph",
    "generate_checkpoint_state_proto",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
    "import_meta_graph",
    "init_from_checkpoint",
    "input_producer",
    "inverse_time_decay",
    "latest_checkpoint",
    "limit_epochs",
    "linear_cosine_decay",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "match_filenames_once",
    "maybe_batch",
    "maybe_batch_join",
    "maybe_shuffle_batch",
    "maybe_shuffle_batch_join",
    "natural_exp_decay",
    "noisy_linear_cosine_decay",
    "piecewise_constant",
    "piecewise_constant_decay",
    "polynomial_decay",
    "range_input_producer",
    "remove_checkpoint",
    "shuffle_batch",
    "shuffle_batch_join",
    "slice_input_producer",
    "start_queue_runners",
    "string_input_producer",
    "summary_iterator",
    "update_checkpoint_state",
    "warm_start",
    "write_graph",
]

__getattr__, __dir__ = namespace(__name__)


def get_global_step(graph: Graph | None = None) -> Any:
    """Return the graph's global step, None where there is none.

    It is the single item of ``GraphKeys.GLOBAL_STEP``, else the tensor ``global_step:0``. Raises TypeError where that
    is not an integer scalar.
    """
    if executing_eagerly():
        return _global_step.get_global_step()
    graph = graph or get_default_graph()
    steps = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(steps) == 1:
        step = steps[0]
    else:
        op = graph._operations.get(GraphKeys.GLOBAL_STEP)
        step = None if op is None else op.get_attr("owner") if op.type == "VariableV2" else op.outputs[0]
    if step is not None:
        assert_global_step(step)
    return step


def assert_global_step(global_step_tensor: Any) -> None:
    """Raise TypeError for a step that is not an integer scalar."""
    if not hasattr(global_step_tensor, "_tensor"):
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {global_step_tensor!r}')
    tensor = global_step_tensor._tensor()
    if not tensor.dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {tensor.dtype.base_dtype!r}')
    if tensor._shape is not None and tensor._shape != ():
        raise TypeError(f'Existing "global_step" is not scalar: {global_step_tensor.get_shape()}')


def create_global_step(graph: Graph | None = None) -> Any:
    """Make the graph's global step: int64, scalar, 0, not trainable. Raises ValueError where there is one."""
    if executing_eagerly():
        return _global_step.made_global_step(EagerVariable)
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with graph.as_default(), lifted(graph), graph.name_scope(None):
        name = get_variable_scope().full_name(GraphKeys.GLOBAL_STEP)
        step = Variable(
            np.zeros((), np.int64),
            trainable=False,
            name=name,
            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
        )
    graph._store.named[name] = step
    return step


def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """Return the graph's global step; make it where there is none."""
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def global_step(sess: Session, global_step_tensor: Any) -> int:
    """Return the value of a global step in a session."""
    return int(sess.run(global_step_tensor))
