"""What a function keeps from call to call: its variables, and its traces by the forms of arguments."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

from ..graph.body_errors import BodyError
from ..graph.dtypes import DType
from ..graph.graph import get_default_graph
from ..graph.log import get_logger
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..ops.type_specs import TensorSpec
from .forms import Form, key_of
from .function_bodies import NotLiftedError, OwnVariables
from .signatures import IncompatibleInputError
from .traces import Trace

__all__ = ["FunctionCache", "Kept"]

_PLAIN = (TensorSpec, DType, str, bytes, bool, int, float)


class FunctionCache:
    """For which kinds of arguments a function was called, each in its graph or in eager mode: programs count them."""

    def __init__(self) -> None:
        self.primary: dict[Any, None] = {}
        self.arg_relaxed: dict[Any, None] = {}

    def note(self, key: Any) -> None:
        """Keep the key of the arguments of a call."""
        graph = get_default_graph()
        here = executing_eagerly() or graph.building_function
        self.primary[None if here else weakref.ref(graph), key] = None


class Kept:
    """The variables and traces of a function; of a class's method each object has its own.

    ``calls`` are those since a body was made.

    Args:
        returned: whether later calls are given the variables of the first one.
        relaxes: whether arguments of the second shape are taken as ones of any shape that both have in common.
    """

    def __init__(self, returned: bool, relaxes: bool) -> None:
        self._returned, self._relaxes = returned, relaxes
        self.variables = OwnVariables(returned)
        self.cache = FunctionCache()
        self.calls = 0
        self._forms: dict[Any, Form] = {}
        self.in_bodies: dict[Any, Form | None] = {}  # of calls in graphs
        self._traces: dict[Any, Trace | None] = {}
        self._failures: dict[Any, Exception] = {}
        self._plain: dict[Any, Trace] = {}
        self._shapes: dict[Any, list[Any]] = {}
        self._lock = threading.RLock()

    def another(self) -> Kept:
        """Return one for another object's method."""
        return Kept(self._returned, self._relaxes)

    def forms(self) -> list[Form]:
        """Return the forms of the arguments for which bodies are made, and of calls in graphs."""
        return list(
            {**{key_of(form): form for form in self.in_bodies.values() if form is not None}, **self._forms}.values()
        )

    def note_form(self, key: Any, form: Form) -> None:
        """Keep the form of the arguments of a call in a graph, unless it holds variables or other objects."""
        plain = all(leaf is None or isinstance(leaf, _PLAIN) for leaf in form.leaves())
        self.in_bodies[key] = form if plain else None

    def trace(self, form: Form, make: Callable[..., tuple[Any, Operation]], name: str = "") -> Trace | None:
        """Return the trace for arguments, made where there is none; None where the function needs values.

        It does where it fails with nodes, as by Python's ``if`` on one: what fails with values, too, is an error then.
        """
        with self._lock:
            if (key := key_of(form)) not in self._traces and self._relaxes:
                form = self._relaxed(form)
                key = key_of(form)
            if key not in self._traces:
                self.cache.note(key)
                self._forms[key] = form
                try:
                    made = Trace(form, lambda *arguments: make(key, *arguments), name, not self._returned)
                    if made.makes_variables and not self._returned:  # the calls' is another one, which makes none
                        made = Trace(form, lambda *arguments: make(key, *arguments), name, not self._returned)
                    self._traces[key] = made
                except (BodyError, IncompatibleInputError, NotLiftedError):
                    raise
                except Exception as error:
                    get_logger().debug("a function is called with values, as no graph can be made of it: %s", error)
                    self._traces[key] = None
                    if type(error) in (TypeError, ValueError):  # others tell that the function needs values
                        self._failures[key] = error.with_traceback(None)
            return self._traces[key]

    def failure(self, form: Form) -> Exception | None:
        """Return why no body could be made for arguments, where that is not that the function needs values."""
        return self._failures.get(key_of(form))

    def known(self, key: Any) -> Trace | None:
        """Return the trace that was noted for what `plain_key` gives."""
        return self._plain.get(key)

    def note(self, key: Any, trace: Trace) -> None:
        """Have `known` find a trace, unless the next call for such arguments may need another one."""
        if not self._relaxes and trace in self._traces.values():
            self._plain[key] = trace

    def _relaxed(self, form: Form) -> Form:
        """Return the form with shapes that the known ones have in common with it."""
        specs, key = form.specs(), key_of(form, ranks=True)
        if (known := self._shapes.get(key)) is None:
            self._shapes[key] = specs
            return form
        self._shapes[key] = [one.most_specific_compatible_type(other) for one, other in zip(known, specs, strict=True)]
        return form.with_specs(self._shapes[key])
