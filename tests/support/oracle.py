"""The worlds of `random_worlds.py` in NumPy alone: hooks and sums of rows around the formulas in `reference.py`.

Where no rows wait the bits must agree; `test_random_programs.py` says what is compared when.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from catalogue import Row, compute_dtype
from reference import RULES, summed

import steepest as st

Array = np.ndarray
NORM_CHUNK = 4096  # elements of a norm's chunk; each has eight lanes


@dataclass
class OracleOptimizer:
    """One optimizer: its rule, the numbers of the next step, and the slots of each parameter by position."""

    row: Row
    hyper: dict[str, float]
    hooks: list[Any]
    steps: int = 0
    updates: dict[int, int] = field(default_factory=dict)  # of each parameter, where its own count
    slots: dict[int, dict[str, Array]] = field(default_factory=dict)


@dataclass
class Part:
    """A gradient on its way: rows of a parameter, None for all of them, and a sum for each."""

    position: int
    rows: Array | None
    gradient: Array  # in the type of the arithmetic
    value: Array  # the same rows of the parameter


def oracle_step(opt: OracleOptimizer, parameters: list[Array], gradients: list[tuple[int, Any]]) -> None:
    """Update parameters in place; ``gradients`` are pairs of a position and an array or `IndexedSlices`."""
    # Without hooks one by one: a parameter that comes twice is updated twice, in order.
    groups = [gradients] if opt.hooks else [[pair] for pair in gradients]
    for group in groups:
        parts = [_part(position, parameters[position], gradient) for position, gradient in group]
        for hook in opt.hooks:
            _run(hook, opt, parameters, parts)
        for part in parts:
            w = parameters[part.position]
            slots = opt.slots.setdefault(part.position, opt.row.new_slots(w, compute_dtype(w.dtype)))
            _update(opt, w, slots, part)
    opt.steps += 1


def _part(position: int, w: Array, gradient: Any) -> Part:
    wide = compute_dtype(w.dtype)
    if not isinstance(gradient, st.IndexedSlices):
        return Part(position, None, gradient.astype(wide), w.astype(wide))
    rows, sums = summed(gradient.values.astype(wide), gradient.indices)
    return Part(position, rows, sums, w[rows].astype(wide))


def _update(opt: OracleOptimizer, w: Array, slots: dict[str, Array], part: Part) -> None:
    rule, row = RULES[opt.row.rule], opt.row
    steps = opt.updates.get(part.position, 0) if row.parameter_slots else opt.steps
    opt.updates[part.position] = opt.updates.get(part.position, 0) + 1
    if part.rows is None:
        rule(opt.hyper, steps, part.value, part.gradient, slots)
        w[...] = part.value.astype(w.dtype)
    elif row.every_row:
        value, gradient = w.astype(part.gradient.dtype), np.zeros(w.shape, part.gradient.dtype)
        value[part.rows], gradient[part.rows] = part.value, part.gradient
        rule(opt.hyper, steps, value, gradient, slots)
        moved = slice(None) if row.moves_left_out else part.rows
        w[moved] = value[moved].astype(w.dtype)
    elif len(part.rows):
        some = {name: slot[part.rows] for name, slot in slots.items()}
        RULES[row.sparse_rule or row.rule](opt.hyper, steps, part.value, part.gradient, some)
        w[part.rows] = part.value.astype(w.dtype)
        for name, slot in slots.items():
            slot[part.rows] = some[name]


def _run(hook: Any, opt: OracleOptimizer, parameters: list[Array], parts: list[Part]) -> None:
    if isinstance(hook, st.ClipByGlobalNorm):
        norms = [norm(_spread(part, parameters)) for part in parts]
        scale = 2.0 ** np.floor(np.log2(max(norms))) if any(norms) else 1.0  # exact: a power of two
        squares = 0.0
        for one in norms:
            squares += (one / scale) * (one / scale)  # not ** 2, which of a scalar is libm's pow
        for part in parts:
            _scale(part, np.sqrt(squares) * scale, hook.norm)
        return
    for part in parts:
        kind = part.gradient.dtype.type
        if isinstance(hook, st.ClipByNorm):
            _scale(part, norm(_spread(part, parameters)), hook.norm)
        elif isinstance(hook, st.ClipByValue):
            part.gradient = np.asarray(np.clip(part.gradient, kind(hook.low), kind(hook.high)))
        elif isinstance(hook, st.WeightDecay) and hook.decoupled:
            part.value = np.asarray(part.value - part.value * kind(opt.hyper["learning_rate"] * hook.rate))
        elif isinstance(hook, st.WeightDecay):
            part.gradient = np.asarray(part.gradient + part.value * kind(hook.rate))
        else:
            assert isinstance(hook, st.CheckFinite), hook


def _scale(part: Part, length: float, limit: float) -> None:
    if length > limit:
        part.gradient = np.asarray(part.gradient * part.gradient.dtype.type(limit / length))


def _spread(part: Part, parameters: list[Array]) -> Array:
    if part.rows is None:
        return part.gradient
    dense = np.zeros(parameters[part.position].shape, part.gradient.dtype)
    dense[part.rows] = part.gradient
    return dense


def norm(dense: Array) -> float:
    """The norm in its fixed order: lanes of chunks in ascending order, a tree over the lanes, chunks in order."""
    total = 0.0
    for begin in range(0, dense.size, NORM_CHUNK):
        squares = dense.reshape(-1)[begin : begin + NORM_CHUNK].astype(np.float64) ** 2
        lanes = [np.cumsum(squares[k::8])[-1] if len(squares) > k else 0.0 for k in range(8)]
        total += ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
    return float(np.sqrt(total))
