"""The few figures on the first screen of the top folder's README."""

from __future__ import annotations

from .case import Work
from .cases.steps import recommender
from .figures import Entry, Figures, number, table
from .measure import OURS

WORKS = {
    Work("many", "Adam, 1,000 x 1,000", 1, {}).key: "Adam, 1,000 arrays of 1,000",
    Work("cache", "Adam, 1,000,000", 1, {}).key: "Adam, an array of 1,000,000",
    Work("dense", "Adam, 10,000,000", 1, {}).key: "Adam, an array of 10,000,000",
    Work(
        "sparse", "Adagrad, 1,000,000 x 64, 65,536 uniform ids", 1, {}
    ).key: "Adagrad, 65,536 ids of a table of 1,000,000 x 64",
    recommender(threads=1).key: "a recommender's whole step, 26 tables of 200,000 x 16, batch 2,048",
}
LIBRARIES = {"NumPy": "numpy", "numba": "numba", "PyTorch": "torch", "JAX, optax": "jax", "TensorFlow": "tensorflow"}


def quickest(entry: Entry, runtime: str) -> str:
    """Return the milliseconds of a library's quickest way; its part of the work alone, a limit, is none."""
    ways = [c for name, c in entry.contenders.items() if name not in entry.rooflines()]
    times = [c["seconds"] for c in ways if c["runtime"] == runtime]
    return number(1e3 * min(times)) if times else ""


def ours(entry: Entry) -> str:
    found = entry.contenders[OURS]
    low, high = (number(1e3 * seconds) for seconds in found["quartiles"])
    return f"**{number(1e3 * found['seconds'])}** ({low} to {high})"


def shown(figures: Figures) -> list[tuple[str, Entry]]:
    by_key = {entry.work.key: entry for entry in figures.entries}
    return [(name, by_key[key]) for key, name in WORKS.items() if key in by_key and OURS in by_key[key].contenders]


def rows(machines: list[Figures]) -> list[str]:
    """Return the rows of the machine that has most of them, of several the one that was measured last."""

    def order(figures: Figures) -> tuple[int, str]:
        return len(shown(figures)), max((entry.date for entry in figures.entries), default="")

    figures = max(machines, key=order)
    works, m = shown(figures), figures.machine
    if not works:
        return []
    lines = [[name, ours(e), *(quickest(e, runtime) for runtime in LIBRARIES.values())] for name, e in works]
    others = [each.machine["processor"] for each in machines if each is not figures]
    besides = f"; {' and '.join(others)} too" if others else ""
    return [
        *table(["milliseconds for one update, or step", "steepest (quartiles)", *LIBRARIES], lines),
        "",
        f"One thread of {m['processor']}, caches {m['caches']}, {m['isa']} kernels, {max(e.date for _, e in works)}.",
        "Each library's quickest way, numba's with approximate roots where that is quicker, all in one run",
        f"([bench](bench/README.md){besides}).",
        "",
    ]
