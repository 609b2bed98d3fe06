"""Each example runs by itself and prints the result it promises."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from mpiexec import mpiexec

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name)], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def number(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    assert found, text
    return float(found.group(1))


def test_digits_are_recognised() -> None:
    assert number(r"test accuracy: ([\d.]+) %", run("digits_ndarray.py")) > 95


def test_factorization_predicts_ratings_and_spares_unseen_items() -> None:
    out = run("factorization.py")
    error, spread = re.findall(r"test error ([\d.]+) \(without a model: ([\d.]+)\)", out)[-1]
    assert float(error) < 0.5 * float(spread)
    assert 0 < number(r"never touched: (\d+) %", out) < 90


def test_the_recommender_tells_clicks() -> None:
    out = run("recommender.py")
    right = [float(text) for text in re.findall(r"([\d.]+) % of unseen visits told right", out)]
    assert right[-1] > 70 > number(r"always the same answer: ([\d.]+) %", out)
    assert right[-1] > right[0]
    assert 0 < number(r"never touched: (\d+) %", out) < 90


def test_the_custom_optimizer_learns() -> None:
    out = run("custom_optimizer.py")
    assert number(r"loss after: ([\d.]+)", out) < 0.15 < number(r"loss before: ([\d.]+)", out)
    assert number(r"test accuracy: ([\d.]+) %", out) > 93


def test_two_optimizers_share_a_model() -> None:
    out = run("two_optimizers.py")
    assert "wide: ['wide/pairs'] with ['accumulator']" in out
    assert "with ['m', 'v']" in out
    assert number(r"test accuracy: ([\d.]+) %", out) > 80


def test_a_stopped_run_goes_on_as_if_nothing_had_been() -> None:
    out = run("resume.py")
    assert "stopped after 477 steps, saved: [400, 450]" in out
    assert "same bits as an undisturbed run: True" in out
    assert number(r"losses: .*, ([\d.]+)\n", out) < 0.01 < number(r"losses: ([\d.]+),", out)


def test_a_run_of_tensorflow_goes_on() -> None:
    out = run("from_tensorflow.py")
    recorded = json.loads((EXAMPLES.parent / "tests/data/tensorflow/answers.json").read_text())["adam"]["losses"]
    losses = [float(text) for text in re.findall(r"\d+\.\d{5}", out)]
    assert losses == pytest.approx(recorded, rel=1e-5)
    assert "layer/w/Adam_1   float32 (3, 2)" in out


def test_decays_are_compared() -> None:
    found = re.findall(r"best of \d: ([\d.]+) % of unseen digits, largest weight ([\d.]+)", run("decay_digits.py"))
    (plain, free), (in_gradient, _), (decoupled, held) = ((float(a), float(b)) for a, b in found)
    assert min(plain, in_gradient, decoupled) > 94
    assert decoupled > plain - 0.5
    assert held < free


def test_several_ranks_train_the_model_of_one() -> None:
    alone = run("several_ranks.py")
    three = mpiexec(3, (EXAMPLES / "several_ranks.py").read_text("utf-8"))  # four micro-batches: 1, 1 and 2
    assert three.returncode == 0, three.stderr
    assert number(r"step 100: mean squared error ([\d.]+)", alone) < 0.001
    vectors, rows = alone.rsplit("\n", 2)[0], "rows of users on each rank: "
    assert three.stdout[0].startswith(vectors)
    assert f"{rows}[20000]" in alone
    assert f"{rows}[6656, 6656, 6688]" in three.stdout[0]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_is_short_and_tested(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) < 80
    assert f'run("{path.name}")' in Path(__file__).read_text("utf-8")


def test_ftrl_makes_most_weights_zero_and_predicts_as_well() -> None:
    out = run("sparse_ftrl.py")
    plain, sparse = re.findall(r"([\d.]+)% of unseen examples right, (\d+) weights, (\d+) exactly 0", out)
    assert min(float(plain[0]), float(sparse[0])) > 90
    assert int(sparse[1]) < 10_000 < 500_000 < int(plain[1])
    assert int(sparse[1]) + int(sparse[2]) == 1_000_000
