"""More of the catalogue of derivative rules: the functions of NumPy that are made of others, and their options.

A case is as in `tape_cases`: ``(function, label, f, shapes, low, high)``.
"""

from __future__ import annotations

import itertools

import numpy as np

MASK = np.array([[True, False, True, True], [False, True, True, True], [True, True, False, True]])
HOLES = np.where(MASK, 0.0, np.nan)
WEIGHTS = np.array([0.2, 0.5, 0.9, 0.4])
MATRIX = [(3, 4)]
LOW, HIGH = 0.1 + 0.8 / 12 * 4, 0.1 + 0.8 / 12 * 8  # from which what is drawn keeps away
METHODS = (
    "linear lower higher nearest midpoint inverted_cdf averaged_inverted_cdf closest_observation "
    "interpolated_inverted_cdf hazen weibull median_unbiased normal_unbiased"
)


def numpy_cases():
    yield from _reductions()
    yield from _statistics()
    yield from _choosing()
    yield from _moving()
    yield from _padding()


def call(function, f, shapes=MATRIX, low=0.1, high=0.9, label=""):
    return function, label, f, shapes, low, high


def calls(function, calls, shapes=MATRIX, low=0.1, high=0.9):
    for number, f in enumerate(calls):
        yield function, f"call {number}", f, shapes, low, high


