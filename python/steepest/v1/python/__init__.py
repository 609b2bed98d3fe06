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

from ..graph.left_out import LeftOut, LeftOutModule
from ..graph.missing import is_left_out, told
from .module_table import EMPTY, OPEN, SPACES, WHOLE

__all__: list[str] = []

_TOP = "steepest.v1"

# Names that have no public place, or another one.
_ALIASES: dict[str, str] = {
    "AggregateIndexedSlicesGradients": "aggregate_indexed_slices_gradients",
    "RefVariable": "Variable",
    "VariableV1": "Variable",
    "implicit_grad": "implicit_gradients",
    "implicit_val_and_grad": "implicit_value_and_gradients",
    "val_and_grad_function": "value_and_gradients_function",
    "variable": "Variable",
    "in_eager_mode": "executing_eagerly",
    "_get_variable_for": "identity",
    "internal_convert_to_tensor": "convert_to_tensor",
    "_StopAfterNEvalsHook": "StopAfterNEvalsHook",
    "_evaluate_once": "evaluate_once",
    "_get_or_create_eval_step": "get_or_create_eval_step",
    "TensorFlowBenchmark": "test.Benchmark",
    "TensorFlowTestCase": "test.TestCase",
    "Exists": "gfile.Exists",
    "BaseSession": "Session",
    "BatchNorm": "layers.BatchNormalization",
    "SessionInterface": "Session",
    "FullyConnected": "layers.Dense",
    "batch_norm": "layers.batch_normalization",
    "fully_connected": "layers.dense",
    "is_tf_type": "is_tensor",
    "set_seed": "set_random_seed",
    "print_v2": "print",
    "VariableAggregationV2": "VariableAggregation",
    "MovingAverage": "train.ExponentialMovingAverage",
    "_add_dispatch": "add",
    "_assert": "Assert",
    "_is_namedtuple": "is_namedtuple",
    "_mul": "multiply",
    "_mul_dispatch": "multiply",
    "_pow": "pow",
    "_sub": "subtract",
    "_range": "range",
    "_sum": "reduce_sum",
    "batch_mat_mul_v2": "batch_mat_mul",
    "in_top_kv2": "nn.in_top_k",
    "mat_mul": "matmul",
    "mean": "reduce_mean",
    "prod": "reduce_prod",
    "real_div": "realdiv",
    "select_v2": "where_v2",
    "sparse_mat_mul": "sparse_matmul",
    "tensor_scatter_max": "tensor_scatter_nd_max",
    "tensor_scatter_min": "tensor_scatter_nd_min",
    "top_kv2": "nn.top_k",
    "xw_plus_b_v1": "nn.xw_plus_b",
    "stateless_categorical": "random.stateless_categorical",
    "stateless_multinomial": "random.stateless_multinomial",
    "stateless_random_normal": "random.stateless_normal",
    "stateless_random_uniform": "random.stateless_uniform",
    "normalize": "linalg.normalize",
    "graph_placeholder": "placeholder",
    "graph_zeros_like": "zeros_like",
}


def _find(path: str, name: str) -> Any:
    """Return a name of an internal module; AttributeError with the module's own message where there is none."""
    top = sys.modules[_TOP]
    if path not in SPACES:
        return LeftOut(f"python.{path}.{name}")
    spaces = SPACES[path]
    for each in (name, _ALIASES.get(name)):
        for space in spaces if each is not None else ():
            path_to = str(each).split(".")
            holder = functools.reduce(_public, path_to, top if space == "tf" else _space(space))
            if holder is not None or path_to[-1] == "newaxis":
                return holder
    for package in (path.rpartition(".")[0], "framework", "ops", "eager"):
        if (inside := f"{package}.{name}") in SPACES:  # TensorFlow's modules have those that they import
            return importlib.import_module(f"{__name__}.{inside}")
    generated = path if path.startswith("ops.gen_") else f"ops.gen_{path.removeprefix('ops.')}"
    if generated in SPACES and name[:1].isupper():  # the generated modules have the raw operations too
        raw = _space("python.raw_ops")  # and so have those that take all of theirs
        if path == generated or raw.candidates(name):
            return getattr(raw, name)
    for space in spaces:  # tables of tests name what they do not all call
        if is_left_out(full := name if space == "tf" else f"{space}.{name}"):
            return LeftOut(full)
    raise AttributeError(f"tensorflow.{told(f'python.{path}.{name}')[3:]}")


@functools.cache
def _space(name: str) -> ModuleType:
    return importlib.import_module(f"{_TOP}.{name}")


def _is_module(path: str) -> bool:
    return path in SPACES or path in EMPTY or path in WHOLE or any(path == f or path.startswith(f"{f}.") for f in OPEN)


def _public(holder: Any, name: str) -> Any:
    try:
        return None if holder is None else getattr(holder, name)
    except AttributeError:
        return None


def _getter(path: str) -> Callable[[str], Any]:
    found: dict[str, Any] = {}  # the next time there is no search; not in the module, whose names nobody has written

    def getattr_(name: str) -> Any:
        if name in found:
            return found[name]
        if name.startswith("__") and not name.endswith("version__"):
            raise AttributeError(name)
        inside = f"{path}.{name}"
        named = inside in SPACES or inside in EMPTY or inside in WHOLE
        is_module = named or (path not in SPACES and _is_module(inside) and not name[:1].isupper())
        found[name] = importlib.import_module(f"{__name__}.{inside}") if is_module else _find(path, name)
        return found[name]

    return getattr_


class _Forwarder(MetaPathFinder, Loader):
    """Makes the modules when they are imported."""

    def __init__(self) -> None:
        self._own: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module below this package that the table has."""
        inside = fullname.removeprefix(f"{__name__}.")
        if inside == fullname or not _is_module(inside):
            return None
        return importlib.util.spec_from_loader(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return the module that it is, or one that fails when it is called, where it is left out."""
        whole = WHOLE.get(spec.name.removeprefix(f"{__name__}."))
        if whole is not None:
            module = _space(whole)
            self._own[spec.name] = module.__spec__
            return module
        return None if spec.name.removeprefix(f"{__name__}.") in SPACES else LeftOutModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its names; one that it is already, its own spec back."""
        if module.__spec__ is not None and module.__spec__.name in self._own:
            module.__spec__ = self._own.pop(module.__spec__.name)
            return
        inside = module.__name__.removeprefix(f"{__name__}.")
        what = "the public names that belong to it" if inside in SPACES else "nothing; its contents are left out"
        module.__doc__ = f"TensorFlow's ``tensorflow.python.{inside}``: {what}."
        module.__dict__["__getattr__"] = _getter(inside)


sys.meta_path.append(_Forwarder())


def __getattr__(name: str) -> Any:
    if _is_module(name):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"tensorflow.{told(f'python.{name}')[3:]}")
