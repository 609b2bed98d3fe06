"""Images from the bytes of PNG files, and such bytes of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call, dtype_of
from ..graph.dtypes import as_dtype
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from .png_files import image_of, png_of
from .string_ops import as_bytes

__all__ = ["decode_png", "encode_png"]


def decode_png(contents: Any, channels: int = 0, dtype: Any = "uint8", name: str | None = None) -> Any:
    """Return the image ``[height, width, channels]`` of a PNG file's bytes.

    Args:
        contents: a string.
        channels: 1 for grey, 3 for red, green and blue, 4 for these and opacity; 0 for those of the file.
        dtype: uint8 or uint16.

    Raises TypeError for another ``dtype``; when a session runs, InvalidArgumentError for other ``channels``, and for
    bytes of another kind. Source: ``tf.image.decode_png``.
    """
    kind = as_dtype(dtype)
    _check_type("dtype", kind)

    def decoded(data: Any) -> Any:
        given = array_of(data)
        if channels not in (0, 1, 3, 4):
            raise ValueError(f"channels must be 0, 1, 3, or 4, got {channels}")
        if given.ndim:
            raise ValueError(f"contents must be scalar, got shape {bracketed(given.shape)}")
        return image_of(as_bytes(given.item()), channels, kind.dtype)

    shape = (None, None, channels or None)
    return call("DecodePng", decoded, (contents,), name=name, shape=shape, dtype=kind, same=False, differentiable=False)


def encode_png(image: Any, compression: int = -1, name: str | None = None) -> Any:
    """Return the bytes of PNG files of images ``[..., height, width, 1 to 4 channels]`` of uint8 or uint16.

    ``compression``: from 0, none, to 9, the most; -1 for zlib's own. Raises TypeError for another element type,
    ValueError for fewer axes; when a session runs, InvalidArgumentError for more channels. Source:
    ``tf.image.encode_png``.
    """
    if not -1 <= compression <= 9:
        raise ValueError(f"compression should be in [-1,9], got {compression}")
    _check_type("image", dtype_of(image))

    def leading(shape: Any) -> Any:
        if shape is not None and len(shape) < 3:
            raise ValueError(f"Shape must be at least rank 3 but is rank {len(shape)}")
        return None if shape is None else shape[:-3]

    def encoded(given: Any) -> Any:
        array = array_of(given)
        outer = leading(array.shape)
        if array.shape[-1] not in (1, 2, 3, 4):
            raise ValueError(f"image must have 1, 2, 3, or 4 channels, got {array.shape[-1]}")
        files = np.empty(outer, object)
        for place in np.ndindex(*outer):
            files[place] = png_of(array[place], compression)
        return files

    options: Any = {"shape": leading, "dtype": "string", "same": False, "differentiable": False}
    return call("EncodePng", encoded, (image,), name=name, **options)


def _check_type(name: str, kind: Any) -> None:
    if as_dtype(kind).name not in ("uint8", "uint16"):
        told = f"Value passed to parameter {name!r} has DataType {as_dtype(kind).name}"
        raise TypeError(f"{told} not in list of allowed values: uint8, uint16")
