"""``tf.contrib.training``: hyperparameters, and a training operation with what belongs to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ...variables.collections import GraphKeys
from ..graph.composites import is_composite, with_values
from ..graph.graph import get_default_graph
from ..graph.missing import namespace
from ..ops.array_ops import identity
from ..ops.clip_ops import clip_by_norm
from ..ops.control_flow_ops import with_dependencies
from ..ops.script_ops import check_numerics
from ..saving.init_from_checkpoint import wait_for_new_checkpoint
from ..summaries.training_session import MonitoredTrainingSession
from ..train import checkpoints_iterator, get_or_create_global_step
from .evaluation import (
    StopAfterNEvalsHook,
    SummaryAtEndHook,
    evaluate_once,
    evaluate_repeatedly,
    get_or_create_eval_step,
)

__all__ = [
    "HParams",
    "StopAfterNEvalsHook",
    "SummaryAtEndHook",
    "checkpoints_iterator",
    "clip_gradient_norms",
    "clip_gradient_norms_fn",
    "create_train_op",
    "evaluate_once",
    "evaluate_repeatedly",
    "get_or_create_eval_step",
    "multiply_gradients",
    "train",
    "wait_for_new_checkpoint",
]

__getattr__, __dir__ = namespace(__name__, "evaluation hparam training")

_FROM_GRAPH: Any = object()


class HParams:
    """Hyperparameters as attributes, which keep their types. Source: ``tf.contrib.training.HParams``.

    Example:
        >>> from steepest.v1.contrib.training import HParams
        >>> hparams = HParams(rate=0.1, layers=[3, 4], name="a").parse("rate=0.5,layers=[7]")
        >>> hparams.rate, hparams.layers, "name" in hparams
        (0.5, [7], True)
    """

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        if hparam_def is not None:
            raise ValueError("HParams: hparam_def must be None in steepest.v1, give the values by name")
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: Any) -> None:
        """Add one. Raises ValueError for a name that is taken, or an empty list."""
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
            self._hparam_types[name] = (type(value[0]), True)
        else:
            self._hparam_types[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Give one another value of its type. Raises KeyError for an unknown name, ValueError for another type."""
        kind, several = self._hparam_types[name]
        if isinstance(value, list) != several and not (several and isinstance(value, tuple)):
            words = ("single value", "list") if several else ("list", "single value")
            raise ValueError(f"Must not pass a {words[0]} for the {words[1]} parameter: {name}")
        setattr(self, name, [_as(kind, name, each) for each in value] if several else _as(kind, name, value))

    def del_hparam(self, name: str) -> None:
        """Remove one, if it is there."""
        if name in self._hparam_types:
            delattr(self, name)
            del self._hparam_types[name]

    def override_from_dict(self, values_dict: dict[str, Any]) -> HParams:
        """Set several; see `set_hparam`."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def parse(self, values: str) -> HParams:
        """Set those of ``name=value,name=[value,value]``. Raises ValueError for a text of another form."""
        for name, text in _pairs(values):
            if name not in self._hparam_types:
                raise ValueError(f"Unknown hyperparameter type for {name}")
            kind, several = self._hparam_types[name]
            if several != text.startswith("["):
                raise ValueError(f"Could not parse hparam '{name}' in '{values}'")
            parts = [_read(kind, name, part) for part in text.strip("[]").split(",")]
            setattr(self, name, parts if several else parts[0])
        return self

    def parse_json(self, values_json: str) -> HParams:
        """Set those of a JSON object."""
        return self.override_from_dict(json.loads(values_json))

    def values(self) -> dict[str, Any]:
        """Return all by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def to_json(self, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
        """Return all as a JSON object; functions are left out."""
        plain = {name: value for name, value in self.values().items() if not callable(value)}
        return json.dumps(plain, indent=indent, separators=separators, sort_keys=sort_keys)

    def get(self, key: str, default: Any = None) -> Any:
        """Return one, or the default where there is none of the name."""
        return getattr(self, key) if key in self._hparam_types else default

    def get_model_structure(self) -> Any:
        """Return what was given as ``model_structure``."""
        return self._model_structure

    def set_model_structure(self, model_structure: Any) -> None:
        """Keep an object that programs keep here."""
        self._model_structure = model_structure

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return str(sorted(self.values().items()))

    def __repr__(self) -> str:
        return f"HParams({self})"


def _as(kind: type, name: str, value: Any) -> Any:
    """Return a value as one of a type, if nothing is lost."""
    fits = value is None or kind is type(None) or isinstance(value, kind) or (kind is float and isinstance(value, int))
    if not fits or (isinstance(value, bool) and kind in (int, float)):
        raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    return value if value is None or kind is type(None) or kind is not float else float(value)


def _read(kind: type, name: str, text: str) -> Any:
    if kind is bool:
        if text.lower() not in ("true", "false", "1", "0"):
            raise ValueError(f"Could not parse hparam '{name}' of type 'bool' with value '{text}'")
        return text.lower() in ("true", "1")
    return text if kind is type(None) else kind(text)


def _pairs(values: str) -> list[tuple[str, str]]:
    """Cut ``a=1,b=[2,3]`` into names and texts."""
    pairs: list[tuple[str, str]] = []
    rest = values.strip()
    while rest:
        name, equals, rest = rest.partition("=")
        if not equals:
            raise ValueError(f"Malformed hyperparameter value: {values}")
        end = rest.find("]") + 1 if rest.startswith("[") else rest.find(",")
        end = len(rest) if end < 0 else end
        pairs.append((name.strip(), rest[:end].strip()))
        rest = rest[end:].lstrip(", ")
    return pairs


def clip_gradient_norms(gradients_to_variables: Any, max_norm: float) -> list[tuple[Any, Any]]:
    """Return pairs of gradient and variable with each gradient's norm at most ``max_norm``."""
    return [(g if g is None else clip_by_norm(g, max_norm), v) for g, v in gradients_to_variables]


def clip_gradient_norms_fn(max_norm: float) -> Callable[[Any], list[tuple[Any, Any]]]:
    """Return the function of pairs that `clip_gradient_norms` is for one norm."""
    return lambda pairs: clip_gradient_norms(pairs, max_norm)


def multiply_gradients(grads_and_vars: Any, gradient_multipliers: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """Return pairs of gradient and variable, multiplied by the factors of variables or their names.

    Raises ValueError for a variable with a factor and no gradient, for no list, and for no factors.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    result: list[tuple[Any, Any]] = []
    for grad, variable in grads_and_vars:
        key = variable if variable in gradient_multipliers else variable.op.name
        if key in gradient_multipliers:
            if grad is None:
                raise ValueError("Requested multiple of `None` gradient.")
            factor = gradient_multipliers[key]
            grad = with_values(grad, grad.values * factor) if is_composite(grad) else grad * factor
        result.append((grad, variable))
    return result


def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: Any = _FROM_GRAPH,
    update_ops: Any = None,
    variables_to_train: Any = None,
    transform_grads_fn: Callable[[Any], Any] | None = None,
    summarize_gradients: bool = False,
    gate_gradients: int = 1,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> Any:
    """Return a node that makes a step of the optimizer and is the loss before it.

    What is in UPDATE_OPS is done before; ``global_step`` is the graph's, or not counted with None.

    Source: ``tf.contrib.training.create_train_op``.
    """
    del summarize_gradients, aggregation_method, colocate_gradients_with_ops
    graph = get_default_graph()
    step = get_or_create_global_step() if global_step is _FROM_GRAPH else global_step
    first = graph.get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else list(update_ops)
    if first:
        total_loss = with_dependencies(first, total_loss)
    pairs = optimizer.compute_gradients(total_loss, variables_to_train, gate_gradients=gate_gradients)
    if transform_grads_fn is not None:
        pairs = transform_grads_fn(pairs)
    update = optimizer.apply_gradients(pairs, global_step=step)
    loss = _checked(total_loss) if check_numerics else total_loss
    with graph.control_dependencies([update]):
        train = identity(loss, name="train_op")
    graph.add_to_collection(GraphKeys.TRAIN_OP, train)
    return train


def _checked(loss: Any) -> Any:
    return check_numerics(loss, "LossTensor is inf or nan")


def train(
    train_op: Any,
    logdir: str | None,
    master: str = "",
    is_chief: bool = True,
    scaffold: Any = None,
    hooks: Any = None,
    chief_only_hooks: Any = None,
    save_checkpoint_secs: float | None = 600,
    save_summaries_steps: int | None = 100,
    config: Any = None,
    max_wait_secs: float = 7200,
    run_metadata: Any = None,
) -> Any:
    """Run ``train_op`` until a hook stops, and return its last value; see `tf.train.MonitoredTrainingSession`.

    Raises ValueError for what would be saved without a folder.

    Source: ``tf.contrib.training.train``.
    """
    del run_metadata
    often = {"save_checkpoint_secs": save_checkpoint_secs, "save_summaries_steps": save_summaries_steps}
    for what, every in often.items():
        if every and logdir is None and is_chief:
            raise ValueError(f"logdir cannot be None when {what} is not None")
    options: Any = {"config": config, "max_wait_secs": max_wait_secs, **often}
    given = [scaffold, hooks, chief_only_hooks]
    loss = None
    with MonitoredTrainingSession(master, is_chief, logdir, *given, **options) as session:
        while not session.should_stop():
            loss = session.run(train_op)
    return loss
