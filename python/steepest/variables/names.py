"""Everything that scopes remember, in one object: names in use, collections, shared variables."""

from __future__ import annotations

import atexit as atexit  # weakref.finalize would import it at its first use: in a step, while a fork may come
import re
import threading
import weakref
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import describe, must
from ..base.generators import default_rng
from ..base.locks import renew_lock_in_children
from .weak_collection import Collection

if TYPE_CHECKING:
    from .scopes import VariableScope
    from .variable import Variable

__all__ = ["Store", "get_default_store", "reset_default_store", "set_random_seed"]


class _ScopeState(threading.local):
    """Where this thread is: a thread starts at the root, whatever scopes others have open."""

    def __init__(self) -> None:
        self.name_scope = ""
        self.variable_scope: VariableScope | None = None
        self.passing_names: list[list[str]] = []
        self.names_repeat = False


class _Name:
    """A name in use. One from which living names were made by numbers stays, so that these are not handed out again."""

    __slots__ = ("alive", "base", "numbered", "suffix")

    def __init__(self, base: str | None, alive: bool | None) -> None:
        self.base = base  # of a numbered name: the one that it was made from
        self.alive = alive  # whether its variable lives; None for one that is no variable's
        self.suffix = 1  # the next number to try
        self.numbered = 0  # names made from this one that are in use


class Store:
    """Names, collections and shared variables of one program, or of one graph.

    Variables that merely exist are referenced weakly; ``named``, which ``get_variable`` shares by
    name, and what users add to collections are referenced strongly. With ``permanent`` everything is kept, and no
    name is ever free again: a graph owns what is in it.
    """

    def __init__(self, permanent: bool = False) -> None:
        self.permanent = permanent
        self.lock = threading.RLock()
        renew_lock_in_children(self, "lock")
        self.state = _ScopeState()
        self.named: dict[str, Any] = {}
        self.variable_scope_counts: dict[str, int] = {}
        self._collections: dict[str, MutableSequence[Any]] = {}
        self._names_in_use: dict[str, _Name] = {}
        self._living: weakref.WeakValueDictionary[str, Variable] = weakref.WeakValueDictionary()
        self._rng: np.random.Generator | None = None

    # Collections -----------------------------------------------------------------------------

    def collection(self, key: str) -> MutableSequence[Any]:
        """Return the collection ``key``, made empty when it is new; a plain list where everything is kept."""
        with self.lock:
            collection = self._collections.get(key)
            if collection is None:
                collection = self._collections[key] = [] if self.permanent else Collection()
            return collection

    def collected(self, key: str, scope: str | None) -> list[Any]:
        """Return a copy of the collection, of the items whose name matches ``scope`` when it is given."""
        with self.lock:
            items = list(self._collections.get(key, ()))
        if not scope:
            return items
        matches = re.compile(scope).match
        return [item for item in items if isinstance(getattr(item, "name", None), str) and matches(item.name)]

    def enter(self, key: str, variable: Any) -> None:
        """Put a new variable into the collection ``key``."""
        collection = self.collection(key)
        if isinstance(collection, Collection):
            collection.append_weakly(variable)
        else:
            collection.append(variable)

    @contextmanager
    def as_default(self) -> Iterator[Store]:
        """Make this the store that scopes, collections and new variables use in this thread."""
        outer = _using.store
        _using.store = self
        try:
            yield self
        finally:
            _using.store = outer

    # Names -----------------------------------------------------------------------------------

    @contextmanager
    def names_repeating(self, repeat: bool = True) -> Iterator[None]:
        """Let what this thread makes inside ``with`` have others' names, and take none: TensorFlow's eager mode."""
        outer = self.state.names_repeat
        self.state.names_repeat = repeat
        try:
            yield
        finally:
            self.state.names_repeat = outer

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """Return ``name`` below the current name scope, with ``_1``, ``_2``, ... when it is taken.

        Without ``mark_as_used`` it stays free.

        As in TensorFlow, names that differ only by case are taken to be equal.
        """
        if self.state.name_scope:
            name = f"{self.state.name_scope}/{name}"
        if self.state.names_repeat:
            return name
        key = name.lower()
        with self.lock:
            taken = self._names_in_use.get(key)
            if taken is None and key not in self._living:
                if mark_as_used:
                    self._remember(key)
                return name
            suffix = 1 if taken is None else taken.suffix
            while f"{key}_{suffix}" in self._names_in_use or f"{key}_{suffix}" in self._living:
                suffix += 1
            if mark_as_used:
                taken = taken or self._remember(key, alive=True)
                taken.suffix = suffix + 1
                taken.numbered += 1
                self._remember(f"{key}_{suffix}", base=key)
            return f"{name}_{suffix}"

    def take(self, name: str) -> None:
        """Note that a whole name is in use, and the scopes in it."""
        parts = name.lower().split("/")
        with self.lock:
            for end in range(1, len(parts) + 1):
                if (key := "/".join(parts[:end])) not in self._names_in_use:
                    self._remember(key)

    def _remember(self, key: str, base: str | None = None, alive: bool | None = None) -> _Name:
        if self.state.passing_names:
            self.state.passing_names[-1].append(key)
        self._names_in_use[key] = taken = _Name(base, alive)
        return taken

    def forget_names(self, keys: list[str]) -> None:
        """Free names; a living variable's name stays taken."""
        if self.permanent:
            return
        with self.lock:
            for key in keys:
                self._forget(key)

    def _forget(self, key: str) -> None:
        name = self._names_in_use.pop(key, None)
        base = None if name is None or name.base is None else self._names_in_use.get(name.base)
        if name is not None and name.base is not None and base is not None:
            base.numbered -= 1
            if base.alive is False and not base.numbered:
                self._forget(name.base)

    def register(self, name: str, variable: Variable) -> None:
        """Take ``name`` for as long as ``variable`` lives."""
        if self.state.names_repeat:
            return
        key = name.lower()
        with self.lock:
            self._living[key] = variable
            if key in self._names_in_use:
                self._names_in_use[key].alive = True
        weakref.finalize(variable, self._release, key).atexit = False

    def _release(self, key: str) -> None:
        with self.lock:
            if (name := self._names_in_use.get(key)) is not None:
                name.alive = False
                if not name.numbered:
                    self._forget(key)

    # Random numbers --------------------------------------------------------------------------

    @property
    def rng(self) -> np.random.Generator:
        """The generator behind default initial values; made at its first use."""
        if self._rng is None:
            self._rng = default_rng()
        return self._rng

    def seed(self, seed: int | None) -> None:
        """Restart :attr:`rng` from ``seed``."""
        self._rng = default_rng(seed)


class _Using(threading.local):
    """The store that this thread has entered, where it has entered one."""

    store: Store | None = None


_using = _Using()
_default = Store()


def get_default_store() -> Store:
    """Return the store that scopes, collections and new variables use."""
    return _using.store or _default


def reset_default_store() -> None:
    """Forget all names, collections, shared variables and open scopes; living variables go on working.

    Meant for tests and notebooks, where the same model is built again in one process.
    """
    global _default
    _default = Store()


def set_random_seed(seed: int | None) -> None:
    """Make the default initial values of ``get_variable`` reproducible (``None``: unpredictable again).

    Raises:
        TypeError: for a seed that is not an integer.
        ValueError: for a negative one.
    """
    who, rule = "set_random_seed", "be an integer of at least 0, or None"
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, (int, np.integer))):
        raise TypeError(must(who, "seed", rule, describe(seed)))
    if seed is not None and seed < 0:
        raise ValueError(must(who, "seed", rule, describe(seed)))
    get_default_store().seed(seed)
