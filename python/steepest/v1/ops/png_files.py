"""Images as the bytes of PNG files, and back: all colour types, depths, filters and interlacing.

Source: W3C, Portable Network Graphics, second edition, 2003; which channels an image has is as in TensorFlow's
``png_io.cc``.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

__all__ = ["image_of", "png_of"]

_MAGIC = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_PALETTE = 3
_WHOLE = ((0, 0, 1, 1),)
_INTERLACED = (  # the first row and column, and the steps, of each pass
    (0, 0, 8, 8),
    (0, 4, 8, 8),
    (4, 0, 8, 4),
    (0, 2, 4, 4),
    (2, 0, 4, 2),
    (0, 1, 2, 2),
    (1, 0, 2, 1),
)


def png_of(image: Any, level: int = -1) -> bytes:
    """Return a PNG file of an array ``[height, width, channels]`` of uint8 or uint16, compressed at a level of zlib."""
    height, width, channels = image.shape
    colour = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    data = image.astype(image.dtype.newbyteorder(">")).reshape(height, -1).view(np.uint8)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8 * image.dtype.itemsize, colour, 0, 0, 0)
    rows = np.concatenate([np.zeros((height, 1), np.uint8), data], axis=1)
    packed = zlib.compress(rows.tobytes(), level)
    return _MAGIC + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def image_of(data: bytes, channels: int, kind: Any) -> Any:
    """Return the image ``[height, width, channels]`` of a PNG file, as uint8 or uint16; 0 channels: those of the file.

    Raises ValueError for bytes that are no such file.
    """
    found = dict[bytes, bytes]()
    for name, part in _chunks(data):
        found[name] = found.get(name, b"") + part if name == b"IDAT" else part
    if len(found.get(b"IHDR", b"")) != 13 or b"IDAT" not in found:
        raise ValueError(f"Invalid PNG header, data size {len(data)}")
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", found[b"IHDR"])
    if colour not in _CHANNELS or depth not in (1, 2, 4, 8, 16) or interlaced > 1 or not width * height:
        raise ValueError(f"Invalid PNG header, data size {len(data)}")
    try:
        lines = zlib.decompress(found[b"IDAT"])
        pixels = _pixels(lines, height, width, depth, _CHANNELS[colour], _INTERLACED if interlaced else _WHOLE)
    except (zlib.error, ValueError, IndexError) as error:
        raise ValueError(f"Invalid PNG data, size {len(data)}") from error
    image = _coloured(pixels, depth, colour, found, channels)
    top = 255 if depth <= 8 else 65535
    if np.dtype(kind) == np.uint16 and top == 255:
        return image.astype(np.uint16) * np.uint16(257)
    return (image >> 8 if np.dtype(kind) == np.uint8 and top == 65535 else image).astype(kind)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not data.startswith(_MAGIC):
        raise ValueError(f"Invalid PNG header, data size {len(data)}")
    at = len(_MAGIC)
    while at + 8 <= len(data):
        (size,), name = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        yield name, data[at + 8 : at + 8 + size]
        at += 12 + size


def _pixels(lines: bytes, height: int, width: int, depth: int, channels: int, passes: Any) -> Any:
    """Return the samples [height, width, channels] of the lines of all passes."""
    pixels = np.zeros((height, width, channels), np.int32)
    at = 0
    for row, column, down, across in passes:
        rows, columns = len(range(row, height, down)), len(range(column, width, across))
        if not rows or not columns:
            continue
        size = -(-columns * channels * depth // 8)
        part = np.frombuffer(lines, np.uint8, rows * (size + 1), at).reshape(rows, size + 1)
        at += part.size
        plain = _unfiltered(part[:, 1:], part[:, 0], max(1, channels * depth // 8))
        samples = plain.copy().view(">u2") if depth == 16 else plain
        if depth < 8:
            bits = np.unpackbits(plain, axis=1).reshape(rows, -1, depth)
            samples = np.packbits(bits, axis=2)[..., 0] >> (8 - depth)
        shaped = samples[:, : columns * channels].reshape(rows, columns, channels)
        pixels[row::down, column::across] = shaped
    return pixels


def _unfiltered(lines: Any, kinds: Any, step: int) -> Any:
    """Return lines without their filters: each byte was less by what its neighbours to the left and above say.

    A byte needs those beside and above it: all on one diagonal are computed together.
    """
    if not kinds.any():
        return lines
    if kinds.max() > 4:
        raise ValueError("no such filter")
    rows, width = lines.shape[0], lines.shape[1] // step
    places = np.arange(rows)[:, None], np.arange(width)
    slanted = np.zeros((rows + width, rows, step), np.int16)
    slanted[places[0] + places[1], places[0]] = lines.reshape(rows, width, step)
    last = before = np.zeros((rows + 1, step), np.int16)
    for diagonal in range(rows + width - 1):
        low, high = max(0, diagonal - width + 1), min(rows, diagonal + 1)
        left, above, corner = last[low + 1 : high + 1], last[low:high], before[low:high]
        guesses: list[Any] = [0, left, above, (left + above) >> 1, _nearest(left, above, corner)]
        added = np.choose(kinds[low:high, None], guesses)
        last, before = np.zeros_like(last), last
        last[low + 1 : high + 1] = slanted[diagonal, low:high] = (slanted[diagonal, low:high] + added) & 255
    return slanted[places[0] + places[1], places[0]].reshape(rows, -1).astype(np.uint8)


def _nearest(left: Any, above: Any, corner: Any) -> Any:
    """Return which of three neighbours is nearest to left + above - corner (A. Paeth, 1991)."""
    from_left, from_above = np.abs(above - corner), np.abs(left - corner)
    from_corner = np.abs(left + above - 2 * corner)
    others = np.where(from_above <= from_corner, above, corner)
    return np.where((from_left <= from_above) & (from_left <= from_corner), left, others)


def _coloured(pixels: Any, depth: int, colour: int, found: dict[bytes, bytes], channels: int) -> Any:
    """Return samples as so many channels: grey or red, green and blue, without opacity or with it."""
    top = 65535 if depth == 16 else 255
    clear = found.get(b"tRNS")
    if colour == _PALETTE:
        table = np.frombuffer(found.get(b"PLTE", b""), np.uint8).reshape(-1, 3).astype(np.int32)
        opacity = np.full(max(256, len(table)), 255, np.int32)
        opacity[: len(clear or b"")] = np.frombuffer(clear or b"", np.uint8)
        known = np.minimum(pixels[..., 0], len(table) - 1)
        image, alpha = table[known], opacity[pixels[..., 0]][..., None] if clear is not None else None
        own = 3 if alpha is None else 4
    else:
        own = _CHANNELS[colour]
        tones = own - (own % 2 == 0)
        image, alpha = pixels[..., :tones], pixels[..., tones:] if own % 2 == 0 else None
        if alpha is None and clear is not None:
            key = np.frombuffer(clear, ">u2")[:tones]
            alpha = np.where((image == key).all(axis=-1, keepdims=True), 0, top)
        if depth < 8:
            image = image * (255 // (2**depth - 1))
    wanted = channels or own
    if wanted >= 3 and image.shape[-1] == 1:
        image = np.repeat(image, 3, axis=-1)
    elif wanted < 3 and image.shape[-1] == 3:
        image = _grey(image)
    if wanted % 2:
        return image
    if alpha is None:
        alpha = np.full_like(image[..., :1], top if depth >= 8 else 2**depth - 1)  # as TensorFlow fills it
    return np.concatenate([image, alpha], axis=-1)


def _grey(image: Any) -> Any:
    """Return the brightness of colours, with libpng's weights, of 32768."""
    return (image[..., :1] * 9797 + image[..., 1:2] * 19234 + image[..., 2:] * 3737) >> 15
