"""Functions of operations by name, so that a graph can be written to a file, and read without running what is in it.

An operation's function is one of this library's, mostly one that another function made: its code is in the library,
and what it was made for (axes, shapes, types) in its closure. A file holds the name and the closure's values, never
code. Only names in `MODULES` and in the tape's own registry are taken: functions of arrays, and of the session that
runs them. None of them reads or writes files, starts processes, imports, or looks up an attribute by a name that it is
given (`tests/v1/test_graph_files.py` reads their source for that).
"""

from __future__ import annotations

import builtins
import importlib
import operator
import sys
import zlib
from collections.abc import Iterator
from types import BuiltinFunctionType, CellType, CodeType, FunctionType
from typing import Any

import numpy as np

from ...ops.registry import COMPOSITES, PRIMITIVES

__all__ = ["MODULES", "NotForFilesError", "class_of", "class_path", "function_of", "function_path", "named", "path_of"]


class NotForFilesError(Exception):
    """Something in a graph cannot be in a file, or must not come from one."""


_V1 = __name__.rpartition(".functions")[0]
_OPS = (
    "activation array bessel bessel_kinds bitwise bounded_normal byte candidate_sampling cast check clip complex "
    "composite concat control_flow counting creation cross_entropy csv data_flow decomposition diagonal division "
    "dropout edit_distance eigen einsum embedding functional fused_batch_norm gather grid histogram image_box "
    "image_chance image_class_box image_color image_drawing image_file image_frame image_geometry image_kernel "
    "image_patch image_resize image_sample image_similarity image_sizing incomplete_gamma index_shuffle integral "
    "internal_array isotonic linalg linear_operator loop lu "
    "math matmul matrix_function norm one_hot pad philox position quantized "
    "quotient random random_gamma rearranging reduce reference regex root rounding safe_lookup script segment "
    "segment_product set slice sort space sparse sparse_array sparse_counting sparse_cross sparse_dense "
    "sparse_joining sparse_making sparse_math sparse_reshape sparse_segment sparse_serial special_math spectral "
    "squeezing stack stateless_draw "
    "stateless_random statistics string string_code string_encoding string_format string_hash string_split string_unit "
    "switch tensor_array tensor_scatter timestamp triangular tridiagonal weighted_loss weights_broadcast"
)
_OTHERS = (
    "autodiff.gradient_run graph.arguments graph.build graph.constants graph.run_arguments "
    "graph.run_conversions graph.session_values losses metrics.accumulate metrics.at_k metrics.classes "
    "metrics.counts metrics.means metrics.thresholds nn ops.queue_base ops.queue_runs ops.shifted_draws "
    "optim.moving_average optim.schedules pipelines.sparse_elements summaries.nodes summaries.values summary "
    "tables.table_calls tables.table_handles "
    "variables.generator_state variables.handles "
    "variables.initializers variables.scatter_ops variables.slice_assign variables.state_ops variables.variables "
    "variables.variables_initializer"
)
MODULES = frozenset(
    [
        *(f"{_V1}.ops.{name}_ops" for name in _OPS.split()),
        *(f"{_V1}.{name}" for name in _OTHERS.split()),
    ]
)
"""The modules whose functions a file may name."""

_PUBLIC = tuple(
    f"{_V1.rpartition('.')[0]}.{name}." for name in ("nn", "optim.schedules")
)  # of these what is in `__all__`
_SPACES = {"np": np, "np.linalg": np.linalg, "np.fft": np.fft, "operator": operator, "builtins": builtins}
_WITHOUT_DERIVATIVES = (  # of NumPy's functions; among the others of these are `save` and `load`
    "all any argmax argmin argpartition argsort argwhere around array_equal count_nonzero digitize empty_like full "
    "flatnonzero isclose isin lexsort matrix_rank ndim nonzero ones ones_like round searchsorted shape size zeros "
    "zeros_like"
)
_MORE = frozenset(_WITHOUT_DERIVATIVES.split())
_BUILTINS = frozenset({"abs", "bool", "float", "int", "len", "max", "min", "str", "sum", "tuple", "list"})


# Functions of NumPy and of Python's operators ----------------------------------------------------


def path_of(function: Any) -> str | None:
    """Return the name of a function of NumPy, of an operator or of a built-in type; None for anything else."""
    name = getattr(function, "__name__", None)
    if not isinstance(name, str):
        return None
    for space, module in _SPACES.items():
        if getattr(module, name, None) is function and _is_harmless(space, name, function):
            return f"{space}.{name}"
    return None


def named(path: str) -> Any:
    """Return the function of a name that `path_of` gives; NotForFilesError for any other."""
    space, _, name = path.rpartition(".")
    function = getattr(_SPACES.get(space), name, None) if name.isidentifier() else None
    if function is None or not _is_harmless(space, name, function):
        raise NotForFilesError(f"{path} is no function of arrays")
    return function


def _is_harmless(space: str, name: str, function: Any) -> bool:
    if space == "builtins":
        return name in _BUILTINS
    if space == "operator":
        return isinstance(function, BuiltinFunctionType) and name not in ("attrgetter", "methodcaller")
    if space == "np.fft":
        return name.rstrip("2n").endswith("fft")
    if isinstance(function, np.ufunc) or (isinstance(function, type) and issubclass(function, np.generic)):
        return True
    return name in _MORE or function in PRIMITIVES or function in COMPOSITES


# This library's functions ------------------------------------------------------------------------


