"""Ctrl-C anywhere in a step: everything that the step changes is as before it, or as after it."""

from __future__ import annotations

import bisect
import dis
import gc
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steepest as st
import steepest.v1 as tf
from steepest.optim.updates import array_of

PACKAGE = str(Path(st.__file__).parent)
HELPERS = "contextlib.py"  # its code stands between a step and what it puts back


class Interrupt:
    """Raises KeyboardInterrupt in this thread at the library's ``at``-th place where Python looks for signals."""

    def __init__(self, at: int) -> None:
        self.left = at
        self._before: dict[Any, str] = {}  # of each frame, the instruction before

    def __call__(self, frame: Any, event: str, argument: Any) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(PACKAGE) and not file.endswith(HELPERS):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            before = self._before.get(frame, "RESUME")
            self._before[frame] = dis.opname[frame.f_code.co_code[frame.f_lasti]]
            if before.startswith(("CALL", "RESUME", "JUMP_BACKWARD")):
                self.left -= 1
                if self.left < 0:
                    raise KeyboardInterrupt
        return self

    def during(self, call: Any) -> bool:
        """Tell whether the call was interrupted."""
        before = sys.gettrace()
        gc.disable()  # what is raised in a finalizer is not raised in the step
        sys.settrace(self)
        try:
            call()
        except KeyboardInterrupt:
            return True
        finally:
            sys.settrace(before)
            gc.enable()
        return False


class World:
    """An optimizer, what it trains, and everything that its steps change."""

    def __init__(self, make: Any, pairs: Any, parameters: list[Any]) -> None:
        self.step_number = st.Variable(np.int64(0), trainable=False)
        self.opt, self.parameters = make(), parameters
        self._pairs = pairs

    def step(self) -> None:
        self.opt.apply_gradients(self._pairs(self.parameters), global_step=self.step_number)

    def state(self) -> Any:
        opt = self.opt
        rates = [value for value in vars(opt).values() if isinstance(value, st.schedules.Schedule)]
        hooks = [hook for hook in opt.hooks if hasattr(hook, "_kept")]
        return (
            [array_of(p).tolist() for p in self.parameters],
            [[self._slot(p, name) for name in opt.get_slot_names()] for p in self.parameters],
            {name: variable.numpy().item() for name, variable in opt._slot_table.non_slots.items()},
            self.step_number.numpy().item(),
            [rate.steps for rate in rates],
            [p._version for p in self.parameters if isinstance(p, st.Variable)],
            [
                (hook._calls, [array_of(getattr(total, "values", total)).tolist() for total in hook._sums])
                if isinstance(hook, st.Accumulate)
                else (hook.step, repr(hook._rng.bit_generator.state))
                for hook in hooks
            ],
        )

    def _slot(self, parameter: Any, name: str) -> Any:
        slot = self.opt.get_slot(parameter, name)
        return None if slot is None else slot.numpy().tolist()


class GraphWorld(World):
    def __init__(self, make: Any) -> None:
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.w = tf.Variable(np.ones(2, np.float32))
            self.opt = make()
            self.train = self.opt.apply_gradients([(tf.constant([1.0, 2.0]), self.w)])
            self.session = tf.Session()
            self.session.run(tf.global_variables_initializer())
            self.all = [self.w, *self.opt.variables()]

    def step(self) -> None:
        self.session.run(self.train)

    def state(self) -> Any:
        return [self.session.run(variable).tolist() for variable in self.all]


def dense(parameters: list[Any]) -> Any:
    return [(np.full(np.shape(array_of(p)), 0.5), p) for p in parameters]


def rows(parameters: list[Any]) -> Any:
    return [(st.IndexedSlices(np.ones((2, 2)), np.array([2, 0])), p) for p in parameters]


def twice(parameters: list[Any]) -> Any:
    return rows(parameters) + rows(parameters)


def array() -> Any:
    return np.ones((3, 2))


def variable() -> Any:
    return st.Variable(np.ones((3, 2)))


def strided() -> list[Any]:
    whole = np.ones((4, 4))
    return [whole[:, ::2], whole.T, np.ones((3, 2), order="F")]