def _reductions():
    for axis in (None, 0, -1, (0, 1)):
        for f, more in [
            *[(f, {}) for f in (np.sum, np.mean, np.prod, np.var, np.std)],
            *[(f, {"initial": 0.55}) for f in (np.sum, np.prod, np.max, np.min, np.amax, np.amin)],
        ]:
            for keepdims in (False, True):
                yield call(
                    f,
                    lambda x, f=f, a=axis, k=keepdims, m=more: f(x, axis=a, keepdims=k, where=MASK, **m),
                    label=f"where {axis} {keepdims} {more}",
                )
        for f in (np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin):
            yield call(f, lambda x, f=f, a=axis: f(x + HOLES, axis=a), label=f"{axis}")
            yield call(f, lambda x, f=f, a=axis: f(x + HOLES, axis=a, keepdims=True), label=f"{axis} keepdims")
    yield call(np.var, lambda x: np.var(x, axis=1, ddof=1, where=MASK), label="ddof")
    yield call(np.nanvar, lambda x: np.nanvar(x + HOLES, axis=1, ddof=1), label="ddof")
    yield call(np.sum, lambda x, s: np.sum(x, axis=0, initial=s), [(3, 4), ()], label="recorded initial")
    yield call(np.max, lambda x, s: np.max(x, axis=0, initial=s), [(3, 4), ()], label="recorded initial")
    yield call(np.sum, lambda x: np.sum(x, 0, None, None, True), label="positions")
    yield call(np.max, lambda x: np.max(x, 0, None, True), label="positions")
    yield call(np.mean, lambda x: np.mean(x, 0, None, None, True), label="positions")
    yield call(np.var, lambda x: np.var(x, 0, None, None, 1, True), label="positions")
    yield call(np.nansum, lambda x: np.nansum(x, 0, None, None, True), label="positions")
    yield call(np.nanstd, lambda x: np.nanstd(x, 0, None, None, 1, True), label="positions")
    yield call(np.nanmax, lambda x: np.nanmax(x, 0, None, True), label="positions")
    yield call(np.take, lambda x: np.take(x, [5, 1], 1, None, "clip"), label="positions")
    yield call(np.trace, lambda x: np.trace(x, 0, 0, 1, np.float64), label="positions")
    yield call(np.unique, lambda x: np.unique(x, False, False, False, 1), label="positions")
    yield call(np.broadcast_to, lambda x: np.broadcast_to(x, (2, 3, 4), subok=True), label="subok")
    yield call(np.mean, lambda x: x.mean(1, None, None, True), label="positions of the method")
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        yield call(np.var, lambda x: np.var(x, axis=1, correction=1), label="correction")
        yield call(
            np.std, lambda x: np.std(x, axis=1, mean=np.mean(x, axis=1, keepdims=True), correction=1), label="mean"
        )
    others = (np.subtract, np.true_divide, np.hypot, np.fmax, np.fmin, np.logaddexp2)
    for ufunc in (np.add, np.multiply, np.maximum, np.minimum, np.logaddexp, *others):
        for axis in (0, -1):
            name = f"{ufunc.__name__} {axis}"
            yield call(ufunc.accumulate, lambda x, u=ufunc, a=axis: u.accumulate(x, a), label=name)
            yield call(ufunc.reduceat, lambda x, u=ufunc, a=axis: u.reduceat(x, [2, 0, 1, 1], a), label=name)
            for keepdims in (False, True):
                f = lambda x, u=ufunc, a=axis, k=keepdims: u.reduce(x, axis=a, keepdims=k)  # noqa: E731
                yield call(ufunc.reduce, f, label=f"{name} {keepdims}")
    for ufunc in (np.hypot, np.fmax):
        yield call(ufunc.reduce, lambda x, u=ufunc: u.reduce(x, axis=None), label=f"{ufunc.__name__} all")
        yield call(ufunc.reduce, lambda x, u=ufunc: u.reduce(x, axis=(1, 0), keepdims=True), label=f"{ufunc.__name__}")
    for ufunc in (np.add, np.multiply, np.maximum, np.minimum):
        for axis in (0, -1, None, (0, 1)):
            yield call(ufunc.reduce, lambda x, u=ufunc, a=axis: u.reduce(x, axis=a), label=f"{ufunc.__name__} {axis}")
        yield call(
            ufunc.reduce,
            lambda x, u=ufunc: u.reduce(x, axis=1, keepdims=True, initial=0.6, where=MASK),
            label=f"{ufunc.__name__} where",
        )
        yield call(ufunc.reduce, ufunc.reduce, label=f"{ufunc.__name__}")
        yield call(ufunc.accumulate, ufunc.accumulate, label=f"{ufunc.__name__}")
        yield call(ufunc.accumulate, lambda x, u=ufunc: u.accumulate(x, axis=1), label=f"{ufunc.__name__} axis")
    for axis, keepdims in itertools.product((0, 1), (False, True)):
        yield call(
            np.logaddexp.reduce,
            lambda x, a=axis, k=keepdims: np.logaddexp.reduce(x, axis=a, keepdims=k),
            label=f"logaddexp {axis} {keepdims}",
        )
    for ufunc in (np.add, np.subtract, np.multiply, np.true_divide, np.maximum, np.arctan2, np.power, np.copysign):
        yield call(ufunc.outer, ufunc.outer, [(3,), (2, 2)], 0.3, 0.9, label=ufunc.__name__)


