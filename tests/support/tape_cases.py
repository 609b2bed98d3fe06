"""The catalogue of derivative rules: for each NumPy function the calls at which it is checked.

A case is ``(label, f, shapes, low, high)``: f of arrays of these shapes, drawn from [low, high).
"""

from __future__ import annotations

import itertools
import operator

import numpy as np
from complex_cases import real_cases
from linalg_cases import linalg_cases
from numpy_cases import numpy_cases
from scipy_cases import scipy_cases

from steepest import nn
from steepest.ops.methods import astype

SHAPES = [(), (3,), (2, 3), (0,), (2, 1, 2)]
PAIRS = [((), ()), ((3,), ()), ((2, 3), (3,)), ((2, 1), (1, 3)), ((2, 1, 3), (4, 1)), ((0, 3), (3,)), ((1,), (4,))]
AXES = [None, 0, -1, (0, 2), (1,), (-1, 0, 1), ()]

UNARY = {
    (0.3, 0.9): (
        "exp log log1p expm1 log2 log10 exp2 sqrt cbrt square reciprocal absolute fabs sign sin cos tan tanh sinh cosh "
        "arcsin arccos arctan arcsinh arctanh negative positive deg2rad rad2deg radians degrees"
    ),
    (1.2, 2.0): "arccosh",
    (-0.9, -0.3): "absolute fabs sign square reciprocal cbrt negative tanh expm1 arctan",
}
BINARY = (
    "add subtract multiply true_divide power float_power arctan2 hypot logaddexp logaddexp2 maximum minimum fmax fmin "
    "remainder fmod"
)


def _cases():
    for (low, high), names in UNARY.items():
        for name in names.split():
            for shape in SHAPES:
                yield getattr(np, name), "", getattr(np, name), [shape], low, high
    for name in BINARY.split():
        for pair in PAIRS:
            yield getattr(np, name), "", getattr(np, name), list(pair), 0.31, 0.94
    for power in (2, 3.0, 0.0, 0.5, -1, np.array([2, 3, 0])):
        yield operator.pow, f"{power}", lambda x, p=power: x**p, [(2, 3)], 0.3, 0.9
    yield operator.pow, "negative base", lambda x: x**3, [(2, 3)], -0.9, -0.3
    yield operator.pow, "scalar base", lambda x: 2.0**x, [(2, 3)], -0.9, -0.3
    yield np.where, "", lambda a, b: np.where(np.array([True, False, True]), a * a, b), [(2, 3), (3,)], 0, 1
    yield np.clip, "", lambda x: np.clip(x, 0.5, 0.8), [(3, 4)], 0, 1
    yield np.clip, "arrays", lambda x, a, b: np.clip(x, a * 0.4, b + 1), [(3, 4), (4,), (3, 1)], 0, 1
    yield np.clip, "one side", lambda x: np.clip(x, None, 0.5), [(3, 4)], 0, 1
    yield np.copy, "", np.copy, [(2, 3)], 0, 1
    yield astype, "", lambda x: x.astype(float) * x.astype("f8"), [(2, 3)], 0, 1
    yield np.nan_to_num, "", np.nan_to_num, [(2, 3)], 0, 1
    yield np.copysign, "", lambda x: np.copysign(x, [1.0, -1.0, 1.0]), [(2, 3)], 0.1, 1
    yield np.ldexp, "", lambda x: np.ldexp(x, 3), [(2, 3)], 0, 1
    yield from _reductions()
    yield from _products()
    yield from _shapes()
    yield from _indexing()
    yield from _nn()
    yield from numpy_cases()
    yield from linalg_cases()
    yield from scipy_cases()
    yield from real_cases()


