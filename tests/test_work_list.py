"""A step like the one before goes a short way, and nobody can tell: whatever changes between two steps is noticed."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from work_changes import CHANGES
from work_worlds import World

import steepest as st
from steepest.optim.step_cache import StepCache

MAKERS = {
    "sgd": lambda: st.GradientDescentOptimizer(0.1),
    "momentum": lambda: st.MomentumOptimizer(0.1, 0.9),
    "adam": lambda: st.AdamOptimizer(0.1),
    "narrow powers": lambda: st.AdamOptimizer(0.1, beta1=np.float32(0.9), beta2=lambda: 0.99),
    "lazy": lambda: st.LazyAdamOptimizer(lambda: 0.1),
    "decay": lambda: st.AdagradDecayOptimizer(0.1, accumulator_decay_step=2),
}


@pytest.fixture
def long_ways(monkeypatch: pytest.MonkeyPatch) -> list[st.Optimizer]:
    """The optimizers of the steps that were checked in full, in order."""
    taken: list[st.Optimizer] = []
    short = StepCache.step

    def step(self, source, *arguments):
        done = short(self, source, *arguments)
        if not done:
            taken.append(source)
        return done

    monkeypatch.setattr(StepCache, "step", step)
    return taken


@pytest.mark.parametrize("change", CHANGES, ids=repr)
@pytest.mark.parametrize("name", MAKERS)
def test_every_change_is_noticed(name: str, change, long_ways):
    worlds = [World(MAKERS[name], remembers) for remembers in (True, False)]
    for world in worlds:
        assert [world.apply() for _ in range(3)] == ["applied"] * 3
    assert [opt is worlds[0].opt for opt in long_ways] == [True, False, False, False]
    assert worlds[0].state() == worlds[1].state()
    long_ways.clear()
    outcomes = []
    for world in worlds:
        change.happen(world)
        outcomes.append(world.apply())
    assert outcomes[0] == outcomes[1]
    assert worlds[0].state() == worlds[1].state()
    if change.short is not None:
        assert long_ways.count(worlds[0].opt) == (not change.short)
    for _ in range(2):
        assert worlds[0].apply() == worlds[1].apply()
        assert worlds[0].state() == worlds[1].state()


class Loop(RuleBasedStateMachine):
    """Any changes, in any order, with any number of steps between them."""

    @initialize(name=some.sampled_from(sorted(MAKERS)))
    def begin(self, name: str) -> None:
        self.worlds = [World(MAKERS[name], remembers) for remembers in (True, False)]

    @rule(change=some.sampled_from(CHANGES))
    def happen(self, change) -> None:
        outcomes = []
        for world in self.worlds:
            try:
                change.happen(world)
                outcomes.append("")
            except Exception as error:  # after other changes it may not be possible
                outcomes.append(type(error).__name__)
        assert outcomes[0] == outcomes[1]

    @rule(times=some.integers(1, 3))
    def step(self, times: int) -> None:
        for _ in range(times):
            assert self.worlds[0].apply() == self.worlds[1].apply()

    @invariant()
    def agree(self) -> None:
        assert self.worlds[0].state() == self.worlds[1].state()


Loop.TestCase.settings = settings(
    max_examples=120, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestLoop = Loop.TestCase


@pytest.mark.parametrize("remembers", [True, False])
def test_a_rate_may_lock_a_parameter(remembers: bool):
    w, v = np.ones(2), np.ones(3)
    opt = st.GradientDescentOptimizer(lambda: w.setflags(write=locked[-1] == 0) or 0.5)
    opt._cache.enabled &= remembers
    for locked in ([0], [0], [1]):
        before = (w.copy(), v.copy())
        if not locked[-1]:
            opt.apply_gradients([(np.ones(3), v), (np.ones(2), w)])
            continue
        with pytest.raises(ValueError, match="must be writable"):
            opt.apply_gradients([(np.ones(3), v), (np.ones(2), w)])
        np.testing.assert_array_equal(before[0], w)
        np.testing.assert_array_equal(before[1], v)


@pytest.mark.parametrize("kind", ["array", "view", "variable"])
def test_nothing_is_kept_alive(kind: str, long_ways):
    opt = st.AdamOptimizer(0.1)
    memory = np.ones(6, np.float32)
    w = memory if kind == "array" else memory[:] if kind == "view" else st.Variable(memory)
    g = np.ones(6, np.float32)
    pairs = [(g, w)]
    for _ in range(3):
        opt.apply_gradients(pairs)
    assert len(long_ways) == 1
    slot = opt.get_slot(w, "m")
    alive = [weakref.ref(thing) for thing in (w, g, memory, slot, slot.value)]
    del w, g, memory, slot, pairs
    gc.collect()
    assert [reference() for reference in alive] == [None] * 5
    assert opt.variables() == sorted(opt._get_beta_accumulators(), key=lambda variable: variable.name)


def test_a_list_does_not_keep_its_optimizer_alive():
    w, opt = np.ones(3), st.AdamOptimizer(0.1)
    for _ in range(2):
        opt.apply_gradients([(np.ones(3), w)])
    alive = weakref.ref(opt)
    gc.disable()
    try:
        del opt
        assert alive() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "of_rules", ["_prepare", "_finish", "_create_slots", "_apply_dense", "_valid_dtypes", "_assert_valid_dtypes"]
)
def test_a_subclass_that_replaces_a_method_goes_the_long_way(of_rules: str, long_ways):
    called = []

    def replaced(self, *arguments):
        called.append(of_rules)
        return getattr(st.AdamOptimizer, of_rules)(self, *arguments)

    kind = type("Other", (st.AdamOptimizer,), {of_rules: replaced})
    w, v = np.ones(3), np.ones(3)
    for opt, array in ((kind(0.1), w), (st.AdamOptimizer(0.1), v)):
        for _ in range(4):
            opt.apply_gradients([(np.ones(3), array)])
    np.testing.assert_array_equal(w, v)
    assert len(long_ways) == 5
    assert len(called) >= 4


def test_a_subclass_that_calls_super_goes_the_short_way(long_ways):
    class Counted(st.MomentumOptimizer):
        calls = 0

        def apply_gradients(self, *arguments, **more):
            self.calls += 1
            return super().apply_gradients(*arguments, **more)

    w, opt = np.ones(3), Counted(0.1, 0.9)
    for _ in range(4):
        opt.minimize  # noqa: B018
        opt.apply_gradients([(np.ones(3), w)])
    assert (opt.calls, len(long_ways)) == (4, 1)


def test_a_gradient_that_is_a_parameter_means_its_old_values(long_ways):
    w, v = np.array([1.0, 2.0]), np.array([5.0, 7.0])
    opt = st.GradientDescentOptimizer(1.0)
    for _ in range(2):
        w[:], v[:] = [1, 2], [5, 7]
        opt.apply_gradients([(v, w), (w, v)])
        assert (w.tolist(), v.tolist()) == ([-4, -5], [4, 5])
        opt.apply_gradients([(np.zeros(2), w), (w[:], v)])
    assert len(long_ways) == 1


def test_a_variable_that_comes_twice_is_updated_twice(long_ways):
    w, opt = st.Variable(np.zeros(2)), st.MomentumOptimizer(1.0, 0.5)
    for k in range(3):
        before = w._version
        opt.apply_gradients([(np.ones(2), w), (np.ones(2), w)])
        assert w._version == before + 2, k
    reference, a = 0.0, 0.0
    for _ in range(6):
        a = a * 0.5 + 1
        reference -= a
    np.testing.assert_array_equal(w.value, reference)
    assert len(long_ways) == 1


def test_a_tape_sees_that_a_variable_has_changed(long_ways):
    w, opt = st.Variable(np.array([1.0, 2.0])), st.GradientDescentOptimizer(0.1)
    for k in range(3):
        with st.GradientTape() as tape:
            loss = np.sum(w * w)
            if k:
                opt.apply_gradients([(np.ones(2), w)])
        if k:
            with pytest.raises(Exception, match="must not change between"):
                tape.gradient(loss, w)
        opt.apply_gradients([(np.ones(2), w)])
    assert len(long_ways) == 1


def test_slices_of_a_large_table_go_the_short_way_with_the_same_bits(long_ways):
    rng = np.random.default_rng(0)
    tables = [np.ones((5000, 16), np.float32) for _ in range(2)]
    opts = [st.LazyAdamOptimizer(0.1, hooks=[st.ClipByGlobalNorm(1.0)]) for _ in range(2)]
    opts[1]._cache.enabled = False
    for _ in range(4):
        ids, values = rng.integers(0, 5000, 4000), rng.normal(size=(4000, 16)).astype(np.float32)
        for opt, table in zip(opts, tables, strict=True):
            opt.apply_gradients([(st.IndexedSlices(values, ids), table)])
    np.testing.assert_array_equal(*tables)
    assert len(long_ways) == 5


def test_a_list_in_use_is_not_used_by_another_thread(long_ways):
    st.set_num_threads(1)
    w, g = np.ones(4_000_000, np.float32), np.ones(4_000_000, np.float32)
    opt = st.GradientDescentOptimizer(0.0)
    pairs = [(g, w)]
    for _ in range(2):
        opt.apply_gradients(pairs)
    assert len(long_ways) == 1
    done = threading.Event()

    def train() -> None:
        while not done.is_set():
            opt.apply_gradients(pairs)

    threads = [threading.Thread(target=train) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3000):
            if len(long_ways) > 1:
                break
            done.wait(0.01)
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert len(long_ways) > 1
    np.testing.assert_array_equal(w, 1)


def test_steps_of_a_graph_go_the_short_way(long_ways):
    import steepest.v1 as tf

    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2])
        w = tf.Variable(np.ones(2, np.float32))
        train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(x * w * w))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            before = len(long_ways)
            for _ in range(4):
                session.run(train, {x: [1.0, 2.0]})
            assert len(long_ways) == before + 1


def test_two_owners_of_one_memory_in_a_list_are_told_apart_at_every_step():
    worlds = [World(MAKERS["adam"], remembers) for remembers in (True, False)]
    changes = {change.name: change for change in CHANGES}
    for name in ("parameters that change places", "another view of the same memory", "another owner"):
        for world in worlds:
            changes[name].happen(world)
    for _ in range(3):
        assert worlds[0].apply() == worlds[1].apply() == "applied"
        assert worlds[0].state() == worlds[1].state()
