"""Schedules that count by themselves, in arithmetic, and those that come back: restarts and one cycle."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

import steepest as st
import steepest.v1 as tf


def halving() -> st.schedules.Schedule:
    return st.exponential_decay(1.0, None, 1, 0.5)


def moved(opt: Any, w: np.ndarray, **more: Any) -> float:
    before = w[0]
    opt.apply_gradients([(np.ones(1), w)], **more)
    return float(before - w[0])


class Plain(st.Optimizer):
    def __init__(self, learning_rate: Any) -> None:
        super().__init__(name="Plain")
        self._learning_rate = learning_rate

    def _apply_dense(self, grad: Any, var: Any) -> None:
        var.assign_sub(self._learning_rate * grad)


@pytest.mark.parametrize("make", [st.GradientDescentOptimizer, Plain])
def test_without_a_step_a_schedule_counts_the_updates(make: Any):
    rate, w = halving(), np.zeros(1)
    opt = make(rate)
    assert [rate(), rate()] == [1, 1]  # reading does not count
    assert [moved(opt, w) for _ in range(4)] == [1, 0.5, 0.25, 0.125]
    assert rate.steps == 4
    assert rate() == 1 / 16
    rate.steps = 0
    assert moved(opt, w) == 1
    with pytest.raises(ValueError, match="steps must be at least 0"):
        rate.steps = -1


def test_a_schedule_that_has_a_step_does_not_count():
    rate = st.exponential_decay(1.0, 3, 1, 0.5)
    moved(st.GradientDescentOptimizer(rate), np.zeros(1))
    assert rate.steps is None
    with pytest.raises(ValueError, match="be set where the schedule counts by itself"):
        rate.steps = 3


def test_refused_and_held_back_steps_do_not_count():
    rate, w = halving(), np.zeros(1)
    opt = st.GradientDescentOptimizer(rate, hooks=[st.CheckFinite("skip")])
    moved(opt, w)
    opt.apply_gradients([(np.array([np.nan]), w)])
    with pytest.raises(ValueError, match="shape"):
        opt.apply_gradients([(np.ones(2), w)])
    opt.hooks = [st.Accumulate(2)]
    moved(opt, w)
    assert rate.steps == 1
    moved(opt, w)
    assert rate.steps == 2


def test_schedules_inside_schedules_count_too():
    rate = st.linear_warmup(st.piecewise_constant(None, [2], [8.0, 4.0]), None, 2)
    w, opt = np.zeros(1), st.GradientDescentOptimizer(rate)
    assert [moved(opt, w) for _ in range(5)] == [0, 4, 8, 4, 4]


def test_a_schedule_that_is_set_later_counts_from_then():
    w, opt = np.zeros(1), st.MomentumOptimizer(1.0, 0.0)
    moved(opt, w)
    moved(opt, w)
    opt.learning_rate = halving()
    assert [moved(opt, w) for _ in range(3)] == [1, 0.5, 0.25]
    opt.momentum = other = halving()
    moved(opt, w)
    assert (opt.learning_rate.steps, other.steps) == (4, 1)


def test_a_session_counts():
    with tf.Graph().as_default():
        w = tf.Variable([0.0])
        train = tf.train.GradientDescentOptimizer(halving()).apply_gradients([(tf.constant([1.0]), w)])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(4):
                session.run(train)
            assert session.run(w).tolist() == [-1.875]
    with pytest.raises(ValueError, match="global_step is required for exponential_decay"):
        tf.train.exponential_decay(0.1, None, 10, 0.5)


def test_a_schedule_is_its_value_in_arithmetic():
    rate = st.exponential_decay(0.5, 1, 1, 0.5)
    grad = np.array([2.0, 4.0], np.float32)
    assert (rate * grad).tolist() == (grad * rate).tolist() == [0.5, 1.0]
    assert (rate * grad).dtype == (grad * rate).dtype == np.float32
    assert 1 - rate == 0.75
    assert -rate + 1 == 0.75
    assert np.sqrt(rate) == math.sqrt(rate) == float(rate) * 2 == 0.5
    w = st.Variable(grad)
    assert np.asarray(rate * w).tolist() == [0.5, 1.0]
    assert rate == rate
    assert rate != st.exponential_decay(0.5, 1, 1, 0.5)
    assert len({rate, rate}) == 1
    assert copy.deepcopy(rate)() == 0.25


@pytest.mark.parametrize(("t_mul", "m_mul", "alpha"), [(2.0, 1.0, 0.0), (1.0, 0.5, 0.1), (1.5, 0.9, 0.0)])
def test_restarts_are_tensorflows(t_mul: float, m_mul: float, alpha: float):
    rate = st.cosine_decay_restarts(0.5, None, 10, t_mul, m_mul, alpha)
    begin, length, height = 0.0, 10.0, 1.0
    for step in range(101):
        while step - begin >= length:
            begin, length, height = begin + length, length * t_mul, height * m_mul
        wave = height * (1 + math.cos(math.pi * (step - begin) / length)) / 2
        rate.steps = step
        assert rate() == pytest.approx(0.5 * ((1 - alpha) * wave + alpha), rel=1e-9, abs=1e-12)


# OneCycleLR of torch 2: a rate of 0.4, steps 0, 1, 2, ...; written down from torch.
@pytest.mark.parametrize("strategy", ["cos", "linear"])
@pytest.mark.parametrize(("total", "start"), [(20, 0.3), (10, 0.5), (7, 0.9)])
def test_one_cycle_is_torchs(strategy: str, total: int, start: float):
    top, low, last = 0.4, 0.4 / 25, 0.4 / 25 / 1e4
    phases = [(start * total - 1, low, top), (total - 1, top, last)]  # OneCycleLR._schedule_phases

    def anneal(begin: float, end: float, pct: float) -> float:
        if strategy == "linear":
            return (end - begin) * pct + begin
        return end + (begin - end) / 2.0 * (math.cos(math.pi * pct) + 1)

    for step in range(total + 5):
        now, begin_step = min(step, total - 1), 0.0
        for i, (end_step, begin, end) in enumerate(phases):
            if now <= end_step or i == 1:
                want = anneal(begin, end, (now - begin_step) / (end_step - begin_step))
                break
            begin_step = end_step
        got = st.one_cycle(top, step, total, start, strategy)()
        assert got == pytest.approx(want, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: st.cosine_decay_restarts(0.1, None, 0), ValueError, "first_decay_steps must be positive"),
        (lambda: st.cosine_decay_restarts(0.1, None, 10, 0.5), ValueError, "t_mul must be at least 1"),
        (lambda: st.cosine_decay_restarts(0.1, None, 10, 2, -1), ValueError, "m_mul must be at least 0"),
        (lambda: st.one_cycle(0.1, None, 0), ValueError, "total_steps must be positive"),
        (lambda: st.one_cycle(0.1, None, 10, 1.5), ValueError, r"pct_start must be in \[0, 1\]"),
        (lambda: st.one_cycle(0.1, None, 10, anneal_strategy="sin"), ValueError, "be 'cos' or 'linear', got 'sin'"),
        (lambda: st.one_cycle(0.1, None, 10, div_factor="x"), TypeError, "div_factor must be a real number, got 'x'"),
    ],
)
def test_bad_arguments_are_named(call: Any, error: type[Exception], text: str):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("start", [0.0, 1.0, 0.1])
def test_one_cycle_has_no_step_without_a_rate(start: float):
    assert all(0 <= st.one_cycle(0.4, step, 10, start)() <= 0.4 + 1e-12 for step in range(12))
    assert st.one_cycle(0.4, 0, 1, start)() > 0
