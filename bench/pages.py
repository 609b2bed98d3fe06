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


def benchmarks(machines: list[Figures]) -> list[str]:
    lines = budgets.lines(machines)
    for figures in machines:
        plot = picture("bench", figures, "Everybody's time in units of steepest's", "../docs/")
        lines += [*tables.heading(figures), *plot, *tables.cases(figures), *tables.one_off(figures)]
    return lines


def nearness(machines: list[Figures]) -> list[str]:
    lines = []
    for figures in machines:
        heading = [line.replace("## ", "### ") for line in tables.heading(figures)]
        lines += [*heading, *picture("limits", figures, "Speed as a part of the limit's"), *limits.nearness(figures)]
    return lines


def picture(kind: str, figures: Figures, text: str, way: str = "") -> list[str]:
    """Return the link to a machine's plot, if it was drawn."""
    path = plot(kind, figures)
    return [f"![{text}]({way}{path.name})", ""] if path.exists() else []


def plot(kind: str, figures: Figures) -> Path:
    return DOCS / f"{kind}-{figures.path.stem}.png"


PAGES: dict[Path, Callable[[list[Figures]], list[str]]] = {
    HERE / "README.md": benchmarks,
    FRONT: first_screen.rows,
    DOCS / "limits.md": nearness,
}


def with_figures(page: Path, text: str) -> str:
    """Return the page with its generated part made anew."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    lines = PAGES[page]([Figures(path) for path in results.files()])
    return before + "\n".join([BEGIN, "", *lines, END]) + after


def stale() -> list[str]:
    """Return the pages that are not what the figures give."""
    texts = {page: page.read_text() for page in PAGES}
    found = [str(page.relative_to(HERE.parent)) for page, text in texts.items() if with_figures(page, text) != text]
    return found + (["docs/limits.md (its table of bytes)"] if limits.stale(texts[DOCS / "limits.md"]) else [])


def write() -> None:
    draw()
    for page in PAGES:
        text = with_figures(page, page.read_text())
        page.write_text(limits.with_bytes(text) if limits.BEGIN in text else text)


def draw() -> None:
    try:
        from . import plots
    except ImportError as error:
        print(f"no plots: {error}")
        return
    for path in results.files():
        figures = Figures(path)
        plots.draw(figures, plot("bench", figures), plot("limits", figures))
