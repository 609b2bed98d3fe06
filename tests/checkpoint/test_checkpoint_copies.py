"""``pickle`` and ``copy`` of what is public and owns its state: an optimizer is copied with its parameters."""

from __future__ import annotations

import copy
import gc
import pickle

import numpy as np
import pytest
from catalogue import ROWS, Row
from trained_world import step, trained, values

import steepest as st
import steepest.v1 as tf

TAKE = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "pickle-2": lambda thing: pickle.loads(pickle.dumps(thing, 2)),
}


@pytest.mark.parametrize("take", ["deepcopy", "pickle", "pickle-2"])
@pytest.mark.parametrize("kind", [np.array, st.Variable], ids=["array", "Variable"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_an_optimizer_is_copied_with_its_model(row: Row, kind, take: str):
    opt, parameters = trained(row, kind)
    first = values(parameters)
    for order in (1, -1):
        pair = TAKE[take]((opt, parameters)[::order])
        new, copies = pair[::order]
        step(new, *copies)
        assert values(parameters) == first  # the copy has its own
        mine = row.make()
        mine.load_state_dict(opt.state_dict())
        expected = [np.array(getattr(p, "value", p)) for p in parameters]
        mine.load_state_dict(opt.state_dict(), parameters=expected)
        step(mine, *expected)
        assert values(copies) == values(expected)


def test_an_optimizer_that_is_copied_alone_keeps_its_state():
    opt, arrays = trained(ROWS[6])
    for name, take in TAKE.items():
        new = take(opt)
        gc.collect()
        assert len(new.state_dict()["parameters"]) == len(arrays), name
        third, copies = ROWS[6].make(), [array.copy() for array in arrays]
        third.load_state_dict(new.state_dict())
        step(third, *copies)
        if name == "copy":  # the same parameters, and state of its own
            step(new, *arrays)
            assert values(arrays) == values(copies)


def test_sums_of_gradients_are_copied():
    opt, w = st.MomentumOptimizer(0.5, 0.5, hooks=[st.Accumulate(2)]), np.zeros(2)
    opt.apply_gradients([(np.ones(2), w)])
    new, v = copy.deepcopy((opt, w))
    for optimizer, parameter in ((opt, w), (new, v)):
        optimizer.apply_gradients([(np.full(2, 3.0), parameter)])
    assert w.tolist() == v.tolist() == [-1, -1]


def test_an_optimizer_of_views_is_not_copied_but_its_state_is():
    memory, opt = np.ones((4, 2)), st.MomentumOptimizer(0.5, 0.5)
    step(opt, memory[::2])
    with pytest.raises(TypeError, match=r"MomentumOptimizer: parameter must be a Variable or an array that owns"):
        copy.deepcopy(opt)
    assert opt.state_dict()["parameters"][0]["shape"] == [2, 2]


def test_an_optimizer_of_a_graph_has_its_state_in_a_session():
    w = tf.get_variable("w", initializer=[1.0])
    opt = tf.train.AdamOptimizer(0.1)
    opt.minimize(w * w)
    for take in (opt.state_dict, lambda: copy.deepcopy(opt)):
        with pytest.raises(TypeError, match=r"state_dict: optimizer must not be one of a graph.*tf.train.Saver"):
            take()


PUBLIC = [
    st.ClipByGlobalNorm(1.0),
    st.ClipByNorm(1.0),
    st.ClipByValue(-1.0, 1.0),
    st.WeightDecay(0.1, decoupled=True),
    st.CheckFinite("skip"),
    st.GradientNoise(0.1, seed=3),
    st.Accumulate(3),
    st.exponential_decay(0.1, 3, 5, 0.5),
    st.piecewise_constant(1, [2.0], [0.1, 0.2]),
    st.linear_warmup(0.1, 3, 5),
]


@pytest.mark.parametrize("thing", PUBLIC, ids=repr)
@pytest.mark.parametrize("take", TAKE)
def test_hooks_and_schedules_can_be_copied(thing, take):
    assert repr(TAKE[take](thing)) == repr(thing)


def test_sparse_gradients_and_variables_can_be_copied():
    rows, w = st.IndexedSlices(np.ones((2, 3)), [1, 4], (7, 3)), st.Variable(np.ones(3))
    for take in (TAKE["deepcopy"], TAKE["pickle"]):
        assert np.array_equal(take(rows).to_dense(), rows.to_dense())
        assert take(w).numpy().tolist() == [1, 1, 1]
