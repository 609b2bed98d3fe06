"""Records of many files in a random order: TensorFlow's ``RecordInput``; and records by their place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..graph.build import call
from ..graph.errors import FailedPreconditionError, InvalidArgumentError, NotFoundError
from ..graph.scopes import name_scope
from ..ops.array_ops import reshape
from ..ops.concat_ops import split
from .gfile import glob
from .records import TFRecordOptions, _Records, tf_record_iterator

__all__ = ["RecordInput", "record_input", "tf_record_random_reader"]


class _Epochs:
    """The records of all files, each once before one comes again: files and records come in a random order."""

    def __init__(self, pattern: str, options: Any, buffer: int, shift: float, seed: int) -> None:
        self._pattern, self._options, self._buffer, self._shift = pattern, options, buffer, shift
        self._random = np.random.default_rng(seed)
        self._records = self._endless()

    def take(self, count: int) -> list[bytes]:
        return [next(self._records) for _ in range(count)]

    def _endless(self) -> Iterator[bytes]:
        files, epoch = sorted(glob(self._pattern)), 0
        if not files:
            raise NotFoundError(None, None, f"Found no files at {self._pattern}")
        files = [files[k] for k in self._random.permutation(len(files))]
        while True:
            first = int(self._shift * epoch * len(files)) % len(files)
            held: list[bytes] = []
            count = 0
            for file in files[first:] + files[:first]:
                for record in tf_record_iterator(file, self._options):
                    held.append(record)
                    count += 1
                    if len(held) > self._buffer:
                        yield self._one(held)
            while held:
                yield self._one(held)
            if not count:
                raise InvalidArgumentError(None, None, f"Found no records in the files at {self._pattern}")
            epoch += 1

    def _one(self, held: list[bytes]) -> bytes:
        at = int(self._random.integers(len(held)))
        held[at], held[-1] = held[-1], held[at]
        return held.pop()


def record_input(
    file_pattern: str,
    file_random_seed: int = 301,
    file_shuffle_shift_ratio: float = 0,
    file_buffer_size: int = 10000,
    file_parallelism: int = 16,
    batch_size: int = 32,
    compression_type: str = "",
    name: str | None = None,
) -> Any:
    """Return a vector of ``batch_size`` records, others in each run; a session begins with the first epoch.

    ``file_buffer_size``: among so many records the next one is chosen. Raises InvalidArgumentError in a run for numbers
    that are too small, NotFoundError where no file has such a name. Source: ``gen_data_flow_ops.record_input``.
    """
    states: WeakKeyDictionary[Any, _Epochs] = WeakKeyDictionary()

    def taken(session: Any) -> Any:
        for what, value, least in (
            ("file_parallelism", file_parallelism, 0),
            ("batch_size", batch_size, 1),
            ("file_buffer_size", file_buffer_size, 1),
        ):
            if value < least:
                raise InvalidArgumentError(None, None, f"{what} should >= {least}, got {value}")
        if compression_type not in ("", "GZIP", "ZLIB"):
            raise InvalidArgumentError(None, None, f"Unknown compression_type: {compression_type!r}")
        if (epochs := states.get(session)) is None:
            rest = file_buffer_size, file_shuffle_shift_ratio, abs(file_random_seed)
            epochs = states[session] = _Epochs(file_pattern, compression_type, *rest)
        out = np.empty(batch_size, object)
        out[:] = epochs.take(batch_size)
        return out

    shape = (batch_size if batch_size > 0 else None,)
    options: Any = {"contextual": True, "writes": True, "differentiable": False, "same": False}
    return call("RecordInput", taken, (), name=name, shape=shape, dtype="string", **options)


class RecordInput:
    """Records of many files in a random order, epoch after epoch. Source: ``data_flow_ops.RecordInput``.

    Args:
        file_pattern: which files.
        batch_size: how many records there are in a run; with ``batches`` in each of so many lists.
        buffer_size: among so many records the next one is chosen.
        parallelism: is accepted: files are read one after the other.
        shift_ratio: of the files so many are passed at the beginning of the next epoch.
        seed, name, compression_type: of the draws, of the operation, of the files.
    """

    def __init__(
        self,
        file_pattern: str,
        batch_size: int = 1,
        buffer_size: int = 1,
        parallelism: int = 1,
        shift_ratio: float = 0,
        seed: int = 0,
        name: str | None = None,
        batches: int | None = None,
        compression_type: Any = None,
    ) -> None:
        self._name, self._batches, self._count = name, batches, batch_size * (batches or 1)
        self._arguments = file_pattern, seed, shift_ratio, buffer_size, parallelism, self._count
        self._compression = TFRecordOptions.get_compression_type_string(TFRecordOptions(compression_type))

    def get_yield_op(self) -> Any:
        """Return the vector of records, with ``batches`` so many lists of scalars in its place."""
        records = record_input(*self._arguments, self._compression, self._name)
        if self._batches is None:
            return records
        lists: list[list[Any]] = [[] for _ in range(self._batches)]
        with name_scope(self._name or "record_input"):
            for k, record in enumerate(split(records, self._count, 0)):
                lists[k % self._batches].append(reshape(record, []))
        return lists


class _RandomReader:
    """Reads records of a file that is not compressed, by where they begin."""

    def __init__(self, path: Any) -> None:
        self._path: Any = path
        _Records(path, "")  # NotFoundError where it is not there

    def read(self, offset: int) -> tuple[bytes, int]:
        """Return a record, and where the next one begins.

        Raises IndexError behind the last record, DataLossError where none begins, FailedPreconditionError once closed.
        """
        if self._path is None:
            raise FailedPreconditionError(None, None, "Random TFRecord Reader is closed.")
        if not isinstance(offset, int) or offset < 0:
            raise TypeError(f"read(): offset must be a whole number that is not negative, got {offset!r}")
        if offset >= os.path.getsize(self._path):
            raise IndexError(f"Out of range at reading offset {offset}")
        records = _Records(self._path, "")
        records.begin_at(offset)
        record = next(records)
        return record, records.place

    def close(self) -> None:
        """Read no more."""
        self._path = None


def tf_record_random_reader(path: Any) -> _RandomReader:
    """Return what reads the records of a file by their places. Source: ``tf_record.tf_record_random_reader``."""
    return _RandomReader(path)