def _reductions():
    for function in (np.sum, np.mean, np.prod, np.max, np.min, np.amax, np.amin, np.var, np.std):
        for axis, keepdims in itertools.product(AXES, (False, True)):
            if axis != () or function not in (np.var, np.std):
                yield (
                    function,
                    f"axis={axis} keepdims={keepdims}",
                    lambda x, f=function, a=axis, k=keepdims: f(x, axis=a, keepdims=k),
                    [(2, 3, 4)],
                    0.3,
                    0.9,
                )
    for function in (np.sum, np.mean, np.prod, np.max, np.min):
        yield function, "0-d", lambda x, f=function: f(x), [()], 0, 1
    for function in (np.var, np.std):
        yield function, "ddof", lambda x, f=function: f(x, axis=1, ddof=1), [(3, 4)], 0, 1
    yield np.sum, "empty", np.sum, [(0, 3)], 0, 1
    yield np.prod, "one zero", lambda x: np.prod(x * np.array([1.0, 0.0, 2.0]), axis=1), [(2, 3)], 0.3, 1
    yield np.prod, "two zeros", lambda x: np.prod(x * np.array([0.0, 0.0, 2.0]), axis=1), [(2, 3)], 0.3, 1
    for axis in (None, 0, -1):
        yield np.cumsum, f"axis={axis}", lambda x, a=axis: np.cumsum(x, axis=a), [(2, 3)], -1, 1


def _products():
    pairs = [
        ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 2)), ((4, 2, 3), (3, 2)), ((4, 2, 3), (4, 3, 2)),
        ((2, 3), (4, 3, 2)), ((3,), (4, 3, 2)), ((4, 2, 3), (3,)), ((5, 1, 2, 3), (4, 3, 2)), ((0, 3), (3, 2)),
    ]  # fmt: skip
    for a, b in pairs:
        yield np.matmul, "", operator.matmul, [a, b], -1, 1
    yield np.matmul, "with itself", lambda x: x @ x, [(3, 3)], -1, 1
    for a, b in [((), (3,)), ((2, 3), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 2)), ((4, 2, 3), (5, 3, 2))]:
        yield np.dot, "", np.dot, [a, b], -1, 1
    yield np.inner, "", np.inner, [(2, 3), (4, 3)], -1, 1
    yield np.inner, "scalar", np.inner, [(2, 3), ()], -1, 1
    yield np.outer, "", np.outer, [(2,), (3,)], -1, 1
    yield np.vdot, "", np.vdot, [(2, 3), (2, 3)], -1, 1
    for axes in (([1, 0], [0, 1]), ([-2, 0], [-3, 1]), 0):
        yield np.tensordot, f"{axes}", lambda a, b, x=axes: np.tensordot(a, b, x), [(2, 3, 4), (3, 2, 5)], -1, 1
    yield np.tensordot, "", np.tensordot, [(2, 3, 4), (3, 4, 5)], -1, 1
    for offset, (a, b) in itertools.product((-1, 0, 1), itertools.permutations(range(3), 2)):
        for function in (np.diagonal, np.trace):
            label = f"{offset} {a} {b}"
            yield function, label, lambda x, f=function, o=offset, i=a, j=b: f(x, o, i, j), [(3, 4, 3)], -1, 1
    einsums = {
        "ij,jk->ik": [(2, 3), (3, 4)], "ij,jk": [(2, 3), (3, 4)], "ii": [(3, 3)], "ii->i": [(3, 3)],
        "iij->j": [(3, 3, 2)], "iii->i": [(2, 2, 2)], "...ij,...jk->...ik": [(5, 2, 3), (3, 4)], "ij->": [(2, 3)],
        "ij,kl->i": [(2, 3), (2, 2)], "i,i,i->i": [(3,), (3,), (3,)], "...i->...": [(2, 3)], "ba": [(2, 3)],
        "bij,bkj->bik": [(2, 3, 4), (2, 5, 4)], "...i,...i": [(2, 1, 3), (4, 3)], "i...": [(3, 2)],
        "ij , jk -> ki": [(2, 3), (3, 4)], ",i->i": [(), (3,)], "ij,ij->ij": [(1, 3), (2, 3)],
    }  # fmt: skip
    for subscripts, shapes in einsums.items():
        yield np.einsum, subscripts, lambda *a, s=subscripts: np.einsum(s, *a), shapes, -1, 1
    yield np.einsum, "repeated operand", lambda a: np.einsum("ij,kj->ik", a, a), [(2, 3)], -1, 1
    yield np.einsum, "lists", lambda a, b: np.einsum(a, [0, 1], b, [1, 2], [0, 2]), [(2, 3), (3, 4)], -1, 1
    yield (
        np.einsum,
        "path",
        lambda a, b, c: np.einsum("ij,jk,kl->il", a, b, c, optimize=True),
        [(2, 3), (3, 4), (4, 2)],
        -1,
        1,
    )
    yield np.linalg.norm, "", np.linalg.norm, [(2, 3)], 0.1, 1
    for shape in ((3, 3), (2, 3, 3)):  # far from singular
        yield np.linalg.inv, "", lambda x: np.linalg.inv(x + 4 * np.eye(3)), [shape], -1, 1
        yield np.linalg.det, "", lambda x: np.linalg.det(x + 4 * np.eye(3)), [shape], -1, 1
        for right in ((1, 3, 2), (2, 3, 1)):  # NumPy 1 takes (3, 2) beside (2, 3, 3) for two vectors
            yield np.linalg.solve, "", lambda a, b: np.linalg.solve(a + 4 * np.eye(3), b), [shape, right], -1, 1
    yield np.linalg.solve, "vector", lambda a, b: np.linalg.solve(a + 4 * np.eye(3), b), [(3, 3), (3,)], -1, 1
    yield np.linalg.norm, "axis", lambda x: np.linalg.norm(x, axis=1, keepdims=True), [(2, 3)], 0.1, 1


