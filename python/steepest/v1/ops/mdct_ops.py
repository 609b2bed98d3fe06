"""Modified cosine transforms of signals in frames that overlap by half, and back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from .array_ops import shape
from .cast_ops import cast
from .concat_ops import concat, split
from .frame_ops import frame, overlap_and_add
from .mel_ops import dct
from .rearranging_ops import reverse
from .sparse_ops import convert_to_tensor
from .window_ops import vorbis_window

__all__ = ["inverse_mdct", "mdct"]

Window = Callable[..., Any]


def _windowed(frames: Any, window_fn: Window | None, length: Any) -> Any:
    return frames * (1.0 / math.sqrt(2) if window_fn is None else window_fn(length, dtype=frames.dtype))


def _turned(x: Any) -> Any:
    return reverse(x, [-1])


def mdct(
    signals: Any,
    frame_length: Any,
    window_fn: Window | None = vorbis_window,
    pad_end: bool = False,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """Return the modified cosine transforms ``[..., frames, frame_length / 2]`` of real signals ``[..., samples]``.

    With the window w in four parts, and the parts a, b, c, d of a frame times w: the `dct` of type 4 of
    ``(-c_r - d, a - b_r)``, where r turns a part over. ``norm`` is None or "ortho".

    Raises ValueError for a ``frame_length`` that is not a multiple of 4. Source: ``tf.signal.mdct``.
    """
    with name_scope(name, "mdct", [signals, frame_length]):
        signals = convert_to_tensor(signals, name="signals")
        signals.shape.with_rank_at_least(1)
        length = convert_to_tensor(frame_length, name="frame_length")
        length.shape.assert_has_rank(0)
        known = constant_value(length)
        if known is not None and known % 4:
            raise ValueError("The frame length must be a multiple of 4.")
        size = length if known is None else int(known)
        frames = _windowed(frame(signals, size, size // 2, pad_end=pad_end), window_fn, size)
        a, b, c, d = split(frames, 4, axis=-1)
        return dct(concat([-_turned(c) - d, a - _turned(b)], -1), type=4, norm=norm)


def inverse_mdct(
    mdcts: Any, window_fn: Window | None = vorbis_window, norm: str | None = None, name: str | None = None
) -> Any:
    """Return the signals ``[..., samples]`` whose `mdct` this is, for the same window and norm.

    The window has ``w[n]^2 + w[n + frame_length / 2]^2 = 1`` and is symmetric. Source: ``tf.signal.inverse_mdct``.
    """
    with name_scope(name, "inverse_mdct", [mdcts]):
        mdcts = convert_to_tensor(mdcts, name="mdcts")
        mdcts.shape.with_rank_at_least(2)
        half = mdcts.shape[-1].value if mdcts.shape.ndims is not None else None
        if half is None:
            half = shape(mdcts)[-1]
        turned = dct(mdcts, type=4, norm=norm)
        if norm is None:
            turned = turned * (0.5 / cast(half, turned.dtype))
        first, second = split(turned, 2, axis=-1)
        frames = concat([second, -_turned(second), -_turned(first), -first], -1)
        return overlap_and_add(_windowed(frames, window_fn, 2 * half), half)
