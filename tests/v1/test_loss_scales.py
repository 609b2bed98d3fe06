"""Losses that are scaled, and the strategy of one replica."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.distribute import distribution_strategy_context
from steepest.v1.python.framework import test_util
from steepest.v1.python.training.experimental import loss_scale, loss_scale_optimizer

import steepest.v1 as tf

NAN = float("nan")
LARGEST = float(np.finfo(np.float32).max)


class ScaleTest(tf.test.TestCase):
    """The same in both modes."""

    def scales(self, scale: Any, finite: list[bool]) -> list[float]:
        found = []
        gradient = None if tf.executing_eagerly() else tf.placeholder(tf.float32, [2])
        update = None if tf.executing_eagerly() else scale.update([None, gradient])
        for good in finite:
            value = [1.0, 1.0 if good else NAN]
            if update is None:
                applied = scale.update([None, tf.constant(value)])[1]
            else:
                applied = tf.get_default_session().run(update[1], {gradient: value})
                tf.get_default_session().run(update[0], {gradient: value})
            assert bool(applied) is good
            found.append(float(self.evaluate(scale())))
        return found

    @test_util.run_in_graph_and_eager_modes
    def test_a_scale_grows_and_shrinks(self) -> None:
        make = tf.train.experimental.DynamicLossScale
        cases: list[Any] = [
            ((1, 2, 2), "111111", [1, 2, 2, 4, 4, 8]),
            ((LARGEST / 4, 1, 2), "111", [LARGEST / 2, LARGEST, LARGEST]),
            ((8, 2, 2), "0000", [4, 2, 1, 1]),
            ((4, 2, 3), "11011", [4, 12, 4, 4, 12]),
        ]
        for arguments, steps, expected in cases:
            scale = make(*arguments)
            self.evaluate(tf.global_variables_initializer())
            assert self.scales(scale, [each == "1" for each in steps]) == expected
        again = make.from_config(scale.get_config())
        assert (again.initial_loss_scale, again.increment_period, again.multiplier) == (4.0, 2, 3.0)
        assert "initial_loss_scale=4.0, increment_period=2, multiplier=3.0)" in repr(again)
        with pytest.raises(RuntimeError, match="Duplicate variables"):
            again._add_weight("good_steps", 0)

    @test_util.run_in_graph_and_eager_modes
    def test_steps_without_finite_gradients_are_left_out(self) -> None:
        v, rows = tf.Variable([1.0, 2.0]), tf.Variable([[1.0], [2.0]])
        scale = loss_scale.DynamicLossScale(2, 1, 4)
        opt = loss_scale_optimizer.MixedPrecisionLossScaleOptimizer(tf.train.MomentumOptimizer(1.0, 1.0), scale)
        checkpoint = tf.train.Checkpoint(optimizer=opt, v=v)

        def step(factor: float) -> Any:
            with tf.distribute.get_strategy().scope() as strategy:
                return strategy.experimental_run(
                    lambda: opt.minimize(
                        lambda: tf.reduce_sum(v * factor) + tf.reduce_sum(tf.gather(rows, [1])), var_list=[v, rows]
                    )
                )

        done = step(1.0)
        self.evaluate(tf.global_variables_initializer())
        if not tf.executing_eagerly():
            self.evaluate(done)
        assert [each.tolist() for each in self.evaluate([v, rows])] == [[0.0, 1.0], [[1.0], [1.0]]]
        path = checkpoint.save(self.get_temp_dir() + "/c")
        done = step(NAN)
        if not tf.executing_eagerly():
            self.evaluate(done)
        assert [each.tolist() for each in self.evaluate([v, rows])] == [[0.0, 1.0], [[1.0], [1.0]]]
        assert (float(self.evaluate(scale())), opt.get_slot_names()) == (2.0, ["momentum"])
        checkpoint.restore(path).assert_consumed().run_restore_ops()
        assert float(self.evaluate(scale())) == 8.0
        names = sorted(name for name, _ in tf.train.list_variables(path))
        assert "optimizer/loss_scale/current_loss_scale/.ATTRIBUTES/VARIABLE_VALUE" in names
        assert "v/.OPTIMIZER_SLOT/optimizer/base_optimizer/momentum/.ATTRIBUTES/VARIABLE_VALUE" in names


def test_fixed_scales():
    fixed = loss_scale.get(8)
    assert (fixed.update([tf.constant(NAN)])[1], repr(fixed)) == (True, "FixedLossScale(8.0)")
    assert loss_scale.FixedLossScale.from_config(fixed.get_config())._loss_scale_value == 8.0
    assert loss_scale.get(fixed) is fixed
    assert loss_scale.get(None) is None
    assert isinstance(loss_scale.get("dynamic"), loss_scale.DynamicLossScale)
    for wrong, told in ((0.5, "at least 1"), ("x", "int or float")):
        with pytest.raises(ValueError, match=told):
            tf.train.experimental.FixedLossScale(wrong)
    with pytest.raises(ValueError, match="Could not interpret"):
        loss_scale.get("x")
    opt, make = tf.train.GradientDescentOptimizer(1.0), loss_scale_optimizer.MixedPrecisionLossScaleOptimizer
    for arguments, told in (((opt, None), "loss_scale cannot be None"), ((3, 2.0), "must be an instance of Optimizer")):
        with pytest.raises(ValueError, match=told):
            make(*arguments)
    v = tf.Variable([2.0])
    ((gradient, _),) = make(opt, 10.0).compute_gradients(3.0 * v)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(make(opt, 10.0).apply_gradients([(gradient, v)]))
        assert session.run([gradient, v]) == [[3.0], [-1.0]]


def test_one_replica_needs_no_strategy(tmp_path: Path):
    strategy = tf.distribute.get_strategy()
    x = tf.constant([[1.0, 3.0]])
    with strategy.scope() as inside, tf.Session() as session:
        assert (inside, distribution_strategy_context.get_cross_replica_context()) == (strategy, None)
        assert strategy.experimental_run_v2(lambda a, b: a + b, (1,), {"b": 2}) == 3
        assert strategy.extended.call_for_each_replica(len, ([1, 2],)) == 2
        assert strategy.reduce("SUM", x) is x
        assert session.run(strategy.reduce("mean", x, 1)) == [2.0]
        assert session.run(strategy.reduce("SUM", x, 1)) == [4.0]
        assert strategy.extended.reduce_to("SUM", x, "/cpu:0") is x
        assert strategy.extended.batch_reduce_to("SUM", [(x, "/cpu:0")]) == [x]
        assert strategy.extended.update_non_slot(x, max, (1, 2)) == 2
        assert strategy.unwrap(x) == [x]
        assert isinstance(strategy.group([x.op]), tf.Operation)
    assert tf.train.experimental.PythonState.__name__ == "PythonState"


def test_optimizers_of_any_class_are_wrapped_and_sessions_of_before_are_told_of():
    from steepest.v1.python.training.experimental import mixed_precision, mixed_precision_global_state

    class Own:
        pass

    class Wrapped(Own):
        def __init__(self, inner: Any, scale: Any) -> None:
            self.inner, self.scale = inner, scale

    enable = mixed_precision.enable_mixed_precision_graph_rewrite_v1
    with pytest.raises(ValueError, match='"opt" must be an instance of a tf'):
        enable(Own())
    mixed_precision.register_loss_scale_wrapper(Own, Wrapped)
    mixed_precision_global_state.set_non_mixed_precision_session_created(False)
    try:
        own = Own()
        made = enable(own, 3.0)
        assert (type(made), made.inner, made.scale) == (Wrapped, own, 3.0)
        assert tf.config.optimizer.get_experimental_options()["auto_mixed_precision"] is True
        with tf.Session():
            assert not mixed_precision_global_state.non_mixed_precision_session_created()
        with pytest.raises(ValueError, match="must not already be an instance of a Wrapped"):
            enable(made)
    finally:
        mixed_precision.disable_mixed_precision_graph_rewrite_v1()
        del mixed_precision._wrappers[Own]
    with tf.Session():
        assert mixed_precision_global_state.non_mixed_precision_session_created()
