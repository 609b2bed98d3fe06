"""Readers: runs of a session take names of files from a queue, and give the records of these files one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.build import call, convert
from ..graph.dtypes import as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.session_values import lifted
from ..graph.shapes import Shape, text
from . import reader_runs
from .records import TFRecordOptions

__all__ = [
    "FixedLengthRecordReader",
    "IdentityReader",
    "ReaderBase",
    "TFRecordReader",
    "TextLineReader",
    "WholeFileReader",
]

_OPTIONS: dict[str, Any] = {"contextual": True, "differentiable": False, "same": False}


class ReaderBase:
    """What readers share.

    Args:
        reader_ref: the tensor that stands for the reader.
        supports_serialize: whether its state can be had.

    Raises RuntimeError in eager mode. Source: ``tf.ReaderBase``.
    """

    def __init__(self, reader_ref: Any, supports_serialize: bool = False) -> None:
        _refuse_eagerly()
        self._reader_ref: Tensor = reader_ref
        self._supports_serialize = supports_serialize

    @property
    def reader_ref(self) -> Any:
        """The tensor that stands for the reader."""
        return self._reader_ref

    @property
    def supports_serialize(self) -> bool:
        """Whether its state can be had."""
        return self._supports_serialize

    def read(self, queue: Any, name: str | None = None) -> Any:
        """Return the next record: its key and its value, both strings.

        Args:
            queue: the queue from which the next work unit comes where the one before is done.

        Raises OutOfRangeError, in a run, where the queue is closed and empty.
        """
        return self._read("ReaderReadV2", reader_runs.read, (), queue, name)

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """Return the keys and the values of the next records, at most ``num_records``. Raises as `read`."""
        count = convert(num_records, "int64", "num_records")
        return self._read("ReaderReadUpToV2", reader_runs.read_up_to, (count,), queue, name)

    def _read(self, op_type: str, function: Callable[..., Any], more: Any, queue: Any, name: str | None) -> Any:
        ref = queue if isinstance(queue, Tensor) else queue.queue_ref
        shape: Shape = (None,) if more else ()
        types = [as_dtype("string")] * 2
        inputs = (self._reader_ref, ref, *more)
        return call(
            op_type, function, inputs, name=name, outputs=2, shape=lambda *_: [shape, shape], dtype=types, **_OPTIONS
        )

    def num_records_produced(self, name: str | None = None) -> Any:
        """Return the tensor that tells how many records have been read."""
        return self._asked("ReaderNumRecordsProducedV2", reader_runs.produced, "int64", name)

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """Return the tensor that tells how many work units are done."""
        return self._asked("ReaderNumWorkUnitsCompletedV2", reader_runs.completed, "int64", name)

    def serialize_state(self, name: str | None = None) -> Any:
        """Return the state as a string. UnimplementedError, in a run, where a reader does not support it."""
        return self._asked("ReaderSerializeStateV2", reader_runs.serialize, "string", name)

    def restore_state(self, state: Any, name: str | None = None) -> Operation:
        """Return the operation that makes the state one that `serialize_state` gave.

        Raises ValueError for what is no single string; InvalidArgumentError, in a run, for another one.
        """
        state = convert(state, "string", "state")
        if (rank := state.get_shape().ndims) not in (None, 0):
            raise ValueError(f"Shape must be rank 0 but is rank {rank} for a state of shape {text(state.shape.sizes)}")
        return self._operation("ReaderRestoreStateV2", reader_runs.restore, (state,), name)

    def reset(self, name: str | None = None) -> Operation:
        """Return the operation that has it begin anew."""
        return self._operation("ReaderResetV2", reader_runs.reset, (), name)

    def _asked(self, op_type: str, function: Callable[..., Any], dtype: str, name: str | None) -> Any:
        return call(op_type, function, (self._reader_ref,), name=name, shape=(), dtype=dtype, **_OPTIONS)

    def _operation(self, op_type: str, function: Callable[..., Any], more: Any, name: str | None) -> Operation:
        graph = self._reader_ref.graph
        with graph.as_default():
            full = graph._operation_name(name, op_type)
            inputs = [self._reader_ref, *more]
            return Operation(graph, op_type, full, function, inputs, (), True, differentiable=False)


class WholeFileReader(ReaderBase):
    """A reader whose records are whole files; the keys are their names. Source: ``tf.WholeFileReader``."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(_made("WholeFileReader", name), supports_serialize=True)


class TextLineReader(ReaderBase):
    """A reader whose records are the lines of files; the keys are ``file:number``, counted from 1.

    Args:
        skip_header_lines: how many lines at the beginning of each file are left out.

    Source: ``tf.TextLineReader``.
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(_made("TextLineReader", name, skip_header_lines=skip_header_lines or 0))


class FixedLengthRecordReader(ReaderBase):
    """A reader whose records are pieces of files, all of one length; the keys are ``file:number``, counted from 0.

    Args:
        record_bytes: how long a record is.
        header_bytes, footer_bytes: how much of each file is left out before and after the records.
        hop_bytes: how far a record begins behind the one before; 0 for just behind its end.
        encoding: ``"ZLIB"`` for files that are compressed.

    Source: ``tf.FixedLengthRecordReader``.
    """

    def __init__(
        self,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        hop_bytes: int | None = None,
        name: str | None = None,
        encoding: str | None = None,
    ) -> None:
        sizes = {"record_bytes": int(record_bytes), "header_bytes": int(header_bytes or 0)}
        sizes |= {"footer_bytes": int(footer_bytes or 0), "hop_bytes": int(hop_bytes or 0)}
        super().__init__(_made("FixedLengthRecordReader", name, **sizes, encoding=encoding or ""))


class TFRecordReader(ReaderBase):
    """A reader of TFRecord files; the keys are ``file:place``.

    Args:
        options: `tf.python_io.TFRecordOptions`: how the files are compressed.

    Source: ``tf.TFRecordReader``.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        compression = TFRecordOptions.get_compression_type_string(options)
        super().__init__(_made("TFRecordReader", name, compression_type=compression))


class IdentityReader(ReaderBase):
    """A reader whose records are the work units themselves, both key and value. Source: ``tf.IdentityReader``."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(_made("IdentityReader", name), supports_serialize=True)


def _made(kind: str, name: str | None, **arguments: Any) -> Tensor:
    """Return the tensor that stands for a new reader, outside of any branch."""
    _refuse_eagerly()
    graph = get_default_graph()
    with lifted(graph):
        full = graph._operation_name(name, f"{kind}V2")
        made = reader_runs.ReaderKind(kind, full, tuple(arguments.values()))
        told = {key: value.encode() if isinstance(value, str) else value for key, value in arguments.items()}
        told |= {"container": graph._container.encode(), "shared_name": b""}
        results: list[Any] = [(as_dtype("string"), ())]
        operation = Operation(graph, f"{kind}V2", full, made, (), results, True, differentiable=False, attributes=told)
    stands_for: Tensor = operation.outputs[0]
    return stands_for


def _refuse_eagerly() -> None:
    if executing_eagerly():
        raise RuntimeError(
            "Readers are not supported when eager execution is enabled. Read files in Python, and feed arrays instead."
        )
