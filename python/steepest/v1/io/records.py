"""TFRecord files: records of bytes one after another, each with checksums, compressed or not."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from types import TracebackType
from typing import Any

from ...checkpoint.foreign.crc32c import crc32c, unmasked
from ..graph.errors import DataLossError, FailedPreconditionError
from ..graph.file_errors import translated
from ..ops.string_ops import as_bytes

__all__ = ["TFRecordCompressionType", "TFRecordOptions", "TFRecordWriter", "tf_record_iterator"]


class TFRecordCompressionType:
    """How a file is compressed. Source: ``tf.python_io.TFRecordCompressionType``."""

    NONE, ZLIB, GZIP = range(3)


class TFRecordOptions:
    """How a file is compressed, and what zlib is told when it is written. Source: ``tf.python_io.TFRecordOptions``."""

    compression_type_map = {0: "", 1: "ZLIB", 2: "GZIP"}  # noqa: RUF012 - shared, as TensorFlow's

    def __init__(
        self,
        compression_type: Any = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ) -> None:
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size, self.output_buffer_size = input_buffer_size, output_buffer_size
        self.window_bits, self.compression_level = window_bits, compression_level
        self.compression_method, self.mem_level = compression_method, mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """Return ``""``, ``"ZLIB"`` or ``"GZIP"`` for options, a number or a name. Raises ValueError for others."""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if not options:
            return ""
        found = cls.compression_type_map.get(options, options)
        if found not in cls.compression_type_map.values():
            raise ValueError(f'Not a valid compression_type: "{options}"')
        return str(found)

    def compressor(self) -> Any:
        """Return zlib's object that compresses so, None for none."""
        kind = self.get_compression_type_string(self)
        if not kind:
            return None
        bits = self.window_bits or zlib.MAX_WBITS
        return zlib.compressobj(
            -1 if self.compression_level is None else self.compression_level,
            self.compression_method or zlib.DEFLATED,
            bits + 16 if kind == "GZIP" and 0 < bits < 16 else bits,
            self.mem_level or zlib.DEF_MEM_LEVEL,
            self.compression_strategy or zlib.Z_DEFAULT_STRATEGY,
        )


_AT_ONCE = 256 * 1024  # how many bytes TensorFlow gives to zlib at once


def _checksum(data: bytes) -> bytes:
    crc = crc32c(data)
    return (((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF).to_bytes(4, "little")


class TFRecordWriter:
    """Write records of bytes to a file, which is made anew.

    Args:
        path: the file.
        options: `TFRecordOptions`, or the name or number of a way to compress.

    Source: ``tf.python_io.TFRecordWriter``.
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        self._options = options if isinstance(options, TFRecordOptions) else TFRecordOptions(options)
        self._compressor, self._waiting = self._options.compressor(), b""
        self._file: Any = translated(open)(os.fspath(path), "wb")

    def write(self, record: Any) -> None:
        """Append a record; text as UTF-8. Raises FailedPreconditionError when the writer is closed."""
        self._open("write")
        data = as_bytes(record)
        length = len(data).to_bytes(8, "little")
        for part in (length + _checksum(length), data, _checksum(data)):
            self._write(part)

    def _write(self, part: bytes) -> None:
        """Write a part of a record; a compressed one waits until as many bytes have come as zlib is to take at once."""
        if self._compressor is None:
            self._file.write(part)
            return
        most = self._options.input_buffer_size or _AT_ONCE
        if len(self._waiting) + len(part) <= most:
            self._waiting += part
            return
        self._compress()
        self._waiting = part
        if len(part) > most:
            self._compress()

    def _compress(self) -> None:
        self._file.write(self._compressor.compress(self._waiting))
        if self._options.flush_mode:
            self._file.write(self._compressor.flush(self._options.flush_mode))
        self._waiting = b""

    def flush(self) -> None:
        """Have what was written be in the file, as far as the compression's ``flush_mode`` lets it."""
        self._open("flush")
        if self._compressor is not None:
            self._compress()
        self._file.flush()

    def _open(self, what: str) -> None:
        if self._file is None:
            raise FailedPreconditionError(None, None, f"Writer is closed: it cannot {what}.")

    def close(self) -> None:
        """Write what waits and close the file."""
        if self._file is not None:
            if self._compressor is not None:
                self._file.write(self._compressor.compress(self._waiting) + self._compressor.flush())
            self._file.close()
        self._file = None

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Records:
    """The records of a file, in order; a file that is not compressed is looked at again after the last one."""

    def __init__(self, path: Any, compression: str) -> None:
        self._path, self._place = os.fspath(path), 0
        self._growing = not compression
        self._file = translated(gzip.open)(self._path, "rb") if compression == "GZIP" else self._opened()
        if compression == "ZLIB":
            with self._file as file:
                data = file.read()
            self._file = io.BytesIO(_inflated(data))

    def _opened(self) -> Any:
        return translated(open)(self._path, "rb")

    @property
    def place(self) -> int:
        """Where in the file, as it is without compression, the next record begins."""
        return self._place

    def begin_at(self, place: int) -> None:
        """Read on from a place; the file is not a compressed one."""
        self._file.seek(place)
        self._place = place

    def __iter__(self) -> _Records:
        return self

    def __next__(self) -> bytes:
        if self._file.closed:
            if not self._growing:
                raise StopIteration
            self._file = self._opened()
            self._file.seek(self._place)
        try:
            head = self._read(12)
            if len(head) < 12:  # the rest may come while the file is written
                raise StopIteration
            size = int.from_bytes(self._checked(head, 12), "little")
            data = self._checked(self._read(size + 4), size + 4)
        except (StopIteration, DataLossError):
            self._file.close()
            raise
        self._place += size + 16
        return data

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()

    def _read(self, size: int) -> bytes:
        try:
            return bytes(self._file.read(size))
        except (OSError, EOFError, zlib.error, OverflowError) as error:
            raise DataLossError(None, None, f"corrupted record at {self._place}: {error}") from error

    def _checked(self, data: bytes, size: int) -> bytes:
        """Return bytes without the checksum behind them; DataLossError where it is not theirs."""
        if len(data) != size:
            raise DataLossError(None, None, f"truncated record at {self._place}")
        if crc32c(data[:-4]) != unmasked(int.from_bytes(data[-4:], "little")):
            raise DataLossError(None, None, f"corrupted record at {self._place}")
        return data[:-4]


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data)
    except zlib.error as error:
        raise DataLossError(None, None, f"inflate() failed: {error}") from error


def tf_record_iterator(path: Any, options: Any = None) -> _Records:
    """Return the records of a file, one after another.

    Args:
        path: the file.
        options: `TFRecordOptions`, or the name or number of the way it was compressed.

    Raises:
        DataLossError: for bytes that are not those that were written.

    Source: ``tf.python_io.tf_record_iterator``.
    """
    return _Records(path, TFRecordOptions.get_compression_type_string(options))
