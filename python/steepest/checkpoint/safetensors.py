"""The safetensors format: a length, a header in JSON, and the tensors, each with a checksum of ours.

The header's ``__metadata__`` has, beside what the writer gives, ``steepest.header_crc32`` (of the header, with zeros in
its own place; always first) and ``steepest.crc32``, the CRC-32 of each tensor's bytes by name. A damaged byte shows:
in one of the two, in the file's length, or in what no longer parses. Files that other programs wrote have no checksums.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import sys
import zlib
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from .. import _core
from ..base.dtypes import is_bfloat16
from ..base.errors import must
from ..base.typing import Array
from .pieces import Pieces

__all__ = ["TensorFile", "Writing"]

_DTYPES = {
    "F64": "<f8",
    "I64": "<i8",
    "U64": "<u8",
    "F32": "<f4",
    "I32": "<i4",
    "U32": "<u4",
    "F16": "<f2",
    "I16": "<i2",
    "U16": "<u2",
    "I8": "|i1",
    "U8": "|u1",
    "BOOL": "|b1",
}
_CODES = {np.dtype(name): code for code, name in _DTYPES.items()}
_METADATA = "__metadata__"
_HEADER_CRC, _CRCS = "steepest.header_crc32", "steepest.crc32"
_BEGIN = f'{{"{_METADATA}":{{"{_HEADER_CRC}":"'.encode()
_NO_CRC = b"0" * 8
_CHUNK = 1 << 18
_LONGEST_HEADER = 100_000_000  # the format's own limit


class Writing:
    """Tensors that are about to be written, by name, in the order of the file; and text beside them.

    Raises:
        TypeError: for an array of complex numbers, strings, objects or the like.
    """

    def __init__(self, who: str, tensors: Mapping[str, Any], metadata: Mapping[str, str]) -> None:
        arrays = {name: v if isinstance(v, Pieces) else np.asarray(v) for name, v in tensors.items()}
        self._codes = {name: _code(who, name, array.dtype) for name, array in arrays.items()}
        # Wide types first, so that every tensor is aligned wherever it is mapped.
        self._order = sorted(arrays, key=lambda name: -arrays[name].dtype.itemsize)
        self._arrays, self._metadata = arrays, metadata

    def in_order(self) -> list[Any]:
        """Return the arrays in the order in which they are written."""
        return [self._arrays[name] for name in self._order]

    def write(self, file: IO[bytes]) -> None:
        """Write the file from its beginning: the tensors are read once, the header is completed last."""
        offset = len(self._header({}))
        file.seek(offset)
        sums = {name: f"{_write(file, self._arrays[name]):08x}" for name in self._order}
        header = self._header(sums)
        assert len(header) == offset
        file.seek(0)
        file.write(header)

    def _header(self, sums: Mapping[str, str]) -> bytes:
        crcs = {name: sums.get(name, _NO_CRC.decode()) for name in self._order}
        metadata = {_HEADER_CRC: _NO_CRC.decode(), **self._metadata, _CRCS: _dumps(crcs)}
        entries: dict[str, Any] = {_METADATA: metadata}
        position = 0
        for name in self._order:
            array, end = self._arrays[name], position + self._arrays[name].nbytes
            entries[name] = {
                "dtype": self._codes[name],
                "shape": list(array.shape),
                "data_offsets": [position, end],
            }
            position = end
        text = _dumps(entries).encode("ascii")
        text += b" " * (-len(text) % 8)
        text = text.replace(_BEGIN + _NO_CRC, _BEGIN + f"{zlib.crc32(text):08x}".encode(), 1)
        return len(text).to_bytes(8, "little") + text


def _dumps(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def _code(who: str, name: str, dtype: np.dtype[Any]) -> str:
    if is_bfloat16(dtype):
        return "BF16"
    code = _CODES.get(dtype.newbyteorder("<") if dtype.kind in "biuf" else dtype)
    if code is None:
        raise TypeError(must(who, f"{name!r}", "be of real numbers or booleans", f"dtype {dtype}"))
    return code


def _write(file: IO[bytes], array: Array | Pieces, crc: int = 0) -> int:
    """Write an array's elements, in order and little-endian; return their checksum, after bytes of checksum ``crc``."""
    if isinstance(array, Pieces):
        for piece in array.pieces():
            crc = _write(file, piece, crc)
        return crc
    if array.dtype.byteorder == ">" or (array.dtype.byteorder == "=" and sys.byteorder == "big"):
        array = array.astype(array.dtype.newbyteorder("<"))
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for start in range(0, flat.size, _CHUNK):  # a chunk is in the cache for both
        chunk = flat[start : start + _CHUNK]
        crc = _core.crc32(chunk, crc)
        file.write(chunk.data)
    return crc


