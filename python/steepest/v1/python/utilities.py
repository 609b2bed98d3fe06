"""What ``tensorflow.python.util`` has for programs in Python: signatures, modules loaded late, lists of names."""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from ..graph import log
from ..graph.dimension import Dimension
from ..graph.shapes import TensorShape
from .decorators import make_decorator, unwrap
from .signatures import getfullargspec

__all__ = [
    "LazyLoader",
    "contextmanager",
    "fn_args",
    "get_func_code",
    "get_func_name",
    "get_json_type",
    "has_kwargs",
    "keyword_args_only",
    "make_all",
    "remove_undocumented",
    "reveal_undocumented",
]


def _of_call(fn: Any) -> tuple[Any, bool]:
    """Return what tells the signature of an object that can be called, and whether its first argument is given."""
    if inspect.ismethod(fn):
        return fn, True
    return (fn.__call__, True) if inspect.ismethod(getattr(fn, "__call__", None)) else (fn, False)  # noqa: B004


def fn_args(fn: Any) -> tuple[str, ...]:
    """Return the names of the arguments of a function, of a partial one those that are still open."""
    if isinstance(fn, functools.partial):
        names = fn_args(fn.func)[len(fn.args) :]
        return tuple(name for name in names if name not in fn.keywords)
    function, bound = _of_call(fn)
    names = tuple(getfullargspec(function).args)
    return names[1:] if bound else names


def has_kwargs(fn: Any) -> bool:
    """Tell whether a function takes any keyword. Raises TypeError for what cannot be called."""
    if isinstance(fn, functools.partial):
        fn = fn.func
    if not callable(fn):
        raise TypeError(f"fn should be a function-like object: it should be a callable, got {fn!r:.80} of {type(fn)}.")
    return getfullargspec(_of_call(fn)[0]).varkw is not None


def get_func_name(func: Any) -> str:
    """Return the name of a function, of an object that is called its class. Raises ValueError for others."""
    _, func = unwrap(func)
    if not callable(func):
        raise ValueError("Argument must be callable")
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__func__.__name__}"
    return str(func.__name__) if inspect.isfunction(func) else str(type(func))


def get_func_code(func: Any) -> Any:
    """Return the code of a function, None for what has none. Raises ValueError for what cannot be called."""
    _, func = unwrap(func)
    if not callable(func):
        raise ValueError("Argument must be callable")
    if (code := getattr(func, "__code__", None)) is not None:
        return code
    return getattr(getattr(func, "__call__", None), "__code__", None)  # noqa: B004 - a class tells that of its objects


def get_json_type(obj: Any) -> Any:
    """Return what JSON can hold of an object, for `json.dumps`. Raises TypeError for what has nothing such."""
    if hasattr(obj, "get_config"):
        return {"class_name": type(obj).__name__, "config": obj.get_config()}
    if isinstance(obj, np.ndarray):
        return obj.tolist()
    if isinstance(obj, np.generic):
        return obj.item()
    if callable(obj) and hasattr(obj, "__name__"):
        return obj.__name__
    if isinstance(obj, Dimension):
        return obj.value
    if isinstance(obj, TensorShape):
        return obj.as_list()
    if isinstance(obj, Mapping):
        return dict(obj)
    raise TypeError("Not JSON Serializable:", obj)


def contextmanager(target: Callable[..., Any]) -> Any:
    """Return what `contextlib.contextmanager` does, as a decorator of ``target`` that tells its signature."""
    return make_decorator(target, contextlib.contextmanager(target), "contextmanager")


def keyword_args_only(func: Any) -> Any:
    """Decorate a function so that its arguments must be given by their names."""

    @functools.wraps(func)
    def by_name(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise ValueError(f"Must use keyword args to call {func.__name__}: it only accepts keyword arguments.")
        return func(**kwargs)

    return make_decorator(func, by_name, "keyword_args_only", func.__doc__)


class LazyLoader(ModuleType):
    """A module that is imported when something is asked of it, and told of then where there is a ``warning``."""

    def __init__(
        self, local_name: str, parent_module_globals: dict[str, Any], name: str, warning: str | None = None
    ) -> None:
        super().__init__(name)
        self.__dict__["_place"] = parent_module_globals, local_name
        self.__dict__["_warning"] = warning

    def _load(self) -> ModuleType:
        module = importlib.import_module(self.__name__)
        names, local_name = self._place
        names[local_name] = module
        if self._warning:
            log.warning(self._warning)
            self.__dict__["_warning"] = None
        self.__dict__.update({k: v for k, v in vars(module).items() if k not in self.__dict__})
        return module

    def __getattr__(self, item: str) -> Any:
        if item == "__wrapped__":  # what looks for decorated functions asks each thing of a module for it
            raise AttributeError(item)
        return getattr(self._load(), item)

    def __setattr__(self, item: str, value: Any) -> None:
        setattr(self._load(), item, value)
        super().__setattr__(item, value)

    def __dir__(self) -> list[str]:
        return dir(self._load())

    def __reduce__(self) -> Any:
        return importlib.import_module, (self.__name__,)


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
        raise LookupError(f"Symbol {symbol_name} is not a hidden symbol")
    holder, _, name = symbol_name.rpartition(".")
    setattr(target_module or sys.modules[holder], name, _REMOVED[symbol_name])
