"""Functions, operators and errors of ``steepest.v1`` against the answers that TensorFlow gave."""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from op_cases import Case, resolve
from op_compare import assert_same, assert_same_gradient
from op_differences import DIFFERENCES, ERROR_DIFFERENCES
from op_errors import ErrorCase, raised
from op_observe import FED, MODES, fed_values, gradients, outcome, static_shapes
from op_tables import CASES, ERRORS

import steepest as st
import steepest.v1 as tf

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "v1_ops.json").read_text())
ANSWERS: dict[str, Any] = RECORDED["cases"]


def cases(of: dict[str, Case]) -> Any:
    return pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in of.items()])


def compare(what: str, name: str, same: Callable[[], None]) -> None:
    """Compare, or see that a difference on purpose is still one."""
    if (what, name) in DIFFERENCES:
        with pytest.raises(AssertionError):
            same()
    else:
        same()


def assert_all_same(got: list[Any], want: list[Any], one: Callable[[Any, Any], None] = assert_same) -> None:
    for ours, theirs in zip(got, want, strict=True):
        one(ours, theirs)


@cases(CASES)
def test_values_are_tensorflows(case: Case):
    def same() -> None:
        got, want = outcome(tf, case), ANSWERS[case.name]
        assert got["dtypes"] == want["dtypes"]
        for key in ("outputs", "losses", "variables"):
            assert_all_same(got.get(key, []), want.get(key, []))

    compare("values", case.name, same)


@cases({name: case for name, case in CASES.items() if case.grad and ANSWERS.get(name, {}).get("gradients")})
def test_gradients_are_tensorflows(case: Case):
    def same() -> None:
        assert_all_same(gradients(tf, case), ANSWERS[case.name]["gradients"], assert_same_gradient)

    compare("gradients", case.name, same)


def in_each(modes: tuple[str, ...], one: Callable[[str], None]) -> None:
    """Do something in each mode, with an empty graph; what fails tells the mode. A test for each would take longer."""
    for mode in modes:
        st.reset_default_store()
        tf.reset_default_graph()
        try:
            one(mode)
        except AssertionError as error:
            raise AssertionError(f"{mode}: {error}") from error


@cases(CASES)
def test_static_shapes_are_tensorflows(case: Case):
    def same(mode: str) -> None:
        want = ANSWERS[case.name]["static"].get(mode)
        if isinstance(want, list):  # where TensorFlow cannot build, building is no fault
            assert static_shapes(tf, case, mode) == want

    in_each(MODES, lambda mode: compare(f"static {mode}", case.name, partial(same, mode)))


@cases({name: case for name, case in CASES.items() if case.fed and case.values})
def test_values_that_are_fed_are_the_same(case: Case):
    def same(mode: str) -> None:
        want = ANSWERS[case.name]
        if isinstance(want["static"][mode], list):
            assert_all_same(fed_values(tf, case, mode), want["outputs"])

    in_each(FED, lambda mode: compare("values", case.name, partial(same, mode)))


@pytest.mark.parametrize("alias", RECORDED["aliases"])
def test_a_name_in_two_places_is_one_function(alias: str):
    assert resolve(tf, alias) is resolve(tf, RECORDED["aliases"][alias])


def acceptable(name: str, types: list[str]) -> tuple[Any, ...]:
    """Return the exceptions that are as good as TensorFlow's."""
    if name in ERROR_DIFFERENCES:
        types = [ERROR_DIFFERENCES[name][0]]
    elif types[0] == "AttributeError":  # TensorFlow stumbled; to tell the argument is no worse
        types = [*types, "TypeError", "ValueError"]
    return tuple(vars(builtins).get(kind) or getattr(tf.errors, kind) for kind in types)


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in ERRORS.items()])
def test_errors_are_tensorflows(case: ErrorCase):
    want, error = RECORDED["errors"][case.name], raised(tf, case)
    if ERROR_DIFFERENCES.get(case.name, ("",))[0] is None:
        assert error is None, f"{type(error).__name__}: {error}"
        return
    assert error is not None, f"nothing raised; TensorFlow raises {want['types'][0]}: {want['message']}"
    told = f"{type(error).__name__}: {error}; TensorFlow raises {want['types'][0]}: {want['message']}"
    assert isinstance(error, acceptable(case.name, want["types"])), told
    assert case.names in str(error), told


def test_everything_is_recorded():
    for name, here in (("cases", CASES), ("errors", ERRORS)):
        assert set(RECORDED[name]) == set(here), f"record again: {set(RECORDED[name]) ^ set(here)}"


def test_differences_name_cases():
    assert {name for _, name in DIFFERENCES} <= set(CASES)
    assert set(ERROR_DIFFERENCES) <= set(ERRORS)