def _shapes():
    calls = [
        (np.reshape, lambda x: np.reshape(x, (3, 2))), (np.reshape, lambda x: np.reshape(x, (3, -1), order="F")),
        (np.reshape, lambda x: x.reshape(6) * x.reshape((6,))), (np.ravel, np.ravel),
        (np.ravel, lambda x: np.ravel(x, "F")), (np.ravel, lambda x: x.flatten()), (np.transpose, lambda x: x.T * x.T),
        (np.transpose, lambda x: np.transpose(x, (1, 0))), (np.transpose, lambda x: np.transpose(x, (-1, 0))),
        (np.swapaxes, lambda x: np.swapaxes(x, 0, -1)), (np.moveaxis, lambda x: np.moveaxis(x, 0, -1)),
        (np.moveaxis, lambda x: np.moveaxis(x[None] * 1, [0, 1], [-1, 0])),
        (np.expand_dims, lambda x: np.expand_dims(x, (0, 2))), (np.squeeze, lambda x: np.squeeze(x[:, None])),
        (np.squeeze, lambda x: np.squeeze(x[:, None], axis=1)),
        (np.concatenate, lambda x: np.concatenate([x, x * x, np.ones((2, 3))], axis=-1)),
        (np.concatenate, lambda x: np.concatenate([x, x * x], axis=None)),
        (np.concatenate, lambda x: np.concatenate((x, x[:0], x))), (np.stack, lambda x: np.stack([x, x * 2], axis=1)),
        (np.stack, lambda x: np.stack([x, x * 2], axis=-1)), (np.vstack, lambda x: np.vstack([x, x[0]])),
        (np.hstack, lambda x: np.hstack([x, x * x])), (np.hstack, lambda x: np.hstack([x[0], x[1]])),
        (np.dstack, lambda x: np.dstack([x, x * x])), (np.column_stack, lambda x: np.column_stack([x, x[:, 0]])),
        (np.append, lambda x: np.append(x, x * x, axis=0)), (np.append, lambda x: np.append(x, 3.0)),
        (np.split, lambda x: np.split(x, 3, axis=1)), (np.split, lambda x: np.split(x, [1, 2], axis=-1)),
        (np.array_split, lambda x: np.array_split(x, 2, axis=1)), (np.vsplit, lambda x: np.vsplit(x, 2)),
        (np.hsplit, lambda x: np.hsplit(x, 3)), (np.broadcast_to, lambda x: np.broadcast_to(x, (4, 2, 3))),
        (np.broadcast_arrays, lambda x: list(np.broadcast_arrays(x, x[:1] * x[:1]))),
        (np.tile, lambda x: np.tile(x, (2, 1, 2))), (np.tile, lambda x: np.tile(x, 2)),
        (np.repeat, lambda x: np.repeat(x, 2, axis=1)), (np.repeat, lambda x: np.repeat(x, 2)),
        (np.repeat, lambda x: np.repeat(x, [1, 0, 2], axis=-1)), (np.pad, lambda x: np.pad(x, 1)),
        (np.pad, lambda x: np.pad(x, ((1, 0), (2, 1)), constant_values=3.0)), (np.pad, lambda x: np.pad(x, (1, 2))),
        (np.flip, lambda x: np.flip(x, 1)), (np.flip, np.flip), (np.flipud, np.flipud), (np.fliplr, np.fliplr),
        (np.roll, lambda x: np.roll(x, 1)), (np.roll, lambda x: np.roll(x, (1, 2), (0, 1))),
        (np.triu, lambda x: np.triu(x, 1)), (np.tril, np.tril), (np.diff, np.diff),
        (np.diff, lambda x: np.diff(x, axis=0)), (np.atleast_1d, np.atleast_1d),
        (np.atleast_2d, lambda x: np.atleast_2d(x[0])),
        (np.atleast_3d, np.atleast_3d),
    ]  # fmt: skip
    for number, (function, f) in enumerate(calls):
        yield function, f"call {number}", f, [(2, 3)], -1, 1


