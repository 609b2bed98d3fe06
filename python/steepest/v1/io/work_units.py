"""The records of a reader's work units: how files are opened and taken apart."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from ..graph.errors import DataLossError
from ..graph.file_errors import translated
from .records import tf_record_iterator

__all__ = ["OPENED", "SINGLE", "Record"]

Record = tuple[bytes, bytes]


class _Once:
    """A work unit that is one record; where it cannot be read, it is tried again."""

    def __init__(self, work: bytes, value: Callable[[bytes], bytes]) -> None:
        self._work, self._value = work, value

    def __iter__(self) -> Iterator[Record]:
        return self

    def __next__(self) -> Record:
        return self._work, self._value(self._work)


class _Keyed:
    """The records of a TFRecord file, and where in it each begins."""

    def __init__(self, work: bytes, compression: str) -> None:
        self._work, self._records = work, tf_record_iterator(os.fsdecode(work), compression)

    def __iter__(self) -> Iterator[Record]:
        return self

    def __next__(self) -> Record:
        key = b"%s:%d" % (self._work, self._records.place)
        return key, next(self._records)


@translated
def _content(path: bytes) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _of_file(records: Callable[..., Iterator[Record]]) -> Callable[..., Iterator[Record]]:
    """Return the function that opens a file at once, and gives what ``records(file, its name, ...)`` yields."""

    def opened(work: bytes, *arguments: Any) -> Iterator[Record]:
        def inside() -> Iterator[Record]:
            with translated(open)(work, "rb") as file:
                yield work, b""
                yield from records(file, work, *arguments)

        begun = inside()
        next(begun)  # a file that is not there is an error now; and what has begun closes its file when it is given up
        return begun

    return opened


@_of_file
def _lines(file: Any, work: bytes, skipped: int) -> Iterator[Record]:
    """Yield the lines of a file without their ends; keys count from 1."""
    for number, line in enumerate(file, 1):
        if number > skipped:
            yield b"%s:%d" % (work, number), line.removesuffix(b"\n").removesuffix(b"\r")


@_of_file
def _fixed(file: Any, work: bytes, length: int, header: int, footer: int, hop: int, encoding: str) -> Iterator[Record]:
    """Yield the records of one length between a file's header and its footer."""
    content = _inflated(file.read()) if encoding == "ZLIB" else None
    for number in range(2**63):
        start = header + number * (hop or length)
        if content is None:
            file.seek(start)
            found = file.read(length + footer)
        else:
            found = content[start : start + length + footer]
        if len(found) < length + footer:
            return
        yield b"%s:%d" % (work, number), found[:length]


def _inflated(data: bytes) -> bytes:
    try:
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else zlib.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise DataLossError(None, None, f"inflate() failed: {error}") from error


def _itself(work: bytes) -> Iterator[Record]:
    return _Once(work, bytes)


def _whole(work: bytes) -> Iterator[Record]:
    return _Once(work, _content)


OPENED: dict[str, Callable[..., Iterator[Record]]] = {
    "IdentityReader": _itself,
    "WholeFileReader": _whole,
    "TextLineReader": _lines,
    "FixedLengthRecordReader": _fixed,
    "TFRecordReader": _Keyed,
}
SINGLE = frozenset({"IdentityReader", "WholeFileReader"})
"""Readers whose work units are one record each."""
