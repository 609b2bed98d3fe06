"""Layouts of images, such as NHWC: where an axis of one is in another."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import must
from ..graph import shape_inference
from ..graph.build import call
from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of

__all__ = ["data_format_dim_map", "data_format_vec_permute"]


def data_format_dim_map(x: Any, src_format: str = "NHWC", dst_format: str = "NCHW", name: str | None = None) -> Any:
    """Return where the axes ``x`` of one layout are in another; below zero they count from the end."""

    def mapped(axes: Any) -> Any:
        _check(src_format, dst_format)
        axes, places = array_of(axes), np.array([dst_format.index(axis) for axis in src_format])
        if axes.size and not -len(places) <= axes.min() <= axes.max() < len(places):
            rule = f"be in [-{len(places)}, {len(places)})"
            raise ValueError(must("data_format_dim_map", "x", rule, axes.tolist()))
        return places[axes].astype(axes.dtype)

    return call("DataFormatDimMap", mapped, (x,), name=name, shape=shape_inference.same, differentiable=False)


def data_format_vec_permute(x: Any, src_format: str = "NHWC", dst_format: str = "NCHW", name: str | None = None) -> Any:
    """Return ``x``, which has one row for each axis of a layout, or for each but N and C, in the order of another."""
    count = len(src_format)

    def shape_fn(shape: Any) -> Any:
        if count not in (4, 5) or shape is None:
            return shape
        if len(shape) not in (1, 2) or shape[0] not in (None, count, count - 2):
            rule = f"have {count} elements or rows, or {count - 2}"
            raise ValueError(must("data_format_vec_permute", "x", rule, f"shape {shape}"))
        return shape

    def permuted(rows: Any) -> Any:
        _check(src_format, dst_format)
        shape_fn(rows.shape)
        source, target = src_format, dst_format
        if len(rows) == count - 2:
            if not {"H", "W"} <= set(source):
                what = f"{count - 2}D"
                raise _invalid(f"Format specifier must contain H and W for {what} case, got {source} to {target}")
            source, target = ("".join(axis for axis in layout if axis in "DHW") for layout in (source, target))
        return array_of(rows)[[source.index(axis) for axis in target]]

    return call("DataFormatVecPermute", permuted, (x,), name=name, shape=shape_fn, differentiable=False)


def _check(src_format: str, dst_format: str) -> None:
    """Raise InvalidArgumentError for what are no layouts with the same axes."""
    for which, layout in (("Source", src_format), ("Destination", dst_format)):
        if len(layout) not in (4, 5):
            raise _invalid(f"{which} format must be of length 4 or 5, received {layout!r}")
    if sorted(src_format) != sorted(dst_format) or len(set(src_format)) != len(src_format):
        raise _invalid(f"Destination and source format must determine a permutation, got {src_format} to {dst_format}")


def _invalid(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)