def _statistics():
    yield from calls(
        np.average,
        [
            np.average, lambda x: np.average(x, axis=0), lambda x: np.average(x, axis=1, weights=WEIGHTS),
            lambda x: np.average(x, weights=x * x), lambda x: np.average(x, 0, [1.0, 2.0, 3.0], keepdims=True),
            lambda x: np.average(x, axis=1, weights=x[0], returned=True),
            lambda x: np.average(np.ones((3, 4)) * WEIGHTS, axis=0, weights=x[:, 0]),
            lambda x: np.average(x, returned=True)[0],
        ],
    )  # fmt: skip
    for f in (np.median, np.nanmedian, np.ptp):
        for axis in (None, 0, -1, (0, 1)):
            yield call(f, lambda x, f=f, a=axis: f(x, axis=a), label=f"{axis}")
            yield call(f, lambda x, f=f, a=axis: f(x, axis=a, keepdims=True), label=f"{axis} keepdims")
    for method in METHODS.split():
        for f, q in ((np.quantile, [0.13, 0.5, 0.77]), (np.percentile, 37.0)):
            yield call(f, lambda x, f=f, q=q, m=method: f(x, q, axis=1, method=m), label=method)
    yield from calls(
        np.quantile,
        [
            lambda x: np.quantile(x, 0.3), lambda x: np.quantile(x, [[0.0, 1.0]], axis=0, keepdims=True),
            lambda x: np.quantile(x, 0.4, axis=(0, 1)), lambda x: np.quantile(x[0, 0], 0.5),
        ],
    )  # fmt: skip
    yield from calls(np.percentile, [lambda x: np.percentile(x, [25, 75], axis=0), lambda x: np.percentile(x, 50)])
    yield call(np.nanmedian, lambda x: np.nanmedian(x + HOLES, axis=0), label="holes")
    yield call(np.nanquantile, lambda x: np.nanquantile(x + HOLES, [0.2, 0.7], axis=1), label="holes")
    yield call(np.nanpercentile, lambda x: np.nanpercentile(x + HOLES, 30, axis=0, keepdims=True), label="holes")
    yield from calls(
        np.cov,
        [
            np.cov, lambda x: np.cov(x, rowvar=False), lambda x: np.cov(x, ddof=0), lambda x: np.cov(x, bias=True),
            lambda x: np.cov(x[0], x[1]), lambda x: np.cov(x[0]), lambda x: np.cov(x, aweights=WEIGHTS),
            lambda x: np.cov(x, fweights=[1, 2, 1, 3], aweights=WEIGHTS), lambda x: np.cov(x, aweights=x[0]),
        ],
    )  # fmt: skip
    yield from calls(np.corrcoef, [np.corrcoef, lambda x: np.corrcoef(x[0], x[2] ** 2)])
    yield from calls(
        np.bincount,
        [
            lambda x: np.bincount([0, 2, 2, 1], weights=x[0]), lambda x: np.bincount([0, 2, 2, 1], x[1], 6),
            lambda x: np.bincount(np.array([3, 3, 0, 0]), minlength=5, weights=x[0] * x[1]),
        ],
    )  # fmt: skip
    data = np.array([0.0, 0.1, 0.5, 0.52, 1.0, 0.3, 0.5, 2.0, 0.25, 0.75, 0.8, 0.9]).reshape(3, 4)
    for bins in (4, [0.0, 0.25, 0.5, 1.0], np.array([0.1, 0.3, 0.9])):
        for density in (False, True):
            yield call(
                np.histogram,
                lambda x, b=bins, d=density: np.histogram(data, b, weights=x, density=d)[0],
                label=f"{bins} {density}",
            )
    yield call(np.histogram, lambda x: np.histogram(data, 3, (0.1, 0.9), weights=x)[0], label="range")


def _choosing():
    conditions = [MASK, ~MASK & (np.arange(4) > 1)]
    yield from calls(
        np.select,
        [
            lambda x: np.select(conditions, [x, x * x]), lambda x: np.select(conditions, [x, x**3], default=x * 2),
            lambda x: np.select(conditions, [x[0], 2.0], -1.0),
        ],
    )  # fmt: skip
    ids = np.array([[0, 1, 0, 1], [1, 1, 2, 0], [2, 0, 1, 2]])
    yield from calls(
        np.choose,
        [
            lambda x: np.choose(ids, [x, x * x, -x]), lambda x: np.choose(ids, [x, 1.0, x[0]]),
            lambda x: np.choose(ids * 2 - 1, [x, x * x, -x], mode="clip"),
            lambda x: np.choose(ids * 2 - 1, (x, x * x, -x), mode="wrap"),
        ],
    )  # fmt: skip
    yield from calls(
        np.piecewise,
        [
            lambda x: np.piecewise(x, [x < LOW, x >= HIGH], [lambda z: z * z, lambda z: np.sin(z)]),
            lambda x: np.piecewise(x, [x < LOW, x >= HIGH], [lambda z: z * z, 2.0, lambda z: -z]),
            lambda x: np.piecewise(x[0], x[0] < 0.5, [lambda z: z**3, lambda z: 2 * z]),
            lambda x: np.piecewise(x, [x < LOW, x < HIGH], [lambda z, k: k * z, 1.0, 0.0], 3.0),
        ],
    )  # fmt: skip
    yield call(np.divmod, lambda x: np.divmod(x, 0.37)[1], label="ufunc")
    yield call(np.divmod, lambda x, y: divmod(x, y)[1] * divmod(2.3, y)[1], [(4,), ()], 0.4, 0.9, label="built-in")
    yield call(np.modf, lambda x: np.modf(x * 10)[0], low=0.0, high=1.2)
    yield call(np.frexp, lambda x: np.frexp(x * 10)[0], low=0.0, high=1.2)
    yield call(np.nextafter, lambda x: np.nextafter(x, 2.0))
    yield call(np.conjugate, lambda x: np.conj(x) * x.conj())
    yield call(np.real, lambda x: np.real(x) * x.real)
    yield call(np.real_if_close, np.real_if_close)
    yield call(np.full_like, lambda x: np.full_like(x, x[0, 0]) * np.full_like(x, x[0]))


