"""What TensorFlow's internals and its tests ask of a `tf.function`: the bodies that it has, copies, and its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ..graph.attr_values import AttrValue
from ..graph.mode import executing_eagerly
from .concrete_functions import ConcreteFunction
from .forms import Form, key_of
from .function_defs import attribute_of
from .trace_caches import Kept

__all__ = ["FunctionInternals", "Options"]


class Options:
    """What a function was made with."""

    as_python: ClassVar[bool] = False  # of all `tf.function`s: `tf.config.run_functions_eagerly`

    def __init__(
        self, returned: bool, relaxes: Any = None, autograph: bool = True, prunes: bool = False, **others: Any
    ) -> None:
        self.returned, self.relaxes, self.autograph, self.others = returned, relaxes, autograph, others
        self.prunes = prunes  # whether effects that no result depends on are left out

    def kept(self) -> Kept:
        """Return what a function with these options keeps."""
        return Kept(self.returned, bool(self.relaxes))


class FunctionInternals:
    """Names of ``polymorphic_function.Function`` that begin with an underscore."""

    _func: Callable[..., Any]
    _kept: Kept
    _options: Options
    _input_signature: Any
    _signature: Any
    _attributes: dict[str, Any]
    _concrete: dict[Any, ConcreteFunction]

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Return the function for arguments of given types."""
        raise NotImplementedError

    def _concrete_of(self, form: Form, key: Any) -> ConcreteFunction:
        raise NotImplementedError

    @property
    def _python_function(self) -> Callable[..., Any]:
        return self._func

    @property
    def _autograph(self) -> bool:
        return self._options.autograph

    @property
    def _reduce_retracing(self) -> Any:
        return self._options.relaxes

    @property
    def _experimental_autograph_options(self) -> Any:
        return self._options.others.get("experimental_autograph_options")

    @property
    def _jit_compile(self) -> Any:
        return self._options.others.get("jit_compile")

    @property
    def _attributes_of_bodies(self) -> dict[str, AttrValue]:
        given = self._options.others.get("experimental_attributes") or {}
        return {name: attribute_of(name, value) for name, value in given.items()}

    def _list_all_concrete_functions(self) -> list[ConcreteFunction]:
        found = [self._concrete_of(form, ("body", k)) for k, form in enumerate(self._kept.forms())]
        if executing_eagerly():
            return found
        return list({key_of(each._form): each for each in [*found, *self._concrete.values()]}.values())

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        if self._signature is not None:
            self.get_concrete_function()
        return self._list_all_concrete_functions()

    def _clone(self, python_function: Callable[..., Any]) -> Any:
        """Return the same of another function, without the bodies that are made."""
        return type(self)(python_function, self._input_signature, self._options, attributes=self._attributes)  # type: ignore[call-arg]  # of the class that has these

    def _decorate(self, decorator: Callable[[Any], Any]) -> None:
        """Have a decorated function in place of the own one. Raises ValueError once a body is made."""
        if self._kept.cache.primary:
            raise ValueError("Functions cannot be decorated after they have been traced.")
        self._func = decorator(self._func)

    def __reduce__(self) -> Any:
        """Return what another process makes the function of: its bodies are made there again."""
        return type(self), (self._func, self._input_signature, self._options, None, self._attributes)
