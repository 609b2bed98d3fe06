"""``tf.contrib.integrate``: solutions of ordinary differential equations, with gradients through the steps.

Source: Dormand and Prince, A family of embedded Runge-Kutta formulae, 1980; Shampine, Some practical Runge-Kutta
formulas, 1986.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..graph.missing import namespace
from ..graph.scopes import control_dependencies, name_scope
from ..ops.array_ops import size
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import cond
from ..ops.loop_ops import while_loop
from ..ops.math_ops import abs as absolute
from ..ops.math_ops import ceil, is_finite, maximum, minimum, sqrt, square
from ..ops.matmul_ops import add_n
from ..ops.reduce_ops import reduce_all, reduce_mean
from ..ops.script_ops import Assert
from ..ops.sparse_ops import convert_to_tensor
from ..ops.tensor_array_ops import TensorArray

__all__ = ["odeint", "odeint_fixed"]

__getattr__, __dir__ = namespace(__name__)

_NODES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_MIDDLE = (
    *(6025192743 / 30085553152 / 2, 0, 51252292925 / 65400821598 / 2, -2691868925 / 45128329728 / 2),
    *(187940372067 / 1594534317056 / 2, -1776094331 / 19743644256 / 2, 11237099 / 235043384 / 2),
)
_ERROR = (
    *(1951 / 21600 - 35 / 384, 0, 22642 / 50085 - 500 / 1113, 451 / 720 - 125 / 192),
    *(-12231 / 42400 - -2187 / 6784, 649 / 6300 - 11 / 84, 1 / 60),
)

Slope = Callable[[Any, Any], Any]


def _combined(scale: Any, weights: Sequence[float], slopes: Sequence[Any]) -> Any:
    return add_n([(scale * weight) * slope for weight, slope in zip(weights, slopes, strict=False) if weight])


def _stepped(func: Slope, y: Any, slope: Any, t: Any, dt: Any) -> tuple[Any, list[Any], Any]:
    """Return the state after a step, the slopes at its stages, and an estimate of the error."""
    h, slopes, at = cast(dt, y.dtype), [slope], y
    for node, weights in zip(_NODES, _STAGES, strict=True):
        at = y + _combined(h, weights, slopes)
        slopes.append(func(at, t + node * dt))
    return at, slopes, _combined(h, _ERROR, slopes)


def _curve(y: Any, after: Any, slopes: list[Any], dt: Any) -> list[Any]:
    """Return the coefficients of the polynomial of degree 4 through a step, the highest first."""
    h = cast(dt, y.dtype)
    parts = slopes[0], slopes[-1], y, after, y + _combined(h, _MIDDLE, slopes)
    weights = (-2 * h, 2 * h, -8, -8, 16), (5 * h, -3 * h, 18, 14, -32), (-4 * h, h, -11, -5, 16)
    return [
        *(add_n([weight * part for weight, part in zip(row, parts, strict=True)]) for row in weights),
        h * slopes[0],
        y,
    ]


def _on_curve(curve: list[Any], start: Any, end: Any, t: Any) -> Any:
    check = Assert((start <= t) & (t <= end), ["invalid interpolation, fails `t0 <= t <= t1`:", start, t, end])
    with control_dependencies([check]):
        x = cast((t - start) / (end - start), curve[0].dtype)
    powers = [cast(1, x.dtype), x, x * x, x * x * x, x * x * x * x]
    return add_n([part * power for part, power in zip(curve, reversed(powers), strict=True)])


def _is_rising(t: Any) -> Any:
    return control_dependencies([Assert(reduce_all(t[1:] > t[:-1]), ["`t` must be monotonic increasing"])])


def _check_types(y0: Any, **times: Any) -> None:
    if not (y0.dtype.is_floating or y0.dtype.is_complex):
        raise TypeError("`y0` must have a floating point or complex floating point dtype")
    for name, time in times.items():
        if not time.dtype.is_floating:
            raise TypeError(f"`{name}` must have a floating point dtype")


def _times(t: Any, name: str) -> Any:
    return convert_to_tensor(t, preferred_dtype="float64", name=name)


def odeint(
    func: Slope,
    y0: Any,
    t: Any,
    rtol: Any = 1e-6,
    atol: Any = 1e-12,
    method: str | None = None,
    options: dict[str, Any] | None = None,
    full_output: bool = False,
    name: str | None = None,
) -> Any:
    """Return the solution of ``dy/dt = func(y, t)`` at the times ``t``, where it is ``y0`` at the first of them.

    Steps of Dormand and Prince's pair of orders 5 and 4 are as long as the tolerances allow, ``atol + rtol * |y|`` for
    each element; between their ends a polynomial of degree 4 is taken.

    Args:
        method: ``"dopri5"``. options: only with it: ``first_step`` (1), ``safety`` (0.9), ``ifactor`` (10) and
            ``dfactor`` (0.2), the most by which a step grows and shrinks, ``max_num_steps`` (1000) between two times.
        full_output: return also a dict of ``num_func_evals``, ``integrate_points`` and ``error_ratio``.

    Raises:
        ValueError: for another method, or options without one. TypeError: for types that are not floating.
        InvalidArgumentError, when it runs: for times that do not rise, too many steps, or a state that is not finite.
    """
    if method not in (None, "dopri5"):
        raise ValueError(f"invalid method: {method!r}")
    if options is not None and method is None:
        raise ValueError("cannot supply `options` without specifying `method`")
    with name_scope(name, "odeint", [y0, t]):
        y0, t = convert_to_tensor(y0, name="y0"), _times(t, "t")
        _check_types(y0, t=t)
        kind = absolute(y0).dtype
        tolerances = convert_to_tensor(rtol, dtype=kind, name="rtol"), convert_to_tensor(atol, dtype=kind, name="atol")
        return _adaptive(func, y0, t, *tolerances, full_output, **(options or {}))


def _adaptive(
    func: Slope,
    y0: Any,
    t: Any,
    rtol: Any,
    atol: Any,
    full_output: bool,
    first_step: Any = 1.0,
    safety: Any = 0.9,
    ifactor: Any = 10.0,
    dfactor: Any = 0.2,
    max_num_steps: Any = 1000,
) -> Any:
    first_step, safety, ifactor, dfactor = (
        convert_to_tensor(value, dtype=t.dtype) for value in (first_step, safety, ifactor, dfactor)
    )

    def step(state: Any, told: Any, count: Any) -> Any:
        y, slope, _, at, dt, curve = state
        checks = [
            Assert(at + dt > at, ["underflow in dt", dt]),
            Assert(count < max_num_steps, ["max_num_steps exceeded"]),
            Assert(reduce_all(is_finite(absolute(y))), ["non-finite values in state `y`", y]),
        ]
        with control_dependencies(checks):
            after, slopes, error = _stepped(func, y, slope, at, dt)
        allowed = atol + rtol * maximum(absolute(y), absolute(after))
        ratio = sqrt(reduce_mean(square(absolute(error)) / square(allowed)))
        y, slope, end, *curve = cond(
            ratio <= 1,
            lambda: [after, slopes[-1], at + dt, *_curve(y, after, slopes, dt)],
            lambda: [y, slope, at + 0, *curve],  # the same step again, shorter
        )
        power = cast(ratio, dt.dtype) ** cast(1 / 5, dt.dtype)
        factor = maximum(1 / ifactor, minimum(power / safety, 1 / dfactor))
        points, ratios = told
        told = points.write(points.size(), at + dt), ratios.write(ratios.size(), ratio)
        return (y, slope, at, end, dt / factor, curve), told, count + 1

    def go_on(solution: Any, told: Any, state: Any, k: Any) -> Any:
        state, told, _ = while_loop(lambda state, *_: t[k] > state[3], step, (state, told, 0), name="integrate_loop")
        return solution.write(k, _on_curve(state[5], state[2], state[3], t[k])), told, state, k + 1

    with _is_rising(t):
        count = size(t)
    solution = TensorArray(y0.dtype, size=count, element_shape=y0.shape).write(0, y0)
    told = TensorArray(t.dtype, size=0, dynamic_size=True), TensorArray(rtol.dtype, size=0, dynamic_size=True)
    state = y0, func(y0, t[0]), t[0], t[0], first_step, [y0] * 5
    solution, told, _, _ = while_loop(
        lambda *loop: loop[-1] < count, go_on, (solution, told, state, 1), name="interpolate_loop"
    )
    y = solution.stack()
    if not full_output:
        return y
    points, ratios = (each.stack() for each in told)
    return y, {"num_func_evals": 6 * size(points) + 1, "integrate_points": points, "error_ratio": ratios}


def _midpoint(func: Slope, y: Any, t: Any, dt: Any) -> Any:
    h = cast(dt, y.dtype)
    return h * func(y + func(y, t) * h / 2, t + dt / 2)


def _rk4(func: Slope, y: Any, t: Any, dt: Any) -> Any:
    h, middle = cast(dt, y.dtype), t + dt / 2
    k1 = func(y, t)
    k2 = func(y + h * k1 / 2, middle)
    k3 = func(y + h * k2 / 2, middle)
    k4 = func(y + h * k3, t + dt)
    return h * (k1 + 2 * k2 + 2 * k3 + k4) / 6


_FIXED = {"midpoint": _midpoint, "rk4": _rk4}


def odeint_fixed(func: Slope, y0: Any, t: Any, dt: Any = None, method: str = "rk4", name: str | None = None) -> Any:
    """Return the solution of ``dy/dt = func(y, t)`` at the times ``t``, by steps of ``dt`` or a little less.

    Args:
        dt: a number, or one for each interval; None: one step for each. There are whole numbers of steps.
        method: ``"midpoint"`` or ``"rk4"``.

    Raises:
        ValueError: for another method. TypeError: for types that are not floating. InvalidArgumentError, when it runs:
        for times that do not rise.
    """
    if method not in _FIXED:
        raise ValueError(f"method not supported: {method!s}")
    with name_scope(name, "odeint_fixed", [y0, t, dt]):
        t, y0 = _times(t, "t"), convert_to_tensor(y0, name="y0")
        lengths = t[1:] - t[:-1]
        steps = ceil(lengths / (lengths if dt is None else _times(dt, "dt")))
        step = lengths / steps
        _check_types(y0, t=t, dt=step)
        counts = cast(steps, "int32")

        def over(solution: Any, y: Any, at: Any, k: Any) -> Any:
            def once(y: Any, at: Any, done: Any) -> Any:
                return y + cast(_FIXED[method](func, y, at, step[k - 1]), y.dtype), at + step[k - 1], done + 1

            y, at, _ = while_loop(lambda y, at, done: done < counts[k - 1], once, (y, at, 0))
            return solution.write(k, y), y, at, k + 1

        with _is_rising(t):
            count = size(t)
        solution = TensorArray(y0.dtype, size=count, element_shape=y0.shape).write(0, y0)
        solution, *_ = while_loop(lambda *loop: loop[-1] < count, over, (solution, y0, t[0], 1))
        return solution.stack()
