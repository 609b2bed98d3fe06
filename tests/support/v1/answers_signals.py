"""Programs of signals: frames, short-time Fourier transforms, mel scales, cosine transforms; draws by a seed alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

# Computed in float64: powers and sines of float32 differ between processors by more than the comparison allows.
X = np.sin(np.arange(96.0).reshape(2, 48) ** 1.3).astype(np.float32)


@graph
def signals_in_frames(tf: Any) -> Any:
    x, frame = tf.constant(X), tf.signal.frame
    found = [
        frame(x, 16, 8),
        frame(x, 10, 7, pad_end=True, pad_value=2.0),
        frame(x, 2, 1, axis=0),
        frame(x, 50, 3),
        tf.signal.overlap_and_add(tf.constant(X.reshape(2, 8, 6)), 4),
        tf.signal.overlap_and_add(tf.constant(X.reshape(2, 8, 6)), 6),
        tf.signal.overlap_and_add(tf.constant(X.reshape(2, 8, 6)), 9)[:, :70],
    ]
    slope = tf.gradients(found[1], x)[0]
    return [run(tf, found[:6]), [each.shape.as_list() for each in found[:6]], run(tf, slope)]


@graph
def short_time_transforms(tf: Any) -> Any:
    x, signal = tf.constant(X), tf.signal
    spectra = signal.stft(x, 16, 4)
    back = signal.inverse_stft(spectra, 16, 4, window_fn=signal.inverse_stft_window_fn(4))
    plain = signal.stft(x, 12, 6, fft_length=20, window_fn=None, pad_end=True)
    slope = tf.gradients(tf.square(tf.real(spectra)), x)[0]
    return [run(tf, [spectra, back, plain, slope]), spectra.shape.as_list(), plain.dtype.name]


@graph
def mel_scales_and_cosines(tf: Any) -> Any:
    signal, x = tf.signal, tf.constant(X)
    found = [
        signal.linear_to_mel_weight_matrix(8, 33, 8000, 80.0, 3800.0),
        signal.mfccs_from_log_mel_spectrograms(x),
        signal.dct(x),
        signal.dct(x, 3),
        signal.dct(x, norm="ortho"),
        signal.dct(x, 3, norm="ortho"),
        signal.idct(x),
        signal.fftshift(x),
        signal.ifftshift(x, axes=1),
    ]
    refused = tried(
        lambda: signal.linear_to_mel_weight_matrix(0),
        lambda: signal.linear_to_mel_weight_matrix(upper_edge_hertz=5000.0),
        lambda: signal.dct(x, norm="other"),
    )
    return [run(tf, found), refused]


@graph
def integers_by_a_seed_alone(tf: Any) -> Any:
    draws = tf.random.stateless_uniform([4000], [1, 2], -3, 4, tf.int32)
    values, counts = np.unique(run(tf, draws), return_counts=True)
    return [
        values.tolist(),
        bool((abs(counts - 4000 / 7) < 120).all()),
        tried(lambda: tf.random.stateless_uniform([5], [1, 2], dtype=tf.int32)),
        draws.dtype.name,
    ]


@graph
def what_a_check_found(tf: Any) -> Any:
    return [tried(lambda e=e: run(tf, tf.check_numerics(tf.constant(e), "m"))) for e in ([np.nan], [np.inf], [1.0])]