def _indexing():
    index = {
        "row": 1, "negative row": -1, "reversed": (slice(None), slice(None, None, -1)), "new axis": (..., None, 1),
        "pairs": (np.array([0, 1, 1]), np.array([2, 0, 0])), "mask": np.array([[1, 0, 1], [0, 0, 1]], bool),
        "row mask": np.array([True, False]), "rows": np.array([1, 1, 0]), "negative rows": [-1, 0],
        "2-D rows": np.array([[0, 1], [1, 1]]), "columns": (slice(None), [0, 0, 2]), "step": slice(None, None, 2),
        "mask and rows": (np.array([True, True]), [0, 1]), "no rows": np.zeros(0, int), "element": (0, 2),
        "tuple of rows": (np.array([1, 1]),), "all": ..., "apart": (np.array([0, 1, 1]), None, [2, 2, 1]),
    }  # fmt: skip
    for label, i in index.items():
        yield operator.getitem, label, lambda x, i=i: x[i], [(2, 3)], -1, 1
        yield operator.getitem, f"{label} of a product", lambda x, i=i: (x * x)[i], [(2, 3)], -1, 1
    yield operator.getitem, "several", lambda x: x[0] * x[1] + x[np.array([0, 0])] * x, [(2, 3)], -1, 1
    yield operator.getitem, "iteration", lambda x: sum(row * row for row in x), [(2, 3)], -1, 1
    yield np.take, "rows", lambda x: np.take(x, [0, 1, 1], axis=0), [(2, 3)], -1, 1
    yield np.take, "columns", lambda x: np.take(x, np.array([[0, 2], [2, -1]]), axis=1), [(2, 3)], -1, 1
    yield np.take, "flat", lambda x: np.take(x, [5, 0, 5]), [(2, 3)], -1, 1
    yield np.take, "wrap", lambda x: np.take(x, [5, -7], axis=1, mode="wrap"), [(2, 3)], -1, 1
    yield np.take, "scalar", lambda x: np.take(x, 1, axis=1), [(2, 3)], -1, 1
    yield np.take_along_axis, "", lambda x: np.take_along_axis(x, np.array([[0, 2], [1, 1]]), 1), [(2, 3)], -1, 1
    yield np.compress, "", lambda x: np.compress([True, False, True], x, axis=1), [(2, 3)], -1, 1
    yield np.extract, "", lambda x: np.extract(np.array([[1, 0, 1], [0, 0, 1]]), x), [(2, 3)], -1, 1
    yield np.sort, "", np.sort, [(2, 3)], -1, 1
    yield np.delete, "", lambda x: np.delete(x, 1, axis=1), [(2, 3)], -1, 1


