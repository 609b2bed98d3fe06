"""What weight decay leaves alone: the parameters that are excluded, by a list or by a function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest as st
import steepest.v1 as tf
from test_interrupts import InPython


@pytest.mark.parametrize("decoupled", [False, True])
@pytest.mark.parametrize("called", [False, True], ids=["fused", "called"])
@pytest.mark.parametrize("how", ["list", "function"])
@pytest.mark.parametrize(
    "make", [lambda: st.MomentumOptimizer(0.5, 0.5), lambda: InPython(0.5)], ids=["native", "Python"]
)
def test_what_is_excluded_does_not_decay(make: Any, decoupled: bool, called: bool, how: str):
    arrays = [np.ones((3, 2)), st.Variable(np.ones(3)), np.ones(2)]
    plain = [np.ones((3, 2)), np.ones(3), np.ones(2)]
    exclude: Any = arrays[1:] if how == "list" else lambda v: v.ndim == 1
    decay = st.WeightDecay(0.5, decoupled=decoupled, exclude=exclude)
    opt, all_decay, none = make(), make(), make()
    opt.hooks = [decay, *([lambda pairs: pairs] if called else [])]
    all_decay.hooks = [st.WeightDecay(0.5, decoupled=decoupled)]
    for _ in range(3):
        opt.apply_gradients([(np.full(np.shape(a), 0.25), a) for a in arrays])
        all_decay.apply_gradients([(np.full((3, 2), 0.25), plain[0])])
        none.apply_gradients([(np.full(a.shape, 0.25), a) for a in plain[1:]])
    for a, b in zip(arrays, plain, strict=True):
        np.testing.assert_array_equal(np.asarray(a), b)
    decay.exclude = None  # noticed by a step that is like the last one
    opt.apply_gradients([(np.zeros(np.shape(a)), a) for a in arrays])
    none.apply_gradients([(np.zeros(a.shape), a) for a in plain[1:]])
    assert (np.asarray(arrays[2]) != plain[2]).all()


def test_a_bad_exclude_is_refused():
    for bad in (3, "bias", np.ones(2), [3]):
        with pytest.raises(TypeError, match="WeightDecay: exclude must be a list of Variables and arrays"):
            st.WeightDecay(0.1, exclude=bad)
    assert repr(st.WeightDecay(0.1)) == "WeightDecay(rate=0.1, decoupled=False)"


def test_what_is_excluded_is_no_state():
    w = np.ones(2)
    states = [
        st.MomentumOptimizer(0.1, 0.9, hooks=[st.WeightDecay(0.1, exclude=e)]).state_dict()["hooks"]
        for e in ([w], None)
    ]
    assert states[0] == states[1]


def test_a_hook_that_hands_decay_on_leaves_alone_what_that_does():
    class Own(st.hooks.Hook):
        def __init__(self, decay: st.WeightDecay) -> None:
            self.decay = decay

        def __call__(self, pairs: Any) -> Any:
            return self.decay(pairs)

        def native(self, optimizer: Any) -> Any:
            return self.decay.native(optimizer)

    w, b = np.ones(2), np.ones(2)
    opt = st.GradientDescentOptimizer(0.5, hooks=[Own(st.WeightDecay(0.5, exclude=[b]))])
    for _ in range(2):
        opt.apply_gradients([(np.zeros(2), w), (np.zeros(2), b)])
    assert (w.tolist(), b.tolist()) == ([0.5625, 0.5625], [1, 1])


def test_a_session_decays_all_but_what_is_excluded():
    with tf.Graph().as_default():
        w, b = (tf.Variable(np.ones(2, np.float32), name=name) for name in ("weights", "bias"))
        for exclude in ([b], lambda v: "bias" in v.name):
            opt = tf.train.GradientDescentOptimizer(0.5, hooks=[st.WeightDecay(0.5, exclude=exclude)])
            train = opt.apply_gradients([(tf.zeros([2]), w), (tf.zeros([2]), b)])
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                for _ in range(2):
                    session.run(train)
                assert [session.run(v).tolist() for v in (w, b)] == [[0.5625, 0.5625], [1, 1]]