def _moving():
    functions_of = {
        np.insert: [
            lambda x: np.insert(x, 1, x[:, 0] * 2, axis=1), lambda x: np.insert(x, [0, 2], 5.0, axis=0),
            lambda x: np.insert(x, 3, x[0]), lambda x: np.insert(x, slice(0, 3, 2), x[0] * x[1], axis=0),
            lambda x: np.insert(np.ones((3, 4)), 1, x[0], axis=0),
        ],
        np.partition: [lambda x: np.partition(x, 2), lambda x: np.partition(x, (0, 2), axis=0),
                       lambda x: np.partition(x, 5, axis=None)],
        np.sort: [lambda x: np.sort(x, axis=0), lambda x: np.sort(x, axis=None), lambda x: np.sort(x[0])],
        np.unique: [np.unique, lambda x: np.unique(np.concatenate([x[0], x[0]]), return_index=True)[0],
                    lambda x: np.unique(x, axis=0), lambda x: np.unique(x, return_counts=True)[0]],
        np.trim_zeros: [lambda x: np.trim_zeros(x[0] * np.array([0.0, 1.0, 1.0, 0.0])),
                        lambda x: np.trim_zeros(x[0] * np.array([0.0, 1.0, 0.0, 0.0]), "f")],
        np.repeat: [lambda x: np.repeat(x, 2, axis=0), lambda x: x.repeat([1, 2, 0], axis=0)],
        np.delete: [lambda x: np.delete(x, [0, 1], axis=0), lambda x: np.delete(x, 3)],
        np.compress: [lambda x: np.compress([True, False, True], x, axis=0), lambda x: x.compress([0, 1, 1], axis=0),
                      lambda x: np.compress([0, 1, 1], x)],
        np.take_along_axis: [lambda x: np.take_along_axis(x, np.array([1, 7, 1]), axis=None),
                             lambda x: np.take_along_axis(x[0], np.array([3, 0, 0]), axis=0)],
        np.meshgrid: [lambda x: list(np.meshgrid(x[0], x[:, 1] * 2)),
                      lambda x: list(np.meshgrid(x[0], x[:, 1], indexing="ij")),
                      lambda x: list(np.meshgrid(x[0], x[:2, 1], x[1], sparse=True)),
                      lambda x: list(np.meshgrid(x[0]))],
        np.block: [lambda x: np.block([[x, x[:, :1]], [np.ones((1, 4)), x[:1, :1]]]), lambda x: np.block([x[0], 1.0]),
                   lambda x: np.block(x), lambda x: np.block([[[x]], [[x * x]]])],
        np.dsplit: [lambda x: np.dsplit(x[None], 2)],
        np.rollaxis: [lambda x: np.rollaxis(x[None] * x[:, None], 2), lambda x: np.rollaxis(x[None], 0, 3),
                      lambda x: np.rollaxis(x[None], -1, 1)],
        np.rot90: [lambda x, k=k: np.rot90(x, k) for k in (-1, 0, 1, 2, 3)]
        + [lambda x: np.rot90(x[None], 1, (1, 2)), lambda x: np.rot90(x[None], 3, (2, 0))],
        np.apply_over_axes: [
            lambda x: np.apply_over_axes(np.sum, x, [0, 1]), lambda x: np.apply_over_axes(np.max, x, -1),
        ],
        np.lib.stride_tricks.sliding_window_view: [
            lambda x: np.lib.stride_tricks.sliding_window_view(x, (2, 3)),
            lambda x: np.lib.stride_tricks.sliding_window_view(x, 2, axis=1),
        ],
        np.fft.fftshift: [np.fft.fftshift, lambda x: np.fft.fftshift(x, axes=1)],
        np.fft.ifftshift: [np.fft.ifftshift, lambda x: np.fft.ifftshift(x, axes=(0,))],
        np.resize: [lambda x: np.resize(x, (5, 3)), lambda x: np.resize(x, 2)],
        np.apply_along_axis: [lambda x: np.apply_along_axis(lambda r: np.sum(r * r), 0, x),
                              lambda x: np.apply_along_axis(lambda r: r * np.max(r), 1, x),
                              lambda x: np.apply_along_axis(np.outer, 0, x, [1.0, 2.0])],
        np.ravel: [lambda x: x.flat, lambda x: np.stack(list(x.flat))],
        np.diag: [np.diag, lambda x: np.diag(x[0]), lambda x: np.diag(x[0], -1), lambda x: np.diag(x, 1)],
        np.diagflat: [np.diagflat, lambda x: np.diagflat(x[0], 1)],
        np.append: [lambda x: np.append([[1.0]], x), lambda x: np.append(x, [[1.0, 2, 3, 4]], axis=0)],
    }  # fmt: skip
    if hasattr(np, "matrix_transpose"):
        functions_of[np.swapaxes] = [lambda x: x.mT]
        functions_of[np.matrix_transpose] = [np.matrix_transpose]
        functions_of[np.linalg.matrix_transpose] = [np.linalg.matrix_transpose]
    if hasattr(np, "unstack"):
        functions_of[np.unstack] = [lambda x: list(np.unstack(x)), lambda x: list(np.unstack(x, axis=1))]
    if hasattr(np, "astype"):
        functions_of[np.astype] = [lambda x: np.astype(x, np.float64)]
    for function, functions in functions_of.items():
        yield from calls(function, functions)