LABELS = np.array([[0.2, 0.3, 0.1, 0.4], [0.0, 0.0, 1.0, 0.0], [0.5, 0.5, 0.5, 0.5]])


def _nn():
    for name in ["relu", "leaky_relu", "sigmoid", "softplus", "softmax", "log_softmax", "logsumexp", "l2_loss"]:
        yield getattr(nn, name), "", getattr(nn, name), [(3, 4)], -2, 2
    yield nn.relu, "0-d", nn.relu, [()], -2, 2
    yield nn.softmax, "axis", lambda x: nn.softmax(x, axis=0), [(3, 4)], -2, 2
    yield nn.log_softmax, "axis", lambda x: nn.log_softmax(x, axis=0), [(3, 4)], -2, 2
    yield nn.logsumexp, "axis", lambda x: nn.logsumexp(x, axis=1), [(2, 3, 4)], -2, 2
    yield nn.logsumexp, "axes", lambda x: nn.logsumexp(x, axis=(0, 2), keepdims=True), [(2, 3, 4)], -2, 2
    sparse = nn.sparse_softmax_cross_entropy_with_logits
    dense = nn.softmax_cross_entropy_with_logits
    yield dense, "", lambda x: dense(labels=LABELS, logits=x), [(3, 4)], -2, 2
    yield dense, "axis", lambda x: dense(labels=LABELS, logits=x, dim=0), [(3, 4)], -2, 2
    yield sparse, "", lambda x: sparse(labels=[1, 0, 3], logits=x), [(3, 4)], -2, 2
    cross = nn.sigmoid_cross_entropy_with_logits
    yield cross, "", lambda z, x: cross(labels=z, logits=x), [(3, 4), (3, 4)], 0.1, 0.9
    yield nn.dropout, "", lambda x: nn.dropout(x, 0.5, seed=3), [(3, 4)], -2, 2
    yield nn.dropout, "noise", lambda x: nn.dropout(x, 0.5, (3, 1), seed=3), [(3, 4)], -2, 2
    yield nn.embedding_lookup, "", lambda x: nn.embedding_lookup(x, [[0, 1], [1, 1]]), [(3, 4)], -2, 2
    two = [[0, 1], [1, 1]]
    yield nn.embedding_lookup, "two", lambda x, y: nn.embedding_lookup([x, y], two), [(3, 4), (2, 3)], -2, 2
    yield nn.embedding_bag, "", lambda x: nn.embedding_bag(x, two), [(3, 4)], -2, 2
    yield nn.embedding_bag, "offsets", lambda x: nn.embedding_bag(x, [0, 1, 1], [0, 2, 2, 3], "sqrtn"), [(3, 4)], -2, 2


CASES = list(_cases())
IDS = [f"{case[0].__name__}-{case[1]}-{case[3]}" for case in CASES]


def draw(rng: np.random.Generator, shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
    """Draw values without near ties, so that finite differences do not cross a kink."""
    size = int(np.prod(shape, dtype=int))
    steps = rng.permutation(size) + rng.uniform(0.2, 0.8, size)
    return (low + (high - low) * steps / max(size, 1)).reshape(shape)
