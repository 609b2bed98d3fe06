"""Checkpoints of before: NumPy's ``.npz``, read only.

One entry for each name; bfloat16, which NumPy cannot name, is stored as ``uint16`` under ``<name>::bfloat16``.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..base.errors import must
from ..base.typing import Array

__all__ = ["is_npz", "read_npz"]

_BFLOAT16 = "::bfloat16"
_MAGIC = b"PK"


def is_npz(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file begins as an ``.npz`` does."""
    with open(path, "rb") as file:
        return file.read(2) == _MAGIC


def read_npz(who: str, path: str | os.PathLike[str]) -> dict[str, Array]:
    """Return the arrays of a file by name; ValueError for one that is damaged or holds objects."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            _check_contiguous(archive)
        with np.load(path, allow_pickle=False) as file:
            return {name.removesuffix(_BFLOAT16): _restored(name, file[name]) for name in file.files}
    except MemoryError:
        raise
    except Exception as error:  # a damaged zip file raises whatever its readers stumble over
        raise ValueError(must(who, "path", "be a whole checkpoint", f"{os.fspath(path)!r}: {error}")) from error


def _check_contiguous(archive: Any) -> None:
    """Raise where the list of entries does not account for the whole file: a damaged list may leave some out."""
    entries = sorted(archive.infolist(), key=lambda entry: entry.header_offset)
    place = 0
    for entry in entries:
        if entry.header_offset != place:
            raise ValueError(f"entry {entry.filename!r} does not begin where the one before ends")
        archive.fp.seek(place)
        header = archive.fp.read(30)
        place += 30 + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        place += entry.compress_size
        if entry.flag_bits & 8:
            return  # written to a pipe, with descriptors between: NumPy does not
    if place != archive.start_dir:
        raise ValueError("entries are missing from its list")


def _restored(name: str, array: Array) -> Array:
    if not name.endswith(_BFLOAT16):
        return array
    from ml_dtypes import bfloat16

    return array.view(bfloat16)
