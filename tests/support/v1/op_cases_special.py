"""Gamma and beta functions, inverse error functions, products that leave NaNs out, sums of exponentials, bits."""

from __future__ import annotations

import numpy as np
from op_cases import CUBE, POSITIVE, POSITIVE64, UNIT64, A, B, case, draw, op, words

WIDE = np.array([-7.3, -2.5, -0.4, 0.05, 0.9, 1.0, 2.0, 3.7, 9.99, 25.0, 400.0], np.float64)
ZEROS = np.array([0.0, 2.0, 0.0], np.float32)
STEPS = np.array([1.0, 2.0, 2.0, 5.0], np.float32)
IDS = np.array([0, 0, 2], np.int32)

for name in words("lgamma digamma"):
    op(name, POSITIVE)
    op(name, POSITIVE64)
    op(name, WIDE)
op("lgamma", np.array([0.0, -1.0, 1.0], np.float32), grad=False)
op("lbeta", POSITIVE)
for name in words("erfinv ndtri"):
    values = UNIT64 if name == "erfinv" else np.abs(UNIT64) * 0.9 + 0.01
    op(f"math.{name}", values)
    op(f"math.{name}", values.astype(np.float32))
op("math.erfinv", np.array([1.0, -1.0, 0.0, 1.5, 0.999, -0.9999], np.float64), grad=False)
op("math.erfcinv", np.abs(UNIT64) + 0.5)
op("math.multiply_no_nan", A, ZEROS)
op("math.multiply_no_nan", np.array([np.nan, np.inf, 1.0], np.float32), ZEROS, grad=False)
op("math.divide_no_nan", A, ZEROS)
op("math.reciprocal_no_nan", ZEROS)
op("math.xlog1py", A, POSITIVE)
op("math.xlog1py", ZEROS, np.array([-1.0, 0.5, 2.0], np.float32), grad=False)
op("math.nextafter", A.astype(np.float64), B.astype(np.float64), grad=False)
op("math.polyval", [1.0, -2.0, 0.5], A)
op("math.polyval", [], A, grad=False)
for options in (
    {},
    {"axis": 1},
    {"exclusive": True},
    {"reverse": True},
    {"axis": -1, "exclusive": True, "reverse": True},
):
    op("math.cumulative_logsumexp", CUBE, grad="exclusive" not in options, **options)
op("math.cumulative_logsumexp", np.array([-1e4, 1e4, 0.0], np.float64))
for values in (STEPS, STEPS[::-1].copy(), np.unique(STEPS), STEPS[:0]):
    op("is_non_decreasing", values, label=str(values.tolist()))
    op("is_strictly_increasing", values, label=str(values.tolist()))
op("conj", A)
op("real", A)
op("unsorted_segment_sqrt_n", CUBE[0], IDS, 3)
for name in words("sum mean sqrt_n"):
    op(f"sparse_segment_{name}", draw(66, 5, 2), np.array([4, 0, 1]), IDS)
    op(f"sparse_segment_{name}", draw(66, 5, 2), np.array([4, 0, 1]), IDS, num_segments=4)


@case(POSITIVE)
def beta_functions_of_a_tensor(tf, x):
    return tf.exp(tf.lbeta(x)) * tf.digamma(tf.reduce_sum(x, -1))


# Incomplete gamma and beta functions: both sides of where series and fractions meet.
SHAPES = np.array([0.5, 2.0, 5.0, 30.0, 0.01, 3.0], np.float64)
PLACES = np.array([0.1, 2.5, 20.0, 30.0, 0.5, 60.0], np.float64)
for name in words("igamma igammac"):
    op(name, SHAPES, PLACES)
    op(name, SHAPES.astype(np.float32), PLACES.astype(np.float32))
    op(name, np.array([0.0, -1.0, 1.0, 1.0, 1.0]), np.array([1.0, 1.0, -1.0, 0.0, np.inf]), grad=False)
BETAS = np.array([1.0, 2.0, 0.5, 9.0]), np.array([2.0, 0.7, 5.0, 4.0])
op("betainc", *BETAS, np.array([0.3, 0.9, 0.01, 0.8]), grad=False)
op("betainc", np.ones(4), np.ones(4), np.array([0.0, 1.0, -0.5, 0.25]), grad=False, label="at the ends")
op("zeta", np.array([2.0, 1.5, 3.0, 20.0]), np.array([3.0, 0.1, 40.0, 2.0]), grad=False)
op(
    "zeta",
    np.array([1.0, 0.5, 2.0, 2.0, 3.0, 2.5]),
    np.array([1.0, 1.0, 0.0, -1.0, -0.5, -0.5]),
    grad=False,
    label="at poles and outside",
)
op("polygamma", np.array([1.0, 0.0, 2.0, 5.0]), np.array([2.0, 0.3, 9.0, 30.0]), grad=False)
op("polygamma", np.array([-1.0, 0.5, 0.0]), np.array([1.0, 1.0, 1.0]), grad=False, label="at poles and outside")
for name in words("bitwise_and bitwise_or bitwise_xor left_shift right_shift"):
    op(f"bitwise.{name}", np.array([5, -3, 0], np.int32), np.array([3, 2, 1], np.int32), grad=False)
