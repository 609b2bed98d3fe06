"""Every call of the conformance cases, made in eager mode: values and gradients by a tape are TensorFlow's."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from eager_calls import eager_cases
from op_compare import assert_same, assert_same_gradient
from op_differences import DIFFERENCES, EAGER_DIFFERENCES

TESTS = Path(__file__).parents[1]
ANSWERS: dict[str, Any] = json.loads((TESTS / "data" / "v1_ops.json").read_text())["cases"]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    command = [sys.executable, "-W", "error", str(TESTS / "support" / "v1" / "eager_calls.py")]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    observations: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return observations


@pytest.mark.parametrize("name", eager_cases())
def test_a_call_in_eager_mode_is_tensorflows(name: str, found: dict[str, Any]):
    got, want, case = found[name], ANSWERS[name], eager_cases()[name]
    assert "error" not in got, got["error"]
    assert got["tensors"]
    for ours, theirs in zip(got["outputs"], want["outputs"], strict=True):
        assert_same(ours, theirs if case.values else {**theirs, "values": None})
    if "gradients" not in got or ("gradients", name) in DIFFERENCES:
        return
    with pytest.raises(AssertionError, match="the gradient is") if name in EAGER_DIFFERENCES else nullcontext():
        for ours, theirs in zip(got["gradients"], want.get("gradients", []), strict=True):
            assert_same_gradient(ours, theirs)


def test_differences_name_calls():
    assert set(EAGER_DIFFERENCES) <= set(eager_cases())
