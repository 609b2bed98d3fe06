"""What an optimizer shows of itself: hyper-parameters by name, hooks, its repr; other attributes are errors."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..base.errors import describe, must
from .hooks import checked_hooks
from .hyperparameters import SCHEMA, check_hyper, is_constant
from .overrides import is_library_class

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = [
    "add_hyper_properties",
    "check_made",
    "checked_name",
    "given_hyper",
    "hooks",
    "hyper_property",
    "inner_learning_rate",
    "represent",
    "set_attribute",
    "unknown_attribute",
]

_MISSING = object()
_OTHER_NAMES = {"lr": "learning_rate", "rate": "learning_rate", "eps": "epsilon", "alpha": "learning_rate"}


def hyper_property(name: str) -> property:
    """Return a property for the hyper-parameter that is held as ``_name``; it is checked as in the constructor."""
    held = f"_{name}"

    def read(self: Optimizer) -> Any:
        if not hasattr(self, held):
            raise unknown_attribute(type(self), name)
        return getattr(self, held)  # not vars(self): that would slow down every later read

    def write(self: Optimizer, value: Any) -> None:
        if self._rule is not None:
            if type(getattr(self, held, None)) is bool:
                value = bool(value)
            if is_constant(value):
                check_hyper(self._name, self._rule, name, value)
        object.__setattr__(self, held, value)

    text = f"``{name}`` as it was given; what is set is checked as in the constructor and holds from the next step on."
    return property(read, write, doc=text)


def _read_inner_rate(self: Any) -> Any:
    return self._optimizer.learning_rate


def _set_inner_rate(self: Any, value: Any) -> None:
    self._optimizer.learning_rate = value


inner_learning_rate = property(_read_inner_rate, _set_inner_rate, doc="The inner optimizer's learning rate.")
"""Of optimizers around another one."""


def add_hyper_properties(cls: type) -> None:
    """Give a class the properties of the hyper-parameters that its native rule declares."""
    for entry in SCHEMA.get(vars(cls).get("_rule") or "", {}).get("hyper", ()):
        if not hasattr(cls, entry["name"]):
            setattr(cls, entry["name"], hyper_property(entry["name"]))


def given_hyper(self: Optimizer) -> dict[str, Any]:
    """Return the hyper-parameters of the optimizer's rule as the user gave them, in the rule's order."""
    names, read = _READERS[self._rule]
    return dict(zip(names, read(self), strict=True))


def _reader(rule: str) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    names = tuple(entry["name"] for entry in SCHEMA[rule]["hyper"])
    read = operator.attrgetter(*(f"_{name}" for name in names))
    return names, read if len(names) > 1 else lambda source: (read(source),)


_READERS: dict[str | None, Any] = {rule: _reader(rule) for rule in SCHEMA}


def _read_hooks(self: Optimizer) -> list[Any]:
    return self._hooks


def _write_hooks(self: Optimizer, hooks: Any) -> None:
    self._hooks[:] = checked_hooks(self._name, hooks)  # in place: a session's twin of the optimizer has the same list


hooks = property(
    _read_hooks, _write_hooks, doc="The hooks of the next step: the list itself; change it or set another."
)


def check_made(self: Optimizer) -> None:
    """Raise AttributeError for an optimizer whose constructor has not been called."""
    if not hasattr(self, "_cache"):
        rule, remedy = "have been called", "call super().__init__(use_locking, name) in the subclass's __init__"
        raise AttributeError(must(type(self).__name__, "Optimizer.__init__", rule, "no call", remedy)) from None


def unknown_attribute(cls: type, name: str) -> AttributeError:
    """Return the error for an attribute that an optimizer has not, with the names that are near."""
    return AttributeError(must(cls.__name__, "attribute", "be one that it has", repr(name), _remedy(cls, name)))


def checked_name(who: str, name: Any) -> str:
    """Return an optimizer's name; ValueError where it is no text or empty."""
    if not isinstance(name, str) or not name:
        raise ValueError(must(who, "name", "be a non-empty string", describe(name)))
    return name


def set_attribute(self: Optimizer, name: str, value: Any) -> None:
    """Set an attribute; AttributeError for a public name that a class of the library does not have.

    A user's class may have any attribute, but for a value in the place of a method of the library.
    """
    cls = type(self)
    if not name.startswith("_"):
        if not hasattr(cls, name) and is_library_class(cls):
            raise unknown_attribute(cls, name)
    elif not callable(value) and callable(getattr(cls, name, None)):
        rule, remedy = "not hide a method of the same name", "choose another name"
        raise AttributeError(must(cls.__name__, "attribute", rule, f"{name!r} = {value!r:.40}", remedy))
    object.__setattr__(self, name, value)


def _remedy(cls: type, name: str) -> str:
    from difflib import get_close_matches  # slow to import, and needed for an error alone

    public = [known for known in dir(cls) if not known.startswith("_") and known != name]
    near = get_close_matches(name, public, 2, 0.5)
    other = _OTHER_NAMES.get(name)
    if other in public:
        near.insert(0, other)
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    settable = [known for known in public if getattr(getattr(cls, known), "fset", None)]
    return f"{', '.join(settable)} can be set"


def represent(self: Optimizer) -> str:
    """Return the call that would make such an optimizer, without what is as by default, and the steps it counted."""
    shown = []
    for name, parameter in inspect.signature(type(self).__init__).parameters.items():
        value = getattr(self, f"_{name}", _MISSING)
        if name == "hooks":
            value = list(value) if isinstance(value, list) and value else _MISSING
        if value is not _MISSING and not _is_default(value, parameter.default):
            shown.append(f"{name}={value!r}")
    own = getattr(self._counters, "name", None)
    counted = None if own is None else self._slot_table.non_slots.get(own)
    steps = "" if counted is None else f" after {counted.value} steps"
    return f"{type(self).__name__}({', '.join(shown)}){steps}"


def _is_default(value: Any, default: Any) -> bool:
    if value is default:
        return True
    return is_constant(value) and is_constant(default) and type(value) is type(default) and bool(value == default)
