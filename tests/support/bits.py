"""The bits that every rule writes, as a table of hashes: what no machine, thread count or new version may change.

    python tests/support/bits.py > tests/snapshots/bits.json

The table is the same for any number of threads, any instruction set, Variables and arrays, wherever their memory begins
(`test_snapshots.py`). The forms that begin with "large" have sizes just below and above those at which work is cut:
tiles of 2 KiB, chunks of 4,096 elements of a norm, of 32,768 of an update, of 256 repeats of a row.

The inputs are made of integers (no generator of random numbers, no function of libm), so that they are the same
everywhere and for ever. Each entry hashes parameters, slots and the optimizer's own variables after three steps.
"""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

import numpy as np
from catalogue import DTYPES, ROWS, Row, misaligned

import steepest as st

HOOKS: dict[str, list[Any]] = {
    "none": [],
    "value": [st.ClipByValue(-0.5, 0.75)],
    "norm": [st.ClipByNorm(3.0)],
    "global norm": [st.ClipByGlobalNorm(5.0)],
    "decay": [st.WeightDecay(0.1)],
    "decoupled": [st.WeightDecay(0.1, decoupled=True)],
    "finite": [st.CheckFinite()],
    "chain": [st.ClipByValue(-1.0, 1.0), st.WeightDecay(0.1), st.ClipByNorm(9.0), st.ClipByGlobalNorm(7.0)],
}
# Rules that have kernels for the usual widths and for one hook; of the others the shorter list of hooks is enough.
COMMON = {"sgd", "momentum", "adagrad", "rowwise_adagrad", "adagrad_decay", "adam", "lazy_adam"}
SHAPES = [(201, 7), (64, 16), (1003,), (3, 1), ()]
FORMS = ("dense", "rows", "mixed")
LARGE = [(4095,), (4097,), (511, 8), (513, 2, 4), (32_767,), (32_769,), (1821, 18)]
LARGE_FORMS = ("large dense", "large rows")
WAITING = "waiting rows"
# Rules that are not common have these alone in small forms, and in large ones the chain in float32.
LARGE_HOOKS = ("none", "chain")


@functools.cache
def integers(count: int, seed: int) -> np.ndarray:
    """A sequence of 24-bit integers: Knuth's multiplicative hash, in exact arithmetic."""
    k = np.arange(1, count + 1, dtype=np.uint64) + np.uint64(1_000_003 * (seed + 1))
    mixed = (k * np.uint64(0x9E3779B97F4A7C15)) ^ ((k * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(29))
    return ((mixed * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(40)).astype(np.int64)


@functools.cache
def rounded(shape: tuple[int, ...], dtype: np.dtype[Any], seed: int) -> np.ndarray:
    count = int(np.prod(shape, dtype=np.int64))
    return (integers(count, seed).reshape(shape) / 2.0**22 - 2).astype(dtype)


def values(shape: tuple[int, ...], dtype: np.dtype[Any], seed: int) -> np.ndarray:
    """Numbers in [-2, 2), exact in double, rounded once; made once and copied, since they are trained in place."""
    return rounded(shape, dtype, seed).copy()


def gradient(w: np.ndarray, rows: bool, seed: int) -> Any:
    """A dense gradient, or rows with repeats, one of them very often."""
    if not rows or w.ndim == 0:
        return values(w.shape, w.dtype, seed)
    ids = integers(2 * len(w), seed) % len(w)
    ids[:: 3 if len(w) > 500 else 2] = len(w) // 2
    return st.IndexedSlices(values((len(ids), *w.shape[1:]), w.dtype, seed + 7), ids)


def placed(array: np.ndarray, shift: int | None) -> Any:
    """Return an array so many elements into its memory."""
    return misaligned(array, shift) if shift else np.asarray(array)


def trained(
    row: Row, dtype: np.dtype[Any], form: str, hooks: list[Any], shift: int | None = None, **options: Any
) -> str:
    """Hash what three steps leave; ``shift``: of arrays that begin there in their memory, in place of Variables."""
    large, rows, mixed = form in LARGE_FORMS, form.endswith("rows"), form == "mixed"
    shapes = LARGE if large else [shape for shape in SHAPES if shape or not row.needs_rows]
    starts = [values(shape, dtype, k) for k, shape in enumerate(shapes)]
    parameters: list[Any] = [
        st.Variable(start, name=f"w{k}") if shift is None else placed(start, shift) for k, start in enumerate(starts)
    ]
    opt = row.make(hooks=hooks, **options)
    for step in range(3):
        pairs = []
        for k, w in enumerate(parameters):
            if isinstance(w, st.Variable) and form != WAITING:
                _ = w.value  # lets rows move at each step that would else wait
            g = gradient(starts[k], rows or (mixed and (k + step) % 2 == 0), 10 * step + k)
            if isinstance(g, st.IndexedSlices):
                g = st.IndexedSlices(placed(g.values, shift), g.indices)
            else:
                g = placed(g, shift)
            pairs.append((g, w))
        opt.apply_gradients(pairs)
    digest = hashlib.sha256()
    for name in opt.get_slot_names():
        for w in parameters:
            slot = opt.get_slot(w, name)
            digest.update(slot.numpy().tobytes() if slot is not None else b"-")
    for w in parameters:
        digest.update(np.asarray(w).tobytes())
    own = [v.numpy() for v in opt.variables() if v.name.rsplit("/")[-1].startswith(("beta", "AdagradDecay_step"))]
    for array in own:
        digest.update(array.tobytes())
    return digest.hexdigest()[:16]


def table(shift: int | None = None) -> dict[str, str]:
    """All entries, by ``rule | dtype | form | hooks``; ``shift`` as in `trained`. Deferred rows are a Variable's."""
    found = {}
    for dtype in DTYPES:
        for form in FORMS:
            for name, hooks in HOOKS.items():
                for row in ROWS:
                    if name not in LARGE_HOOKS and row.rule not in COMMON:
                        continue
                    st.reset_default_store()
                    found[f"{row.id} | {dtype.name} | {form} | {name}"] = trained(row, dtype, form, hooks, shift)
                st.reset_default_store()
                deferred = trained(
                    next(r for r in ROWS if r.id == "adam"), dtype, form, hooks, sparse_update="deferred"
                )
                found[f"adam deferred | {dtype.name} | {form} | {name}"] = deferred
        for name, hooks in HOOKS.items():
            st.reset_default_store()
            row = next(r for r in ROWS if r.id == "adam")
            waiting = trained(row, dtype, WAITING, hooks, sparse_update="deferred")
            found[f"adam deferred | {dtype.name} | {WAITING} | {name}"] = waiting
    return found | large_forms(shift)


def large_forms(shift: int | None = None) -> dict[str, str]:
    """The entries of the sizes at which work is cut."""
    found = {}
    for dtype in DTYPES:
        for form in LARGE_FORMS:
            for name in LARGE_HOOKS:
                for row in ROWS:
                    if row.rule not in COMMON and (name, dtype.name) != ("chain", "float32"):
                        continue
                    st.reset_default_store()
                    found[f"{row.id} | {dtype.name} | {form} | {name}"] = trained(row, dtype, form, HOOKS[name], shift)
    return found


if __name__ == "__main__":
    print(json.dumps(table(), indent=0))
