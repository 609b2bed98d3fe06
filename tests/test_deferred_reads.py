"""Rows that owe moves: every way of reading them sees the moves made."""

from __future__ import annotations

import copy
import io
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from deferred_world import SHAPE, slices, trained

import steepest as st
from steepest.optim.pending_rows import PendingRows


def written(value: Any) -> np.ndarray:
    buffer = io.BytesIO()
    np.save(buffer, value)
    buffer.seek(0)
    return np.load(buffer)


def under_tape(read: Callable[[Any], Any], **options: Any) -> Callable[[Any], Any]:
    def call(w: st.Variable) -> Any:
        with st.GradientTape(**options):
            value = read(w)
        return value.numpy() if isinstance(value, st.Tensor) else value

    return call


IDS = np.array([[1, 5], [5, 2]])
READS: dict[str, Callable[[Any], Any]] = {
    "value": lambda w: w.value,
    "numpy": lambda w: w.numpy(),
    "read_value": lambda w: w.read_value(),
    "initialized_value": lambda w: w.initialized_value(),
    "asarray": np.asarray,
    "array": lambda w: np.array(w, np.float32),
    "row": lambda w: w[1],
    "slice": lambda w: w[1::2],
    "mask": lambda w: w[np.arange(8) % 2 == 1],
    "ids": lambda w: w[IDS],
    "negative-ids": lambda w: w[IDS - 8],
    "list": lambda w: w[[1, 5]],
    "pair-of-ids": lambda w: w[[1, 5], [0, 2]],
    "gather": lambda w: st.gather(w, IDS),
    "gather-int32": lambda w: st.gather(w, np.int32([5])),
    "gather-one": lambda w: st.gather(w, 5),
    "gather-none": lambda w: st.gather(w, []),
    "embedding_lookup": lambda w: st.nn.embedding_lookup([w], IDS),
    "embedding_lookup of two": lambda w: st.nn.embedding_lookup([w, w], IDS),
    "embedding_bag": lambda w: st.nn.embedding_bag(w, IDS.ravel(), [0, 1, 1, IDS.size], "sum"),
    "take": lambda w: np.take(w, IDS, axis=0),
    "ufunc": np.tanh,
    "function": lambda w: np.concatenate([w, w]),
    "operator": lambda w: 1 - w,
    "matmul": lambda w: w @ np.ones(3),
    "method": lambda w: w.sum(0),
    "compare": lambda w: w > 0.1,
    "floor": lambda w: w // 0.1,
    "tolist": lambda w: np.array(w.tolist()),
    "item": lambda w: np.array(w.item(3)),
    "iterate": lambda w: np.array([np.array(row) for row in w]),
    "contains": lambda w: np.array(w.numpy()[1, 0] in w),
    "astype": lambda w: w.astype(np.float32),
    "transpose": lambda w: w.T,
    "copy": lambda w: w.copy(),
    "repr": lambda w: np.array(re.findall(r"-?[0-9]+[.][0-9]+", repr(w)), np.float64).astype(np.float32),
    "stop_gradient": st.stop_gradient,
    "convert": lambda w: st.convert_to_tensor(w).numpy(),
    "clip": lambda w: st.clip_by_norm(w, 1.0),
    "norm": lambda w: np.array(st.global_norm([w])),
    "pickle": lambda w: pickle.loads(pickle.dumps(w)).value,
    "deepcopy": lambda w: copy.deepcopy(w).value,
    "save": written,
    "assign_add": lambda w: w.assign_add(np.ones(SHAPE)).value,
    "assign_sub": lambda w: w.assign_sub(np.ones(SHAPE)).value,
    "new-variable": lambda w: st.Variable(w).value,
    "taped-gather": under_tape(lambda w: st.gather(w, IDS)),
    "taped-ids": under_tape(lambda w: w[IDS]),
    "taped-ufunc": under_tape(np.exp),
    "taped-read_value": under_tape(lambda w: w.read_value()),
    "gather-then-dense": under_tape(lambda w: np.sum(st.gather(w, IDS)) + np.sum(w)),
    "persistent-gather": under_tape(lambda w: st.gather(w, IDS), persistent=True),
    "persistent-ids": under_tape(lambda w: w[IDS], persistent=True),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_every_way_of_reading_sees_rows_up_to_date(read):
    (full, _), (deferred, _) = trained("full"), trained("deferred")
    assert isinstance(deferred._pending, PendingRows)
    expected = np.asarray(read(full))
    np.testing.assert_allclose(np.asarray(read(deferred)), expected, rtol=1e-6 if expected.itemsize == 4 else 1e-12)
    lazy, _ = trained("deferred")
    lazy._pending = None  # what a read without the hook would see
    if expected.size and read not in (READS["compare"], READS["floor"], READS["contains"]):
        assert not np.allclose(np.asarray(read(lazy)), expected, rtol=1e-3)


def test_shapes_are_no_reads_and_gather_leaves_the_rest_waiting():
    w, opt = trained("deferred")
    assert (w.shape, w.dtype, w.ndim, w.size, len(w)) == (SHAPE, np.float64, 2, 24, 8)
    assert (w.name, w.trainable, opt.get_slot(w, "m").shape) == ("w", True, SHAPE)
    target = np.zeros((3, 3))
    for _ in range(3):
        opt.minimize(lambda: st.nn.l2_loss(st.gather(w, [1, 2, 2]) - target))
        with st.GradientTape() as tape:
            value = np.sum(w[np.array([3, 3])] ** 2)
        opt.apply_gradients([(tape.gradient(value, w), w)])
    with pytest.raises(IndexError, match=r"\[0, 8\), got 8 at position 0"):
        st.gather(w, [8])
    assert w._pending is not None
    with pytest.raises(IndexError):
        w[np.array([9])]


@pytest.mark.parametrize("name", ["m", "v"])
def test_slots_are_up_to_date_when_they_are_read(name):
    (full, a), (deferred, b) = trained("full"), trained("deferred")
    slot = b.get_slot(deferred, name)
    np.testing.assert_allclose(slot.value, a.get_slot(full, name).value, rtol=1e-12)
    assert deferred._pending is slot._pending is None
    for w, opt in ((full, a), (deferred, b)):
        opt.apply_gradients([(slices([7]), w)])
    np.testing.assert_allclose(slot.numpy(), a.get_slot(full, name).numpy(), rtol=1e-12)  # the same object, later


def test_assign_discards_what_is_overwritten_and_keeps_the_moments_right():
    (full, a), (deferred, b) = trained("full"), trained("deferred")
    for w, opt in ((full, a), (deferred, b)):
        w.assign(np.zeros(SHAPE))
        np.testing.assert_array_equal(w.value, np.zeros(SHAPE))
        opt.apply_gradients([(slices([0]), w)])
    np.testing.assert_allclose(deferred.value, full.value, rtol=1e-12)


def test_state_is_that_of_the_full_optimizer_and_may_be_carried_over():
    (full, a), (deferred, b) = trained("full"), trained("deferred")
    assert b.get_slot_names() == a.get_slot_names() == ["m", "v"]
    assert len(b.variables()) == len(a.variables()) == 4
    carried, c = st.Variable(deferred), st.AdamOptimizer(0.05)
    c.apply_gradients([(slices([]), carried)])
    for name in ("m", "v"):
        c.get_slot(carried, name).assign(b.get_slot(deferred, name))
    for mine, theirs in zip(c._get_beta_accumulators(), b._get_beta_accumulators(), strict=True):
        mine.assign(theirs)
    carried.assign(deferred)
    for w, opt in ((full, a), (carried, c)):
        opt.apply_gradients([(slices([4]), w)])
    np.testing.assert_allclose(carried.value, full.value, rtol=1e-12)


def test_flush_brings_everything_up_to_date():
    (full, _), (deferred, opt) = trained("full"), trained("deferred")
    opt.flush()
    assert deferred._pending is None
    np.testing.assert_allclose(deferred._array, full.value, rtol=1e-12)
    st.AdamOptimizer().flush()
