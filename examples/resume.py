"""A training run that can be stopped at any moment: the next start goes on from the newest checkpoint.

The run below is stopped twice and started three times; it ends with the bits of a run that was never stopped.

Run: python examples/resume.py [FOLDER]
"""

import sys
import tempfile

import numpy as np

import steepest as st

STEPS = 600


def train(folder, stop_after=STEPS):
    """Train up to step STEPS, or stop like a program that is killed."""
    st.reset_default_store()  # a new process begins so
    data = np.random.default_rng(0)
    x = data.normal(size=(500, 8))
    y = np.tanh(x @ data.normal(size=8))
    w = st.Variable(np.zeros(8), name="w")
    step = st.get_or_create_global_step()
    opt = st.AdamOptimizer(st.exponential_decay(0.05, step, 100, 0.7), hooks=[st.Accumulate(4)])
    objects = {"w": w, "opt": opt, "step": step, "rng": np.random.default_rng(1), "losses": []}
    manager = st.CheckpointManager(folder, max_to_keep=2)
    start = manager.restore(**objects) or 0
    for number in range(start, STEPS):
        if number == stop_after:
            return None
        rows = objects["rng"].integers(0, len(x), 16)
        opt.minimize(lambda rows=rows: np.mean((np.tanh(x[rows] @ w) - y[rows]) ** 2), global_step=step)
        if (number + 1) % 50 == 0:
            objects["losses"].append(float(np.mean((np.tanh(x @ w) - y) ** 2)))
            manager.save(number + 1, **objects)
    return w.numpy(), objects["losses"]


def main():
    with tempfile.TemporaryDirectory() as temporary, tempfile.TemporaryDirectory() as other:
        folder = sys.argv[1] if len(sys.argv) > 1 else temporary
        for stop_after in (130, 477):
            train(folder, stop_after)
            print(f"stopped after {stop_after} steps, saved: {st.CheckpointManager(folder).steps}")
        resumed, losses = train(folder)
        undisturbed, _ = train(other)
        print(f"losses: {', '.join(f'{loss:.4f}' for loss in losses[::4])}")
        print(f"same bits as an undisturbed run: {resumed.tobytes() == undisturbed.tobytes()}")


if __name__ == "__main__":
    main()
