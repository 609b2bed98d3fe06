"""Programs of sets whose places are wrong, of losses over a batch's size, and of how bright summaries show images."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def places_of_sets_that_are_wrong(tf: Any) -> Any:
    far, flat = tf.SparseTensor([[0, 7]], [1], [2, 3]), tf.SparseTensor([[0]], [1], [3])
    return tried(
        lambda: run(tf, tf.sets.set_size(far, validate_indices=False)),
        lambda: run(tf, tf.sets.set_union(tf.constant([[1], [2]]), far, validate_indices=False).values),
        lambda: run(tf, tf.sets.set_size(far)),
        lambda: run(tf, tf.sets.set_size(flat)),
    )


@graph
def losses_over_the_size_of_a_batch(tf: Any) -> Any:
    losses = [1, 2, 3, 4, 5]
    mean = tf.nn.compute_average_loss
    unknown = tf.placeholder_with_default(3.0, None)
    wrong = tried(
        lambda: mean(losses, global_batch_size=[10]),
        lambda: mean(losses, global_batch_size=10.0),
        lambda: mean(losses, global_batch_size=-1),
        lambda: mean(tf.constant(2.0)),
        lambda: run(tf, mean(unknown)),
    )
    return wrong, run(tf, mean(losses, global_batch_size=10))


def _brightness(serialized: bytes, tf: Any) -> list[int]:
    """Return the bytes of a row of a picture of one channel, whose file has it as it is, or less what is before."""
    file = tf.Summary.FromString(serialized).value[0].image.encoded_image_string
    at = file.index(b"IDAT")
    row = list(zlib.decompress(file[at + 4 : at + 4 + int.from_bytes(file[at - 4 : at], "big")]))
    return [int(each) % 256 for each in (np.cumsum(row[1:]) if row[0] == 1 else row[1:])]


@graph
def images_of_each_type_are_scaled_by_a_float(tf: Any) -> Any:
    values = np.array([[-0.95, 0.31, 0.7, 2.31, -1.7, 0.02]])[None, ..., None]
    found = []
    for kind in ("float16", "float32", "float64"):
        for shown in (values, np.abs(values), values * 1.7):
            found.append(_brightness(run(tf, tf.summary.image("i", shown.astype(kind), max_outputs=1)), tf))
    return found
