"""A training run that saves at every step is killed at random moments; it ends with the bits of an undisturbed one."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time

import pytest

import steepest as st

RUN = """
import sys
import numpy as np
import steepest as st

def world():
    w = st.Variable(np.zeros((50, 20)), name="w")
    return {"w": w, "b": np.zeros(7, np.float32), "opt": st.AdamOptimizer(0.01, hooks=[st.GradientNoise(0.1, seed=1)]),
            "rng": np.random.default_rng(3)}

def step(w, b, opt, rng):
    rows = st.IndexedSlices(rng.normal(size=(9, 20)), rng.integers(0, 50, 9))
    opt.apply_gradients([(rows, w), (rng.normal(size=7), b)])

if __name__ == "__main__":
    folder, last = sys.argv[1], int(sys.argv[2])
    manager, objects = st.CheckpointManager(folder, max_to_keep=3), world()
    start = manager.restore(**objects) or 0
    print("restored", start, flush=True)
    for number in range(start, last):
        step(**objects)
        manager.save(number + 1, **objects)
    print("done", flush=True)
"""


def test_the_newest_checkpoint_restores_after_every_kill(tmp_path, request: pytest.FixtureRequest):
    program, folder = tmp_path / "run.py", tmp_path / "run"
    program.write_text(RUN)
    moments = random.Random(0)
    reached = 0
    for _ in range(request.config.getoption("--kills")):
        with subprocess.Popen([sys.executable, str(program), str(folder), "1000000"], stdout=subprocess.PIPE) as run:
            assert run.stdout is not None
            word, start = run.stdout.readline().split()
            assert (word, int(start) >= reached) == (b"restored", True)
            reached = int(start)
            time.sleep(moments.uniform(0, 0.05))
            run.kill()
    steps = st.CheckpointManager(folder).steps
    last = max(steps, default=0) + 3
    done = subprocess.run(
        [sys.executable, str(program), str(folder), str(last)], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("done\n")
    assert sorted(os.listdir(folder)) == [f"step-{number:08d}.safetensors" for number in range(last - 2, last + 1)]

    here: dict = {}
    exec(RUN.replace("__main__", "elsewhere"), here)
    undisturbed, killed = here["world"](), here["world"]()
    for _ in range(last):
        here["step"](**undisturbed)
    assert st.CheckpointManager(folder).restore(**killed) == last
    assert killed["w"].numpy().tobytes() == undisturbed["w"].numpy().tobytes()
    assert killed["b"].tobytes() == undisturbed["b"].tobytes()
    assert killed["rng"].bit_generator.state == undisturbed["rng"].bit_generator.state
