"""Programs of windows whose halves complete each other, and of cosine transforms of frames that overlap."""

from __future__ import annotations

import numpy as np
from answers import graph


def _shapes(*tensors):
    return [each.shape.as_list() for each in tensors]


@graph
def windows_of_kaiser_and_vorbis(tf):
    s = tf.signal
    made = [
        s.kaiser_window(1),
        s.kaiser_window(7),
        s.kaiser_window(8, beta=3.0, dtype=tf.float64),
        s.kaiser_bessel_derived_window(8),
        s.kaiser_bessel_derived_window(12, beta=4.0),
        s.vorbis_window(8),
        s.vorbis_window(5, dtype=tf.float64),
        s.vorbis_window(tf.placeholder_with_default(6, [])),
    ]
    with tf.Session() as session:
        return _shapes(*made), session.run(made)


@graph
def windows_of_integers(tf):
    return tf.signal.vorbis_window(4, dtype=tf.int32)


@graph
def cosine_transforms_of_type_4(tf):
    x = np.arange(12.0).reshape(2, 6) ** 1.5
    made = [
        tf.signal.dct(x, type=4),
        tf.signal.dct(x, type=4, norm="ortho"),
        tf.signal.idct(x, type=4),
        tf.signal.idct(tf.signal.dct(x, type=4, norm="ortho"), type=4, norm="ortho"),
    ]
    with tf.Session() as session:
        return _shapes(*made), session.run(made)


@graph
def cosine_transforms_of_frames_that_overlap(tf):
    x = np.sin(np.arange(40.0)).reshape(2, 20)
    made = []
    for norm in (None, "ortho"):
        for window in (tf.signal.vorbis_window, tf.signal.kaiser_bessel_derived_window, None):
            found = tf.signal.mdct(x, 8, window_fn=window, norm=norm, pad_end=window is None)
            made += [found, tf.signal.inverse_mdct(found, window_fn=window, norm=norm)]
    signal = tf.constant(x)
    slope = tf.gradients(tf.reduce_sum(tf.signal.mdct(signal, 8) ** 2), signal)[0]
    with tf.Session() as session:
        return _shapes(*made), session.run([*made, slope])


@graph
def frames_that_have_no_quarters(tf):
    return tf.signal.mdct(np.zeros(20), 6)


@graph
def transforms_of_arrays_take_the_first_type(tf):
    x = np.arange(8.0)
    made = [tf.signal.rfft(x), tf.signal.irfft(x + 0j), tf.signal.rfft([1, 2, 3]), tf.signal.rfft(tf.constant(x))]
    return [each.dtype.name for each in [*made, tf.signal.fft(x + 0j), tf.signal.stft(x, 4, 2)]]
