"""Name scopes and variable scopes: how variables get their names, as in TensorFlow 1's graph mode."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..base.errors import describe, must
from .collections import GraphKeys
from .names import get_default_store
from .scope_defaults import ScopeDefaults

if TYPE_CHECKING:
    from .variable import Variable

__all__ = [
    "AUTO_REUSE",
    "VariableScope",
    "collection_keys",
    "get_variable_scope",
    "name_scope",
    "variable_created",
    "variable_scope",
]


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1

    def __repr__(self) -> str:
        return self.name


AUTO_REUSE = _ReuseMode.AUTO_REUSE
"""``reuse=AUTO_REUSE``: ``get_variable`` makes a variable the first time and shares it afterwards."""

Reuse = bool | _ReuseMode | None

# TensorFlow's own pattern; the leading character is checked only at the root.
_NAME = r"[A-Za-z0-9_.\\\-/>]*"
_ROOT_NAME = r"[A-Za-z0-9.][A-Za-z0-9_.\\\-/>]*"


def is_name(name: str, outer: str) -> bool:
    """Tell whether something may have a name in the name scope ``outer``, which is empty at the root."""
    return re.fullmatch(_NAME if outer else _ROOT_NAME, name) is not None


class VariableScope(ScopeDefaults):
    """The defaults that ``get_variable`` uses: a name prefix, reuse, initializer, regularizer, dtype.

    ``variable_scope`` makes these objects; entering one again returns to it.
    """

    def __init__(
        self,
        name: str,
        reuse: Reuse = None,
        initializer: Any = None,
        regularizer: Callable[..., Any] | None = None,
        dtype: Any = None,
        original_name_scope: str = "",
    ) -> None:
        self.name = name
        self.reuse = reuse
        self.initializer = initializer
        self.regularizer = regularizer
        self.dtype = dtype
        self.original_name_scope = original_name_scope
        self._store = get_default_store()  # a graph's, where the scope was opened in one

    def reuse_variables(self) -> None:
        """Make ``get_variable`` in this scope share variables, never make them."""
        self.reuse = True

    def full_name(self, name: str) -> str:
        """Return ``name`` with this scope's prefix."""
        return f"{self.name}/{name}" if self.name else name

    def global_variables(self) -> list[Variable]:
        """Return the living variables whose names are in this scope."""
        return self._within(GraphKeys.GLOBAL_VARIABLES)

    def trainable_variables(self) -> list[Variable]:
        """Return the living trainable variables whose names are in this scope."""
        return self._within(GraphKeys.TRAINABLE_VARIABLES)

    def local_variables(self) -> list[Variable]:
        """Return the living local variables whose names are in this scope."""
        return self._within("local_variables")

    def get_collection(self, name: str) -> list[Any]:
        """Return the items of a collection whose names are in this scope."""
        return self._within(name)

    def _within(self, key: str) -> list[Variable]:
        return self._store.collected(key, re.escape(self.name) + "/" if self.name else None)

    def __repr__(self) -> str:
        return f"VariableScope({self.name!r}, reuse={self.reuse!r})"


def get_variable_scope() -> VariableScope:
    """Return the innermost open variable scope of this thread; outside all of them, the root scope."""
    state = get_default_store().state
    if state.variable_scope is None:
        state.variable_scope = VariableScope("", False)
    return state.variable_scope


@contextmanager
def name_scope(name: str | None, default_name: str | None = None, values: Any = None) -> Iterator[str]:
    """Prefix the names of the ``Variable`` objects made inside with ``name/``; yield that prefix.

    The prefix is made unique (``a``, ``a_1``, ...). A name that ends with ``/`` is taken as it is,
    which enters an earlier scope again; ``None`` or ``""`` returns to the root. ``get_variable``
    ignores name scopes. ``default_name`` is used when ``name`` is None; ``values`` is accepted for
    TensorFlow's sake and ignored.

    Raises TypeError for a name that is no string, ValueError for one with characters that names may not have.
    """
    del values
    name = default_name if name is None else name
    store = get_default_store()
    state = store.state
    if name is not None and not isinstance(name, str):
        raise TypeError(must("name_scope", "name", "be a string or None", describe(name)))
    if name and not is_name(name, state.name_scope):
        rule = "consist of letters, digits and _ . \\ - / > and begin with a letter, a digit or ."
        raise ValueError(must("name_scope", "name", rule, describe(name)))
    if not name or name.endswith("/"):
        scope, passing = (name or "")[:-1], False
    else:
        scope = store.unique_name(name)
        # A loop that opens one scope again and again gets a new suffix each time; what was named
        # inside is forgotten with it, or the loop would fill the memory with names.
        passing = scope.rsplit("/", 1)[-1] != name.rsplit("/", 1)[-1]
    before = state.name_scope
    state.name_scope = scope
    if passing:
        state.passing_names.append([scope.lower()])
    try:
        yield f"{scope}/" if name else ""
    finally:
        state.name_scope = before
        if passing:
            store.forget_names(state.passing_names.pop())


