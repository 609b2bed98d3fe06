"""Losses of a graph minimised by something outside of it: SciPy's minimisers, and classes of the program's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..autodiff.gradients import gradients
from ..graph import log
from ..graph.build import convert
from ..graph.default_session import get_default_session
from ..graph.graph import get_default_graph
from ..ops.array_ops import reshape
from ..ops.concat_ops import concat
from ..ops.creation_ops import placeholder, zeros_like

__all__ = ["ExternalOptimizerInterface", "ScipyOptimizerInterface"]

_Function = Callable[[Any], Any]


class ExternalOptimizerInterface:
    """The base of optimizers that see one vector of all variables; a subclass says in ``_minimize`` how they move.

    Args:
        loss: a scalar tensor.
        var_list: the variables, by default the trainable ones.
        equalities, inequalities: scalars that are to be 0, and to be at least 0.
        var_to_bounds: a dict from variables to pairs of a lower and an upper bound: numbers or arrays, which broadcast.
        **optimizer_kwargs: what `_minimize` is given.

    Source: ``tf.contrib.opt.ExternalOptimizerInterface``.
    """

    def __init__(
        self,
        loss: Any,
        var_list: Any = None,
        equalities: Any = None,
        inequalities: Any = None,
        var_to_bounds: Mapping[Any, Any] | None = None,
        **optimizer_kwargs: Any,
    ) -> None:
        self._loss = loss
        self._equalities = list(equalities or ())
        self._inequalities = list(inequalities or ())
        self._vars = get_default_graph().get_collection("trainable_variables") if var_list is None else list(var_list)
        if not self._vars:
            raise ValueError("ExternalOptimizerInterface: there must be a variable to minimise by, got none")
        self.optimizer_kwargs = optimizer_kwargs
        shapes = [tuple(variable.get_shape().as_list()) for variable in self._vars]
        self._packed_bounds = _bounds(self._vars, shapes, var_to_bounds)
        ends = np.cumsum([math.prod(shape) for shape in shapes]).tolist()
        self._packing_slices = [slice(start, end) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
        with get_default_graph().name_scope("external_optimizer"):
            self._update_placeholders = [placeholder(variable.dtype.base_dtype) for variable in self._vars]
            self._var_updates = [
                variable.assign(reshape(given, shape))
                for variable, given, shape in zip(self._vars, self._update_placeholders, shapes, strict=True)
            ]
            self._packed_var = self._pack(self._vars)
            self._packed_loss_grad = self._pack_gradients(loss)
            self._packed_equality_grads = [self._pack_gradients(each) for each in self._equalities]
            self._packed_inequality_grads = [self._pack_gradients(each) for each in self._inequalities]

    def minimize(
        self,
        session: Any = None,
        feed_dict: Mapping[Any, Any] | None = None,
        fetches: Any = None,
        step_callback: Callable[[Any], Any] | None = None,
        loss_callback: Callable[..., Any] | None = None,
        **run_kwargs: Any,
    ) -> None:
        """Move the variables to where the loss is smallest; they are written once, at the end.

        Args:
            session: the session, by default the default one.
            feed_dict: what each run is fed.
            fetches: more tensors that each run of the loss fetches, for ``loss_callback``.
            step_callback: is called with the vector of all variables after each step.
            loss_callback: is called with the values of ``fetches`` at each evaluation of the loss.
            **run_kwargs: further arguments of each run.
        """
        session = session or get_default_session()
        if session is None:
            raise ValueError("minimize: there must be a session, got none")
        feeds, watched = dict(feed_dict or {}), list(fetches or ())

        def evaluated(tensors: Sequence[Any], callback: Callable[..., Any] | None) -> _Function:
            def function(x: Any) -> Any:
                given = dict(zip(self._vars, self._parts(x), strict=True))
                values = session.run([*tensors, *watched], {**given, **feeds}, **run_kwargs)
                if callback is not None:
                    callback(*values[len(tensors) :])
                return values[: len(tensors)]

            return function

        def alone(function: _Function) -> _Function:
            return lambda x: function(x)[0]

        final = self._minimize(
            initial_val=session.run(self._packed_var, feeds, **run_kwargs),
            loss_grad_func=evaluated([self._loss, self._packed_loss_grad], loss_callback),
            equality_funcs=[alone(evaluated([each], None)) for each in self._equalities],
            equality_grad_funcs=[alone(evaluated([each], None)) for each in self._packed_equality_grads],
            inequality_funcs=[alone(evaluated([each], None)) for each in self._inequalities],
            inequality_grad_funcs=[alone(evaluated([each], None)) for each in self._packed_inequality_grads],
            packed_bounds=self._packed_bounds,
            step_callback=step_callback or (lambda x: None),
            optimizer_kwargs=self.optimizer_kwargs,
        )
        values = [np.asarray(final)[part] for part in self._packing_slices]
        session.run(self._var_updates, dict(zip(self._update_placeholders, values, strict=True)), **run_kwargs)

    def _minimize(
        self,
        initial_val: Any,
        loss_grad_func: _Function,
        equality_funcs: Sequence[_Function],
        equality_grad_funcs: Sequence[_Function],
        inequality_funcs: Sequence[_Function],
        inequality_grad_funcs: Sequence[_Function],
        packed_bounds: Any,
        step_callback: Callable[[Any], Any],
        optimizer_kwargs: Mapping[str, Any],
    ) -> Any:
        """Return the vector of all variables at which the loss is smallest."""
        raise NotImplementedError(
            "To use ExternalOptimizerInterface, subclass from it and implement the _minimize() method."
        )

    def _parts(self, x: Any) -> list[Any]:
        shapes = [variable.get_shape().as_list() for variable in self._vars]
        parts = [np.asarray(x)[part] for part in self._packing_slices]
        kinds = [variable.dtype.as_numpy_dtype for variable in self._vars]
        return [part.reshape(shape).astype(kind) for part, shape, kind in zip(parts, shapes, kinds, strict=True)]

    def _pack(self, tensors: Sequence[Any]) -> Any:
        flat = [reshape(tensor, [-1]) for tensor in tensors]
        return flat[0] if len(flat) == 1 else concat(flat, 0)

    def _pack_gradients(self, of: Any) -> Any:
        found = zip(gradients(of, self._vars), self._vars, strict=True)
        return self._pack([zeros_like(variable) if each is None else convert(each) for each, variable in found])


def _bounds(variables: Sequence[Any], shapes: Sequence[Any], given: Mapping[Any, Any] | None) -> Any:
    """Return a pair of bounds for each element of the vector of all variables, None where nothing is bounded."""
    if given is None:
        return None
    unbounded = (-np.inf, np.inf)
    pairs: list[tuple[float, float]] = []
    for variable, shape in zip(variables, shapes, strict=True):
        low, high = given.get(variable, unbounded)
        pairs += zip(*(np.broadcast_to(bound, shape).ravel().tolist() for bound in (low, high)), strict=True)
    return pairs


def _in_float64(function: _Function) -> _Function:
    return lambda x: np.asarray(function(x), np.float64)


def scipy_optimize(who: str) -> Any:
    """Return the module ``scipy.optimize``. Raises ImportError, which says who needs it, without SciPy."""
    try:
        from scipy import optimize
    except ImportError:
        raise ImportError(f"{who} needs SciPy, which is not installed: pip install scipy") from None
    return optimize


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimises a loss by ``scipy.optimize.minimize``, by L-BFGS-B where no ``method`` is given.

    Other arguments than those of `ExternalOptimizerInterface` are SciPy's: ``method``, ``options``, ``tol``. SciPy
    computes in float64, and the loss in the type of its variables.

    Raises:
        ImportError: where SciPy is not installed. ValueError: for an argument of SciPy's that is set here.

    Source: ``tf.contrib.opt.ScipyOptimizerInterface``.
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(
        self,
        initial_val: Any,
        loss_grad_func: _Function,
        equality_funcs: Sequence[_Function],
        equality_grad_funcs: Sequence[_Function],
        inequality_funcs: Sequence[_Function],
        inequality_grad_funcs: Sequence[_Function],
        packed_bounds: Any,
        step_callback: Callable[[Any], Any],
        optimizer_kwargs: Mapping[str, Any],
    ) -> Any:
        minimize = scipy_optimize("ScipyOptimizerInterface").minimize

        def loss_and_gradient(x: Any) -> tuple[Any, Any]:
            loss, gradient = loss_grad_func(x)
            return float(loss), gradient.astype(np.float64)

        rest = dict(optimizer_kwargs)
        method = rest.pop("method", self._DEFAULT_METHOD)
        constraints = [
            {"type": kind, "fun": _in_float64(function), "jac": _in_float64(gradient)}
            for kind, functions, slopes in (
                ("eq", equality_funcs, equality_grad_funcs),
                ("ineq", inequality_funcs, inequality_grad_funcs),
            )
            for function, gradient in zip(functions, slopes, strict=True)
        ]
        own = {"jac": True, "callback": step_callback, "constraints": constraints, "bounds": packed_bounds}
        for name in rest:
            if name in own:
                raise ValueError(f"Optimizer keyword arg {name!r} is set automatically and cannot be injected manually")
        kind = np.float64 if str(method).upper() == "SLSQP" else initial_val.dtype  # the one that takes no other
        result = minimize(loss_and_gradient, initial_val.astype(kind), method=method, **own, **rest)
        log.info(
            "Optimization terminated with:\n  Message: %s\n  Objective function value: %f\n"
            "  Number of iterations: %s\n  Number of functions evaluations: %d",
            result.message,
            result.fun,
            getattr(result, "nit", "unknown"),
            result.nfev,
        )
        return result.x
