"""``tf.train``: optimizers, schedules, the global step, checkpoints, moving averages."""

from __future__ import annotations

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
from .. import (
    LazyAdamOptimizer as LazyAdamOptimizer,
)
from ..optim.optimizer import Optimizer
from .graph.missing import namespace
from .ops.example_messages import BytesList, Example, Feature, Features, FloatList, Int64List
from .ops.sequence_messages import FeatureList, FeatureLists, SequenceExample
from .optim.moving_average import ExponentialMovingAverage, assign_moving_average
from .optim.schedules import (
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
from .saving.checkpoint import Checkpoint
from .saving.checkpoint_management import CheckpointManager
from .saving.checkpoint_options import CheckpointOptions
from .saving.checkpoint_state import (
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
from .saving.init_from_checkpoint import checkpoints_iterator, init_from_checkpoint
from .saving.meta_graph import export_meta_graph as export_meta_graph
from .saving.meta_graph import import_meta_graph as import_meta_graph
from .saving.saver import Saver
from .saving.saver_def import SaverDef
from .saving.warm_start import VocabInfo, warm_start
from .saving.write_graph import write_graph
from .summaries.checkpoint_hook import CheckpointSaverHook, CheckpointSaverListener
from .summaries.profiler_hook import ProfilerHook
from .summaries.reader import summary_iterator
from .summaries.saver_hook import StepCounterHook, SummarySaverHook
from .summaries.supervisor import Supervisor
from .summaries.training_session import MonitoredTrainingSession
from .summaries.writer import FileWriter as SummaryWriter
from .training import experimental
from .training.basic_loops import basic_train_loop
from .training.clusters import ClusterDef, ClusterSpec, JobDef, replica_device_setter
from .training.coordinator import Coordinator, LooperThread
from .training.global_steps import (
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    global_step,
)
from .training.monitored_session import MonitoredSession, SingularMonitoredSession
from .training.queue_runner import QueueRunner, add_queue_runner, start_queue_runners
from .training.queue_runner import QueueRunnerDef as QueueRunnerDef
from .training.replicas import SyncReplicasOptimizer
from .training.servers import Server, ServerDef
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
from .training.writing_hooks import LoggingTensorHook

# `LazyAdamOptimizer` is not listed: programs that go through the optimizers of ``tf.train`` take each for a direct
# subclass of `Optimizer`. TensorFlow has it in ``tf.contrib.opt``.
__all__ = [
    "AdadeltaOptimizer",
    "AdagradDAOptimizer",
    "AdagradDecayOptimizer",
    "AdagradDecayOptimizerV2",
    "AdagradOptimizer",
    "AdamAsyncOptimizer",
    "AdamOptimizer",
    "AdanOptimizer",
    "BytesList",
    "Checkpoint",
    "CheckpointManager",
    "CheckpointOptions",
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "CheckpointState",
    "ChiefSessionCreator",
    "ClusterDef",
    "ClusterSpec",
    "Coordinator",
    "Example",
    "ExponentialMovingAverage",
    "Feature",
    "FeatureList",
    "FeatureLists",
    "Features",
    "FeedFnHook",
    "FinalOpsHook",
    "FloatList",
    "FtrlOptimizer",
    "FtrlProximalOptimizer",
    "GlobalStepWaiterHook",
    "GradientDescentOptimizer",
    "GroupAdamOptimizer",
    "GroupFtrlOptimizer",
    "Int64List",
    "JobDef",
    "LAMBOptimizer",
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
    "ProfilerHook",
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
    "SequenceExample",
    "Server",
    "ServerDef",
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
    "VocabInfo",
    "WorkerSessionCreator",
    "add_queue_runner",
    "assert_global_step",
    "assign_moving_average",
    "basic_train_loop",
    "batch",
    "batch_join",
    "checkpoint_exists",
    "checkpoints_iterator",
    "cosine_decay",
    "cosine_decay_restarts",
    "create_global_step",
    "experimental",
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
    "replica_device_setter",
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

__getattr__, __dir__ = namespace(__name__, "queue_runner")