class TensorFile:
    """An open file, mapped into memory: its tensors are read when they are asked for. No code in it is ever run.

    Raises:
        FileNotFoundError: where there is none.
        OSError: where it cannot be read.
        ValueError: for a file that is damaged or of another format; `tensor` names the tensor that is.
    """

    def __init__(self, who: str, path: str | os.PathLike[str]) -> None:
        self._who, self._path = who, path
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < 8:
                raise self._damaged(f"its {size} bytes have no header")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        length = int.from_bytes(self._map[:8], "little")
        if length > min(size - 8, _LONGEST_HEADER):
            raise self._damaged(f"a header of {length} bytes does not fit into {size} bytes: truncated")
        self._start = 8 + length
        entries = self._parsed(self._map[8 : self._start])
        self.metadata: dict[str, str] = entries.pop(_METADATA, {})
        self._check_metadata(self._map[8 : self._start])
        self._entries = entries
        self._check_entries(size - self._start)
        self._checksums = self._parsed(self.metadata[_CRCS].encode()) if _CRCS in self.metadata else {}
        if self._checksums and set(self._checksums) != set(entries):
            raise self._damaged("its checksums are of other tensors")

    def _parsed(self, text: bytes) -> dict[str, Any]:
        try:
            parsed = json.loads(text, object_pairs_hook=_without_duplicates)
        except (ValueError, RecursionError) as error:
            raise self._damaged(f"its header cannot be read: {error}") from None
        if not isinstance(parsed, dict):
            raise self._damaged("its header is not a JSON object")
        return parsed

    def _check_metadata(self, header: bytes) -> None:
        metadata = self.metadata
        if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
            raise self._damaged("its metadata is not text")
        ours = [key for key in metadata if key.startswith("steepest.")]
        if not ours:
            return
        place = len(_BEGIN)
        found = header[place : place + 8]
        zeroed = header[:place] + _NO_CRC + header[place + 8 :]
        if not header.startswith(_BEGIN) or found != f"{zlib.crc32(zeroed):08x}".encode():
            raise self._damaged("the checksum of its header is another one")

    def _check_entries(self, size: int) -> None:
        spans = []
        for name, entry in self._entries.items():
            if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
                raise self._damaged(f"tensor {name!r} has no dtype, shape and data_offsets")
            code, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
            if code not in _DTYPES and code != "BF16":
                raise self._damaged(f"tensor {name!r} has the unknown type {code!r:.40}")
            numbers = isinstance(shape, list) and isinstance(offsets, list) and len(offsets) == 2
            if not numbers or not all(type(n) is int and 0 <= n < 2**63 for n in [*shape, *offsets]) or len(shape) > 32:
                raise self._damaged(f"tensor {name!r} has an impossible shape or place")
            width = 2 if code == "BF16" else np.dtype(_DTYPES[code]).itemsize
            if offsets[1] - offsets[0] != math.prod(shape) * width:
                raise self._damaged(f"tensor {name!r} has another size than its shape")
            spans.append((*offsets, name))
        end = 0
        for first, last, name in sorted(spans):
            if first != end:
                raise self._damaged(f"tensor {name!r} does not begin where the one before ends")
            end = last
        if end != size:
            raise self._damaged(f"{size} bytes follow the header, {end} belong to tensors: truncated or longer")

    def _damaged(self, what: str) -> ValueError:
        return ValueError(must(self._who, "path", "be a whole checkpoint", f"{os.fspath(self._path)!r}: {what}"))

    def names(self) -> list[str]:
        """Return the names of all tensors."""
        return list(self._entries)

    def tensor(self, name: str, mapped: bool = True) -> Array:
        """Return a tensor; ValueError where its bytes are not those that were written.

        ``mapped``: a read-only view of the file, else a copy, which is made while the bytes are checked.
        """
        if name not in self._entries:
            raise self._damaged(f"it has no tensor {name!r}")
        entry = self._entries[name]
        first, last = (self._start + offset for offset in entry["data_offsets"])
        flat = np.frombuffer(self._map, np.uint8, last - first, first) if last > first else np.empty(0, np.uint8)
        dtype = _dtype(entry["dtype"])
        if not mapped:
            made = np.empty(entry["shape"], dtype)
            copy = made.reshape(-1).view(np.uint8)
        expected, out = self._checksums.get(name), None if mapped else copy
        if expected is None and out is not None:
            _core.copy_bytes(flat, out)
        if expected is not None and expected != f"{_core.crc32(flat, 0, out):08x}":
            raise self._damaged(f"the bytes of tensor {name!r} have another checksum than when they were written")
        if sys.byteorder == "big":
            flat = (flat if out is None else out).view(dtype).byteswap(inplace=out is not None).view(np.uint8)
        if not mapped:
            return made
        flat.flags.writeable = False
        shaped: Array = flat.view(dtype).reshape(entry["shape"])
        return shaped

    def close(self) -> None:
        """Unmap the file where nothing shows it any more; else the last view of a tensor does."""
        try:
            self._map.close()
        except BufferError:
            return


def _dtype(code: str) -> Any:
    if code == "BF16":
        from ml_dtypes import bfloat16

        return np.dtype(bfloat16)
    return np.dtype(_DTYPES[code]).newbyteorder("=")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name comes twice")
    return found