def _padding():
    widths = [
        1,
        ((1, 2), (0, 3)),
        (4, 5),
        {1: (2, 1)} if np.lib.NumpyVersion(np.__version__) >= "2.1.0" else ((0, 0), (2, 1)),
    ]
    for mode in [
        "edge",
        "reflect",
        "symmetric",
        "wrap",
        "maximum",
        "minimum",
        "mean",
        "median",
        "linear_ramp",
        "constant",
    ]:
        for w in widths:
            yield call(np.pad, lambda x, w=w, m=mode: np.pad(x, w, mode=m), label=f"{mode} {w}")
    for mode in ("reflect", "symmetric"):
        for w in widths:
            yield call(np.pad, lambda x, w=w, m=mode: np.pad(x, w, mode=m, reflect_type="odd"), label=f"odd {mode} {w}")
    yield call(np.pad, lambda x: np.pad(x[:1, :1], 2, mode="reflect", reflect_type="odd"), label="odd, one element")
    for mode in ("maximum", "minimum", "mean", "median"):
        yield call(np.pad, lambda x, m=mode: np.pad(x, 2, mode=m, stat_length=((2, 1), (3, 9))), label=f"stat {mode}")
    yield call(np.pad, lambda x: np.pad(x, 3, "linear_ramp", end_values=((1.0, 2.0), (3.0, 4.0))), label="ends")
