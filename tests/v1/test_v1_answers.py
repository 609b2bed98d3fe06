"""Small programs of ``steepest.v1`` against the answers that TensorFlow gave, in graph mode and in eager mode."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from answers import EAGER, GRAPH, assert_same_answer, in_graph, tables

import steepest.v1 as tf

tables()
TESTS = Path(__file__).parents[1]
RECORDED: dict[str, Any] = json.loads((TESTS / "data" / "v1_answers.json").read_text())

EAGERLY = """
import json, sys
sys.path.insert(0, sys.argv[1])
from answers import EAGER, answer, tables
import steepest.v1 as tf
tables()
tf.enable_eager_execution()
print(json.dumps({name: answer(tf, program) for name, program in EAGER.items()}))
"""


@pytest.fixture(scope="module")
def eager_answers() -> dict[str, Any]:
    command = [sys.executable, "-W", "error", "-c", EAGERLY, str(TESTS / "support" / "v1")]
    done = subprocess.run(command, text=True, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    answers: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answers


@pytest.mark.parametrize("name", GRAPH)
def test_programs_of_graph_mode_answer_as_tensorflow(name: str):
    assert_same_answer(json.loads(json.dumps(in_graph(tf, GRAPH[name]))), RECORDED["graph"][name])


@pytest.mark.parametrize("name", EAGER)
def test_programs_of_eager_mode_answer_as_tensorflow(name: str, eager_answers: dict[str, Any]):
    assert_same_answer(eager_answers[name], RECORDED["eager"][name])


def test_everything_is_recorded():
    for mode, programs in (("graph", GRAPH), ("eager", EAGER)):
        assert set(RECORDED[mode]) == set(programs), f"record again: {set(RECORDED[mode]) ^ set(programs)}"


def test_another_answer_is_seen():
    one = {"dtype": "float32", "shape": [], "values": [1.0]}
    for got, want in (
        ({**one, "dtype": "float64"}, one),
        ([one], [one, one]),
        ({"raises": ["ValueError"], "message": ""}, {"raises": ["TypeError"], "message": ""}),
        (one, {"raises": ["TypeError"], "message": ""}),
        ({"raises": ["TypeError"], "message": ""}, one),
        ("a", "b"),
    ):
        with pytest.raises(AssertionError):
            assert_same_answer(got, want)
