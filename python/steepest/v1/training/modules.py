"""``tf.Module``: objects whose variables and modules are found in their attributes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from ..graph.composites import components_of, is_composite
from ..graph.nests import is_nested, items_of, keys_of
from ..graph.scopes import name_scope
from ..saving.data_structures import AutoTrackable
from ..variables.eager_variable import EagerVariable
from ..variables.partitioned_variable import PartitionedVariable
from ..variables.variables import Variable

__all__ = ["Module", "camel_to_snake", "valid_identifier"]

F = TypeVar("F", bound=Callable[..., Any])
_NEW_WORD = re.compile(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")
_IDENTIFIER = re.compile(r"[a-zA-Z_]\w*", re.ASCII)


def valid_identifier(name: Any) -> bool:
    """Tell whether a name may be a module's: one of Python's, of letters of ASCII."""
    return bool(isinstance(name, str) and _IDENTIFIER.fullmatch(name))


def camel_to_snake(value: str) -> str:
    """Return the name of a class in lower case with ``_`` between its words."""
    return _NEW_WORD.sub(r"_\1", value).lower()


class Module(AutoTrackable):
    """A container of variables, other modules and methods: a subclass sets them as attributes.

    Args:
        name: a Python identifier, by default the class's name in lower case with ``_`` between its words. The module
            makes a name scope of it, in which methods decorated by `with_name_scope` are.

    Raises ValueError for another name.

    Example:
        >>> from steepest import v1 as tf
        >>> class Dense(tf.Module):
        ...     def __init__(self, size):
        ...         super().__init__()
        ...         with self.name_scope:
        ...             self.w = tf.Variable(tf.zeros([size]), name="w")
        >>> with tf.Graph().as_default():
        ...     [v.name for v in Dense(3).variables]
        ['dense/w:0']

    Source: ``tf.Module``.
    """

    _TF_MODULE_IGNORED_PROPERTIES = frozenset(
        ("_self_unconditional_checkpoint_dependencies", "_self_unconditional_dependency_names")
    )

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = camel_to_snake(type(self).__name__)
        elif not valid_identifier(name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers (e.g. a valid "
                "class name)."
            )
        self._name = name
        with name_scope(name) as scope:
            self._scope_name = scope

    @property
    def name(self) -> str:
        """The name, without those of the modules around it."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """The module's name scope, to be entered by ``with``."""
        return name_scope(self._scope_name)

    @property
    def variables(self) -> Sequence[Any]:
        """The variables of the module, in the order of its attributes' names, then those of the modules in it."""
        return tuple(self._flatten(predicate=_is_variable, expand_composites=True))

    @property
    def trainable_variables(self) -> Sequence[Any]:
        """Those of its variables that are trained."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def non_trainable_variables(self) -> Sequence[Any]:
        """The others of its variables."""
        return tuple(variable for variable in self.variables if not variable.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """The modules in it, and those in them."""
        return tuple(self._flatten(predicate=lambda leaf: isinstance(leaf, Module)))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
        expand_composites: bool = False,
    ) -> Iterator[Any]:
        """Yield the leaves of all attributes in the order of their names, each once, then those of modules in it.

        ``predicate`` chooses leaves; ``attribute_traversal_key`` orders the names. ``with_path`` yields each leaf
        behind the keys that lead to it, as often as there are ways. ``expand_composites`` yields what values of several
        tensors are made of.
        """
        wanted = predicate or (lambda leaf: True)
        seen = {id(self)}
        waiting: list[tuple[tuple[Any, ...], Module]] = [((), self)]
        while waiting:
            before, module = waiting.pop(0)
            inner: list[tuple[tuple[Any, ...], Module]] = []
            attributes = vars(module)
            for key in sorted(attributes, key=attribute_traversal_key):
                if key in module._TF_MODULE_IGNORED_PROPERTIES:
                    continue
                for path, leaf in _leaves(attributes[key], (*before, key), expand_composites):
                    if not with_path and id(leaf) in seen:
                        continue
                    seen.add(id(leaf))
                    if wanted(leaf):
                        yield (path, leaf) if with_path else leaf
                    if recursive and isinstance(leaf, Module):
                        inner.append((path, leaf))
            waiting = [*inner, *waiting]

    @classmethod
    def with_name_scope(cls, method: F) -> F:
        """Decorate a method: it is called in the module's name scope."""

        @functools.wraps(method)
        def within(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return within  # type: ignore[return-value]


def _leaves(value: Any, path: tuple[Any, ...], composites: bool) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if composites and is_composite(value):
        value = components_of(value)
    if not is_nested(value):
        yield path, value
        return
    for key, item in zip(keys_of(value), items_of(value), strict=True):
        yield from _leaves(item, (*path, key), composites)


def _is_variable(leaf: Any) -> bool:
    return isinstance(leaf, (Variable, EagerVariable, PartitionedVariable))
