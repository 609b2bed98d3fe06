"""TensorFlow's messages of runs: what one is asked for, `RunOptions`, and what it tells of itself, `RunMetadata`.

See: ``tensorflow/core/framework/step_stats.proto`` and ``tensorflow/core/protobuf/config.proto``.
"""

from __future__ import annotations

from .debug_messages import DebugOptions
from .graph_def import GraphDef
from .message_fields import Enumeration
from .messages import Field, Message

__all__ = ["DeviceStepStats", "NodeExecStats", "RunMetadata", "RunOptions", "StepStats"]

_LEVELS = {"NO_TRACE": 0, "SOFTWARE_TRACE": 1, "HARDWARE_TRACE": 2, "FULL_TRACE": 3}


class NodeExecStats(Message):
    """When something ran, in microseconds: here a whole run of a session."""

    FIELDS = (
        Field("node_name", 1, "string"),
        Field("all_start_micros", 2, "int64"),
        Field("op_start_rel_micros", 3, "int64"),
        Field("op_end_rel_micros", 4, "int64"),
        Field("all_end_rel_micros", 5, "int64"),
        Field("timeline_label", 8, "string"),
        Field("scheduled_micros", 9, "int64"),
        Field("thread_id", 10, "int32"),
    )


class DeviceStepStats(Message):
    """What a device did in a run."""

    FIELDS = (Field("device", 1, "string"), Field("node_stats", 2, NodeExecStats, repeated=True))


class StepStats(Message):
    """What devices did in a run: when the processor began it and ended it, where the run was to be traced."""

    FIELDS = (Field("dev_stats", 1, DeviceStepStats, repeated=True),)


class FunctionGraphs(Message):
    """The graph of a function's body, as it was made and as it runs."""

    FIELDS = (
        Field("partition_graphs", 1, GraphDef, repeated=True),
        Field("pre_optimization_graph", 2, GraphDef),
        Field("post_optimization_graph", 3, GraphDef),
    )


class RunMetadata(Message):
    """What a run tells of itself: its time with ``FULL_TRACE``, its graph with ``output_partition_graphs``.

    Source: ``tf.RunMetadata``.
    """

    FunctionGraphs = FunctionGraphs
    FIELDS = (
        Field("step_stats", 1, StepStats),
        Field("partition_graphs", 3, GraphDef, repeated=True),
        Field("function_graphs", 4, FunctionGraphs, repeated=True),
    )


class RunHandlerPoolOptions(Message):
    """How urgent a run is among others of a process; it has no effect."""

    FIELDS = (Field("priority", 1, "int64"),)


class ExperimentalRunOptions(Message):
    """Options that TensorFlow tries out; they have no effect."""

    RunHandlerPoolOptions = RunHandlerPoolOptions
    FIELDS = (
        Field("collective_graph_key", 1, "int64"),
        Field("use_run_handler_pool", 2, "bool"),
        Field("run_handler_pool_options", 3, RunHandlerPoolOptions),
    )


class RunOptions(Message):
    """Options of a run: ``timeout_in_ms`` says how long it may wait at queues, ``trace_level`` and
    ``output_partition_graphs`` what it tells in its `RunMetadata`; the others have no effect.

    Source: ``tf.RunOptions``.
    """

    TraceLevel = Enumeration("tensorflow.RunOptions.TraceLevel", _LEVELS)
    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = _LEVELS.values()
    Experimental = ExperimentalRunOptions
    FIELDS = (
        Field("trace_level", 1, TraceLevel),
        Field("timeout_in_ms", 2, "int64"),
        Field("inter_op_thread_pool", 3, "int32"),
        Field("output_partition_graphs", 5, "bool"),
        Field("debug_options", 6, DebugOptions),
        Field("report_tensor_allocations_upon_oom", 7, "bool"),
        Field("experimental", 8, ExperimentalRunOptions),
    )
