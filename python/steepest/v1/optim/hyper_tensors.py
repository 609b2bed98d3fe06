"""Hyper-parameters of optimizers as tensors, under TensorFlow's internal names: what subclasses compute with."""

from __future__ import annotations

from typing import Any

from ... import (
    AdadeltaOptimizer,
    AdagradDAOptimizer,
    AdagradOptimizer,
    AdamOptimizer,
    FtrlOptimizer,
    GradientDescentOptimizer,
    MomentumOptimizer,
    ProximalAdagradOptimizer,
    ProximalGradientDescentOptimizer,
    RMSPropOptimizer,
)
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.session_values import lifted
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["HyperTensor"]

_REGULAR = "l1_regularization_strength l2_regularization_strength"

# Of each class the end of the names, and the hyper-parameters; TensorFlow writes ``lr`` where the end is ``_t``.
_NAMES: dict[type, tuple[str, str]] = {
    AdadeltaOptimizer: ("_t", "learning_rate rho epsilon"),
    AdagradDAOptimizer: ("_tensor", "learning_rate"),
    AdagradOptimizer: ("_tensor", "learning_rate"),
    AdamOptimizer: ("_t", "learning_rate beta1 beta2 epsilon"),
    FtrlOptimizer: (
        "_tensor",
        f"learning_rate learning_rate_power {_REGULAR} l2_shrinkage_regularization_strength",
    ),
    GradientDescentOptimizer: ("_tensor", "learning_rate"),
    MomentumOptimizer: ("_tensor", "learning_rate momentum"),
    ProximalAdagradOptimizer: ("_tensor", f"learning_rate {_REGULAR}"),
    ProximalGradientDescentOptimizer: ("_tensor", f"learning_rate {_REGULAR}"),
    RMSPropOptimizer: ("_tensor", "learning_rate decay momentum epsilon"),
}


class HyperTensor:
    """An attribute that is a hyper-parameter as a tensor, float32 for a number; what a program sets comes first.

    TensorFlow makes these in ``_prepare``. Here they are made where they are asked for: the library's own rules do not
    need them.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, optimizer: Any, owner: type | None = None) -> Any:
        if optimizer is None:
            return self
        if executing_eagerly():
            return self._tensor(optimizer)
        with lifted(get_default_graph()):  # also where it is asked for in a branch
            return self._tensor(optimizer)

    def _tensor(self, optimizer: Any) -> Any:
        value = optimizer._call_if_callable(getattr(optimizer, f"_{self._name}"))
        return convert_to_tensor(value, name=self._name)


def _register() -> None:
    for cls, (end, names) in _NAMES.items():
        for name in names.split():
            short = "lr" if end == "_t" and name == "learning_rate" else name
            setattr(cls, f"_{short}{end}", HyperTensor(name))


_register()
