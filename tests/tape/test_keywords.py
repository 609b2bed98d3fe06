"""Arguments of NumPy's functions by keyword reach the rules under NumPy's names."""

from __future__ import annotations

import numpy as np
import pytest

from steepest.testing import check_vjp

CALLS = {
    "swapaxes": lambda x: np.swapaxes(x, axis1=0, axis2=1),
    "squeeze": lambda x: np.squeeze(x[None], axis=0),
    "transpose": lambda x: np.transpose(x, axes=(1, 0)),
    "transpose a": lambda x: np.transpose(a=x),
    "moveaxis": lambda x: np.moveaxis(x, source=0, destination=1),
    "expand_dims": lambda x: np.expand_dims(x, axis=0),
    "broadcast_to": lambda x: np.broadcast_to(x, shape=(2, 2, 3)),
    "flip": lambda x: np.flip(x, axis=(0, 1)),
    "roll": lambda x: np.roll(x, shift=1, axis=0),
    "triu": lambda x: np.triu(x, k=1),
    "repeat": lambda x: np.repeat(x, repeats=2, axis=0),
    "tile": lambda x: np.tile(x, reps=2),
    "diagonal": lambda x: np.diagonal(x, offset=1, axis1=1, axis2=0),
    "trace": lambda x: np.trace(x, axis1=1, axis2=0),
    "reshape order": lambda x: np.reshape(x, (3, 2), order="F"),
    "cumsum": lambda x: np.cumsum(x, axis=0, dtype=np.float64),
    "sum": lambda x: np.sum(x, axis=np.int64(0), dtype=np.float64, keepdims=True),
    "sum a": lambda x: np.sum(a=x),
    "max": lambda x: np.max(x, axis=1, keepdims=True),
    "prod": lambda x: np.prod(x, axis=1, dtype=np.float64),
    "var": lambda x: np.var(x, axis=0, dtype=np.float64, ddof=1, keepdims=True),
    "std": lambda x: np.std(a=x, ddof=1),
    "concatenate": lambda x: np.concatenate([x, x], axis=1, dtype=np.float64, casting="unsafe"),
    "stack": lambda x: np.stack(arrays=(x, x), axis=-1),
    "split": lambda x: np.split(x, indices_or_sections=[1], axis=1),
    "array_split": lambda x: np.array_split(x, indices_or_sections=2, axis=1),
    "take": lambda x: np.take(x, indices=[0, 1], axis=1, mode="clip"),
    "take_along_axis": lambda x: np.take_along_axis(x, indices=np.array([[0], [1]]), axis=1),
    "tensordot": lambda x: np.tensordot(x, x, axes=([0, 1], [0, 1])),
    "einsum": lambda x: np.einsum("ij,kj->ik", x, x, optimize="greedy"),
    "pad": lambda x: np.pad(x, pad_width=1, mode="constant", constant_values=1.0),
    "clip": lambda x: np.clip(x, a_min=0.2, a_max=0.7),
    "diff": lambda x: np.diff(x, n=2, axis=1),
    "norm": lambda x: np.linalg.norm(x, axis=0, keepdims=True),
    "where": lambda x: np.where(x > 0.5, x, -x),
    "ufunc dtype": lambda x: np.multiply(x, x, dtype=np.float64, casting="same_kind"),
    "ravel": lambda x: np.ravel(x, order="F"),
    "sort": lambda x: np.sort(x, axis=0),
    "append": lambda x: np.append(x, values=x, axis=1),
    "matmul": lambda x: np.matmul(x, x.T),
}


@pytest.mark.parametrize("name", CALLS)
def test_keyword(name):
    check_vjp(CALLS[name], np.array([[0.11, 0.32, 0.63], [0.94, 0.45, 0.76]]))
