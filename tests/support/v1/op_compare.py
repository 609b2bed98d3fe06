"""How near two recorded arrays have to be."""

from __future__ import annotations

from typing import Any

import numpy as np

# Against the values themselves, and against one: sums of a few terms of that size lose that much.
RELATIVE = {"float64": 1e-12, "float32": 1e-5, "float16": 2e-3, "complex64": 1e-5, "complex128": 1e-12}
ABSOLUTE = {"float64": 1e-13, "float32": 1e-6, "float16": 1e-3, "complex64": 1e-6, "complex128": 1e-13}


def assert_same(got: dict[str, Any], want: dict[str, Any]) -> None:
    """Compare what ``array_of`` told; types and shapes are equal, values near by type, integers exact."""
    for key in ("dtype", "shape"):
        assert got[key] == want[key], f"{key} {got[key]}, TensorFlow's {want[key]}"
    if want["values"] is None:
        return
    if want["dtype"] in RELATIVE:
        limits = {"rtol": RELATIVE[want["dtype"]], "atol": ABSOLUTE[want["dtype"]]}
        ours, theirs = (np.array(told["values"], np.float64).ravel() for told in (got, want))
        np.testing.assert_allclose(ours, theirs, **limits, err_msg="values differ from TensorFlow's")
    else:
        assert got["values"] == want["values"], "values differ from TensorFlow's"


def summed(told: dict[str, Any]) -> dict[str, Any]:
    """Return slices with each row once, in order: what slices mean does not depend on how often they repeat a row."""
    rows, where = np.unique(np.array(told["indices"]["values"], np.int64), return_inverse=True)
    parts = [2] if told["dtype"].startswith("complex") else []
    values = np.zeros((len(rows), *told["shape"][1:], *parts))
    np.add.at(values, where, np.array(told["values"]).reshape(*told["shape"], *parts))
    return {**told, "shape": [rows.tolist(), *told["shape"][1:]], "values": values.ravel().tolist()}


def assert_same_gradient(got: dict[str, Any] | None, want: dict[str, Any] | None) -> None:
    """Compare gradients: None, dense or slices alike."""
    kinds = ["None" if told is None else "slices" if "indices" in told else "dense" for told in (got, want)]
    assert kinds[0] == kinds[1], f"the gradient is {kinds[0]}, TensorFlow's {kinds[1]}"
    if got is None or want is None:
        return
    if "indices" in want:
        assert got["indices"]["dtype"] == want["indices"]["dtype"]
        got, want = summed(got), summed(want)
    assert_same(got, want)
