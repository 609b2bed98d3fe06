"""Writes what the figures on file give: bench/README.md, docs/limits.md, the first screen of README.md, the plots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from . import budgets, first_screen, limits, results, tables
from .figures import Figures

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
FRONT = HERE.parent / "README.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def benchmarks(figures: Figures) -> list[str]:
    return [
        *tables.heading(figures),
        *budgets.lines(figures),
        *tables.cases(figures),
        *tables.one_off(figures),
    ]


PAGES: dict[Path, Callable[[Figures], list[str]]] = {
    HERE / "README.md": benchmarks,
    FRONT: first_screen.rows,
    DOCS / "limits.md": lambda figures: [*tables.heading(figures), *limits.nearness(figures)],
}


def with_figures(page: Path, text: str) -> str:
    """Return the page with its generated part made anew."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    files = [Figures(path) for path in results.files()]
    if page == FRONT:  # the machine that was measured last
        files = [max(files, key=lambda figures: max(entry.date for entry in figures.entries))]
    found = [line for figures in files for line in PAGES[page](figures)]
    return before + "\n".join([BEGIN, "", *found, END]) + after


def stale() -> list[str]:
    """Return the pages that are not what the figures give."""
    texts = {page: page.read_text() for page in PAGES}
    found = [str(page.relative_to(HERE.parent)) for page, text in texts.items() if with_figures(page, text) != text]
    return found + (["docs/limits.md (its table of bytes)"] if limits.stale(texts[DOCS / "limits.md"]) else [])


def write() -> None:
    for page in PAGES:
        text = with_figures(page, page.read_text())
        page.write_text(limits.with_bytes(text) if limits.BEGIN in text else text)
    try:
        from . import plots
    except ImportError as error:
        print(f"no plots: {error}")
        return
    for path in results.files()[:1]:
        plots.draw(Figures(path), DOCS)
