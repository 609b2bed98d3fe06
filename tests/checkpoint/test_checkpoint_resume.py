"""k steps, save, a new process, n - k steps: the bits of n steps, for every rule, dense and sparse, and their hooks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from catalogue import ROWS

import steepest as st

STEPS, SAVED = 9, 5
HERE = Path(__file__)
DTYPES = ["float32", "float64", "float16", "bfloat16"]


def world(row: str, way: str, dtype: str) -> dict:
    """A model, its optimizer and the generator of its gradients."""
    import ml_dtypes

    kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype)
    more: dict = {"sparse_update": "deferred"} if way == "deferred" else {}
    first = np.random.default_rng(0).normal(size=(23, 4)).astype(kind)
    step = st.Variable(np.int64(0), trainable=False, name="step")
    hooks = [st.CheckFinite("skip"), st.Accumulate(2), st.ClipByGlobalNorm(3.0), st.GradientNoise(0.1, 0.5, seed=2)]
    rule = next(r for r in ROWS if r.id == row)
    if way == "schedule":
        more["learning_rate"] = st.exponential_decay(0.2, step, 3, 0.7)
    opt = rule.optimizer(**{**rule.hyper, **more}, hooks=hooks if way == "hooks" else ())
    table = first.copy() if way == "arrays" else st.Variable(first, name="table")
    bias = np.ones(5, kind)
    return {"model": {"table": table, "bias": [bias]}, "opt": opt, "rng": np.random.default_rng(1), "step": step}


def train(objects: dict, way: str, steps: int) -> None:
    model, rng = objects["model"], objects["rng"]
    for _ in range(steps):
        ids = rng.integers(0, 23, 6)
        rows = st.IndexedSlices(rng.normal(size=(6, 4)), ids)
        gradient = rng.normal(size=(23, 4)) if way == "dense" else rows
        objects["opt"].apply_gradients(
            [(gradient, model["table"]), (rng.normal(size=5), model["bias"][0])], objects["step"]
        )


def bits(objects: dict) -> dict[str, bytes]:
    model, opt = objects["model"], objects["opt"]
    table = model["table"]
    found = {"table": np.array(getattr(table, "value", table)).tobytes(), "bias": model["bias"][0].tobytes()}
    slots = [(name, target) for name in opt.get_slot_names() for target in (table, model["bias"][0])]
    for k, (name, target) in enumerate(slots):
        slot = opt.get_slot(target, name)
        found[f"{name} {k}"] = b"" if slot is None else slot.value.tobytes()
    return {**found, "step": objects["step"].value.tobytes()}


def ways(row: str) -> list[str]:
    return ["dense", "sparse", "arrays", "hooks", "schedule", *(["deferred"] if row == "adam" else [])]


@pytest.fixture(scope="module")
def resume_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, Path], None]]:
    """Resumes the runs of a rule in a process that has trained nothing: forked from one that has only imported."""
    paths = os.pathsep.join(filter(None, [str(HERE.parents[1] / "support"), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": paths, "STEEPEST_NUM_THREADS": "3"}
    said = tmp_path_factory.mktemp("resumed") / "stderr"
    command, pipes = [sys.executable, str(HERE)], {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with (
        said.open("w") as errors,
        subprocess.Popen(command, text=True, env=environment, stderr=errors, **pipes) as other,
    ):

        def resume_there(row: str, folder: Path) -> None:
            print(row, folder, sep="\t", file=other.stdin, flush=True)
            assert (other.stdout.readline(), said.read_text()) == ("0\n", "")

        yield resume_there
        other.stdin.close()
        assert other.wait(60) == 0


@pytest.mark.parametrize("row", [row.id for row in ROWS])
def test_a_resumed_run_has_the_bits_of_an_undisturbed_one(
    row: str, tmp_path: Path, resume_elsewhere: Callable[[str, Path], None]
) -> None:
    expected = {}
    for way in ways(row):
        for dtype in DTYPES:
            st.reset_default_store()
            objects = world(row, way, dtype)
            train(objects, way, SAVED)
            path = tmp_path / f"{way}-{dtype}"
            st.save(path, **objects)
            st.reset_default_store()
            undisturbed = world(row, way, dtype)
            train(undisturbed, way, SAVED)
            train(undisturbed, way, STEPS - SAVED)
            expected[path.name] = bits(undisturbed)
    resume_elsewhere(row, tmp_path)
    for way in ways(row):
        for dtype in DTYPES:
            name = f"{way}-{dtype}"
            found = st.checkpoint.load(tmp_path / f"{name}.end")
            assert {key: bytes.fromhex(text) for key, text in found.items()} == expected[name], name


def test_a_step_that_is_lost_is_seen() -> None:
    """The comparison above can fail: one step more, and the bits are others."""
    objects, other = world("adam", "dense", "float32"), world("adam", "dense", "float32")
    train(objects, "dense", 3)
    train(other, "dense", 4)
    assert bits(objects) != bits(other)


def resume(row: str, folder: Path) -> None:
    for way in ways(row):
        for dtype in DTYPES:
            st.reset_default_store()
            objects = world(row, way, dtype)
            st.restore(folder / f"{way}-{dtype}", **objects)
            train(objects, way, STEPS - SAVED)
            st.save(folder / f"{way}-{dtype}.end", **{key: value.hex() for key, value in bits(objects).items()})


if __name__ == "__main__":
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            row, folder = line.rstrip("\n").split("\t")
            resume(row, Path(folder))
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
