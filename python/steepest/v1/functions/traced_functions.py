"""``tf.function`` and ``defun``: Python functions called on tensors, whose effects keep their order in a graph."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from weakref import WeakKeyDictionary

from ..autodiff.body_tapes import body_recorded
from ..graph.errors import OpError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..ops.loop_ops import leaves, rebuilt
from ..ops.type_specs import TensorSpec
from .asking import asks_for_gradients, tensors_named
from .body_exits import exit_callbacks
from .concrete_functions import ConcreteFunction
from .forms import Form, form_of, in_place, key_of, plain_key
from .function_bodies import awaiting, call_operation, inlined, word
from .function_internals import FunctionInternals, Options
from .function_types import sanitized
from .function_values import check_attributes, outline_of, results_of, with_tensors
from .looser_shapes import as_signature_tells
from .signatures import IncompatibleInputError, arguments_of, checked, with_defaults
from .trace_caches import FunctionCache, Kept
from .traces import Trace
from .tracing_warnings import note_tracing

__all__ = ["Function", "defun", "defun_with_attributes", "function"]


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    reduce_retracing: bool | None = False,
    **accepted: Any,
) -> Any:
    """Return a function that takes and returns tensors, or the decorator that makes one.

    In graph mode each call makes the body's nodes in the caller's graph. What changes variables, prints or checks runs
    in the order in which the body says it, and before the results are there; reads of variables lie between writes as
    they do in the body. In eager mode the body is made once for arguments of one kind: for tensors of one type and
    shape, and for equal values of Python's. Unlike in TensorFlow the Python function is called each time in graph mode,
    and Python's ``if`` and ``while`` on tensors stay what they are: in graph mode an error that names ``tf.cond``; in
    eager mode a function that has them is called with values, each time. Variables may be made at the first call only.

    Args:
        func: takes and returns tensors, numbers, and nests of them. Arrays among the arguments become tensors.
        input_signature: a list of ``tf.TensorSpec``: arguments are converted to these types and must have the shapes.
        experimental_relax_shapes: or ``reduce_retracing``: in eager mode one body is for arguments of several shapes.
        autograph: and the other options are accepted.

    Raises:
        TypeError: where an argument is not of its signature, or a result is no tensor. ValueError: when a later call
            makes a variable.

    Source: ``tf.function``.
    """
    relaxes = reduce_retracing if experimental_relax_shapes is None else experimental_relax_shapes
    accepted.update(experimental_autograph_options=experimental_autograph_options)
    return _decorated(func, input_signature, Options(False, relaxes, autograph, **accepted))


def defun(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """Return `function`, but of variables that the body makes, later calls get those of the first one.

    Source: ``tf.contrib.eager.defun``.
    """
    return _decorated(func, input_signature, Options(True, experimental_relax_shapes, autograph))


def defun_with_attributes(
    func: Callable[..., Any] | None = None, input_signature: Any = None, attributes: Any = None, **accepted: Any
) -> Any:
    """Return `defun` of a function that has attributes: ``func_name`` is its name, the others have no effect.

    Calls raise ValueError for an attribute that is no number, truth value or text.
    """
    return _decorated(func, input_signature, Options(True), attributes)


def _decorated(func: Any, signature: Any, options: Options, attributes: Any = None) -> Any:
    def decorate(inner: Callable[..., Any]) -> Function:
        return Function(inner, signature, options, None, attributes)

    return decorate if func is None else decorate(func)


class Function(FunctionInternals):
    """What `function` returns; of a class's methods each object has one of its own."""

    def __init__(
        self,
        func: Callable[..., Any],
        signature: Any,
        options: Options,
        kept: Kept | None = None,
        attributes: Any = None,
    ) -> None:
        if not callable(func):
            raise TypeError(f"tf.function: func must be callable, got {func!r:.80}, which is not a callable object")
        self._func, self._input_signature, self._options = func, checked(signature), options
        self._signature = with_defaults(self._input_signature, func)
        self._kept = kept or options.kept()
        self._attributes: dict[str, Any] = dict(attributes or {})
        self._name = self._attributes.pop("func_name", None) or getattr(func, "__name__", type(func).__name__)
        self._concrete: dict[Any, ConcreteFunction] = {}
        self._by_object: WeakKeyDictionary[Any, Kept] = WeakKeyDictionary()
        functools.update_wrapper(self, func, updated=())

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function that was decorated."""
        return self._func

    @property
    def input_signature(self) -> Any:
        """The types and shapes of the arguments, None where none are given."""
        return self._input_signature

    @property
    def _function_cache(self) -> FunctionCache:
        return self._kept.cache

    def experimental_get_tracing_count(self) -> int:
        """Return for how many kinds of arguments the function was called."""
        return len(self._kept.cache.primary)

    @functools.cached_property
    def _takes(self) -> inspect.Signature:
        return inspect.signature(self._func)

    @functools.cached_property
    def _names(self) -> list[str]:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return [name for name, parameter in self._takes.parameters.items() if parameter.kind is kind]

    @functools.cached_property
    def _asks_for_gradients(self) -> bool:
        return asks_for_gradients(self._func)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Return the method of an object."""
        if instance is None:
            return self
        try:
            kept = self._by_object.setdefault(instance, self._kept.another())
        except TypeError:  # neither is kept apart from others by a hash, nor weakly
            kept = self._kept.another()
        return Function(
            self._func.__get__(instance, owner), self._input_signature, self._options, kept, self._attributes
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the function gives: tensors, in its structure."""
        if self._attributes:
            check_attributes(self._attributes)
        if Options.as_python and not self._options.returned:
            return self._func(*args, **kwargs)
        if executing_eagerly():
            return self._at_once(args, kwargs)
        positional, named = self._canonical(args, kwargs)
        key = key_of([positional, named])
        self._kept.cache.note(key)
        graph = get_default_graph()
        if key not in self._kept.in_bodies:
            self._kept.note_form(key, form_of(self._takes, positional, named)[0])
        scope = f"{graph.unique_name(f'inference_{word(self._func)}')}/"
        return self._in_graph(key, positional, named, scope)[0]

    def _at_once(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Return what a call in eager mode gives: by the graph that was made for such arguments, or with values."""
        if kwargs and self._signature is None:
            args, kwargs = in_place(self._names, args, kwargs)
        may = not kwargs and self._signature is None
        positional, named, given = list(args), kwargs, list[Any]()
        plain = plain_key(positional, given) if may else None
        if plain is None:
            positional, named = self._canonical(args, kwargs)
            given.clear()
            plain = plain_key(positional, given) if may else None
        if plain is not None and (known := self._kept.known(plain)) is not None:
            self._kept.calls += 1
            return known.run(given)
        form, tensors = form_of(self._takes, positional, named)
        if self._signature is not None and all(isinstance(spec, TensorSpec) for spec in leaves(list(self._signature))):
            form = form_of(self._takes, self._signature, {})[0]
        before = len(self._kept.cache.primary)
        trace = self._trace(form)
        self._count(len(self._kept.cache.primary) > before)
        if trace is not None:
            if plain is not None and len(tensors) == len(given):  # none is a default
                self._kept.note(plain, trace)
            return trace.run(tensors)
        recorded = self._recorded(leaves([positional, named])) if self._asks_for_gradients else nullcontext()
        try:
            with self._kept.variables.in_force(key_of([positional, named])), recorded:
                return self._body(positional, named)
        except OpError as error:
            if (failure := self._kept.failure(form)) is not None:  # what fails in a graph, too, fails as it does there
                raise failure from error
            raise

    def _count(self, traced: bool) -> None:
        """Count a call, for the warning where many of them make a body."""
        if traced:
            note_tracing(self._func, self._kept.calls)
            self._kept.calls = -1
        self._kept.calls += 1

    def _body(self, positional: list[Any], named: dict[str, Any]) -> Any:
        """Return the results as tensors. Raises ValueError where the body changes the nests of its arguments."""
        given = outline_of([positional, named])
        with exit_callbacks():
            results = results_of(self._func, positional, named)
        if outline_of([positional, named]) != given:
            raise ValueError(
                f"{self._name}() should not modify its Python input arguments. Check if it modifies any lists or "
                "dicts passed as arguments. Modifying a copy is allowed."
            )
        return results

    def _in_graph(
        self, key: Any, positional: list[Any], named: dict[str, Any], scope: str | None = None
    ) -> tuple[Any, Operation]:
        """Return the results of a body that is made in the default graph, and the operation that has them."""
        with awaiting() as awaited, as_signature_tells(self._signature) as told:
            results, made = inlined(scope, lambda: self._body(told(positional), named), self._kept.variables, key)
        flat = leaves(results)
        tensors = [leaf for leaf in flat if leaf is not None]
        operation = call_operation(tensors, made, "PartitionedCall", None, awaited, prunes=self._options.prunes)
        outputs = iter(operation.outputs)
        return rebuilt(results, [None if leaf is None else next(outputs) for leaf in flat], True), operation

    def _recorded(self, given: list[Any]) -> AbstractContextManager[None]:
        return body_recorded([*given, *tensors_named(self._func)])

    def _canonical(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments with tensors for arrays; where there is a signature, for everything."""
        if not all(map(str.isidentifier, kwargs)):
            sanitized(kwargs)  # refuses names that become the same one
        if self._signature is None:
            return [with_tensors(arg) for arg in args], {key: with_tensors(arg) for key, arg in kwargs.items()}
        return arguments_of(self._func, self._signature, args, kwargs), {}

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Return the function for arguments of given types: tensors, or a ``tf.TensorSpec`` in the place of each.

        The same one for the same types. Without arguments those of the signature are meant.
        """
        if self._signature is not None and not (args or kwargs):
            args = self._signature
        try:
            form = form_of(self._takes, args, kwargs)[0]
        except TypeError as error:
            raise TypeError(f"{self._name}: {error}") from None
        if self._signature is not None:
            self._check_specs(form)
        specs = [leaf for leaf in leaves([list(args), kwargs]) if isinstance(leaf, TensorSpec)]
        told = any(spec.name is not None for spec in specs)  # of the same types without names the last one is meant
        made = self._concrete_of(form, key_of(form, named=told))
        self._concrete[key_of(form)] = self._concrete[key_of(form, named=True)] = made
        return made

    def _concrete_of(self, form: Form, key: Any) -> ConcreteFunction:
        if key not in self._concrete:
            self._concrete[key] = made = ConcreteFunction(word(self._func), form, self, self._trace, self._takes)
            made._attributes = self._attributes_of_bodies
            if executing_eagerly() or not self._kept.variables.made_here():
                made.prepare()  # makes the variables, which the program may ask for before the first call
        return self._concrete[key]

    def _trace(self, form: Form) -> Trace | None:
        return self._kept.trace(form, self._in_graph, word(self._func))

    def _check_specs(self, form: Form) -> None:
        """Raise IncompatibleInputError for specs that are not those of the signature."""
        wanted = leaves(list(self._signature))
        given = form.specs()
        if len(given) != len(wanted):
            raise IncompatibleInputError("Structure of Python function inputs does not match input_signature.")
        if not all(map(TensorSpec.is_compatible_with, wanted, given)):
            told = f"inputs ({given}), input_signature ({self._signature})"
            raise IncompatibleInputError(f"Python inputs incompatible with input_signature: {told}")
