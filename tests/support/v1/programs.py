"""The programs in ``examples/tf1``, how exactly their numbers are TensorFlow's, and how two answers are compared.

A program's ``run()`` returns numbers, texts and arrays by name. ``python programs.py NAME`` prints what it returns
here, as JSON, ``python programs.py`` what each prints; ``tests/v1/record_programs.py`` writes down what it returns
under TensorFlow.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[3] / "examples" / "tf1"
DATA = Path(__file__).parents[2] / "data" / "v1_programs.json"
IMPORT = "import steepest.v1 as tf\n"

Answers = dict[str, Any]


@dataclass(frozen=True)
class Program:
    """How close a program's floating-point numbers are to TensorFlow's: within ``atol + rtol * |x|``.

    A program that changes the process for others (eager execution, flags) runs ``alone``, in one of its own.
    """

    rtol: float = 5e-6
    atol: float = 5e-7
    alone: bool = False


# TensorFlow rounds Adam's betas to float32 before it subtracts them from 1; here that is done in double precision.
ADAM = Program(rtol=2e-5)
EXACT = Program(rtol=0, atol=0)


PROGRAMS: dict[str, Program] = {
    "additive_optimizer": Program(),
    "additive_update": Program(),
    "adversarial": ADAM,
    "attention": ADAM,
    "autoencoder": Program(),
    "batch_norm": Program(),
    "boltzmann": Program(),
    "cbow": Program(),
    "clip_between": Program(),
    "clip_by_norm": EXACT,
    "clip_global_norm": Program(),
    "control_flow": Program(),
    "custom_optimizer": Program(),
    "decayed_rate": Program(),
    "deep_q": ADAM,
    "digits_perceptron": ADAM,
    "eager_derivatives": Program(rtol=2e-5, alone=True),
    "eager_regression": Program(alone=True),
    "flags_softmax": Program(alone=True),
    "gradient_accumulation": ADAM,
    "gru_lengths": ADAM,
    "hidden_markov": Program(rtol=1e-9, atol=1e-10),
    "input_gradient": Program(),
    "interactive": ADAM,
    "kmeans": Program(),
    "life": Program(rtol=1e-12),
    "linear_regression": Program(),
    "logistic_regression": Program(),
    "lookup_optimizer": Program(),
    "matrix_factorization": Program(),
    "moving_average": Program(),
    "optimizer_per_module": ADAM,
    "policy_gradient": Program(),
    "rosenbrock": Program(rtol=1e-10, atol=1e-12),
    "sampled_softmax": Program(),
    "save_and_restore": ADAM,
    "siamese": Program(),
    "skip_gram_nce": Program(),
    "slot_names": Program(),
    "stop_gradient": Program(),
    "towers": Program(),
    "train_some_variables": Program(),
    "two_graphs": Program(),
    "weight_decay": Program(),
    "wide_and_deep": Program(),
}


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.py"


def plain(value: Any) -> Any:
    """Return what JSON can hold: lists, Python's numbers, and of a float32 the shortest digits that give it back."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(part) for part in value] if np.ndim(value) else plain(np.asarray(value)[()])
    if isinstance(value, np.floating):
        return float(str(value))
    return value.item() if isinstance(value, np.generic) else value


def answers_of(name: str) -> Answers:
    """Run the program here and return its answers."""
    return plain(runpy.run_path(str(path_of(name)))["run"]())


def printed_by(name: str) -> str:
    """Return what the program prints by itself, in a fork of this process: the library is imported once for all."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, sys.stdout.fileno())
        os.close(reader)
        os.close(writer)
        sys.argv = [str(path_of(name))]
        runpy.run_path(sys.argv[0], run_name="__main__")
        sys.exit()  # what it raises ends the child, too
    os.close(writer)
    with open(reader, encoding="utf-8") as pipe:
        text = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 0, f"{name} ended with {status}"
    return text


def assert_close(got: Any, want: Any, program: Program, where: str) -> None:
    """Compare two answers: floating-point numbers within the program's bounds, the rest exactly."""
    assert type(got) is type(want), f"{where}: {got!r:.80} is not of the type of {want!r:.80}"
    if isinstance(want, dict):
        assert list(got) == list(want), where
        for key, part in want.items():
            assert_close(got[key], part, program, f"{where}: {key}")
    elif _floats(want):
        np.testing.assert_allclose(got, want, program.rtol, program.atol, err_msg=where)
    elif isinstance(want, list):
        assert len(got) == len(want), where
        for i, (ours, theirs) in enumerate(zip(got, want, strict=True)):
            assert_close(ours, theirs, program, f"{where}[{i}]")
    else:
        assert got == want, where


def _floats(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, list) and bool(value) and all(map(_floats, value)))


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(answers_of(sys.argv[1])))
    else:
        importlib.import_module("steepest.v1")
        print(json.dumps({name: printed_by(name) for name in PROGRAMS}))
