"""Small programs whose answers are compared with TensorFlow's: what a program returns, or which error it meets.

A program takes the API as ``tf`` and returns arrays, numbers, texts, types, or nests of them. ``record_answers.py``
writes down what TensorFlow gives, ``test_v1_answers.py`` compares. The conformance cases (`op_cases`) compare values,
static shapes and gradients of one call; what does not fit there is a program here: errors, names, types, eager mode.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from op_compare import assert_same
from op_observe import array_of

Program = Callable[[Any], Any]

GRAPH: dict[str, Program] = {}
EAGER: dict[str, Program] = {}


def graph(program: Program) -> Program:
    """Register a program of graph mode; it runs in a graph of its own."""
    return _registered(GRAPH, program)


def eager(program: Program) -> Program:
    """Register a program of eager mode; all of them run in one process, which is not this one."""
    return _registered(EAGER, program)


def _registered(programs: dict[str, Program], program: Program) -> Program:
    if program.__name__ in programs:
        raise ValueError(f"two programs are called {program.__name__!r}")
    programs[program.__name__] = program
    return program


PROGRAMS = (
    "constant_edges",
    "operator_values",
    "refused_numbers",
    "arguments",
    "control",
    "loops",
    "later_kernels",
    "losses_and_sets",
    "singular_matrices",
    "edges_of_domains",
    "operator_parts",
    "overlapping_frames",
    "second_order",
    "rows_of_tables",
    "composites",
    "values",
    "variables",
    "waiting",
    "errors",
    "kernels",
    "scripts",
    "scripts_training",
    "names",
    "names_running",
    "shapes",
    "state",
    "arrays",
    "runs",
    "run_parts",
    "examples",
    "sequences",
    "queues",
    "queues_eagerly",
    "queues_waiting",
    "batches",
    "queue_runners",
    "readers",
    "tables",
    "metrics",
    "places",
    "blocks_and_loops",
    "tensor_arrays",
    "segments",
    "casts",
    "choices",
    "blanks",
    "state_parts",
    "state_names",
    "kinds_of_gradients",
    "frames",
    "matrices",
    "signals",
    "numeric_details",
    "rows_and_checks",
    "odd_arguments",
    "distributions",
    "draws",
    "seeds",
    "parts",
    "partitions",
    "core_forms",
    "edges",
    "sparse_edges",
    "sparse_texts",
    "text_edges",
    "text_makers",
    "layers",
    "given_gradients",
    "images",
    "imported_graphs",
    "meta_graphs",
    "functions",
    "generated",
    "generated_data_flow",
    "graph_blocks",
    "handles",
    "begun",
    "defined_functions",
    "framework",
    "subscriptions",
    "signatures",
    "function_effects",
    "accumulators",
    "session_handles",
    "python_functions",
    "checkpoints",
    "objects",
    "of_themselves",
    "training_ops",
    "training_parts",
    "files",
    "old_scripts",
    "scripts_printed",
    "small_packages",
    "normalization",
    "second_derivatives",
    "graph_tapes",
    "public_programs",
    "packages",
    "libraries",
    "staging",
    "second_flow",
    "own_flow",
    "keyed_places",
    "own_optimizers",
    "own_optimizers_eager",
    "eager",
    "eager_tapes",
    "eager_variables",
    "keras_parts",
    "eager_texts",
    "eager_functions",
    "traced_functions",
    "eager_conversions",
    "saver_definitions",
)


def tables() -> None:
    """Read the modules of programs into the registries."""
    for table in PROGRAMS:
        import_module(f"answers_{table}")


def run(tf: Any, fetches: Any, feeds: dict[Any, Any] | None = None) -> Any:
    """Return the fetched values in a session whose variables have their initial values."""
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feeds)


class Raised:
    """What came of an action that may fail."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def tried(*actions: Callable[[], Any]) -> list[Any]:
    """Return what each action gives, or that it raised."""
    found: list[Any] = []
    for action in actions:
        try:
            found.append(action())
        except Exception as error:
            found.append(Raised(error))
    return found


def answer(tf: Any, program: Program) -> Any:
    """Return what a program gives, as plain Python that JSON can hold."""
    (found,) = tried(lambda: program(tf))
    return told(tf, found)


def in_graph(tf: Any, program: Program) -> Any:
    """Return the answer of a program in a graph of its own."""
    with tf.Graph().as_default():
        return answer(tf, program)


def told(tf: Any, value: Any) -> Any:
    if isinstance(value, Raised):
        message = str(value.error).partition(" defined at (most recent call last)")[
            0
        ]  # where the program stands, not it
        return {"raises": names_of(tf, value.error), "message": message[:160]}
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, int | float) and not isinstance(value, np.generic):
        return value
    if isinstance(value, list | tuple):
        return [told(tf, item) for item in value]
    if isinstance(value, dict):
        return {"items": [[told(tf, key), told(tf, item)] for key, item in value.items()]}
    if isinstance(value, tf.Operation):
        return "an operation"
    try:
        array = np.asarray(value.numpy() if hasattr(value, "numpy") else value)
    except (NotImplementedError, AttributeError):
        return "a node"
    plain = array.dtype.kind != "O" or all(isinstance(item, str | bytes) for item in array.ravel().tolist())
    return array_of(array) if plain else type(value).__name__


def names_of(tf: Any, error: Exception) -> list[str]:
    """Return the names by which a program can catch the error, the nearest first."""
    known = [
        kind.__name__
        for kind in type(error).__mro__
        if hasattr(tf.errors, kind.__name__) or hasattr(builtins, kind.__name__)
    ]
    return known[: known.index("OpError") + 1 if "OpError" in known else known.index("Exception")]


def assert_same_answer(got: Any, want: Any) -> None:
    """Compare answers: arrays by type, shape and value; of errors, that TensorFlow's handler catches ours."""
    if isinstance(want, dict) and "raises" in want:
        assert isinstance(got, dict), f"{got}, where TensorFlow raises {want}"
        assert want["raises"][0] in got.get("raises", ()), f"{got}, where TensorFlow raises {want}"
        return
    assert not (isinstance(got, dict) and "raises" in got), f"{got}, where TensorFlow gives {want}"
    if isinstance(want, list):
        assert isinstance(got, list), f"{got}, TensorFlow's {want}"
        assert len(got) == len(want), f"{got}, TensorFlow's {want}"
        for ours, theirs in zip(got, want, strict=True):
            assert_same_answer(ours, theirs)
    elif isinstance(want, dict) and "items" in want:
        assert_same_answer(got["items"], want["items"])
    elif isinstance(want, dict):
        assert isinstance(got, dict), f"{got}, TensorFlow's {want}"
        assert_same(got, want)
    elif isinstance(want, float):
        np.testing.assert_allclose(got, want, rtol=1e-6)
    else:
        assert got == want, f"{got!r}, TensorFlow's {want!r}"
