"""Programs that read images from PNG files: of all colour types, depths and filters, and interlaced ones."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from answers import graph, run, tried

PASSES = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))


def filtered(lines: Any, step: int, first: int) -> bytes:
    """Return lines of bytes, each with the next of the five filters."""
    out, above = [], [0] * lines.shape[1]
    for k, line in enumerate(lines.tolist()):
        kind = (first + k) % 5
        done = [kind]
        for at, value in enumerate(line):
            left = line[at - step] if at >= step else 0
            corner = above[at - step] if at >= step else 0
            guess = left + above[at] - corner
            nearest = min((left, above[at], corner), key=lambda each, guess=guess: abs(guess - each))
            done.append((value - (0, left, above[at], (left + above[at]) // 2, nearest)[kind]) % 256)
        out.append(bytes(done))
        above = line
    return b"".join(out)


def png(samples: Any, depth: int, colour: int, interlaced: bool = False, **chunks: bytes) -> bytes:
    """Return a file of samples [height, width, channels]."""
    height, width, channels = samples.shape
    data = b""
    for row, column, down, across in PASSES if interlaced else ((0, 0, 1, 1),):
        part = samples[row::down, column::across]
        if part.size and depth == 16:
            lines = part.astype(">u2").reshape(len(part), -1).view(np.uint8)
        elif part.size:
            bits = np.unpackbits(part.astype(np.uint8)[..., None], axis=-1)[..., 8 - depth :]
            lines = np.packbits(bits.reshape(len(part), -1), axis=1)
        data += filtered(lines, max(1, depth * channels // 8), row + column) if part.size else b""
    parts = {"IHDR": struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced), **chunks}
    parts |= {"IDAT": zlib.compress(data), "IEND": b""}
    whole = b"".join(
        struct.pack(">I", len(part)) + name.encode() + part + struct.pack(">I", zlib.crc32(name.encode() + part))
        for name, part in parts.items()
    )
    return b"\x89PNG\r\n\x1a\n" + whole


def noise(*shape: int, depth: int = 8) -> Any:
    return (np.arange(np.prod(shape)) * 7919 % 65521).reshape(shape) % 2**depth


@graph
def images_of_all_kinds(tf: Any) -> Any:
    palette = bytes(noise(16, 3).ravel().tolist())
    files = [
        png(noise(11, 6, 1), 8, 0),
        png(noise(11, 6, 1), 8, 0, tRNS=b"\0\x07"),
        png(noise(11, 6, 2), 8, 4),
        png(noise(11, 6, 3), 8, 2),
        png(noise(11, 6, 3), 8, 2, interlaced=True),
        png(noise(11, 6, 4), 8, 6),
        png(noise(5, 13, 1, depth=1), 1, 0),
        png(noise(5, 13, 1, depth=2), 2, 0, interlaced=True),
        png(noise(5, 13, 1, depth=4), 4, 3, PLTE=palette),
        png(noise(5, 13, 1, depth=4), 4, 3, PLTE=palette, tRNS=b"\x03\x80\xff"),
        png(noise(5, 13, 1, depth=16), 16, 0),
        png(noise(5, 13, 4, depth=16), 16, 6, interlaced=True),
    ]
    read = [tf.image.decode_png(file, channels) for file in files for channels in (0, 1, 3, 4)]
    wide = [tf.image.decode_png(file, dtype=tf.uint16) for file in files]
    told = [[each.shape.as_list(), each.dtype.name] for each in (*read[:4], wide[0])]
    return told, [each.shape for each in run(tf, read)], run(tf, read), run(tf, wide)


@graph
def images_written_and_read(tf: Any) -> Any:
    images = [noise(4, 5, channels, depth=depth) for channels in (1, 2, 3, 4) for depth in (8, 16)]
    kinds = [tf.uint8, tf.uint16] * 4
    files = [
        tf.image.encode_png(tf.constant(image, kind), compression=k - 1)
        for k, (image, kind) in enumerate(zip(images, kinds, strict=True))
    ]
    again = [tf.image.decode_png(file, dtype=kind) for file, kind in zip(files, kinds, strict=True)]
    wrong = tried(
        lambda: run(tf, tf.image.decode_png(b"\x89PNG")),
        lambda: run(tf, tf.image.decode_png(png(noise(3, 3, 1), 8, 0), channels=2)),
        lambda: run(tf, tf.image.encode_png(tf.zeros([2, 2, 5], tf.uint8))),
        lambda: run(tf, tf.image.encode_png(tf.zeros([2, 2], tf.uint8))),
        lambda: tf.image.encode_png(tf.zeros([2, 2, 1])),
        lambda: tf.image.decode_png(b"", dtype=tf.float32),
    )
    batch = tf.image.encode_png(tf.constant(noise(2, 3, 4, 5, 1), tf.uint8))
    last = tf.image.decode_png(batch[1, 2])
    return files[0].shape.as_list(), batch.shape.as_list(), run(tf, again), run(tf, last), wrong
