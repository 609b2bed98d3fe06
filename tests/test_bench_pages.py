"""The benchmarks' pages are what the figures on file give, and no text of theirs is by hand."""

from __future__ import annotations

import sys
from pathlib import Path

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


def test_every_contender_belongs_to_a_case_and_a_family(pages):
    from bench.case import CASES, CONTENDERS
    from bench.families import FAMILIES

    assert {c.case for c in CONTENDERS} == set(CASES)
    assert {c.family for c in CONTENDERS} <= set(FAMILIES)
    seen = [(c.case, c.name) for c in CONTENDERS]
    assert len(seen) == len(set(seen))


def test_every_work_has_a_name_of_its_own(pages):
    from bench.case import CASES

    for quick in (True, False):
        keys = [work.key for case in CASES.values() for work in case.works(quick)]
        assert len(keys) == len(set(keys))
