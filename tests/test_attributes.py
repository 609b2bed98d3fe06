"""Attributes of an optimizer: hyper-parameters and hooks can be read and set, others are errors; its repr; the loss."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from catalogue import ROWS

import steepest as st
import steepest.v1 as tf


def moved(opt: st.Optimizer, w: np.ndarray) -> float:
    before = w[0]
    opt.apply_gradients([(np.ones(1), w)])
    return float(before - w[0])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.rule)
def test_every_hyper_parameter_is_a_property_of_its_name(row: Any):
    opt = row.make()
    for name, value in opt._hyper().items():
        assert isinstance(getattr(type(opt), name), property)
        assert getattr(opt, name) is value
        setattr(opt, name, value)
        if not isinstance(value, bool):
            with pytest.raises(TypeError, match=f"{name} must be a number, .* got 'much'"):
                setattr(opt, name, "much")
        assert opt._hyper()[name] is value


def test_a_rate_set_between_steps_is_the_next_steps():
    w, opt = np.zeros(1), st.GradientDescentOptimizer(0.5)
    opt.learning_rate = 0.25  # before the first step
    assert moved(opt, w) == 0.25
    assert moved(opt, w) == 0.25  # a remembered step
    variable = st.Variable(np.float64(0.125), trainable=False)
    for given, sizes in [
        (1.0, [1, 1]),
        (lambda: 0.5, [0.5, 0.5]),
        (variable, [0.125, 0.125]),
        (st.piecewise_constant(1, [0], [2.0, 4.0]), [4, 4]),
        (np.float32(0.25), [0.25, 0.25]),
    ]:
        opt.learning_rate = given
        assert opt.learning_rate is given
        assert [moved(opt, w), moved(opt, w)] == sizes


def test_other_hyper_parameters_are_noticed_by_remembered_steps():
    w, opt = np.zeros(1), st.MomentumOptimizer(1.0, 0.5)
    assert [moved(opt, w) for _ in range(3)] == [1, 1.5, 1.75]
    opt.momentum = 0.0
    assert moved(opt, w) == 1
    opt.momentum, opt.use_nesterov = 1.0, 1
    assert opt.use_nesterov is True
    assert moved(opt, w) == 3  # g + a, a = 2


def test_a_refused_value_changes_nothing():
    opt = st.AdamOptimizer(0.25)
    for name, value, error in [
        ("learning_rate", float("nan"), ValueError),
        ("learning_rate", "fast", TypeError),
        ("learning_rate", None, TypeError),
        ("beta1", 1.0, ValueError),
        ("epsilon", -1.0, ValueError),
        ("hooks", [3], TypeError),
    ]:
        before = getattr(opt, name)
        kept = list(before) if name == "hooks" else before
        with pytest.raises(error, match=f"Adam: {name} must"):
            setattr(opt, name, value)
        assert getattr(opt, name) == kept
    with pytest.raises(TypeError, match=r"hooks must be a list .* got ClipByNorm.*; write hooks=\[ClipByNorm"):
        opt.hooks = st.ClipByNorm(1.0)


def test_hooks_can_be_read_changed_and_set():
    w, opt = np.zeros(1), st.GradientDescentOptimizer(1.0)
    assert opt.hooks == []
    assert [moved(opt, w), moved(opt, w)] == [1, 1]
    opt.hooks = [st.ClipByValue(-0.5, 0.5)]
    assert [moved(opt, w), moved(opt, w)] == [0.5, 0.5]
    opt.hooks.append(st.ClipByValue(-0.25, 0.25))
    assert [moved(opt, w), moved(opt, w)] == [0.25, 0.25]
    opt.hooks += [lambda pairs: [(g / 2, v) for g, v in pairs]]
    assert moved(opt, w) == 0.125
    opt.hooks.append(3)
    with pytest.raises(TypeError, match="hooks must be callables"):
        moved(opt, w)
    opt.hooks = ()
    assert [moved(opt, w), moved(opt, w)] == [1, 1]
    opt.hooks = [st.ClipByValue(-1, 1)] * 17
    with pytest.raises(ValueError, match="at most 16"):
        moved(opt, w)


def test_a_session_sees_hooks_and_rates_that_are_set():
    with tf.Graph().as_default():
        w = tf.Variable([0.0])
        opt = tf.train.GradientDescentOptimizer(1.0)
        train = opt.apply_gradients([(tf.constant([1.0]), w)])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
            opt.learning_rate = 0.5
            session.run(train)
            opt.hooks = [st.ClipByValue(-0.5, 0.5)]
            session.run(train)
            assert session.run(w).tolist() == [-1.75]


def test_unknown_attributes_are_errors_that_name_the_near_ones():
    opt = st.AdamOptimizer(0.1)
    for name, near in [
        ("learnin_rate", "learning_rate"),
        ("lr", "learning_rate"),
        ("beta_1", "beta1"),
        ("hook", "hooks"),
    ]:
        with pytest.raises(
            AttributeError, match=f"AdamOptimizer: attribute must .* got '{name}'; did you mean .*'{near}'"
        ):
            setattr(opt, name, 0.1)
        with pytest.raises(AttributeError, match=name):  # Python's own words
            getattr(opt, name)
    with pytest.raises(AttributeError, match="beta1, beta2, epsilon, hooks, learning_rate can be set"):
        opt.xyz = 1
    assert not hasattr(opt, "momentum")


def test_a_users_class_may_have_any_attribute():
    class Own(st.AdamOptimizer):
        def __init__(self) -> None:
            self.early = 1
            super().__init__(0.1)
            self.late = 2

    opt = Own()
    opt.later = 3
    assert (opt.early, opt.late, opt.later) == (1, 2, 3)


def test_repr_shows_what_differs_from_the_defaults_hooks_and_steps():
    assert repr(st.AdamOptimizer()) == "AdamOptimizer()"
    assert repr(st.AdamOptimizer(0.001, beta1=0.5, sparse_update="deferred", name="A")) == (
        "AdamOptimizer(beta1=0.5, name='A', sparse_update='deferred')"
    )
    opt = st.AdagradDecayOptimizer(0.1, hooks=[st.ClipByNorm(1.0)])
    assert repr(opt) == "AdagradDecayOptimizer(learning_rate=0.1, hooks=[ClipByNorm(norm=1.0)])"
    w = np.zeros(1)
    for _ in range(3):
        moved(opt, w)
    assert repr(opt).endswith("]) after 3 steps")
    opt.learning_rate = 0.2
    assert "learning_rate=0.2" in repr(opt)


def test_minimize_returns_the_loss_before_the_step():
    w = st.Variable(np.array([3.0, -1.0]))
    opt = st.GradientDescentOptimizer(0.25)
    loss = opt.minimize(lambda: np.sum(w * w))
    assert type(loss) is np.float64
    assert loss == 10
    assert opt.minimize(lambda: np.sum(w * w)) == 2.5
    vector = opt.minimize(lambda: w[:])  # not the live array
    assert vector.tolist() == [0.75, -0.25]
    opt.hooks = [st.Accumulate(2)]
    assert opt.minimize(lambda: np.sum(w)) is not None  # a hook holds the step back: the loss is known all the same

    class Loss:
        def __call__(self) -> Any:
            return np.sum(w * 0)

    assert opt.minimize(Loss()) == 0


def test_minimize_goes_through_the_methods_of_a_users_class():
    class Recording(st.GradientDescentOptimizer):
        def compute_gradients(self, *args: Any, **more: Any) -> Any:
            self.computed = super().compute_gradients(*args, **more)
            return self.computed

        def apply_gradients(self, *args: Any, **more: Any) -> Any:
            super().apply_gradients(*args, **more)
            return "applied"

    w = st.Variable(np.ones(1))
    opt = Recording(0.5)
    assert opt.minimize(lambda: np.sum(w)) == "applied"
    assert len(opt.computed) == 1
