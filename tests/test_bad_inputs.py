"""Every bad input of the catalogue: its exception, a message of the house's form, and nothing changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from bad_inputs import BAD
from bad_world import World

import steepest as st

# Raised by Python, by the user's own code, or worded by TensorFlow.
NOT_OURS = {"later-callable-raises", "later-hook-raises", "compute-loss-arguments"}


def test_the_catalogue_is_long():
    assert len(BAD) >= 60


@pytest.mark.parametrize("name", BAD)
def test_a_bad_input_is_refused_and_changes_nothing(name: str):
    bad, world = BAD[name], World()
    before = world.state()
    with pytest.raises(bad.error, match=bad.message) as raised:
        bad.call(world)
    assert type(raised.value) is bad.error
    if name not in NOT_OURS:
        assert re.match(r"[\w.' ]+: .* must .*, got ", str(raised.value).replace("\n", " ")) or "`" in str(raised.value)
    assert world.state() == before
    world.opt.apply_gradients(world.good, world.step)  # and the run goes on
    assert world.step.value == 5
    assert np.isfinite(world.w.value).all()


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("STEEPEST_ISA", "quantum", "STEEPEST_ISA must be one of baseline"),
        ("STEEPEST_NUM_THREADS", "many", "STEEPEST_NUM_THREADS must be an integer"),
        ("STEEPEST_NUM_THREADS", "0", "STEEPEST_NUM_THREADS must be an integer"),
    ],
)
def test_bad_environment_fails_the_import_with_a_sentence(variable: str, value: str, message: str):
    program = "import steepest"
    environment = {**os.environ, variable: value}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert message in done.stderr
    assert f"got '{value}'" in done.stderr


def test_a_callable_that_goes_wrong_later_stops_that_step_alone():
    rates = iter([0.1, float("nan"), 0.1])
    w = np.ones(3)
    opt = st.AdamOptimizer(lambda: next(rates))
    opt.apply_gradients([(np.ones(3), w)])
    before = w.copy(), opt.get_slot(w, "m").numpy(), [v.numpy() for v in opt.variables()]
    with pytest.raises(ValueError, match="learning_rate must be finite, got nan"):
        opt.apply_gradients([(np.ones(3), w)])
    np.testing.assert_array_equal(w, before[0])
    for variable, value in zip(opt.variables(), before[2], strict=True):
        np.testing.assert_array_equal(variable.value, value)
    opt.apply_gradients([(np.ones(3), w)])
    assert (w < before[0]).all()
