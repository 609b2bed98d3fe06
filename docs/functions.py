"""Writes functions.md, the list of what tapes differentiate, from the registry: `python docs/functions.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.special

import steepest.ops.vjps  # noqa: F401  (declares the rules)
from steepest import nn
from steepest.ops.registry import COMPLEX, COMPOSITES, NONDIFFERENTIABLE, PRIMITIVES, declare_late_rules

MODULES = {"np.": np, "np.linalg.": np.linalg, "np.fft.": np.fft, "scipy.special.": scipy.special}
declare_late_rules()
PAGE = Path(__file__).parent / "functions.md"


def public_name(function: Any) -> str | None:
    """Return numpy's public name of a function, or None for a function that is not numpy's."""
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return f"np.{function.__self__.__name__}.{function.__name__}"
    for prefix, module in MODULES.items():
        for name in (getattr(function, "__name__", ""), *sorted(vars(module))):
            if name and getattr(module, name, None) is function:
                return prefix + name
    return None


def listed(functions: Any) -> str:
    names = {name for name in map(public_name, functions) if name}
    return ", ".join(f"`{name}`" for name in sorted(names)) + "."


def page() -> str:
    layers = ", ".join(f"`nn.{name}`" for name in sorted(nn.__all__)) + ", `gather`."
    return f"""# What the tape differentiates

This page is written by `python docs/functions.py` from the rules themselves; a test fails when it is out of date.

Operators (`+ - * / % ** @ -x abs(x) divmod(x, y)`), comparisons, indexing (basic, integer arrays, boolean arrays) and
the methods of arrays work on `Variable` and `Tensor` as they do on arrays. All derivatives broadcast as NumPy does,
keep the type of what is differentiated, and can be differentiated again. Reductions take `where=` and `initial=` (`var`
and `std` also `mean=` and `correction=`); `outer` goes with every listed ufunc of two arguments.

A gradient is an array. Of a Variable or a watched Tensor that is read by rows it is `IndexedSlices`: by `x[ids]` with
an array or a list of integers, `np.take(x, ids, axis=0)`, `gather` and `nn.embedding_lookup`, and by nothing else.

Elements that tie for a maximum or minimum share the gradient; where an order decides (`np.sort`, `np.median`), equal
elements stay in their order. The gradient of a matrix of which NumPy reads one triangle (`np.linalg.cholesky`,
`np.linalg.eigh`) is in that triangle. At a norm or standard deviation of 0 the derivative is taken to be 0.

## Complex numbers

Variables and losses are real; between them may be complex numbers: `np.abs(np.fft.fft(x)) ** 2`, `np.exp(1j * x)`.
The gradient of z = a + ib is `dL/da - i dL/db`, as in JAX and HIPS autograd, so that a function with a complex
derivative is differentiated as a real one; of a real value the gradient is real. A complex target needs
`output_gradients`. Where eigenvectors and singular vectors are complex the loss must not depend on their phases, which
are arbitrary: a ValueError says so. The functions that take and give complex numbers on recorded values:

{listed(f for f in (*PRIMITIVES, *COMPOSITES) if PRIMITIVES.get(f, f) in COMPLEX)}

Any other raises a TypeError where it meets them.

## With a derivative

{listed([*PRIMITIVES, *COMPOSITES])}

## Without one, giving plain values

Their derivative is zero almost everywhere, or they return no real numbers.

{listed(NONDIFFERENTIABLE)}

## steepest's own

{layers}

What NumPy makes an array of before a function is asked takes no recorded values, and is a TypeError: `np.array([x, y])`
and lists of them given to other functions (`np.stack([x, y])` and `np.block([[a, b], [c, d]])` are differentiated),
`np.r_`, `np.vectorize`, masked arrays, and SciPy's functions that are no ufuncs: `scipy.stats`, `scipy.linalg`,
`softmax`, `log_softmax` and `logsumexp` (those of `steepest.nn` are differentiated). (`psi` is SciPy's other name of
`digamma`.)

Any other NumPy function on a recorded value raises a TypeError that names the function. The ways out:
`stop_gradient(x)` where no gradient is meant, `x.numpy()` for the plain value, `custom_gradient` to give the derivative
yourself.
"""


if __name__ == "__main__":
    PAGE.write_text(page())
