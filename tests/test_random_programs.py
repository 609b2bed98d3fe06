"""Random programs: any rules, parameters, hooks and gradients, with state taken elsewhere at any moment.

Three worlds run each program. The *subject* does everything. Its *twin* is never saved, copied or given another number
of threads: both have the same bits, always. The *oracle* is NumPy: its bits are the subject's too, and where rows of
Adam may wait, its values to 1e-9. Every rule of the catalogue takes part by being there.
"""

from __future__ import annotations

import tempfile
import warnings
from typing import Any

import numpy as np
import pytest
from catalogue import DTYPES, ROWS
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from random_worlds import (
    AROUND,
    CHAINS,
    SHAPES,
    WITH_STATE,
    OptimizerSpec,
    Oracle,
    ParameterSpec,
    World,
    draw_gradients,
)

import steepest as st
from steepest import _core

WAYS = ["file", "pickle", "deepcopy", "state_dict", "waiting"]
SEEDS = some.integers(0, 2**32 - 1)
OPTIMIZERS = some.builds(
    OptimizerSpec,
    some.sampled_from(ROWS),
    some.sampled_from(CHAINS),
    some.booleans(),
    some.booleans().flatmap(lambda alone: some.just("alone") if alone else some.sampled_from(list(AROUND))),
)
PARAMETERS = some.tuples(some.sampled_from(SHAPES), some.sampled_from(DTYPES), some.booleans())

SCHEMA = _core.schema()


def _has_memory(spec: OptimizerSpec) -> bool:
    """Tell whether the formula alone does not give a step: hooks with state, wrappers, norms, averages over rates."""
    return spec.around != "alone" or spec.chain in WITH_STATE or spec.row.whole or bool(spec.row.from_parameter)


