"""TensorFlow's internal modules under their paths: each has the public names that belong to it.

``from tensorflow.python.ops import math_ops`` of a program becomes ``from steepest.v1.python.ops import math_ops``; or
the program stays as it is, under ``python -m steepest tf1 program.py``.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__: list[str] = []

_TOP = "steepest.v1"

# What is searched for the names of each module: namespaces of steepest.v1, "tf" for its top level.
_MODULES: dict[str, str] = {
    "framework": ("constant_op device dtypes function importer ops random_seed sparse_tensor tensor_util versions"),
    "framework errors": "errors errors_impl",
    "framework test training.test_modes": "test_util",
    "ops": (
        "array_ops check_ops clip_ops confusion_matrix control_flow_ops data_flow_ops gen_array_ops "
        "gradients_util custom_gradient histogram_ops sort_ops image_ops bitwise_ops "
        "gen_control_flow_ops gen_data_flow_ops gen_math_ops gen_random_ops gen_state_ops gradients gradients_impl "
        "gradient_checker linalg_ops logging_ops math_ops partitioned_variables random_ops resource_variable_ops "
        "script_ops sparse_ops special_math_ops standard_ops state_ops string_ops template tensor_array_ops "
        "variables"
    ),
    "framework graph.shape_makers": "tensor_shape",
    "ops math": "math_ops special_math_ops gen_math_ops",
    "ops test": "gradient_checker",
    "ops training.variable_stores": "variable_scope",
    "ops nn": "candidate_sampling_ops embedding_ops gen_nn_ops nn nn_impl nn_ops sparse_ops",
    "ops initializers": "init_ops",
    "ops linalg": "linalg.linalg linalg.linalg_impl",
    "ops losses": "losses.losses losses.losses_impl losses.util",
    "ops metrics": "metrics metrics_impl",
    "ops summary": "gen_logging_ops summary_ops",
    "ops distributions": "distributions.bernoulli distributions.categorical distributions.normal",
    "training train": (
        "adadelta adagrad adagrad_da adam basic_session_run_hooks checkpoint_management checkpoint_state_pb2 "
        "checkpoint_utils coordinator ftrl gradient_descent learning_rate_decay momentum monitored_session "
        "optimizer proximal_adagrad proximal_gradient_descent queue_runner queue_runner_impl rmsprop "
        "saver session_manager session_run_hook summary_io sync_replicas_optimizer training training_util"
    ),
    "training training.slots train": "slot_creator",
    "training train training.moving_average": "moving_averages",
    "client graph.run_conversions": "session",
    "platform gfile": "gfile",
    "platform flags": "flags",
    "platform app": "app",
    "platform logging": "tf_logging",
    "platform test": "googletest test",
    "layers layers": "base core layers normalization",
    "layers": "utils",
    "summary summary": "summary writer.writer writer.writer_cache",
    "util compat": "compat",
    "util": "deprecation tf_decorator tf_export tf_inspect",
    "util nest": "nest",
    "eager": "function tape",
    "eager contrib.eager training.tapes": "backprop",
    "eager training.test_modes": "context",
    "lib gfile": "io.file_io",
}


def _table() -> dict[str, tuple[str, ...]]:
    """Return for each module, by its path below ``python``, the namespaces that are searched, the nearest first."""
    found: dict[str, tuple[str, ...]] = {}
    for key, modules in _MODULES.items():
        package, *spaces = key.split()
        for module in modules.split():
            path = f"{package}.{module}"
            found[path] = (*found.get(path, ()), *spaces, "tf", "ops.internal_names", "python.second_names")
            parts = path.split(".")
            for k in range(1, len(parts)):
                found.setdefault(".".join(parts[:k]), ("tf",))
    return found


_SPACES = _table()

# Names that have no public place, or another one.
_ALIASES: dict[str, str] = {
    "ResourceVariable": "Variable",
    "RefVariable": "Variable",
    "VariableV1": "Variable",
    "implicit_grad": "implicit_gradients",
    "implicit_val_and_grad": "implicit_value_and_gradients",
    "val_and_grad_function": "value_and_gradients_function",
    "variable": "Variable",
    "in_eager_mode": "executing_eagerly",
    "_get_variable_for": "identity",
    "internal_convert_to_tensor": "convert_to_tensor",
    "TensorFlowTestCase": "test.TestCase",
    "Exists": "gfile.Exists",
    "MovingAverage": "train.ExponentialMovingAverage",
    "smart_cond": "contrib.framework.smart_cond",
}


def _find(path: str, name: str) -> Any:
    """Return a name of an internal module; AttributeError with the module's own message where there is none."""
    top = sys.modules[_TOP]
    spaces = _SPACES[path]
    for each in (name, _ALIASES.get(name)):
        for space in spaces if each is not None else ():
            path_to = ([] if space == "tf" else space.split(".")) + str(each).split(".")
            holder = functools.reduce(_public, path_to, top)
            if holder is not None or path_to[-1] == "newaxis":
                return holder
    raise AttributeError(f"tensorflow.python.{path}.{name} is not here; the public names are listed in docs/v1.md")


def _public(holder: Any, name: str) -> Any:
    try:
        return None if holder is None else getattr(holder, name)
    except AttributeError:
        return None


def _getter(path: str) -> Callable[[str], Any]:
    def getattr_(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        inside = f"{path}.{name}"
        return importlib.import_module(f"{__name__}.{inside}") if inside in _SPACES else _find(path, name)

    return getattr_


class _Forwarder(MetaPathFinder, Loader):
    """Makes the modules when they are imported."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module below this package that the table has."""
        inside = fullname.removeprefix(f"{__name__}.")
        if inside == fullname or inside not in _SPACES:
            return None
        return importlib.util.spec_from_loader(fullname, self, is_package=True)

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its names."""
        inside = module.__name__.removeprefix(f"{__name__}.")
        module.__doc__ = f"TensorFlow's ``tensorflow.python.{inside}``: the public names that belong to it."
        module.__dict__["__getattr__"] = _getter(inside)


sys.meta_path.append(_Forwarder())


def __getattr__(name: str) -> Any:
    if name in _SPACES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"tensorflow.python.{name} is not here; the public names are listed in docs/v1.md")
