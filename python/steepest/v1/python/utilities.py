"""What ``tensorflow.python.util`` has for programs in Python: decorators, signatures, sets of objects."""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, MutableMapping, MutableSet
from contextlib import contextmanager
from types import ModuleType
from typing import Any

__all__ = [
    "ObjectIdentityDictionary",
    "ObjectIdentitySet",
    "contextmanager",
    "deprecated",
    "deprecated_alias",
    "deprecated_arg_values",
    "deprecated_args",
    "deprecated_argument_lookup",
    "deprecated_endpoints",
    "fn_args",
    "get_func_name",
    "has_kwargs",
    "make_all",
    "make_decorator",
    "remove_undocumented",
    "reveal_undocumented",
    "rewrap",
    "should_use_result",
    "silence",
    "tf_export",
    "unwrap",
]


def __getattr__(name: str) -> Any:
    """Return what Python's `inspect` has under TensorFlow's name for it."""
    if name.startswith("is") or name in ("getdoc", "getfile", "getmembers", "getmodule", "getsource", "getmro"):
        return getattr(inspect, name)
    if name in ("currentframe", "getcallargs", "getsourcefile", "getsourcelines", "signature", "FullArgSpec"):
        return getattr(inspect, name)
    raise AttributeError(name)


def _as_it_is(*args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    return lambda decorated: decorated


deprecated = deprecated_args = deprecated_arg_values = deprecated_endpoints = tf_export = _as_it_is


def deprecated_alias(deprecated_name: str, name: str, func_or_class: Any, warn_once: bool = True) -> Any:
    """Return the function, or the class, itself."""
    return func_or_class


def deprecated_argument_lookup(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """Return which of an argument under its new name and its old one was given. Raises ValueError for both."""
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old_value


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Do nothing: nothing is said of what is deprecated."""
    yield


def should_use_result(func: Any = None, *args: Any, **kwargs: Any) -> Any:
    """Return the function: nothing is said of results that are not used."""
    return func if callable(func) else (lambda function: function)


def make_decorator(
    target: Callable[..., Any],
    decorator_func: Callable[..., Any],
    decorator_name: str | None = None,
    *more: Any,
    **kw: Any,
) -> Callable[..., Any]:
    """Return a function that stands for another one, and has its name and its signature."""
    return functools.update_wrapper(decorator_func, target)


def unwrap(maybe_tf_decorator: Any) -> tuple[list[Any], Any]:
    """Return the functions that stand for another one, the outermost first, and that one."""
    found = []
    while hasattr(maybe_tf_decorator, "__wrapped__"):
        found.append(maybe_tf_decorator)
        maybe_tf_decorator = maybe_tf_decorator.__wrapped__
    return found, maybe_tf_decorator


def rewrap(decorator_func: Any, previous_target: Any, new_target: Any) -> Any:
    """Have the innermost of functions that stand for each other stand for a new one."""
    if decorator_func is previous_target:
        return new_target
    inner = decorator_func
    while inner.__wrapped__ is not previous_target:
        inner = inner.__wrapped__
    inner.__wrapped__ = new_target
    return decorator_func


def _signature_of(fn: Any) -> tuple[Any, bool]:
    """Return the function behind an object, and whether its first argument is given already."""
    if inspect.isfunction(fn) or inspect.isbuiltin(fn):
        return fn, False
    if inspect.ismethod(fn):
        return fn.__func__, True
    return (type(fn).__call__, True) if callable(fn) else (fn, False)


def fn_args(fn: Any) -> tuple[str, ...]:
    """Return the names of the arguments of a function, of a partial one those that are still open."""
    if isinstance(fn, functools.partial):
        names = fn_args(fn.func)[len(fn.args) :]
        return tuple(name for name in names if name not in fn.keywords)
    function, bound = _signature_of(fn)
    names = tuple(inspect.getfullargspec(function).args)
    return names[1:] if bound else names


def has_kwargs(fn: Any) -> bool:
    """Tell whether a function takes any keyword. Raises TypeError for what cannot be called."""
    if isinstance(fn, functools.partial):
        fn = fn.func
    if not callable(fn):
        raise TypeError(f"fn should be a function-like object, but is of type {type(fn)}.")
    return inspect.getfullargspec(_signature_of(fn)[0]).varkw is not None


def get_func_name(func: Any) -> str:
    """Return the name of a function, of an object that is called the class it is of. Raises ValueError for others."""
    _, func = unwrap(func)
    if not callable(func):
        raise ValueError("Argument must be callable")
    if inspect.isfunction(func) or inspect.ismethod(func):
        return str(func.__name__)
    return get_func_name(func.func) if isinstance(func, functools.partial) else str(type(func))


def _documented(module: ModuleType) -> list[str]:
    """Return the names that the text of a module lists, each after ``@@`` on a line of its own."""
    return re.findall(r"^@@(\w+)$", module.__doc__ or "", re.MULTILINE)


def make_all(module_name: str, doc_string_modules: Iterable[ModuleType] | None = None) -> list[str]:
    """Return the names of a module that its text, or that of the modules given, lists as ``@@name``."""
    module = sys.modules[module_name]
    texts = [module] if doc_string_modules is None else doc_string_modules
    here = dir(module)
    return list(dict.fromkeys(name for text in texts for name in _documented(text) if name in here))


_REMOVED: dict[str, Any] = {}


def remove_undocumented(
    module_name: str,
    allowed_exception_list: Iterable[str] | None = None,
    doc_string_modules: Iterable[ModuleType] | None = None,
) -> None:
    """Take the names out of a module that neither its text lists nor the exceptions, and that have no underscore."""
    module = sys.modules[module_name]
    allowed = {"__all__", *(allowed_exception_list or ()), *make_all(module_name, doc_string_modules)}
    for name in [name for name in vars(module) if name not in allowed and not name.startswith("_")]:
        _REMOVED[f"{module_name}.{name}"] = getattr(module, name)
        delattr(module, name)


def reveal_undocumented(symbol_name: str, target_module: ModuleType | None = None) -> None:
    """Put a name back that `remove_undocumented` took out. Raises LookupError for another one."""
    if symbol_name not in _REMOVED:
        raise LookupError(f"{symbol_name} is not a hidden symbol")
    holder, _, name = symbol_name.rpartition(".")
    setattr(target_module or sys.modules[holder], name, _REMOVED[symbol_name])


class ObjectIdentityDictionary(MutableMapping[Any, Any]):
    """A dict whose keys are objects, whatever these make of ``==``."""

    def __init__(self, items: Any = ()) -> None:
        self._items: dict[int, tuple[Any, Any]] = {}
        self.update(items)

    def __getitem__(self, key: Any) -> Any:
        return self._items[id(key)][1]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._items[id(key)] = key, value

    def __delitem__(self, key: Any) -> None:
        del self._items[id(key)]

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)


class ObjectIdentitySet(MutableSet[Any]):
    """A set of objects, whatever these make of ``==``."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._items = ObjectIdentityDictionary((item, None) for item in items)

    def add(self, value: Any) -> None:
        """Put an object in."""
        self._items[value] = None

    def discard(self, value: Any) -> None:
        """Take an object out, if it is in."""
        self._items.pop(value, None)

    def update(self, items: Iterable[Any]) -> None:
        """Put objects in."""
        for item in items:
            self.add(item)

    def __contains__(self, value: object) -> bool:
        return value in self._items

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)
