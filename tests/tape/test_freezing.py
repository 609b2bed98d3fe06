"""Freezing: a variable that is not trainable stays as it is."""

from __future__ import annotations

import numpy as np

import steepest as st


def test_a_variable_can_be_frozen_and_thawed():
    w, v = st.Variable(np.ones(2), name="w"), st.Variable(np.ones(2), name="v")
    opt = st.MomentumOptimizer(0.5, 0.5)
    v.trainable = False
    opt.minimize(lambda: np.sum(w * v))
    assert (w.value.tolist(), v.value.tolist()) == ([0.5, 0.5], [1, 1])
    assert opt.get_slot(v, "momentum") is None
    v.trainable = True
    opt.minimize(lambda: np.sum(w * v))
    assert v.value.tolist() == [0.75, 0.75]
    assert v in st.trainable_variables()
    v.trainable = False
    assert v not in st.trainable_variables()
    opt.minimize(lambda: np.sum(v * 1.0), var_list=[v])  # named: trained
    assert v.value[0] < 0.75
    with st.GradientTape() as tape:
        a = v * 1.0
        v.trainable = True  # from here on
        b = v * 1.0
    assert tape.gradient(b, v).tolist() == [1, 1]
    assert not isinstance(a, st.Tensor)
