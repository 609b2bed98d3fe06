"""Strings cut into parts, by delimiters or white space, as rows of sparse tensors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.bound_names import name_functions
from ..graph.build import shape_of
from ..graph.missing import told
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from .sparse_array_ops import produced
from .sparse_ops import convert_to_tensor
from .string_ops import as_bytes

__all__ = ["string_split", "string_split_v2"]


def string_split(
    source: Any = None,
    sep: Any = None,
    skip_empty: bool = True,
    delimiter: Any = None,
    result_type: str = "SparseTensor",
    name: str | None = None,
    input: Any = None,
) -> Any:
    """Return the parts of each string as a row of a sparse tensor; each character of ``delimiter`` parts them.

    Raises ValueError for a ``result_type`` that is none, NotImplementedError for ragged tensors.
    """
    _must_be_sparse(result_type)
    marks = convert_to_tensor(
        " " if sep is None and delimiter is None else (delimiter if sep is None else sep), "string"
    )
    if shape_of(marks):
        raise ValueError(f"Shape must be rank 0 but is rank {len(shape_of(marks) or ())}: delimiter must be a scalar")

    def cut(text: bytes, marks: bytes) -> list[bytes]:
        pattern = b"[" + re.escape(marks) + b"]" if marks else b""
        parts = re.split(pattern, text) if pattern and text else [text[k : k + 1] for k in range(len(text))]
        return [part for part in parts if part or not skip_empty]

    return _cut(input if source is None else source, cut, name, marks)


def string_split_v2(
    input: Any = None,
    sep: str | bytes | None = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: Any = None,
    name: str | None = None,
) -> Any:
    """Return the parts of each string as a row of a sparse tensor, parted by ``sep``, by default by white space.

    Strings of several axes have one axis more.

    Raises ValueError for a ``result_type`` that is none, NotImplementedError for ragged tensors.
    """
    _must_be_sparse(result_type)
    mark = convert_to_tensor("" if sep is None else sep, "string")

    def cut(text: bytes, mark: bytes) -> list[bytes]:
        if maxsplit == 0:
            return [text]
        parts = text.split(mark or None, maxsplit)
        # TensorFlow has a part, if an empty one, for what is left after the last cut; Python's split has none.
        return [*parts, b""] if not mark and len(parts) == maxsplit else parts

    return _cut(source if input is None else input, cut, name, mark, True)


def _must_be_sparse(result_type: str) -> None:
    if result_type not in ("RaggedTensor", "SparseTensor"):
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")
    if result_type == "RaggedTensor":
        raise NotImplementedError(told("RaggedTensor"))


def _cut(
    source: Any, cut: Callable[[bytes, bytes], list[bytes]], name: str | None, marks: Any, any_rank: bool = False
) -> Any:
    strings = convert_to_tensor(source)

    def parts(x: Any, given: Any) -> Any:
        given = array_of(given)
        if given.ndim:
            raise ValueError(f"delimiter must be a scalar, got shape: {bracketed(given.shape)}")
        mark = as_bytes(given.item())
        strings = array_of(x)
        if strings.ndim != 1 and not any_rank:
            raise ValueError(f"input must be a vector, got shape: {bracketed(strings.shape)}")
        rows = [cut(as_bytes(item), mark) for item in strings.reshape(-1).tolist()]
        lead = strings.shape or (1,)
        places = [(*at, k) for at, row in zip(np.ndindex(*lead), rows, strict=True) for k in range(len(row))]
        values = np.empty(len(places), object)
        values[:] = [part for row in rows for part in row]
        sizes = [*lead, max(map(len, rows), default=0)]
        return np.array(places, np.int64).reshape(-1, len(sizes)), values, np.array(sizes, np.int64)

    known = shape_of(strings)
    if known is not None and len(known) != 1 and not any_rank:
        got = "a scalar" if known == () else bracketed(known)
        told = f"Shape must be rank 1 but is rank {len(known)}"
        raise ValueError(f"{told}: string_split: source must be a vector, got {got}")
    ndim = 2 if not any_rank else None if known is None else max(len(known), 1) + 1
    return produced("StringSplit", parts, [strings, marks], "string", ndim, name, differentiable=False)


name_functions(__name__)
