"""TensorFlow's messages of what its debugger watches: programs put them into the options of runs, without effect here.

See: ``tensorflow/core/protobuf/debug.proto``.
"""

from __future__ import annotations

from .messages import Field, Message

__all__ = ["DebugOptions", "DebugTensorWatch", "DebuggedSourceFile", "DebuggedSourceFiles"]


class DebugTensorWatch(Message):
    """A tensor that is watched, with the operations that look at it and the places that are told."""

    FIELDS = (
        Field("node_name", 1, "string"),
        Field("output_slot", 2, "int32"),
        Field("debug_ops", 3, "string", repeated=True),
        Field("debug_urls", 4, "string", repeated=True),
        Field("tolerate_debug_op_creation_failures", 5, "bool"),
    )


class DebugOptions(Message):
    """What is watched in a run."""

    FIELDS = (
        Field("debug_tensor_watch_opts", 4, DebugTensorWatch, repeated=True),
        Field("global_step", 10, "int64"),
        Field("reset_disk_byte_usage", 11, "bool"),
    )


class DebuggedSourceFile(Message):
    """A file of a program that is watched."""

    FIELDS = (
        Field("host", 1, "string"),
        Field("file_path", 2, "string"),
        Field("last_modified", 3, "int64"),
        Field("bytes", 4, "int64"),
        Field("lines", 5, "string", repeated=True),
    )


class DebuggedSourceFiles(Message):
    """The files of a program that is watched."""

    FIELDS = (Field("source_files", 1, DebuggedSourceFile, repeated=True),)
