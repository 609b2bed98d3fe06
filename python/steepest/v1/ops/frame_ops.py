"""Signals in frames: cut into windows that overlap, put together again, their short-time Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.arguments import as_count, call_with
from ..graph.build import call, dtype_of, shape_of
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from .gather_ops import taken_dense
from .sparse_ops import convert_to_tensor
from .spectral_ops import irfft, rfft
from .window_ops import hann_window

__all__ = ["frame", "inverse_stft", "inverse_stft_window_fn", "overlap_and_add", "stft"]


def _length(value: Any, who: str) -> int:
    known = value if isinstance(value, (int, np.integer)) else constant_value(convert_to_tensor(value))
    if known is None or np.ndim(known):
        raise ValueError(f"{who} must be one integer that is known when the graph is made, got {value}")
    return int(known)


def _scalar(value: Any, who: str) -> Any:
    """Return a length or a step; ValueError for what is known to be more than one number."""
    if sizes := shape_of(value):
        raise ValueError(f"Shape {sizes} must have rank 0: {who}")
    return value


def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: int = -1,
    name: str | None = None,
) -> Any:
    """Return windows of ``frame_length`` elements, each ``frame_step`` behind the one before, in place of an axis.

    Args:
        signal: the tensor.
        frame_length, frame_step: integers.
        pad_end: windows begin as long as there are elements, and ``pad_value`` stands behind the end; else what does
            not fill a window is left out.
        axis: the axis that is cut; two axes come in its place, the windows and their elements.

    Source: ``tf.signal.frame``.
    """
    if shape_of(signal) == ():
        raise ValueError("Shape () must have rank at least 1: signal")
    if pad_end and shape_of(pad_value):
        raise ValueError(f"Shape {shape_of(pad_value)} must have rank 0: pad_value")

    def count(size: int, length: Any, step: Any) -> Any:
        if isinstance(step, Tensor) or (isinstance(length, Tensor) and not pad_end) or step < 1:
            return None
        return -(-size // step) if pad_end else max(0, 1 + (size - length) // step)

    def windows(length: int, step: int, x: Any, *filling: Any) -> Any:
        if length < 0 or step < 1:
            raise ValueError(f"frame: frame_step must be at least 1, got {step}, frame_length at least 0, got {length}")
        along = axis % x.ndim
        size = x.shape[along]
        total = count(size, length, step) or 0
        if pad_end and total:
            widths = [(0, 0)] * x.ndim
            widths[along] = (0, max(0, (total - 1) * step + length - size))
            x = np.pad(x, widths, constant_values=array_of(filling[0]).astype(x.dtype)[()])
        places = np.arange(total)[:, None] * step + np.arange(length)
        taken = taken_dense(x, places.ravel(), along)
        return np.reshape(taken, (*x.shape[:along], total, length, *x.shape[along + 1 :]))

    def shape_fn(length: Any, step: Any, s: Any, *_: Any) -> Any:
        if s is None:
            return None
        if not -len(s) <= axis < len(s):
            raise ValueError(f"frame: axis must be below {len(s)}, got {axis}")
        along = axis % len(s)
        total = None if s[along] is None else count(s[along], length, step)
        return (*s[:along], total, None if isinstance(length, Tensor) else length, *s[along + 1 :])

    with name_scope(name, "frame"):
        inputs = (convert_to_tensor(signal, name="signal"), *((pad_value,) if pad_end else ()))
        lengths = [(_scalar(frame_length, "frame_length"), as_count), (_scalar(frame_step, "frame_step"), as_count)]
        return call_with("frame", lengths, windows, inputs, shape=shape_fn, same=False)


def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Any:
    """Return the sums of frames ``[..., frames, length]`` that begin ``frame_step`` behind each other.

    Source: ``tf.signal.overlap_and_add``.
    """

    def summed(step: int, x: Any) -> Any:
        if step < 1:
            raise ValueError(f"overlap_and_add: frame_step must be at least 1, got {step}")
        frames, length = x.shape[-2:]
        parts = -(-length // step)
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, parts * step - length)])
        x = np.reshape(x, (*x.shape[:-1], parts, step))
        total: Any = 0
        for k in range(parts):  # the k-th parts of all frames stand k steps further
            widths = [(0, 0)] * (x.ndim - 3) + [(k, parts - 1 - k), (0, 0)]
            total = total + np.pad(x[..., k, :], widths)
        flat = np.reshape(total, (*total.shape[:-2], (frames + parts - 1) * step))
        return flat[..., : (frames - 1) * step + length]

    def shape_fn(step: Any, s: Any) -> Any:
        if s is None:
            return None
        if len(s) < 2:
            raise ValueError(f"Shape must have rank at least 2 but is rank {len(s)}")
        known = None if None in s[-2:] or isinstance(step, Tensor) else (s[-2] - 1) * step + s[-1]
        return (*s[:-2], known)

    if (sizes := shape_of(signal)) is not None and len(sizes) < 2:
        raise ValueError(f"Shape {sizes} must have rank at least 2: signal")
    if not dtype_of(convert_to_tensor(frame_step)).is_integer:
        raise ValueError(f"frame_step must be an integer. Got {dtype_of(convert_to_tensor(frame_step))}")
    with name_scope(name, "overlap_and_add"):
        if sizes and isinstance(frame_step, (int, np.integer)) and frame_step == sizes[-1] and frame_step > 0:
            return call("Reshape", _in_a_row, (signal,), name="fast_path", shape=lambda s: shape_fn(frame_step, s))
        steps = [(_scalar(frame_step, "frame_step"), as_count)]
        inputs = (convert_to_tensor(signal, name="signal"),)
        return call_with("overlap_and_add", steps, summed, inputs, shape=shape_fn)


def _in_a_row(x: Any) -> Any:
    return np.reshape(x, (*x.shape[:-2], x.shape[-2] * x.shape[-1]))


def _enclosing_power(length: int) -> int:
    return 1 << max(0, length - 1).bit_length()


def stft(
    signals: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Any:
    """Return the Fourier transforms of windows of real signals, ``[..., frames, fft_length // 2 + 1]``.

    ``window_fn(frame_length, dtype=...)`` gives the window, or is None for none; ``fft_length`` is by default the power
    of 2 that is not below the length. Source: ``tf.signal.stft``.
    """
    with name_scope(name, "stft"):
        signals = convert_to_tensor(signals, name="signals")
        length = _length(frame_length, "stft: frame_length")
        size = _enclosing_power(length) if fft_length is None else _length(fft_length, "stft: fft_length")
        frames = frame(signals, length, frame_step, pad_end=pad_end)
        if window_fn is not None:
            frames = frames * window_fn(length, dtype=frames.dtype)
        return rfft(frames, [size])


def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Callable[..., Any] = hann_window, name: str | None = None
) -> Callable[..., Any]:
    """Return the function of windows with which `inverse_stft` gives back what `stft` took.

    Source: ``tf.signal.inverse_stft_window_fn``.
    """
    step = _length(frame_step, "inverse_stft_window_fn: frame_step")

    def window(frame_length: Any, dtype: Any) -> Any:
        with name_scope(name, "inverse_stft_window_fn"):
            length = _length(frame_length, "inverse_stft_window_fn: frame_length")
            forward = forward_window_fn(length, dtype=dtype)

            def over_power(x: Any) -> Any:
                overlaps = -(-length // step)
                squares = np.pad(np.square(x), (0, overlaps * step - length))
                power = np.tile(np.sum(np.reshape(squares, (overlaps, step)), axis=0), overlaps)[:length]
                nothing = np.equal(unwrap(power), 0)  # where all windows are 0, so is this one
                return np.where(nothing, 0, x) / np.where(nothing, 1, power)

            return call("inverse_window", over_power, (forward,), shape=lambda s: s)

    return window


def inverse_stft(
    stfts: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window,
    name: str | None = None,
) -> Any:
    """Return the real signals whose windows have these Fourier transforms. Source: ``tf.signal.inverse_stft``."""
    with name_scope(name, "inverse_stft"):
        stfts = convert_to_tensor(stfts, name="stfts")
        length = _length(frame_length, "inverse_stft: frame_length")
        size = _enclosing_power(length) if fft_length is None else _length(fft_length, "inverse_stft: fft_length")
        frames = irfft(stfts, [size])[..., :length]
        if size < length:
            frames = call("Pad", lambda x: np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, length - size)]), (frames,))
        if window_fn is not None:
            frames = frames * window_fn(length, dtype=frames.dtype)
        return overlap_and_add(frames, frame_step)
