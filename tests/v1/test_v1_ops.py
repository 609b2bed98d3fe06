"""Functions, operators and errors of ``steepest.v1`` against the answers that TensorFlow gave."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import pytest
from op_cases import Case, resolve
from op_compare import assert_same, assert_same_gradient
from op_errors import ErrorCase, raised
from op_observe import FED, fed_values, gradients, outcome, static_shapes
from op_tables import CASES, ERRORS

import steepest.v1 as tf

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "v1_ops.json").read_text())
ANSWERS: dict[str, Any] = RECORDED["cases"]


def cases(of: dict[str, Case]) -> Any:
    return pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in of.items()])


def test_every_case_is_recorded():
    assert set(ANSWERS) == set(CASES), f"record again: {set(ANSWERS) ^ set(CASES)}"


@cases(CASES)
def test_values_are_tensorflows(case: Case):
    got, want = outcome(tf, case), ANSWERS[case.name]
    assert got["dtypes"] == want["dtypes"]
    for key in ("outputs", "losses", "variables"):
        for ours, theirs in zip(got.get(key, []), want.get(key, []), strict=True):
            assert_same(ours, theirs)


@cases({name: case for name, case in CASES.items() if case.grad and ANSWERS.get(name, {}).get("gradients")})
def test_gradients_are_tensorflows(case: Case):
    for got, want in zip(gradients(tf, case), ANSWERS[case.name]["gradients"], strict=True):
        assert_same_gradient(got, want)


@pytest.mark.parametrize("mode", ["constant", *FED])
@cases(CASES)
def test_static_shapes_are_tensorflows(case: Case, mode: str):
    want = ANSWERS[case.name]["static"].get(mode)
    if isinstance(want, list):  # where TensorFlow cannot build, building is no fault
        assert static_shapes(tf, case, mode) == want


@pytest.mark.parametrize("mode", FED)
@cases({name: case for name, case in CASES.items() if case.fed and case.values})
def test_values_that_are_fed_are_the_same(case: Case, mode: str):
    want = ANSWERS[case.name]
    if isinstance(want["static"][mode], list):
        for got, expected in zip(fed_values(tf, case, mode), want["outputs"], strict=True):
            assert_same(got, expected)


@pytest.mark.parametrize("alias", RECORDED["aliases"])
def test_a_name_in_two_places_is_one_function(alias: str):
    assert resolve(tf, alias) is resolve(tf, RECORDED["aliases"][alias])


# Where TensorFlow stumbles over an attribute that an argument lacks, an exception that tells the argument is no worse.
STUMBLES = ("AttributeError",)


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in ERRORS.items()])
def test_errors_are_tensorflows(case: ErrorCase):
    want, error = RECORDED["errors"][case.name], raised(tf, case)
    assert error is not None, f"nothing raised; TensorFlow raises {want['types'][0]}: {want['message']}"
    accepted = [getattr(tf.errors, name, None) or getattr(builtins, name) for name in want["types"]]
    if want["types"][0] in STUMBLES:
        accepted += [TypeError, ValueError]
    kind = f"{type(error).__name__}: {error}; TensorFlow raises {want['types'][0]}: {want['message']}"
    assert isinstance(error, tuple(accepted)), kind
    assert case.names in str(error), kind


def test_every_error_is_recorded():
    assert set(RECORDED["errors"]) == set(ERRORS), f"record again: {set(RECORDED['errors']) ^ set(ERRORS)}"