def function_path(function: FunctionType) -> tuple[str, str, list[int], int]:
    """Return module, name, the way to the code (which of the codes in a code it is, level by level), and its checksum.

    Raises NotForFilesError for a function of the program's own, and for one that a file may not name.
    """
    module, qualname = function.__module__ or "", function.__qualname__  # code that is run by `exec` has no module
    top = qualname.partition(".<locals>")[0]
    if top == "<lambda>" and module in MODULES:
        top = _held(module, function)
    for way in _ways(_top(module, top).__code__, function.__code__):
        return module, top, way, _checksum(function.__code__)
    raise NotForFilesError(f"{module}.{qualname} is not where its name says")


def _ways(code: CodeType, wanted: CodeType) -> Iterator[list[int]]:
    if code is wanted:
        yield []
    for position, inner in enumerate(_inner(code)):
        for way in _ways(inner, wanted):
            yield [position, *way]


def _inner(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _top(module: str, top: str) -> FunctionType:
    """Return the function of a module, or of a class in it, that has a name."""
    if module in MODULES:
        found: Any = importlib.import_module(module)
    elif module.startswith(_PUBLIC) and top in getattr(sys.modules.get(module), "__all__", ()):
        found = sys.modules[module]
    else:
        raise NotForFilesError(f"{module}.{top} is a function of the program's own, or one that no file may name")
    if "[" in top:
        return _holder(found, top)
    for name in top.split("."):
        found = vars(found).get(name)
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    if not isinstance(found, FunctionType) or found.__module__ != module:
        raise NotForFilesError(f"{module}.{top} is no function of that module")
    return found


def _held(module: str, function: FunctionType) -> str:
    """Return where a lambda of a module is: ``name[variable]`` in a function's closure, ``name[key]`` in a dict."""
    for name, thing in vars(importlib.import_module(module)).items():
        for key, value in _contents(thing).items():
            if value is function:
                return f"{name}[{key}]"
    raise NotForFilesError(f"{module} has a lambda that no name leads to")


def _contents(thing: Any) -> dict[Any, Any]:
    if isinstance(thing, FunctionType):
        cells = zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=True)
        return {name: cell.cell_contents for name, cell in cells}
    return thing if isinstance(thing, dict) else {}


def _holder(module: Any, top: str) -> FunctionType:
    name, _, key = top.rstrip("]").partition("[")
    function = _contents(vars(module).get(name)).get(key)
    if not isinstance(function, FunctionType) or function.__module__ != module.__name__:
        raise NotForFilesError(f"{module.__name__}.{top} is no function of that module")
    return function


def _checksum(code: CodeType) -> int:
    """Return a number by which another version of a function is told."""
    return zlib.crc32(repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars)).encode())


def function_of(path: tuple[str, str, list[int], int], cells: list[CellType], defaults: Any, named: Any) -> Any:
    """Return the function at a path, with a closure of its own; NotForFilesError where there is none."""
    module, top, way, checksum = path
    outer = _top(module, top)
    if not way:
        return outer
    code = outer.__code__
    for position in way:
        inside = _inner(code)
        if not isinstance(position, int) or not 0 <= position < len(inside):
            raise NotForFilesError(f"{module}.{top} has no inner function at {way}")
        code = inside[position]
    if len(code.co_freevars) != len(cells) or _checksum(code) != checksum:
        raise NotForFilesError(f"{module}.{top} is another function than the one that was written")
    function = FunctionType(code, outer.__globals__, code.co_name, defaults, tuple(cells))
    function.__kwdefaults__ = named
    function.__module__ = outer.__module__
    function.__qualname__ = f"{outer.__qualname__}.<locals>.{function.__name__}"
    return function


# Classes of the objects that functions hold ------------------------------------------------------

_CLASSES = frozenset(
    {
        (f"{_V1}.autodiff.given_gradients", "_Backward"),
        (f"{_V1}.autodiff.given_gradients", "_Forward"),
        (f"{_V1}.autodiff.gradient_run", "GradientRun"),
        (f"{_V1}.autodiff.gradient_run", "HessianRun"),
        (f"{_V1}.graph.run_arguments", "RunArguments"),
        (f"{_V1}.ops.fused_batch_norm_ops", "Layout"),
        *(
            (f"{_V1}.ops.queue_runs", name)
            for name in ("Close", "Dequeue", "DequeueMany", "Enqueue", "EnqueueMany", "Kind")
        ),
        (f"{_V1}.ops.random_sequences", "Sequence"),
        (f"{_V1}.ops.slice_ops", "At"),
        (f"{_V1}.ops.slice_ops", "_Index"),
        (f"{_V1}.ops.slice_ops", "_IndexLater"),
        (f"{_V1}.variables.slice_assign", "_Write"),
        ("builtins", "object"),
        ("steepest.optim.counters", "StepNumber"),
    }
)


def class_path(kind: type) -> tuple[str, str]:
    """Return module and name of a class whose objects may be in a file; NotForFilesError for any other."""
    path = kind.__module__, kind.__qualname__
    if path not in _CLASSES:
        raise NotForFilesError(f"an object of {path[0]}.{path[1]} cannot be in a file")
    return path


def class_of(module: str, name: str) -> type:
    """Return the class of such a path; NotForFilesError for any other."""
    if (module, name) not in _CLASSES:
        raise NotForFilesError(f"{module}.{name} is no class whose objects a file may hold")
    found: type = getattr(importlib.import_module(module), name)
    return found