class InPython(st.Optimizer):
    def __init__(self, rate: Any) -> None:
        super().__init__(name="InPython")
        self._learning_rate = rate

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "sum", self._name)
        self._create_non_slot_variable(0.0, "count", var_list[0])

    def _apply_dense(self, grad: Any, var: Any) -> None:
        self.get_slot(var, "sum").assign_add(grad)
        var.assign_sub(float(self._learning_rate) * self.get_slot(var, "sum").numpy())

    def _finish(self, update_ops: Any, name_scope: str) -> None:
        self._get_non_slot_variable("count").assign_add(1.0)


def rate() -> Any:
    return st.schedules.exponential_decay(0.5, None, 10, 0.5)


WORLDS = {
    "sgd": lambda: World(lambda: st.GradientDescentOptimizer(rate()), dense, [array(), variable()]),
    "momentum": lambda: World(lambda: st.MomentumOptimizer(0.5, 0.5), dense, [array(), variable()]),
    "adam": lambda: World(lambda: st.AdamOptimizer(rate()), dense, [variable(), array()]),
    "narrow powers": lambda: World(lambda: st.AdamOptimizer(0.5, beta1=np.float32(0.5)), dense, [array()]),
    "decay": lambda: World(lambda: st.AdagradDecayOptimizer(0.5, accumulator_decay_step=2), dense, [array()]),
    "sparse": lambda: World(lambda: st.LazyAdamOptimizer(0.5), rows, [array(), variable()]),
    "full": lambda: World(lambda: st.AdamOptimizer(0.5), twice, [variable()]),
    "deferred": lambda: World(lambda: st.AdamOptimizer(0.5, sparse_update="deferred"), rows, [variable(), variable()]),
    "deferred twice": lambda: World(lambda: st.AdamOptimizer(0.5, sparse_update="deferred"), twice, [variable()]),
    "strided": lambda: World(lambda: st.MomentumOptimizer(0.5, 0.5), dense, strided()),
    "fused hooks": lambda: World(
        lambda: st.AdamOptimizer(0.5, hooks=[st.WeightDecay(0.1), st.ClipByGlobalNorm(0.5), st.CheckFinite()]),
        dense,
        [array(), variable()],
    ),
    "accumulated": lambda: World(
        lambda: st.AdamOptimizer(0.5, hooks=[st.Accumulate(2), st.GradientNoise(0.5, 1.0, seed=0)]), rows, [variable()]
    ),
    "locked": lambda: World(lambda: st.AdamOptimizer(0.5, use_locking=True), dense, [variable()]),
    "in Python": lambda: World(lambda: InPython(rate()), rows, [variable(), array()]),
    "graph": lambda: GraphWorld(lambda: tf.train.AdamOptimizer(0.5)),
    "graph, hooks": lambda: GraphWorld(lambda: tf.train.MomentumOptimizer(0.5, 0.5, hooks=[st.ClipByNorm(0.5)])),
}


def points(count: int, taken_at: int) -> list[int]:
    """Every place around the one where the step is taken, and some of the others."""
    return sorted({*range(0, count, count // 60 + 1), *range(taken_at - 40, taken_at + 40)} & set(range(count)))


@pytest.mark.parametrize("steps_before", [0, 1], ids=["first", "second"])
@pytest.mark.parametrize("name", WORLDS)
def test_a_step_is_taken_as_a_whole_or_not_at_all(name: str, steps_before: int):
    def world_before() -> Any:
        world = WORLDS[name]()
        for _ in range(steps_before):
            world.step()
        return world

    reference, states = world_before(), []
    for _ in range(4):
        states.append(reference.state())
        reference.step()
    before, after = states[:2]
    assert before != after

    def taken(at: int) -> bool:
        world = world_before()
        assert Interrupt(at).during(world.step)
        state = world.state()
        assert state in (before, after), f"place {at}"
        for _ in range(2):  # whatever was interrupted, the next steps are as they would have been
            world.step()
        assert world.state() == states[2 + (state == after)], f"place {at}"
        return bool(state == after)

    endless = Interrupt(sys.maxsize)
    endless.during(world_before().step)
    count = sys.maxsize - endless.left
    taken_at = bisect.bisect_left(range(count), True, key=taken)
    assert 0 < taken_at < count
    for at in points(count, taken_at):
        taken(at)
