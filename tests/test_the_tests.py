"""Slightly wrong rules must fail the comparisons that the right ones pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import reference
from catalogue import ROWS, Row
from reference import CHUNK, Hyper, Slots, summed
from wrong_rules import WRONG

import steepest as st
from test_conformance import gradients, narrow_steps, start

Array = np.ndarray


def uphill(right: Any) -> Any:
    """The rule with the opposite sign."""

    def wrong(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
        before = w.copy()
        right(h, t, w, g, slots)
        w[...] = before - (w - before)

    return wrong


def with_slots_of_before(right: Any) -> Any:
    """The parameter moves by what the slots were before the step."""

    def wrong(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
        w_before, before = w.copy(), {name: slot.copy() for name, slot in slots.items()}
        right(h, t, w, g, slots)
        right(h, t, w_before, g * 0, before)
        w[...] = w_before

    return wrong


def slots_forgotten(right: Any) -> Any:
    """Every step begins with fresh slots."""
    first: dict[str, Array] = {}

    def wrong(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
        for name, slot in slots.items():
            slot[...] = first.setdefault(name, slot.copy())
        right(h, t, w, g, slots)

    return wrong


def twins_of(row: Row) -> list[Any]:
    """Twins that every rule has, made from its reference, and those above."""
    makers = [uphill, *([with_slots_of_before, slots_forgotten] if row.slots or row.row_slots else [])]
    right = reference.RULES.get(row.rule)
    derived = [] if right is None else [(make.__name__, make(right)) for make in makers]
    return [*derived, *((wrong.__name__, wrong) for wrong in WRONG.get(row.id, []))]


CASES = [pytest.param(row, wrong, id=f"{row.id}-{name}") for row in ROWS for name, wrong in twins_of(row)]


@pytest.mark.parametrize(("row", "wrong"), CASES)
def test_a_wrong_rule_does_not_have_the_right_bits(row, wrong, monkeypatch):
    dtype = np.dtype(np.float32)
    steps = gradients((1000,), dtype)
    w, opt = start((1000,), dtype), row.make()
    for g in steps:
        opt.apply_gradients([(g, w)])
    right, _ = narrow_steps(row, start((1000,), dtype), steps)
    np.testing.assert_array_equal(w, right)
    monkeypatch.setitem(reference.RULES, row.rule, wrong)
    other, _ = narrow_steps(row, start((1000,), dtype), steps)
    with pytest.raises(AssertionError):
        np.testing.assert_array_equal(w, other)


def test_every_rule_has_a_wrong_twin():
    for row in ROWS:
        assert twins_of(row), f"{row.rule!r}: tests/support/reference.py must have its formula"
    strange = set(WRONG) - {row.id for row in ROWS}
    assert not strange, f"{strange}: WRONG has twins of rules that tests/support/catalogue.py does not have"


def test_another_order_of_duplicates_is_seen():
    rng = np.random.default_rng(0)
    values, ids = rng.normal(size=(3 * CHUNK, 4)).astype(np.float32), np.zeros(3 * CHUNK, np.int64)
    w = np.zeros((1, 4), np.float32)
    st.GradientDescentOptimizer(-1.0).apply_gradients([(st.IndexedSlices(values, ids), w)])
    np.testing.assert_array_equal(w, summed(values, ids)[1])
    sequential = np.zeros(4, np.float32)
    for value in values:
        sequential += value
    backwards = summed(values[::-1], ids)[1]
    assert (w != sequential).any()
    assert (w != backwards).any()


def test_applying_duplicates_one_by_one_is_seen():
    w, row = np.ones((2, 2)), np.ones((1, 2))
    opt, other = st.AdagradOptimizer(1.0), st.AdagradOptimizer(1.0)
    v = w.copy()
    opt.apply_gradients([(st.IndexedSlices(np.ones((2, 2)), [1, 1]), w)])
    for _ in range(2):
        other.apply_gradients([(st.IndexedSlices(row, [1]), v)])
    assert (w[1] != v[1]).all()