op("bitwise.invert", np.array([5, 200], np.uint8), grad=False)


@case(PLACES)
def slopes_that_flow_to_the_last_argument(tf, x):
    share = x / 100.0
    sums = tf.zeta(2.0 + tf.zeros_like(x), x) + tf.polygamma(tf.ones_like(x), x)
    return sums + tf.betainc(2.0 + tf.zeros_like(x), 3.0 + tf.zeros_like(x), share)


# Tails: where one minus the function has no digits left, and what NumPy's own forms lose.
TAILS = np.array([-9.5, -5.0, -3.5, -0.1, 0.1, 3.0, 3.5, 5.0, 7.3, 9.5], np.float64)
SHARES = np.array([1e-30, 1e-10, 1e-5, 0.01, 0.3, 0.6, 0.99], np.float64)
for kind in (np.float32, np.float64):
    op("erfc", TAILS.astype(kind), label=f"tails {kind.__name__}")
    op("math.ndtri", SHARES.astype(kind), grad=False, label=f"tails {kind.__name__}")
    op("math.erfcinv", SHARES.astype(kind), grad=False, label=f"tails {kind.__name__}")
op("math.ndtri", np.array([-1e-30, 0.0, 1.0, 1.5], np.float64), grad=False, label="at the ends")
op("math.expm1", np.array([-60.0, -20.0, 0.0, 1e-9], np.float64), label="tails")
op("math.softsign", np.array([-1e20, -1e5, -1.0, 0.0, 2.0, 1e9], np.float64), label="tails")
op("floordiv", np.float32([3.0, -3.0, 1.0, np.inf]), np.float32([0.3, 0.3, 0.1, 2.0]), grad=False)
op("truncatediv", np.int32([-(2**31), -(2**31), -7, 7]), np.int32([2, -3, 2, -2]), grad=False)
op("argmax", np.float32([[np.nan, 1.0, 3.0], [np.nan, np.nan, np.nan]]), axis=1, grad=False, label="NaN")
op("argmin", np.float32([[np.nan, 1.0, 3.0], [2.0, np.nan, 1.0]]), axis=1, grad=False, label="NaN")

BESSEL = np.array([-700.0, -45.0, -40.0, -3.0, -0.5, 0.0, 1e-9, 0.7, 12.0, 39.9, 40.1, 300.0], np.float64)
for name in words("bessel_i0e bessel_i1e"):
    op(f"math.{name}", BESSEL)
    op(f"math.{name}", BESSEL.astype(np.float32))
for name in words("bessel_i0 bessel_i1"):  # without 0, where TensorFlow 2's slope of I1 is twice TensorFlow 1's
    op(f"math.{name}", np.delete(BESSEL[3:-3], 2))

# On either side of where other formulas are taken; 0 apart, where some slopes are infinite.
ARGUMENTS = np.array(
    [-3.0, 1e-9, 0.004, 0.49, 0.51, 0.99, 1.01, 1.49, 1.6, 2.1, 8.6, 24.9, 25.1, 39.0, 41.0, 88.0], np.float64
)
for name in words("bessel_j0 bessel_j1 dawsn fresnel_cos fresnel_sin"):
    op(f"math.special.{name}", np.concatenate([[0.0, -0.7, -30.0], ARGUMENTS]))
    op(f"math.special.{name}", ARGUMENTS.astype(np.float32))
for name in words("bessel_k0 bessel_k0e bessel_k1 bessel_k1e bessel_y0 bessel_y1 expint spence"):
    op(f"math.special.{name}", ARGUMENTS[1:])
    op(f"math.special.{name}", ARGUMENTS[1:].astype(np.float32))
    op(f"math.special.{name}", np.array([-3.0, 0.0, 1.0, np.nan]), grad=False, label="at the ends")

TEXTS = np.array([b"", b"a", b"four", b"eight888", b"x" * 16, b"y" * 17, b"z" * 33, b"w" * 64, b"v" * 65, b"u" * 200])
for name in words("to_hash_bucket to_hash_bucket_fast"):
    op(f"strings.{name}", TEXTS.astype(object), 2**40 + 1, grad=False)
op("string_to_hash_bucket_strong", TEXTS.astype(object), 1000, [123, 2**40], grad=False)
op("string_to_hash_bucket_fast", "h\u00e9", 1000, grad=False)

SPREAD = np.linspace(-3.0, 7.0, 11, dtype=np.float32)
for options in (
    {},
    {"range_given": True},
    {"signed_input": False},
    {"num_bits": 4, "round_mode": "HALF_UP"},
    {"num_bits": 4, "range_given": True, "narrow_range": True},
):
    # TensorFlow 2.21 has no gradient where a limit is passed; TensorFlow 1 passes it everywhere.
    op("quantization.quantize_and_dequantize", SPREAD, -2.0, 5.0, grad=False, **options)
