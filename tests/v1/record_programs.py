"""Record what the programs in ``examples/tf1`` return under TensorFlow in ``tests/data/v1_programs.json``.

Run ``python tests/v1/record_programs.py [NAME ...]`` with a Python that has TensorFlow (and scikit-learn); without
names it records all programs. ``--all`` prints the answers of all programs as JSON and writes nothing; with
``--here NAME ...`` it does that for some, in this process.

Only the line that imports steepest is replaced. TensorFlow 2 has no ``tf.contrib``, and AdagradDecay never was in it:
what the programs need of the two is defined here, from TensorFlow's own parts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import tensorflow.compat.v1 as tf

sys.path.insert(0, str(Path(__file__).parents[1] / "support" / "v1"))

from programs import DATA, IMPORT, PROGRAMS, Answers, path_of, plain

TENSORFLOW = "import tensorflow.compat.v1 as tf; tf.disable_v2_behavior()\n"


def implicit_value_and_gradients(function: Callable[..., Any]) -> Callable[..., Any]:
    """``tf.contrib.eager.implicit_value_and_gradients``: gradients for the variables that the function read."""

    def value_and_gradients(*args: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        with tf.GradientTape() as tape:
            value = function(*args)
        variables = tape.watched_variables()
        return value, list(zip(tape.gradient(value, variables), variables, strict=True))

    return value_and_gradients


def gradients_function(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    """``tf.contrib.eager.gradients_function``: gradients with respect to the arguments."""

    def gradients(*args: Any) -> list[Any]:
        tensors = [tf.convert_to_tensor(arg) for arg in args]
        with tf.GradientTape() as tape:
            tape.watch(tensors)
            value = function(*tensors)
        found: list[Any] = tape.gradient(value, tensors)
        return found

    return gradients


EAGER = SimpleNamespace(
    Variable=tf.Variable,
    gradients_function=gradients_function,
    implicit_gradients=lambda function: lambda *args: implicit_value_and_gradients(function)(*args)[1],
    implicit_value_and_gradients=implicit_value_and_gradients,
)


class AdagradDecayOptimizer(tf.train.Optimizer):
    """Adagrad whose sums are multiplied by a rate once per period, for rows of tables."""

    def __init__(
        self,
        learning_rate: float,
        global_step: Any,
        initial_accumulator_value: float = 0.1,
        accumulator_decay_step: int = 100000,
        accumulator_decay_rate: float = 0.9,
        use_locking: bool = False,
        name: str = "AdagradDecay",
    ) -> None:
        super().__init__(use_locking, name)
        self._rate, self._step, self._floor = learning_rate, global_step, initial_accumulator_value
        self._period, self._decay = accumulator_decay_step, accumulator_decay_rate

    def _create_slots(self, var_list: list[Any]) -> None:
        for v in var_list:
            zeros, count = tf.zeros_initializer(self._step.dtype.base_dtype), self._step.dtype.base_dtype
            start = tf.constant_initializer(self._floor, dtype=v.dtype.base_dtype)
            for slot, initializer, dtype in (
                ("accumulator", start, v.dtype.base_dtype),
                ("accumulator_decay_power", zeros, count),
            ):
                self._get_or_make_slot_with_initializer(v, initializer, v.get_shape(), dtype, slot, self._name)

    def _prepare(self) -> None:
        self._periods = tf.identity(self._step + 1) // self._period

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        total, count = self.get_slot(var, "accumulator"), self.get_slot(var, "accumulator_decay_power")
        sums, counts = tf.gather(total, grad.indices), tf.gather(count, grad.indices)
        due = self._periods > counts
        sums = tf.where(due, tf.maximum(sums * self._decay, self._floor), sums) + grad.values * grad.values
        moved = tf.scatter_sub(var, grad.indices, self._rate * grad.values / tf.sqrt(sums))
        kept = tf.scatter_update(total, grad.indices, sums)
        counted = tf.scatter_update(count, grad.indices, counts + tf.cast(due, counts.dtype))
        return tf.group(moved, kept, counted)


def answers_of(name: str) -> Answers:
    """Run a program with its import line replaced, and return its answers."""
    source = path_of(name).read_text("utf-8")
    if source.count(IMPORT) != 1:
        raise ValueError(f"{name}: there must be one line {IMPORT!r}")
    space: dict[str, Any] = {"__name__": name}
    exec(compile(source.replace(IMPORT, TENSORFLOW), str(path_of(name)), "exec"), space)
    answers: Answers = plain(space["run"]())
    return answers


def run_here(names: list[str]) -> dict[str, Answers]:
    tf.contrib = SimpleNamespace(eager=EAGER)
    tf.train.AdagradDecayOptimizer = AdagradDecayOptimizer
    return {name: answers_of(name) for name in names}


def run_apart(names: list[str]) -> dict[str, Answers]:
    """Run the programs in other processes, those that must be alone each in its own."""
    together = [name for name in names if not PROGRAMS[name].alone]
    answers: dict[str, Answers] = {}
    for group in ([together] if together else []) + [[name] for name in names if PROGRAMS[name].alone]:
        command = [sys.executable, __file__, "--here", *group]
        printed = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout
        answers |= json.loads(printed.splitlines()[-1])
    return answers


def lines(table: dict[str, Any], depth: int = 0) -> str:
    """Return JSON with one line for each answer, so that a change shows."""
    if depth == 2:
        return json.dumps(table)
    parts = [f"{json.dumps(key)}: {lines(value, depth + 1)}" for key, value in table.items()]
    return "{\n" + ",\n".join(parts) + "\n}"


def main(args: list[str]) -> None:
    if args[:1] in (["--here"], ["--all"]):
        print(json.dumps(run_here(args[1:]) if args[0] == "--here" else run_apart(list(PROGRAMS))))
        return
    kept = json.loads(DATA.read_text())["programs"] if args else {}
    kept |= run_apart(args or list(PROGRAMS))
    head = {"tensorflow": tf.__version__, "numpy": np.__version__}
    programs = lines({name: kept[name] for name in PROGRAMS})
    DATA.write_text(json.dumps(head)[:-1] + f', "programs": {programs}}}\n')


if __name__ == "__main__":
    main(sys.argv[1:])