class Programs(RuleBasedStateMachine):
    """One program; what all of them did is counted in ``done``."""

    done: dict[str, int]

    @initialize(
        optimizers=some.lists(OPTIMIZERS, min_size=1, max_size=3),
        parameters=some.lists(PARAMETERS, min_size=1, max_size=4),
        waiting=some.booleans(),
    )
    def begin(self, optimizers: list[OptimizerSpec], parameters: list[Any], waiting: bool) -> None:
        warnings.simplefilter("ignore", st.StateWarning)  # arrays are replaced on purpose
        if waiting:  # of many optimizers few let rows wait: here the first does, on Variables with rows
            adam, first = next(row for row in ROWS if row.every_row), optimizers[0]
            optimizers[0] = OptimizerSpec(adam, first.chain, True, first.around)
            parameters = [(shape or (9,), dtype, True) for shape, dtype, _ in parameters]
        if any(o.row.needs_rows for o in optimizers):
            parameters = [(shape or (9,), dtype, variable) for shape, dtype, variable in parameters]
        self.optimizers = [
            OptimizerSpec(o.row, o.chain, o.deferred and o.row.rule == "adam", o.around) for o in optimizers
        ]
        self.deferred = any(o.deferred for o in self.optimizers)
        types = DTYPES
        if any(o.chain == "one by one" for o in self.optimizers):
            types = DTYPES[:2]  # half types are rounded between hooks that are called one by one
        if self.deferred:
            types = [np.dtype(np.float64)]
        self.specs = [ParameterSpec(s, t if t in types else types[-1], v) for s, t, v in parameters]
        self.subject, self.twin = (World(self.specs, self.optimizers) for _ in range(2))
        self.oracle = None
        if not any(_has_memory(o) for o in self.optimizers):
            self.oracle = Oracle(self.specs, self.optimizers)
        self.threads = 1
        for o in self.optimizers:
            self.count(o.row.id)
            self.count(o.around)

    def count(self, what: str, more: int = 1) -> None:
        self.done[what] = self.done.get(what, 0) + more

    @rule(which=some.integers(0, 2), steps=some.integers(1, 12), number=SEEDS, views=some.booleans())
    def train(self, which: int, steps: int, number: int, views: bool) -> None:
        which, rng = which % len(self.optimizers), np.random.default_rng(number)
        for _ in range(steps):
            gradients = draw_gradients(self.specs, self.optimizers[which], rng)
            st.set_num_threads(self.threads)
            self.subject.step(which, gradients, views)
            st.set_num_threads(1)
            self.twin.step(which, gradients, False)
            if self.oracle is not None:
                self.oracle.step(which, gradients)
        self.count("steps", steps)
        if not self.deferred:
            self.read()

    @rule()
    def read(self) -> None:
        """Compare everything; rows that wait move first."""
        for position, (a, b) in enumerate(zip(self.subject.values(), self.twin.values(), strict=True)):
            np.testing.assert_array_equal(a, b, err_msg=f"parameter {position}, as the twin")
        slots = self.subject.slots()
        for which, (found, expected) in enumerate(zip(slots, self.twin.slots(), strict=True)):
            assert found.keys() == self.placed(which, expected)
            for key, slot in found.items():
                np.testing.assert_array_equal(
                    slot, expected[key], err_msg=f"optimizer {which}, slot {key}, as the twin"
                )
        self.compare_with_the_oracle(slots)

    def placed(self, which: int, slots: dict[tuple[int, str], Any]) -> set[tuple[int, str]]:
        """The slots that the subject shows: not those that wait until their parameter is met."""
        return {key for key in slots if key[0] not in self.subject.waiting[which]}

    def compare_with_the_oracle(self, slots: list[dict[tuple[int, str], np.ndarray]]) -> None:
        if self.oracle is None:
            return
        for position, (a, b) in enumerate(zip(self.subject.values(), self.oracle.parameters, strict=True)):
            self.same(a, b, f"parameter {position}")
        for which, (found, opt) in enumerate(zip(slots, self.oracle.optimizers, strict=True)):
            expected = {(p, name): slot for p, by_name in opt.slots.items() for name, slot in by_name.items()}
            formula = {key: slot for key, slot in found.items() if key[1] not in opt.row.parameter_slots}
            assert formula.keys() == self.placed(which, expected)
            for key, slot in formula.items():
                self.same(slot, expected[key], f"optimizer {which}, slot {key}")

    def same(self, found: np.ndarray, expected: np.ndarray, what: str) -> None:
        if self.deferred:
            largest = float(np.abs(expected).max(initial=1.0))
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * largest, err_msg=what)
        else:
            np.testing.assert_array_equal(found, expected, err_msg=what)

    @rule(number=SEEDS)
    def gather(self, number: int) -> None:
        """Rows that are read for themselves; others go on waiting."""
        rng = np.random.default_rng(number)
        for position, spec in enumerate(self.specs):
            if spec.variable and spec.shape:
                ids = rng.integers(0, spec.shape[0], 5)
                rows = self.subject.parameters[position].rows(ids)
                np.testing.assert_array_equal(rows, st.gather(self.twin.parameters[position], ids))
                if self.oracle is not None:
                    self.same(rows, self.oracle.parameters[position][ids], "rows")

    @rule(way=some.sampled_from(WAYS))
    def move(self, way: str) -> None:
        """Save, restore, copy the subject; the twin stays what it is."""
        if way == "waiting" and sum(not spec.variable for spec in self.specs) > 1:
            way = "file"
        waits = any(getattr(w, "_pending", None) is not None for w in self.subject.parameters)
        with tempfile.TemporaryDirectory() as folder:
            self.subject.moved(way, folder)
        self.count(way)
        if waits:
            self.count("moved while rows wait")

    @rule(position=some.integers(0, 3))
    def replace(self, position: int) -> None:
        """Another array in an array's place: its slots begin anew."""
        position %= len(self.specs)
        # The next array would get the state that waits; and copies keep the one that was replaced, which would wait.
        waits = self.subject.copied or any(position in waiting for waiting in self.subject.waiting)
        if not self.specs[position].variable and self.specs[position].shape and not waits:
            for world in (self.subject, self.twin, self.oracle):
                if world is not None:
                    world.replace(position)

    @rule(position=some.integers(0, 3), number=SEEDS)
    def write(self, position: int, number: int) -> None:
        """The user writes to a parameter."""
        position %= len(self.specs)
        spec = self.specs[position]
        values = np.asarray(np.random.default_rng(number).normal(size=spec.shape)).astype(spec.dtype)
        self.subject.write(position, values)
        self.twin.write(position, values)
        if self.oracle is not None:
            self.oracle.parameters[position][...] = values

    @rule(which=some.integers(0, 2), rate=some.sampled_from([0.0, 0.01, 0.05, 0.3]))
    def set_rate(self, which: int, rate: float) -> None:
        which %= len(self.optimizers)
        entry = next(h for h in SCHEMA[self.optimizers[which].row.rule]["hyper"] if h["name"] == "learning_rate")
        rate = 0.1 if rate == 0 and entry["low"] == 0 and entry["low_open"] else rate  # FTRL divides by it
        self.subject.set_rate(which, rate)
        self.twin.set_rate(which, rate)
        if self.oracle is not None:
            self.oracle.optimizers[which].hyper["learning_rate"] = rate

    @rule(threads=some.integers(1, 3))
    def set_threads(self, threads: int) -> None:
        self.threads = threads

    def teardown(self) -> None:
        if hasattr(self, "subject"):
            self.read()


def _all_was_done(done: dict[str, int], steps: int) -> bool:
    """Tell whether programs took so many steps, and everything that they may do was done in them."""
    kinds = {row.id for row in ROWS} | set(WAYS) | AROUND.keys()
    return done["steps"] >= steps and kinds <= done.keys() and done.get("moved while rows wait", 0) >= steps / 400


def run_programs(steps: int) -> dict[str, int]:
    """Run programs until everything was done in at least so many steps; return what was, how often.

    What Hypothesis draws from a seed depends on the modules that a process has imported, whose constants it tries.
    """
    done: dict[str, int] = {"steps": 0}
    for number in range(steps):
        if _all_was_done(done, steps) or done["steps"] >= 10 * steps:
            break
        machine = seed(number)(type("Programs", (Programs,), {"done": done}))
        quiet = settings(
            max_examples=50,
            stateful_step_count=30,
            deadline=None,
            database=None,
            report_multiple_bugs=False,
            phases=[Phase.generate],  # a program is not made shorter: that takes many minutes
            suppress_health_check=list(HealthCheck),
        )
        run_state_machine_as_test(machine, settings=quiet)
    return done


def test_random_programs_have_the_bits_of_the_oracle_and_of_a_run_without_saves(request: pytest.FixtureRequest):
    wanted = request.config.getoption("--program-steps")
    done = run_programs(wanted)
    assert _all_was_done(done, wanted), done
