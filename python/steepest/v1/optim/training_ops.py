"""TensorFlow's update operations (``training_ops``): one step of a rule, on variables that the program holds itself.

Optimizers of a program's own call them in ``_apply_dense`` and ``_apply_sparse``. Each is the native rule of the
optimizer of that name, with the program's variables as its slots; what a rule counts (``beta1_power``) comes as an
argument and stays. Rows that come several times are updated once for each, in order, as TensorFlow's kernels do:
nothing is summed.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import code_of, compute_dtype
from ...base.errors import must
from ...optim.hyperparameters import SCHEMA
from ...optim.native import native_update
from ...optim.parameters import ArrayParameter
from ...variables.variable import Variable as EagerVariable
from ..graph.build import convert
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.run_values import array_of
from ..graph.session import Session
from ..graph.session_values import held
from ..graph.shapes import Shape, compatible, text
from ..variables.handles import variable_of
from ..variables.rows_variable import RowsVariable
from ..variables.write_op import target_of, write_operation
from .update_variants import Step, adapted

__all__: list[str] = []  # filled below

# Of each operation the native rule, and TensorFlow's arguments in order: ``name@slot`` is a variable that is the rule's
# slot, ``grad`` (``delta``) the gradient, the others are numbers, under the rule's name or one of `_NUMBERS`.
_DENSE = {
    "ada_max": ("ada_max", "var m@m v@v beta1_power lr beta1 beta2 epsilon grad"),
    "adadelta": ("adadelta", "var accum@accum accum_update@accum_update lr rho epsilon grad"),
    "adagrad": ("adagrad", "var accum@accumulator lr grad"),
    "adagrad_v2": ("rowwise_adagrad", "var accum@accumulator lr epsilon grad"),
    "adagrad_da": (
        "adagrad_da",
        "var gradient_accumulator@gradient_accumulator gradient_squared_accumulator@gradient_squared_accumulator grad "
        "lr l1 l2 global_step",
    ),
    "adam": ("adam", "var m@m v@v beta1_power beta2_power lr beta1 beta2 epsilon grad"),
    "adam_with_amsgrad": ("amsgrad", "var m@m v@v vhat@vhat beta1_power beta2_power lr beta1 beta2 epsilon grad"),
    "add_sign": ("add_sign", "var m@m lr alpha sign_decay beta grad"),
    "centered_rms_prop": ("centered_rmsprop", "var mg@mg ms@rms mom@momentum lr decay=rho momentum epsilon grad"),
    "ftrl": ("ftrl", "var accum@accum linear@linear grad lr l1 l2 lr_power"),
    "ftrl_v2": ("ftrl", "var accum@accum linear@linear grad lr l1 l2 l2_shrinkage lr_power"),
    "gradient_descent": ("sgd", "var lr=alpha delta"),
    "keras_momentum": ("momentum", "var accum@momentum lr grad momentum"),
    "momentum": ("momentum", "var accum@momentum lr grad momentum"),
    "power_sign": ("power_sign", "var m@m lr logbase sign_decay beta grad"),
    "proximal_adagrad": ("proximal_adagrad", "var accum@accumulator lr l1 l2 grad"),
    "proximal_gradient_descent": ("proximal_gradient_descent", "var lr=alpha l1 l2 delta"),
    "rms_prop": ("rmsprop", "var ms@rms mom@momentum lr decay=rho momentum epsilon grad"),
}

# The names of numbers that rules have under other names, and what they are there.
_NUMBERS: dict[str, tuple[str, Callable[[float], float]]] = {
    "global_step": ("global_step", lambda step: step - 1),  # the rule's is the number of steps before
    "l1": ("l1_regularization_strength", float),
    "l2": ("l2_regularization_strength", float),
    "l2_shrinkage": ("l2_shrinkage_regularization_strength", float),
    "logbase": ("base", math.exp),
    "lr": ("learning_rate", float),
    "lr_power": ("learning_rate_power", float),
}

# The switches of operations, which have them at the end.
_SWITCHES = {
    "adagrad": {"update_slots": True},
    "adagrad_v2": {"update_slots": True},
    "adam": {"use_nesterov": False},
    "ftrl": {"multiply_linear_by_lr": False},
    "ftrl_v2": {"multiply_linear_by_lr": False},
    "keras_momentum": {"use_nesterov": False},
    "momentum": {"use_nesterov": False},
}

_NO_ROWS = ("ada_max", "adam", "adam_with_amsgrad", "add_sign", "gradient_descent", "power_sign")
_ONLY_RESOURCE = ("adam_with_amsgrad", "keras_momentum")


class _Form(NamedTuple):
    """An update operation: what `_DENSE` says, taken apart."""

    short: str
    op_type: str
    rule: str
    sparse: bool
    slots: tuple[str, ...]  # the names of arguments that are variables, in the rule's order
    numbers: dict[str, tuple[str, Callable[[float], float]]]  # by argument
    gradient: str


def _in_order(rule: str, named: dict[str, float]) -> list[float]:
    """Return the rule's numbers, and what it counts, in the rule's order."""
    schema = SCHEMA[rule]
    known = [(h["name"], h["default"]) for h in schema["hyper"]] + [(name, 0.0) for name in schema["scalars"]]
    return [float(named.get(name, default or 0.0)) for name, default in known]


def _rounds(ids: Any, rows: Any) -> list[tuple[Any, Any]]:
    """Return indices and their rows in parts in which no index repeats: all first ones, all second ones, and so on."""
    order = np.argsort(ids, kind="stable")
    first = np.flatnonzero(np.diff(ids[order], prepend=ids[order[:1]] - 1)) if ids.size else order
    sizes = np.diff(np.append(first, ids.size))
    if not (sizes > 1).any():
        return [(ids, rows)]
    times = np.empty(ids.size, np.int64)
    times[order] = np.arange(ids.size) - np.repeat(first, sizes)
    by_round = np.argsort(times, kind="stable")
    cuts = np.cumsum(np.bincount(times))[:-1]
    return [(ids[part], np.ascontiguousarray(rows[part])) for part in np.split(by_round, cuts)]


def _update(form: _Form, op: Operation | None, variables: list[Any], given: dict[str, Any]) -> None:
    """Take the step; InvalidArgumentError, with nothing changed, for sizes that do not fit."""
    variable, *slots = variables
    target = variable._kept
    for name, slot in zip(form.slots, slots, strict=True):
        if slot._kept.shape != target.shape:
            shapes = f"var and {name} do not have the same shape {list(target.shape)} {list(slot._kept.shape)}"
            raise InvalidArgumentError(op, op, shapes)
        if slot._kept.dtype not in (target.dtype, compute_dtype(target.dtype)):
            rule = f"be of type {target.dtype} beside a variable of that type"
            raise TypeError(must(form.op_type, name, rule, f"{slot._kept.dtype}"))
    ids, gradient = None, np.asarray(array_of(given[form.gradient]), target.dtype, order="C")
    named = {name: to_rule(_scalar(op, key, given[key])) for key, (name, to_rule) in form.numbers.items()}
    if form.sparse:
        ids, gradient = _checked_rows(op, np.asarray(array_of(given["indices"])), gradient, target)
    elif gradient.shape != target.shape:
        shapes = f"{list(target.shape)} {list(gradient.shape)}"
        raise InvalidArgumentError(op, op, f"var and {form.gradient} do not have the same shape {shapes}")
    arrays = tuple(slot._kept for slot in slots)
    step, write_back = adapted(form.short, Step(form.rule, named, target, arrays, gradient, ids), given)
    parts = [(None, step.gradient)] if step.ids is None else _rounds(step.ids, step.gradient)
    code = code_of(target.dtype)
    items: list[Any] = [
        (0, variable.name, code, step.target, step.slots, rows, places, False) for places, rows in parts if rows.size
    ]
    if items:
        jobs: list[Any] = [(step.rule, _in_order(step.rule, step.numbers), [])]
        changed = [each for each in variables if isinstance(each, EagerVariable)]
        native_update(form.op_type, jobs, items, [], [], changed)
        write_back()


def _scalar(op: Operation | None, name: str, value: Any) -> float:
    array = np.asarray(array_of(value))
    if array.ndim:
        raise InvalidArgumentError(op, op, f"{name} is not a scalar: {list(array.shape)}")
    return float(array)


def _checked_rows(op: Operation | None, ids: Any, rows: Any, target: Any) -> tuple[Any, Any]:
    if not target.ndim:
        raise InvalidArgumentError(op, op, "var must be at least 1 dimensional")
    if ids.ndim != 1:
        raise InvalidArgumentError(op, op, "indices must be one-dimensional")
    if rows.shape != (ids.size, *target.shape[1:]):
        expected = f"{[ids.size, *target.shape[1:]]}, got {list(rows.shape)}"
        raise InvalidArgumentError(op, op, f"grad must be of the shape of the rows of var, {expected}")
    bad = np.flatnonzero((ids < 0) | (ids >= target.shape[0]))
    if bad.size:
        at = int(bad[0])
        raise InvalidArgumentError(op, op, f"Index {ids[at]} at offset {at} in indices is out of range")
    return ids.astype(np.int64), rows


def _check_shapes(form: _Form, target: Shape, inputs: dict[str, Tensor]) -> None:
    """Raise ValueError for what is known not to fit before a run."""
    expected = target
    if form.sparse and target is not None:
        ids = inputs["indices"]._shape
        expected = (None if ids is None else ids[0], *target[1:])
    for name, shape in [(form.gradient, expected), *((name, ()) for name in form.numbers)]:
        got = inputs[name]._shape
        if None not in (got, shape) and not compatible(got, shape):
            raise ValueError(f"Shapes must be equal, {name} has {text(got)}, not {text(shape)} for {form.op_type!r}")


def _run(form: _Form, given: dict[str, Any], resource: bool) -> Any:
    """Take the step in eager mode; in graph mode return what takes it: an operation, or the variable after it."""
    names = ["var", *form.slots]
    given = given | {name: variable_of(given[name]) for name in names} if resource else given
    if executing_eagerly():
        variables = [given[name] for name in names]
        for name, variable in zip(names, variables, strict=True):
            if not isinstance(variable, (EagerVariable, ArrayParameter)):
                raise TypeError(must(form.op_type, name, "be a variable", variable))
        _update(form, None, variables, given)
        return None if resource else variables[0]
    ops = [target_of(form.op_type, given[name]) for name in names]
    (target,) = ops[0].outputs
    dtype = target.dtype.base_dtype
    inputs = {form.gradient: convert(given[form.gradient], dtype)}
    inputs.update((name, convert(given[name], None if name == "global_step" else dtype)) for name in form.numbers)
    if isinstance(given["var"], RowsVariable):  # of a rule for dense gradients, which is asked for some rows
        form, inputs["indices"] = form._replace(sparse=True), given["var"]._indices
    elif form.sparse:
        inputs["indices"] = convert(given["indices"])
    _check_shapes(form, target._shape, inputs)
    switches = {name: given[name] for name in _SWITCHES.get(form.short, ())}

    def function(session: Session, *values: Any) -> EagerVariable:
        variables = [held(session, op) for op in ops]
        _update(form, ops[0], variables, dict(zip(inputs, values, strict=True)) | switches)
        return variables[0]

    result = write_operation(form.op_type, function, list(inputs.values()), ops[0], given["name"], target._shape)
    return result.op if resource else result


def _defined(name: str, form: _Form, arguments: list[str], resource: bool) -> Callable[..., Any]:
    """Return the function of an update operation, with TensorFlow's signature."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(argument, kind) for argument in arguments]
    switches = _SWITCHES.get(form.short, {})
    for key, default in {"use_locking": False, **switches, "name": None}.items():
        parameters.append(inspect.Parameter(key, kind, default=default))
    signature = inspect.Signature(parameters)

    def operation(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        bound.apply_defaults()
        return _run(form, bound.arguments, resource)

    operation.__name__ = operation.__qualname__ = name
    operation.__signature__ = signature  # type: ignore[attr-defined]
    what = "Rows that come several times are updated once for each, in order." if form.sparse else ""
    operation.__doc__ = f"Take a step of the rule {form.rule} on ``var``. {what}".strip()
    return operation


def _define(short: str, rule: str, line: str, sparse: bool) -> None:
    arguments, slots, gradient = ["var"], {}, "grad"
    numbers: dict[str, tuple[str, Callable[[float], float]]] = {}
    for token in line.split()[1:]:
        renamed, _, its = token.rpartition("=")
        key, _, slot = its.partition("@")
        if slot:
            slots[slot] = key
        elif key in ("grad", "delta"):
            gradient = key = "grad" if sparse else key
        else:
            numbers[key] = _NUMBERS.get(renamed or key, (renamed or key, float))
        arguments.append(key)
    if sparse:
        arguments.insert(arguments.index(gradient) + 1, "indices")
    ordered = tuple(slots[slot["name"]] for slot in SCHEMA[rule]["slots"])
    for prefix in ("resource_",) if short in _ONLY_RESOURCE else ("", "resource_"):
        name = f"{prefix}{'sparse_' * sparse}apply_{short}"
        op_type = "".join(part.capitalize() for part in name.split("_"))
        form = _Form(short, op_type, rule, sparse, ordered, numbers, gradient)
        globals()[name] = _defined(name, form, arguments, bool(prefix))
        __all__.append(name)


for _short, (_rule, _line) in _DENSE.items():
    for _sparse in (False,) if _short in _NO_ROWS else (False, True):
        _define(_short, _rule, _line, _sparse)