@contextmanager
def variable_scope(
    name_or_scope: str | VariableScope | None,
    default_name: str | None = None,
    values: Any = None,
    initializer: Any = None,
    regularizer: Callable[..., Any] | None = None,
    *,
    reuse: Reuse = None,
    dtype: Any = None,
    auxiliary_name_scope: bool = True,
) -> Iterator[VariableScope]:
    """Open a scope for ``get_variable``; yield the scope object.

    A string nests below the current scope, and inherits its reuse, initializer, regularizer and
    dtype where they are not given. A scope object returns to that scope, wherever one is. ``None``
    needs ``default_name``, which is made unique (``d``, ``d_1``, ...). ``reuse`` is ``True`` (share
    only), ``AUTO_REUSE`` (share or make), ``False`` or ``None`` (as outside). A name scope of the
    same name is opened too, unless ``auxiliary_name_scope`` is false.

    Raises TypeError for another kind of scope, ValueError for another ``reuse``, for ``reuse``
    with ``None``, and for a name that a scope may not have.

    Source: ``tf.variable_scope``.
    """
    del values
    if name_or_scope is None and default_name is None:
        rule = "be a string or a scope when default_name is not given"
        raise TypeError(must("variable_scope", "name_or_scope", rule, name_or_scope))
    if name_or_scope is not None and not isinstance(name_or_scope, str | VariableScope):
        raise TypeError(must("variable_scope", "name_or_scope", "be a string, a scope or None", name_or_scope))
    if not (reuse is None or isinstance(reuse, bool | _ReuseMode)):
        raise ValueError(must("variable_scope", "reuse", "be True, False, None or AUTO_REUSE", describe(reuse)))
    if name_or_scope is None and reuse:
        raise ValueError(must("variable_scope", "reuse", "be off without a name_or_scope", reuse))

    outer = get_variable_scope()
    parent = name_or_scope if isinstance(name_or_scope, VariableScope) else outer
    if isinstance(name_or_scope, VariableScope):
        label, prefix = parent.name.rsplit("/", 1)[-1], parent.name
    elif name_or_scope is None:
        label = str(default_name)
        prefix = _unique_scope_name(outer.full_name(label))
    else:
        label = name_or_scope
        prefix = outer.full_name(label)  # of "" too, as TensorFlow has it: "s/", and "s//w" for a variable
    # A name scope that ends with "/" is entered as it is: with it we stay where we are.
    here = f"{get_default_store().state.name_scope}/".lstrip("/")
    named = bool(label) or not auxiliary_name_scope
    with name_scope(label if auxiliary_name_scope and label else here) as opened:
        scope = VariableScope(
            prefix,
            reuse=reuse or parent.reuse,
            initializer=parent.initializer if initializer is None else initializer,
            regularizer=parent.regularizer if regularizer is None else regularizer,
            dtype=parent.dtype if dtype is None else dtype,
            original_name_scope=parent.original_name_scope if parent is name_or_scope else opened if named else "",
        )
        with _entered(scope, again=isinstance(name_or_scope, VariableScope)):
            yield scope


@contextmanager
def _entered(scope: VariableScope, again: bool) -> Iterator[None]:
    store = get_default_store()
    state, counts = store.state, store.variable_scope_counts
    before = state.variable_scope
    below = f"{scope.name}/" if scope.name else ""  # all scopes lie below the outermost
    with store.lock:
        counts[scope.name] = counts.get(scope.name, 0) + 1
        inside = {key: count for key, count in counts.items() if again and key.startswith(below)}
    state.variable_scope = scope
    try:
        yield
    finally:
        state.variable_scope = before
        # Default names count from the beginning whenever the enclosing scope is opened, as in
        # TensorFlow: only so can a second pass share the variables of the first. Where a scope object
        # is entered again inside its scope, they go on from where they were.
        with store.lock:
            for inner in [key for key in counts if key.startswith(below)]:
                del counts[inner]
            counts.update(inside)


def _unique_scope_name(name: str) -> str:
    counts = get_default_store().variable_scope_counts
    candidate, suffix = name, 0
    while counts.get(candidate):
        suffix += 1
        candidate = f"{name}_{suffix}"
    return candidate


def variable_created(variable: Variable, name: str | None, collections: Sequence[str] | None) -> str:
    """Return the new variable's full and unique name, and add it to its collections, weakly.

    ``Variable.__init__`` calls this. ``name`` is ``"Variable"`` by default; the current name scope
    goes before it. ``collections`` is ``[GraphKeys.GLOBAL_VARIABLES]`` by default, and a trainable
    variable also enters ``TRAINABLE_VARIABLES``. Names are unique among living variables, where the class does not let
    them repeat.

    Raises TypeError for a name that is not a string or collections that are not a list of strings,
    ValueError for a name with characters that names may not have; then nothing is changed.
    """
    name = "Variable" if name is None else name
    if not isinstance(name, str):
        raise TypeError(must("Variable", "name", "be a string or None", describe(name)))
    store = get_default_store()
    if not name.strip("/") or not is_name(name, store.state.name_scope):
        rule = "consist of letters, digits and _ . \\ - / > and begin with a letter, a digit or ."
        raise ValueError(must("Variable", "name", rule, describe(name)))
    keys = collection_keys(collections, variable.trainable)
    with store.names_repeating(variable._names_repeat):
        full_name = store.unique_name(name)
        store.register(full_name, variable)
    with store.lock:
        for key in keys if not variable._names_repeat else ():
            store.enter(key, variable)
    return full_name


def collection_keys(collections: Any, trainable: bool) -> list[str]:
    """Return the collections that a new variable enters; TypeError for what is not a list of names."""
    keys: list[Any] = [GraphKeys.GLOBAL_VARIABLES]
    if collections is not None:
        if not isinstance(collections, list | tuple | set | frozenset):
            raise TypeError(
                must("Variable", "collections", "be a list, tuple or set of strings", describe(collections))
            )
        keys = list(collections)
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(must("Variable", "collections", "contain only strings", key))
    if trainable:
        keys.append(GraphKeys.TRAINABLE_VARIABLES)
    return list(dict.fromkeys(keys))
