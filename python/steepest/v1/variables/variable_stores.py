"""Variables that are shared by name in eager mode, and the store that ``get_variable`` has in graph mode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...variables.names import Store
from ...variables.scopes import AUTO_REUSE, VariableScope
from ..graph.graph import get_default_graph
from ..graph.scopes import variable_scope
from .get_variable import get_variable_by_full_name
from .partitioned_variable import PartitionInfo
from .variables import Variable

__all__ = [
    "_DEFAULT_USE_RESOURCE",
    "EagerVariableStore",
    "_PartitionInfo",
    "_get_default_variable_store",
    "_pure_variable_scope",
]

_PartitionInfo = PartitionInfo
_DEFAULT_USE_RESOURCE = False  # what TensorFlow's programs ask before they call ``enable_resource_variables``


class EagerVariableStore:
    """Variables that ``get_variable`` shares by name in eager mode, inside ``with store.as_default()``.

    Source: ``tf.contrib.eager.EagerVariableStore``.
    """

    def __init__(self) -> None:
        self._store = Store()
        with self._store.as_default():
            self._store.state.variable_scope = scope = VariableScope("")
        scope.shares_variables = True  # type: ignore[attr-defined]

    @contextmanager
    def as_default(self) -> Iterator[None]:
        """Share variables by name inside ``with``."""
        with self._store.as_default():
            yield

    def variables(self) -> list[Any]:
        """Return the variables in the order of their names."""
        return sorted(self._store.named.values(), key=lambda variable: str(variable.name))

    def trainable_variables(self) -> list[Any]:
        """Return the variables that are trained, in the order of their names."""
        return [variable for variable in self.variables() if variable.trainable]

    def non_trainable_variables(self) -> list[Any]:
        """Return the variables that are not trained, in the order of their names."""
        return [variable for variable in self.variables() if not variable.trainable]

    def copy(self) -> EagerVariableStore:
        """Return a store of variables of the same names and values."""
        made = EagerVariableStore()
        with made.as_default():
            for name, variable in self._store.named.items():
                made._store.named[name] = Variable(variable.numpy(), variable.trainable, name=name)
        return made


class _GraphVariableStore:
    """The variables of the default graph that are shared by name."""

    @staticmethod
    def get_variable(name: str, shape: Any = None, dtype: Any = None, reuse: Any = None, **options: Any) -> Any:
        """Return the variable of that name; by default it is made where it is missing."""
        again = AUTO_REUSE if reuse is None else reuse
        return get_variable_by_full_name(name, shape, dtype, reuse=again, **options)

    @property
    def _vars(self) -> dict[str, Any]:
        return get_default_graph()._store.named


def _get_default_variable_store() -> _GraphVariableStore:
    """Return the store of the default graph."""
    return _GraphVariableStore()


def _pure_variable_scope(name_or_scope: Any, reuse: Any = None, initializer: Any = None, **options: Any) -> Any:
    """Open a variable scope without a name scope."""
    return variable_scope(name_or_scope, reuse=reuse, initializer=initializer, auxiliary_name_scope=False, **options)
