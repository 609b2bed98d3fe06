"""Named arrays in one file: the layer under checkpoints of objects, and all that `v1.train.Saver` needs."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..base.errors import describe, must
from ..base.runtime import package_version
from ..base.typing import Array
from .atomic import checked_path, write_whole
from .npz import is_npz, read_npz
from .safetensors import TensorFile, Writing
from .structure import Tagged, decode, encode

__all__ = ["FORMAT", "SUFFIX", "load_arrays", "read_tree", "save_arrays", "tree_writing", "write_tree"]

_version = functools.cache(package_version)
SUFFIX = ".safetensors"
FORMAT = 1
"""The number of the format that is written, and the newest that is read."""


def write_tree(who: str, path: str | os.PathLike[str], tree: Any, rules: Iterable[str] = ()) -> None:
    """Write a tree of plain values (`structure.encode`) to a file, whole or not at all."""
    write_whole(who, path, tree_writing(who, tree, rules).write)


def tree_writing(who: str, tree: Any, rules: Iterable[str]) -> Writing:
    """Return how a tree of plain values is written."""
    text, tensors = encode(who, tree)
    metadata = {
        "steepest.format": str(FORMAT),
        "steepest.version": _version(),
        "steepest.rules": json.dumps(sorted(set(rules))),
        "steepest.structure": text,
    }
    return Writing(who, tensors, metadata)


def read_tree(who: str, path: str | os.PathLike[str], mapped: bool = True) -> Any:
    """Return the tree in a file, every checksum compared.

    ``mapped``: its arrays are read-only views of the mapped file, else copies.

    A file of another program's is a dict of its tensors; so is an ``.npz``.

    Raises:
        FileNotFoundError: where there is no file.
        IsADirectoryError: for a folder.
        OSError: for a device, or a file that may not be read.
        ValueError: for a file that is damaged, of another format, or of a newer version of this one.
    """
    shown = repr(checked_path(who, path))
    if os.path.isdir(path):
        raise IsADirectoryError(must(who, "path", "be a file", f"{shown}, which is a directory"))
    if not os.path.exists(path):
        raise FileNotFoundError(must(who, "path", "be an existing file", shown))
    if not os.path.isfile(path):
        raise OSError(must(who, "path", "be a file", f"{shown}, which is a device"))
    try:
        if is_npz(path):
            return read_npz(who, path)
        file = TensorFile(who, path)
    except PermissionError as error:
        raise PermissionError(must(who, "path", "be readable", f"{shown} ({error.strerror})")) from error
    metadata = file.metadata
    version = metadata.get("steepest.format")
    if version is None:
        return {name: file.tensor(name, mapped) for name in file.names()}
    if not version.isascii() or not version.isdigit() or int(version) > FORMAT:
        got, remedy = f"{shown} of format {version}", f"upgrade steepest (written by {metadata['steepest.version']})"
        raise ValueError(must(who, "path", f"have a format of at most {FORMAT}", got, remedy))
    tensors = {name: file.tensor(name, mapped) for name in file.names()}
    try:
        return decode(metadata["steepest.structure"], tensors.__getitem__)
    except (ValueError, KeyError) as error:
        raise ValueError(must(who, "path", "be a whole checkpoint", f"{shown}: {error}")) from error


def save_arrays(path: str | os.PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Write arrays to ``path``. Until the whole file is on the disk, what was there before stays.

    Args:
        path: the file; by custom it ends in ``.safetensors``.
        arrays: arrays, Variables or numbers by name. Any string is a name.

    Raises:
        OSError: when the disk is full or the folder cannot be written to; then nothing has changed.
        TypeError: for an array of complex numbers, strings or objects.
        ValueError: for a path that ends in ``.npz``, which this is not.

    Example:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "arrays.safetensors")
        >>> st.checkpoint.save_arrays(path, {"w": np.ones(2)})
        >>> st.checkpoint.load_arrays(path)["w"].tolist()
        [1.0, 1.0]
    """
    name = checked_path("save_arrays", path)
    if name.endswith(".npz"):
        remedy = "name it .safetensors, or write it with numpy.savez"
        raise ValueError(must("save_arrays", "path", "not end in .npz", repr(name), remedy))
    if not isinstance(arrays, Mapping):
        raise TypeError(must("save_arrays", "arrays", "be a dict of arrays by name", describe(arrays)))
    write_tree("save_arrays", path, {name: plain_array(value) for name, value in arrays.items()})


def plain_array(value: Any) -> Any:
    """Return an array as it is, a Variable's value, a number as an array of no axes."""
    return np.asarray(getattr(value, "value", value))


def load_arrays(path: str | os.PathLike[str], mapped: bool = False) -> dict[str, Array]:
    """Return the arrays of a file by name: of `save_arrays`, of the safetensors package, of ``numpy.savez``.

    Args:
        path: the file.
        mapped: return read-only views of the file, mapped into memory, instead of copies.

    Raises:
        FileNotFoundError: where there is none.
        ValueError: for a file that is not a checkpoint, is damaged, or holds more than named arrays.

    Example:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "arrays.safetensors")
        >>> st.checkpoint.save_arrays(path, {"w": np.ones(2)})
        >>> st.checkpoint.load_arrays(path, mapped=True)["w"].flags.writeable
        False
    """
    tree = read_tree("load_arrays", path, mapped)
    if isinstance(tree, dict):
        tree = {
            name: value.content["value"] if isinstance(value, Tagged) and value.kind == "variable" else value
            for name, value in tree.items()
        }
    if not isinstance(tree, dict) or not all(hasattr(value, "dtype") for value in tree.values()):
        remedy = "read it with steepest.restore, or steepest.checkpoint.load"
        raise ValueError(must("load_arrays", "path", "hold named arrays alone", repr(os.fspath(path)), remedy))
    return tree
