"""TensorFlow's messages of what runs tell of themselves: `RunMetadata` and its parts.

See: ``tensorflow/core/framework/step_stats.proto`` and ``tensorflow/core/protobuf/config.proto``.
"""

from __future__ import annotations

from .graph_def import GraphDef
from .messages import Field, Message

__all__ = ["DeviceStepStats", "NodeExecStats", "RunMetadata", "StepStats"]


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
