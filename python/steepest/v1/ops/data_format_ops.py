"""Layouts of images, such as NHWC: where an axis of one is in another."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import must
from ..graph import shape_inference
from ..graph.build import call
from ..graph.run_values import array_of

__all__ = ["data_format_dim_map", "data_format_vec_permute"]


def data_format_dim_map(x: Any, src_format: str = "NHWC", dst_format: str = "NCHW", name: str | None = None) -> Any:
    """Return where the axes ``x`` of one layout are in another; below zero they count from the end."""
    places = np.array([dst_format.index(axis) for axis in _checked("data_format_dim_map", src_format, dst_format)])

    def mapped(axes: Any) -> Any:
        axes = array_of(axes)
        if axes.size and not -len(places) <= axes.min() <= axes.max() < len(places):
            rule = f"be in [-{len(places)}, {len(places)})"
            raise ValueError(must("data_format_dim_map", "x", rule, axes.tolist()))
        return places[axes].astype(axes.dtype)

    return call("DataFormatDimMap", mapped, (x,), name=name, shape=shape_inference.same, differentiable=False)


def data_format_vec_permute(x: Any, src_format: str = "NHWC", dst_format: str = "NCHW", name: str | None = None) -> Any:
    """Return ``x``, which has one row for each axis of a layout, in the order of another."""
    who = "data_format_vec_permute"
    _checked(who, src_format, dst_format)
    order = [src_format.index(axis) for axis in dst_format]

    def shape_fn(shape: Any) -> Any:
        if shape is not None and (len(shape) not in (1, 2) or shape[0] not in (None, len(order))):
            raise ValueError(must(who, "x", f"have {len(order)} elements or rows", f"shape {shape}"))
        return shape

    def permuted(rows: Any) -> Any:
        shape_fn(rows.shape)
        return array_of(rows)[order]

    return call("DataFormatVecPermute", permuted, (x,), name=name, shape=shape_fn, differentiable=False)


def _checked(who: str, src_format: str, dst_format: str) -> str:
    if sorted(src_format) != sorted(dst_format) or len(set(src_format)) != len(src_format):
        rule = f"have the letters of src_format {src_format!r}, each once"
        raise ValueError(must(who, "dst_format", rule, repr(dst_format)))
    return src_format
