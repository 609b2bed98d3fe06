"""Checkpoints: named arrays in one file, written whole or not at all.

The file is NumPy's ``.npz``: ``np.load`` reads it, one entry for each name. bfloat16, which NumPy cannot name, is
stored as ``uint16`` under ``<name>::bfloat16``.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .base.dtypes import is_bfloat16
from .base.errors import must

__all__ = ["SUFFIX", "load_arrays", "save_arrays"]

SUFFIX = ".npz"
_BFLOAT16 = "::bfloat16"


def save_arrays(path: str | os.PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Write arrays to ``path``. Until the whole file is on the disk, what was there before stays.

    Raises OSError when the disk is full or the folder cannot be written to; then nothing has changed.
    """
    target = Path(path)
    entries: dict[str, Any] = {}
    for name, array in arrays.items():
        array = np.asarray(array)
        entries.update({name + _BFLOAT16: array.view(np.uint16)} if is_bfloat16(array.dtype) else {name: array})
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **entries)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def load_arrays(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the arrays of a file by name.

    Raises FileNotFoundError where there is none, ValueError for a file that is not a checkpoint or is damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name.removesuffix(_BFLOAT16): _restored(name, file[name]) for name in file.files}
    except FileNotFoundError:
        raise
    except (zipfile.BadZipFile, ValueError, OSError, KeyError, EOFError, AttributeError) as error:
        raise ValueError(must("load_arrays", "path", "be a whole checkpoint", str(path), str(error))) from error


def _restored(name: str, array: Any) -> Any:
    if not name.endswith(_BFLOAT16):
        return array
    from ml_dtypes import bfloat16

    return array.view(bfloat16)
