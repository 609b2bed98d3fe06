"""The benchmarks' pages are what the figures on file give, and no text of theirs is by hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

TOP = Path(__file__).parent.parent


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(TOP))
    from bench import pages as found
    from bench.discover import discover

    discover()
    yield found
    for name in [name for name in sys.modules if name == "bench" or name.startswith("bench.")]:
        del sys.modules[name]


def test_the_tables_are_what_the_figures_give(pages):
    assert pages.stale() == [], "run: python -m bench --tables"


def test_a_figure_that_differs_is_seen(pages, monkeypatch: pytest.MonkeyPatch):
    pages.results.files()
    from bench.figures import Entry

    real = Entry.figure
    monkeypatch.setattr(Entry, "figure", lambda entry, name: (value := real(entry, name)) and 2 * value)
    assert "bench/README.md" in pages.stale()


def test_two_machines_stand_side_by_side(pages, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    first = pages.results.load(pages.results.files()[0])
    later = {**first, "machine": {**first["machine"], "processor": "Another One"}}
    later["works"] = [{**work, "date": "2999-01-01"} for work in first["works"]]
    some = {**later, "machine": {**first["machine"], "processor": "Seldom Seen"}, "works": later["works"][:3]}
    for name, raw in (("a", first), ("b", later), ("c", some)):
        (tmp_path / f"{name}.json").write_text(json.dumps(raw))
    monkeypatch.setattr(pages.results, "FOLDER", tmp_path)
    names = [raw["machine"]["processor"] for raw in (first, later, some)]
    texts = {page.name: pages.with_figures(page, page.read_text()) for page in pages.PAGES if page != pages.FRONT}
    for text in texts.values():
        assert all(f"# {name}, 2 processors\n" in text for name in names)
    budgets = next(line for line in texts["README.md"].splitlines() if line.startswith("|  | what | budget"))
    assert [budgets.count(name) for name in names] == [1, 1, 1]
    front = pages.with_figures(pages.FRONT, pages.FRONT.read_text())
    assert "One thread of Another One" in front  # it has all rows, and was measured last
    assert f"{names[0]} and Seldom Seen too" in front


def test_a_partial_run_keeps_the_works_that_there_still_are(pages, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    raw = pages.results.load(pages.results.files()[0])
    gone = {**raw["works"][0], "work": {**raw["works"][0]["work"], "label": "a work of another time"}}
    raw["works"] = [gone, *raw["works"][:2]]
    monkeypatch.setattr(pages.results, "FOLDER", tmp_path)
    pages.results.file().write_text(json.dumps(raw))
    new = {**raw["works"][1], "took": 1234}
    pages.results.save([new], {}, {}, whole=False)
    assert pages.results.load(pages.results.file())["works"] == [new, raw["works"][2]]


def test_every_contender_belongs_to_a_case_and_a_runtime(pages):
    from bench.case import CASES, CONTENDERS
    from bench.runtimes import RUNTIMES

    assert {c.case for c in CONTENDERS} == set(CASES)
    assert {c.runtime for c in CONTENDERS} <= set(RUNTIMES)
    seen = [(c.case, c.name) for c in CONTENDERS]
    assert len(seen) == len(set(seen))


def test_every_work_has_a_name_of_its_own(pages):
    from bench.case import CASES

    for quick in (True, False):
        keys = [work.key for case in CASES.values() for work in case.works(quick)]
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("answer", "seen"), [([1.0, 2.0], False), ([1.0, 2.1], True), ([1.0, np.nan], True), ([1.0], True)]
)
def test_a_wrong_answer_is_seen(pages, answer: list[float], seen: bool):
    from bench.measure import wrong

    problem = wrong(np.array(answer), np.array([1.0, 2.0]), (1e-3, 0.0))
    assert (problem is not None) == seen


def test_a_few_strays_are_borne_where_a_case_says_so(pages):
    from bench.measure import wrong

    expected = np.ones(200)
    for strays, seen in ((1, False), (2, True)):
        answer = expected + 0.1 * (np.arange(200) < strays)
        assert (wrong(answer, expected, (1e-3, 0.0), strays=0.005) is not None) == seen
    assert wrong(np.where(np.arange(200) < 1, np.nan, 1), expected, (1e-3, 0.0), strays=0.005) is not None


def test_a_budget_shows_its_worst_case(pages, monkeypatch: pytest.MonkeyPatch):
    from bench import budgets

    found = [(0.9, "here"), (1.3, "there"), (None, "nowhere")]
    for at_least, worst, verdict in (
        (False, "1.30 (others to 0.90)", "1 of 2"),
        (True, "0.90 (others to 1.30)", "1 of 2"),
    ):
        budget = budgets.Budget("topic", "text", 1.0, lambda figures: found, at_least)
        monkeypatch.setattr(budgets, "BUDGETS", [budget])
        row = " ".join(budgets.cells(budget, None))
        assert worst in row
        assert verdict in row


def test_a_limit_is_no_librarys_way_on_the_first_screen(pages):
    from bench import first_screen, results
    from bench.figures import Figures

    with_limits_alone = 0
    for figures in map(Figures, results.files()):
        for _, entry in first_screen.shown(figures):
            limits = entry.rooflines()
            for runtime in {entry.contenders[name]["runtime"] for name in limits}:
                if all(name in limits for name, c in entry.contenders.items() if c["runtime"] == runtime):
                    assert first_screen.quickest(entry, runtime) == ""
                    with_limits_alone += runtime == "numpy"  # a step's matrix products
    assert with_limits_alone


def test_what_the_rules_are_said_to_move_is_what_their_slots_are(pages):
    from bench.family import FAMILY

    import steepest as st

    rules = set()
    for name, member in FAMILY.items():
        opt, w = member.make(), st.Variable(np.ones((8, 4), np.float32))
        opt.apply_gradients([(np.ones((8, 4), np.float32), w)])
        slots = [opt.get_slot(w, slot).value for slot in opt.get_slot_names()]
        assert sum(slot.shape == w.shape for slot in slots) == member.states, name
        assert sum(2 * slot.itemsize for slot in slots if slot.shape == w.shape[:1]) == member.row_bytes, name
        rules.add(opt._rule)
    assert rules == set(st._core.schema()) - {"moving_average"}  # a part of other optimizers
