"""Rows and columns of a checkpoint's matrix in the order of another vocabulary; new words have values of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError, UnimplementedError
from ..graph.file_errors import translated
from ..graph.run_values import array_of
from ..graph.static_values import constant_value
from ..ops.concat_ops import concat
from ..variables.initializers import Zeros
from .checkpoint_state import load_checkpoint

__all__ = [
    "_load_and_remap_matrix",
    "_load_and_remap_matrix_initializer",
    "_load_embedding_initializer",
    "generate_vocab_remapping",
    "load_and_remap_matrix",
]

Initializer = Callable[..., Any]


@translated
def _words(path: str) -> list[bytes]:
    with open(path, "rb") as file:
        return file.read().splitlines()


def _path(value: Any) -> str:
    item = array_of(value).item()
    return os.fsdecode(item if isinstance(item, bytes) else str(item))


def _remapped(new: list[bytes], old: list[bytes], offset: int, count: int, old_size: int) -> Any:
    """Return where each of some new words was among the old ones, -1 for none."""
    if offset < 0 or count < 0 or offset + count > len(new):
        problem = f"a vocabulary of {len(new)} words has none of {offset} to {offset + count}"
        raise InvalidArgumentError(None, None, problem)
    if old_size > len(old):
        problem = f"Invalid old_vocab_size of {old_size}: the vocabulary has {len(old)} words"
        raise InvalidArgumentError(None, None, problem)
    place = {word: number for number, word in enumerate(old[:old_size] if old_size >= 0 else old)}
    return np.array([place.get(word, -1) for word in new[offset : offset + count]], np.int64)


def generate_vocab_remapping(
    new_vocab_file: Any,
    old_vocab_file: Any,
    new_vocab_offset: int,
    num_new_vocab: int,
    old_vocab_size: int = -1,
    name: str | None = None,
) -> Any:
    """Return where each of ``num_new_vocab`` lines of a file is in another file, -1 for none; and how many are there.

    Args:
        new_vocab_file, old_vocab_file: the names of the files, one word to a line.
        new_vocab_offset: the first line of the new file that counts.
        num_new_vocab: how many count.
        old_vocab_size: how many lines of the old file count, all with -1.
        name: the node's name.

    Raises:
        InvalidArgumentError: when a session runs, where a file has fewer lines. NotFoundError without a file.
    """

    def remap(new: Any, old: Any) -> Any:
        words = _words(_path(new)), _words(_path(old))
        found = _remapped(*words, int(new_vocab_offset), int(num_new_vocab), int(old_vocab_size))
        return found, np.int32((found >= 0).sum())

    forms: dict[str, Any] = {"shape": [(int(num_new_vocab),), ()], "dtype": ["int64", "int32"], "outputs": 2}
    return call("GenerateVocabRemapping", remap, (new_vocab_file, old_vocab_file), name=name, **forms)


def load_and_remap_matrix(
    ckpt_path: Any,
    old_tensor_name: Any,
    row_remapping: Any,
    col_remapping: Any,
    initializing_values: Any,
    num_rows: int,
    num_cols: int,
    max_rows_in_memory: int = -1,
    name: str | None = None,
) -> Any:
    """Return a matrix of a checkpoint with its rows and columns in another order.

    Args:
        ckpt_path, old_tensor_name: which matrix.
        row_remapping, col_remapping: where each row and column was, -1 for new ones; without columns they stay.
        initializing_values: the values of new elements, row by row.
        num_rows, num_cols: the shape.
        max_rows_in_memory: ignored.
        name: the node's name.

    Raises:
        When a session runs, InvalidArgumentError for another number of values and for places that are no vectors,
        UnimplementedError for one place twice.
    """
    del max_rows_in_memory
    shape = (int(num_rows), int(num_cols))

    def load(path: Any, tensor: Any, rows: Any, columns: Any, values: Any) -> Any:
        places = _places(array_of(rows), shape[0], "row"), _places(array_of(columns), shape[1], "column")
        old = np.asarray(load_checkpoint(_path(path)).get_tensor(_path(tensor)))
        if old.ndim != 2:
            raise InvalidArgumentError(None, None, f"Input matrix should be 2-D, but has shape {old.shape}")
        held = (places[0] >= 0)[:, None] & (places[1] >= 0)[None, :]
        first = array_of(values).reshape(-1)
        if first.size != held.size - held.sum():
            problem = f"Required {held.size - held.sum()} initializing values, got {first.size}"
            raise InvalidArgumentError(None, None, problem)
        for place, size in zip(places, old.shape, strict=True):
            if place.max(initial=-1) >= size:
                raise InvalidArgumentError(None, None, f"Index {place.max()} is out of bounds of {old.shape}")
        out = np.empty(shape, np.float32)
        out[held] = old[places[0].clip(0)[:, None], places[1].clip(0)[None, :]][held] if old.size else 0
        out[~held] = first
        return out

    inputs = (ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values)
    options: dict[str, Any] = {"shape": shape, "dtype": "float32", "same": False, "differentiable": False}
    return call("LoadAndRemapMatrix", load, inputs, name=name, **options)


def _places(remapping: Any, count: int, what: str) -> Any:
    if remapping.ndim != 1:
        told = f"The {what[:3]}_remapping tensor must be 1-D, got shape {list(remapping.shape)}"
        raise InvalidArgumentError(None, None, told)
    if not remapping.size:
        return np.arange(count)
    if remapping.size != count:
        problem = f"Size of {what} remapping is {remapping.size} intead of being equal to num_{what[:3]}s={count}"
        raise InvalidArgumentError(None, None, problem)
    there = remapping[remapping >= 0]
    if np.unique(there).size != there.size:
        raise UnimplementedError(None, None, f"Old {what} ID is mapped to several {what}s, which is not supported")
    return remapping


def _known(path: Any) -> str:
    """Return the name of a file, which must be known now."""
    value = path if isinstance(path, (str, bytes, os.PathLike)) else constant_value(path)
    if value is None:
        raise ValueError(f"the name of a vocabulary must be known when the graph is built, got {path!r:.80}")
    return os.fsdecode(value if isinstance(value, (str, bytes, os.PathLike)) else np.asarray(value).item())


def _remapping(old: Any, new: Any, what: str, offset: int, count: int, old_size: int = -1) -> Any:
    """Return where the words of an axis were, None where no vocabularies are given."""
    if bool(old) != bool(new):
        raise ValueError(
            f"old_{what}_vocab_file and new_{what}_vocab_file must both be specified or left unspecified. "
            f"old_{what}_vocab_file='{old}', new_{what}_vocab_file='{new}'"
        )
    return _remapped(_words(_known(new)), _words(_known(old)), offset, count, old_size) if new else None


def _load_and_remap_matrix(
    ckpt_path: Any,
    old_tensor_name: str,
    new_row_vocab_offset: int,
    num_rows_to_load: int,
    new_col_vocab_size: int,
    initializer: Initializer,
    old_row_vocab_size: int = -1,
    old_row_vocab_file: Any = None,
    new_row_vocab_file: Any = None,
    old_col_vocab_file: Any = None,
    new_col_vocab_file: Any = None,
    num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0,
    max_rows_in_memory: int = -1,
) -> Any:
    """Return a checkpoint's matrix for new vocabularies of its rows or columns, which are read now.

    New words, and the rows and columns of buckets for words of no vocabulary, have what ``initializer(shape)`` gives.
    Raises ValueError for buckets below 0, or a vocabulary without the old one.
    """
    for what, buckets in (("row", num_row_oov_buckets), ("col", num_col_oov_buckets)):
        if buckets < 0:
            raise ValueError(f"num_{what}_oov_buckets must be >= 0, but received {buckets}")
    rows = _remapping(
        old_row_vocab_file, new_row_vocab_file, "row", new_row_vocab_offset, num_rows_to_load, old_row_vocab_size
    )
    columns = _remapping(old_col_vocab_file, new_col_vocab_file, "col", 0, new_col_vocab_size)
    if rows is None:
        rows = np.arange(new_row_vocab_offset, new_row_vocab_offset + num_rows_to_load, dtype=np.int64)
    columns_there = new_col_vocab_size if columns is None else int((columns >= 0).sum())
    missing = num_rows_to_load * new_col_vocab_size - int((rows >= 0).sum()) * columns_there
    path = ckpt_path[0] if isinstance(ckpt_path, (list, tuple)) else ckpt_path
    matrix = load_and_remap_matrix(
        path,
        old_tensor_name,
        rows,
        np.empty(0, np.int64) if columns is None else columns,
        initializer([missing, 1]),
        num_rows_to_load,
        new_col_vocab_size,
        max_rows_in_memory,
    )
    if num_row_oov_buckets:
        matrix = concat([matrix, initializer([num_row_oov_buckets, new_col_vocab_size])], 0)
    if num_col_oov_buckets:
        added = initializer([num_rows_to_load + num_row_oov_buckets, num_col_oov_buckets])
        matrix = concat([matrix, added], 1)
    return matrix


def _load_and_remap_matrix_initializer(
    ckpt_path: Any,
    old_tensor_name: str,
    new_row_vocab_size: int,
    new_col_vocab_size: int,
    old_row_vocab_size: int = -1,
    num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0,
    initializer: Initializer | None = None,
    **vocabularies: Any,
) -> Initializer:
    """Return the initializer, of a whole variable or of its parts, by what `_load_and_remap_matrix` returns.

    Raises TypeError for an initializer that cannot be called. What is returned raises ValueError for another shape.
    """
    first = Zeros() if initializer is None else initializer
    if not callable(first):
        raise TypeError(f"initializer must be callable, instead of being {first} of type {type(first)}.")
    width = new_col_vocab_size + num_col_oov_buckets

    def initial(shape: Sequence[int], dtype: Any = "float32", partition_info: Any = None) -> Any:
        if as_dtype(dtype).name != "float32":
            raise TypeError(f"Currently, only float32 is supported. Received dtype: {as_dtype(dtype)!r}")
        sizes = [int(size) for size in shape]
        if len(sizes) != 2:
            raise ValueError(f"Expected 2-dim shape, but received: {shape}")
        if sizes[0] <= 0:
            raise ValueError(f"Expected 1st dim of shape to be > 0, but received shape: {shape}")
        if sizes[1] != width:
            raise ValueError(
                f"Expected 2nd dim of shape to be new_col_vocab_size ({new_col_vocab_size}) + num_col_oov_buckets "
                f"({num_col_oov_buckets}) = {width}, but received shape: {shape}"
            )
        offset = 0 if partition_info is None else partition_info.single_offset(sizes)
        if offset + sizes[0] > new_row_vocab_size + num_row_oov_buckets:
            raise ValueError(
                f"Trying to initialize {sizes[0]} additional rows after {offset} rows have already been initialized, "
                f"which would exceed expected total row count of new_row_vocab_size ({new_row_vocab_size}) + "
                f"num_row_oov_buckets ({num_row_oov_buckets}) = {new_row_vocab_size + num_row_oov_buckets}."
            )
        buckets = min(sizes[0], max(0, offset + sizes[0] - new_row_vocab_size))
        of_buckets: Any = {"num_row_oov_buckets": buckets, "num_col_oov_buckets": num_col_oov_buckets}
        if offset > new_row_vocab_size:
            return first(sizes)
        return _load_and_remap_matrix(
            ckpt_path, old_tensor_name, offset, sizes[0] - buckets, new_col_vocab_size, first, old_row_vocab_size,
            **of_buckets, **vocabularies
        )  # fmt: skip

    return initial


def _load_embedding_initializer(
    ckpt_path: Any,
    embedding_tensor_name: str,
    new_vocab_size: int,
    embedding_dim: int,
    old_vocab_file: Any,
    new_vocab_file: Any,
    old_vocab_size: int = -1,
    num_oov_buckets: int = 0,
    initializer: Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> Initializer:
    """Return the initializer of a table whose rows are a checkpoint's in the order of another vocabulary."""
    return _load_and_remap_matrix_initializer(
        ckpt_path,
        embedding_tensor_name,
        new_vocab_size,
        embedding_dim,
        old_vocab_size,
        num_oov_buckets,
        0,
        initializer,
        old_row_vocab_file=old_vocab_file,
        new_row_vocab_file=new_vocab_file,
        max_rows_in_memory=max_rows_in_memory,
    )
