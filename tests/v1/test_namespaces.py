"""What ``dir`` and ``import *`` show of ``steepest.v1`` and its namespaces: TensorFlow's names, no others."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import steepest.v1 as tf
from steepest.v1.graph import left_out

SPACES = [
    *(".contrib.checkpoint", ".contrib.crf", ".contrib.predictor", ".contrib.mixed_precision", ".contrib.optimizer_v2"),
    *(f".contrib.learn.preprocessing{part}" for part in (".categorical_vocabulary", ".text")),
    *("", ".app", ".contrib", ".contrib.eager", ".contrib.framework", ".contrib.layers", ".contrib.opt", ".errors"),
    *(
        ".contrib.factorization",
        ".contrib.learn.preprocessing",
        ".contrib.image",
        ".contrib.resampler",
        ".contrib.signal",
        ".contrib.text",
    ),
    *(
        ".compat",
        ".flags",
        ".gfile",
        ".initializers",
        ".keras",
        ".keras.activations",
        ".keras.constraints",
        ".keras.datasets",
        *(f".keras.datasets.{name}" for name in ("boston_housing", "cifar10", "cifar100", "fashion_mnist")),
        *(f".keras.datasets.{name}" for name in ("imdb", "mnist", "reuters")),
        ".keras.initializers",
        ".keras.preprocessing",
        ".keras.preprocessing.sequence",
        ".keras.preprocessing.text",
        ".keras.regularizers",
        ".keras.utils",
        ".layers",
        ".linalg",
        ".logging",
        ".lookup",
        ".losses",
        ".math",
        ".nn",
    ),
    *(
        ".metrics",
        ".random",
        ".summary",
        ".test",
        ".train",
        ".debugging",
        ".distributions",
        ".dtypes",
        ".image",
        ".nest",
    ),
    *(".sparse", ".strings", ".contrib.util", ".contrib.distributions", ".contrib.deprecated", ".contrib.linalg"),
    *(".contrib.losses", ".contrib.metrics", ".contrib.slim", ".contrib.slim.evaluation", ".contrib.slim.learning"),
    *(".contrib.slim.model_analyzer", ".contrib.slim.summaries"),
    *(".contrib.integrate", ".contrib.nn", ".contrib.sparsemax", ".contrib.staging", ".contrib.stateless"),
    ".contrib.summary",
    ".contrib.testing",
    ".contrib.training",
    *(".contrib.learn", ".contrib.learn.datasets", ".contrib.learn.datasets.base", ".contrib.learn.datasets.mnist"),
    *(".contrib.lookup", ".contrib.losses.metric_learning", ".contrib.layers.optimizers", ".contrib.layers.utils"),
    *(".bitwise", ".graph_util", ".manip", ".sets", ".signal", ".spectral", ".version"),
    *(".contrib.distributions.bijectors", ".contrib.layers.initializers", ".contrib.layers.regularizers"),
    *(f".saved_model{part}" for part in ("", ".builder", ".constants", ".experimental", ".loader", ".main_op")),
    *(f".saved_model.{part}" for part in ("signature_constants", "signature_def_utils", "tag_constants", "utils")),
    ".contrib.eager.metrics",
    *(".autograph", ".config", ".distribute", ".io", ".io.gfile", ".python_io", ".quantization", ".queue"),
    *(
        ".experimental",
        ".xla",
        ".xla.experimental",
        ".contrib.compiler",
        ".contrib.compiler.jit",
        ".contrib.compiler.xla",
    ),
    *(".resource_loader", ".profiler", ".contrib.bayesflow", ".contrib.bayesflow.monte_carlo", ".contrib.solvers"),
    ".contrib.constrained_optimization",
    *(f".contrib.solvers.{part}" for part in ("lanczos", "least_squares", "linear_equations", "util")),
    *(".contrib.tensorboard", ".contrib.tensorboard.plugins", ".contrib.tensorboard.plugins.projector"),
]
each_space = pytest.mark.parametrize("space", SPACES)


def shown(space: str) -> dict[str, Any]:
    module = importlib.import_module(f"steepest.v1{space}")
    return {name: getattr(module, name) for name in dir(module)}


@each_space
def test_import_star_gives_what_dir_shows(space: str):
    given: dict[str, Any] = {}
    exec(f"from steepest.v1{space} import *", given)
    del given["__builtins__"]
    assert given == shown(space)


@each_space
def test_only_public_names_are_shown(space: str):
    assert len(shown(space)) > 0
    for name, thing in shown(space).items():
        assert not name.startswith("_")
        if isinstance(thing, ModuleType):
            path = thing.__name__.removeprefix("steepest.v1")
            elsewhere = (".python.util.nest", ".python.compat_v2", ".training.experimental", ".tables.experimental")
            assert path in SPACES or path in elsewhere, f"{name} is no namespace of TensorFlow"
        elif isinstance(thing, type) or callable(thing):
            made = getattr(thing, "func", thing)  # of a layer with some of its arguments the layer itself
            assert made.__module__.split(".")[0] == "steepest", f"{name} is from {made.__module__}"


def test_names_of_the_implementation_are_not_shown():
    for space in (tf, tf.nn, tf.train, tf.losses, tf.layers, tf.contrib.layers):
        assert not {"np", "annotations", "Any", "call", "convert", "infer", "Node", "namespace"} & set(dir(space))


def spaces_in(module: ModuleType, name: str) -> list[str]:
    """Return the namespaces below one whose modules lie below its own."""
    inner = {key: getattr(module, key) for key in dir(module)}
    below = {key: thing for key, thing in inner.items() if getattr(thing, "__name__", "") == f"{module.__name__}.{key}"}
    return [name, *(found for key, thing in below.items() for found in spaces_in(thing, f"{name}.{key}"))]


def test_every_namespace_is_checked():
    assert sorted(spaces_in(tf, "")) == sorted(SPACES)


def test_no_folder_that_is_here_is_said_to_be_left_out():
    here = {path.stem for path in Path(tf.contrib.__path__[0]).iterdir()}
    assert not [name for name in here if left_out.folder(f"contrib.{name}")]
