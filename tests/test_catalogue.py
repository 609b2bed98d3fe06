"""A rule is in every place that CONTRIBUTING's "Add a rule in five steps" lists; what is missing names its step."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from catalogue import ROWS, Row
from reference import RULES

import steepest as st
import steepest.v1 as tf
from steepest import _core
from steepest.optim.moving_average import MovingAverage

TOP = Path(__file__).parent.parent
SCHEMA = _core.schema()
# Classes that have a rule, under their own names.
EXPORTED = sorted(
    name for name in st.__all__ if getattr(getattr(st, name), "_rule", None) and getattr(st, name).__name__ == name
)
# Classes of a rule that others have a row of.
ANOTHER_NAME = {
    st.AdamW: st.AdamOptimizer,
    st.AdamWOptimizer: st.AdamOptimizer,
    st.AdagradDecayOptimizerV2: st.AdagradDecayOptimizer,
}
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)


def todo(step: int, what: str) -> str:
    return f'{what} (CONTRIBUTING.md, "Add a rule in five steps", step {step})'


def test_every_rule_is_everywhere():
    exported = {getattr(st, name) for name in EXPORTED}
    for rule in sorted(set(SCHEMA) | set(RULES) | {row.rule for row in ROWS}):
        assert rule in SCHEMA, todo(2, f"{rule!r}: the compiled module must have it; add it to AllRules, install again")
        assert rule in RULES, todo(4, f"{rule!r}: tests/support/reference.py must have its formula in RULES")
        assert any(row.rule == rule for row in ROWS), todo(4, f"{rule!r}: tests/support/catalogue.py must have its row")
    without_row = exported - {row.optimizer for row in ROWS} - set(ANOTHER_NAME)
    assert not without_row, todo(4, f"{without_row}: tests/support/catalogue.py must have a row for each class")
    not_exported = {row.optimizer for row in ROWS} - exported - {MovingAverage}  # a part of other optimizers
    assert not not_exported, todo(3, f"{not_exported}: steepest.__all__ must list each class")


def test_a_rule_is_one_struct_of_at_most_60_lines():
    files = sorted((TOP / "cpp/include/steepest/kernel/rules").glob("*.hpp"))
    structs = [
        (path.name, struct.count("\n") + 1)
        for path in files
        for struct in re.findall(r"^(?:struct|class) .*?^};", path.read_text(), re.MULTILINE | re.DOTALL)
    ]
    assert len(structs) >= len(SCHEMA)
    assert not [entry for entry in structs if entry[1] > 60]


@each_row
def test_hyper_parameters_and_slots_agree(row: Row):
    info = SCHEMA[row.rule]
    assert row.make()._rule == row.rule
    assert set(row.hyper) == {entry["name"] for entry in info["hyper"]}
    assert list(row.make()._hyper()) == [entry["name"] for entry in info["hyper"]]
    assert [s["name"] for s in info["slots"]] == [*row.slots, *row.row_slots, *row.row_counters]
    assert info["every_row"] == row.every_row
    parameters = inspect.signature(row.optimizer).parameters
    for entry in info["hyper"]:
        default = parameters[entry["name"]].default
        assert default is inspect.Parameter.empty or float(default) == entry["default"], entry["name"]
    assert all(row.hyper[e["name"]] != e["default"] for e in info["hyper"] if not e["integer"] or e["high"] > 1)


@each_row
def test_docstrings_give_formula_and_source(row: Row):
    text = row.optimizer.__doc__ or ""
    assert "Source:" in text, todo(3, f"{row.optimizer.__name__}: the docstring must have a line 'Source: ...'")
    for slot in (*row.slots, *row.row_slots, *row.row_counters):
        assert slot in text or row.rule == "lazy_adam", todo(
            3, f"{row.optimizer.__name__}: must describe slot {slot!r}"
        )


# tf.contrib.opt's AdamWOptimizer means another decay.
@pytest.mark.parametrize("name", [name for name in EXPORTED if name != "AdamW"])
def test_every_optimizer_is_in_graph_mode_too(name: str):
    places = {"tf.train": tf.train, "tf.contrib.opt": tf.contrib.opt}
    # tf.contrib.opt's LARSOptimizer is made of the library's: it sums other steps.
    found = [place for place, module in places.items() if issubclass(getattr(module, name, object), getattr(st, name))]
    assert found, todo(3, f"{name}: steepest.v1.train (or v1.contrib.opt) must have it under TensorFlow's name")


def formula_table() -> dict[str, list[str]]:
    """README's table of optimizers: the cells of each class's first row."""
    rows: dict[str, list[str]] = {}
    # Of tables alone: a line with bars that has no head above it is shown as text.
    tables = re.findall(r"(?m)^\|.*\n\|[-| ]+\|\n((?:\|.*\n)+)", (TOP / "README.md").read_text())
    for line in "".join(tables).splitlines():
        if named := re.match(r"\| `(\w+)\(", line):
            rows.setdefault(named[1], [cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


@pytest.mark.parametrize("name", EXPORTED)
def test_the_readme_gives_every_optimizers_formula(name: str):
    cells = formula_table().get(name)
    assert cells is not None, todo(5, f"{name}: README.md's table of optimizers must have a row `{name}(...)`")
    assert re.search(r"[-+]=|=|moves|rows", cells[1]), todo(5, f"{name}: its row must have a formula")
    cls = ANOTHER_NAME.get(getattr(st, name), getattr(st, name))
    row = next(row for row in ROWS if row.optimizer is cls)
    for slot in (*row.slots, *row.row_slots, *row.row_counters):
        assert f"`{slot}`" in cells[2], todo(5, f"{name}: its row must name the slot `{slot}`")


@pytest.mark.parametrize("name", EXPORTED)
def test_the_changelog_mentions_every_optimizer(name: str):
    assert f"`{name}`" in (TOP / "CHANGELOG.md").read_text(), todo(5, f"{name}: CHANGELOG.md must have a line")


SHORT = {
    "SGD": st.GradientDescentOptimizer,
    "Momentum": st.MomentumOptimizer,
    "Adagrad": st.AdagradOptimizer,
    "Adam": st.AdamOptimizer,
    "RMSprop": st.RMSPropOptimizer,
    "Adadelta": st.AdadeltaOptimizer,
    "Adamax": st.AdaMaxOptimizer,
    "NAdam": st.NadamOptimizer,
    "RAdam": st.RAdamOptimizer,
    "Lion": st.LionOptimizer,
    "LAMB": st.LAMBOptimizer,
    "LARS": st.LARSOptimizer,
    "Adan": st.AdanOptimizer,
    "Ftrl": st.FtrlOptimizer,
}


def test_short_names_are_the_same_classes():
    for short, cls in SHORT.items():
        assert getattr(st, short) is cls
        assert short in st.__all__
    assert st.AdamW is not tf.contrib.opt.AdamWOptimizer  # whose decay the learning rate does not scale
    assert st.AdamWOptimizer is tf.contrib.opt.AdamWOptimizer
