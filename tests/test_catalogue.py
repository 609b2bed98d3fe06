"""The rules in C++, the classes in Python, the catalogue and the reference name the same things."""

from __future__ import annotations

import inspect

import pytest
from catalogue import ROWS, Row
from reference import RULES

import steepest as st
from steepest import _core

SCHEMA = _core.schema()


def test_every_rule_is_everywhere():
    assert {row.rule for row in ROWS} == set(SCHEMA) == set(RULES)
    exported = {getattr(st, name) for name in st.__all__ if name.endswith("Optimizer")} - {st.Optimizer}
    assert exported == {row.optimizer for row in ROWS}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_hyper_parameters_and_slots_agree(row: Row):
    info = SCHEMA[row.rule]
    assert row.optimizer._rule == row.rule
    assert set(row.hyper) == {entry["name"] for entry in info["hyper"]}
    assert list(row.make()._hyper()) == [entry["name"] for entry in info["hyper"]]
    assert [s["name"] for s in info["slots"]] == [*row.slots, *row.row_slots, *row.row_counters]
    assert info["every_row"] == row.every_row
    parameters = inspect.signature(row.optimizer).parameters
    for entry in info["hyper"]:
        default = parameters[entry["name"]].default
        assert default is inspect.Parameter.empty or float(default) == entry["default"], entry["name"]
    assert all(row.hyper[e["name"]] != e["default"] for e in info["hyper"] if not e["integer"] or e["high"] > 1)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_docstrings_give_formula_and_source(row: Row):
    text = row.optimizer.__doc__ or ""
    assert "Source:" in text
    for slot in (*row.slots, *row.row_slots, *row.row_counters):
        assert slot in text or row.rule == "lazy_adam"
