"""Plots for docs/, from one machine's figures. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt

from .figures import Entry, Figures
from .measure import OURS

SHOWN = [
    ("dense", {"rule": "adam", "n": 10_000_000, "threads": 1}),
    ("cache", {"rule": "adam", "n": 100_000, "threads": 1}),
    ("small", {"rule": "adam", "n": 1000}),
    ("many", {"rule": "adam", "n": 100}),
    ("sparse", {"rule": "sgd", "width": 64, "batch": 65_536, "threads": 1}),
    ("sparse", {"rule": "adagrad", "width": 64, "batch": 65_536, "threads": 1}),
    ("sparse", {"rule": "lazy_adam", "width": 64, "batch": 65_536, "threads": 1}),
    ("clip", {"kind": "global", "update": True, "threads": 1}),
    ("tape", {}),
    ("steps", {"threads": 1}),
]
SPARSE = ("sparse", "widths", "tables")
COLOURS = {
    "dense": "tab:blue",
    "cache": "tab:green",
    "types": "tab:purple",
    "sparse": "tab:orange",
    "widths": "tab:brown",
    "tables": "tab:olive",
}
NAMES = ["out of cache", "in cache", "element types", "sparse rows", "widths", "lengths of tables"]
GROUPS = {  # colour and mark of a library
    "limit": ("black", "|"),
    "loop": ("dimgray", "x"),
    "numba": ("tab:green", "o"),
    "torch": ("tab:orange", "s"),
    "jax": ("tab:purple", "D"),
    "FBGEMM": ("tab:brown", "P"),
    "TF": ("tab:red", "^"),
    "NumPy": ("tab:blue", "v"),
    "autograd": ("tab:pink", "<"),
}


def group(entry: Entry, name: str) -> str | None:
    if name.startswith(OURS):
        return None
    if entry.contenders[name]["roofline"]:
        return "limit"
    if name == "numba fastmath":
        return None
    name = "jax" if name.startswith("optax") else name
    return next((g for g in GROUPS if name.startswith(g)), None)


def draw(figures: Figures, compared: Path, near_limits: Path) -> None:
    chosen = [entry for case, values in SHOWN for entry in figures.of(case, **values) if entry.seconds(OURS)]
    if chosen:
        rivals(chosen, compared)
    near = [e for e in figures.entries if e.rooflines() and e.seconds(OURS) and not e.work.across]
    near = [e for e in near if e.work.threads == 1]
    if near:
        limits(near, near_limits)


def rivals(entries: list[Entry], path: Path) -> None:
    """Draw everybody's time in units of ours, a row for each work."""
    _, axes = plt.subplots(figsize=(10, 0.42 * len(entries) + 1.4))
    seen = set()
    for y, entry in enumerate(entries):
        for name in entry.contenders:
            kind, ratio = group(entry, name), entry.ratio(name, OURS)
            if kind is None or ratio is None:
                continue
            colour, mark = GROUPS[kind]
            label = None if kind in seen else kind
            size = 140 if mark == "|" else 34
            axes.scatter(ratio, y, s=size, color=colour, marker=mark, label=label, zorder=3)
            seen.add(kind)
    axes.axvline(1, color="tab:cyan", linewidth=2, zorder=1)
    axes.set(xscale="log", xlabel="time, in units of steepest's (to the right: slower than steepest)")
    axes.set_yticks(range(len(entries)), [entry.work.label for entry in entries], fontsize=8)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    axes.legend(ncols=len(seen), loc="lower center", bbox_to_anchor=(0.35, 1.0), frameon=False, fontsize=8)
    plt.tight_layout()
    finish(path)


def limits(entries: list[Entry], path: Path) -> None:
    """Draw what part of the limit's speed each work reaches, dense ones on the left, sparse rows on the right."""
    sides = [[e for e in entries if e.work.case in cases] for cases in (("dense", "cache", "types"), SPARSE)]
    _, panels = plt.subplots(1, 2, figsize=(13, 0.21 * max(map(len, sides)) + 1.2))
    for axes, side in zip(panels, sides, strict=True):
        parts = [1 / (entry.ratio(OURS, entry.rooflines()[0]) or float("nan")) for entry in side]
        axes.barh(range(len(side)), parts, color=[COLOURS[e.work.case] for e in side])
        axes.axvline(1, color="black", linewidth=1)
        axes.set_yticks(range(len(side)), [e.work.label for e in side], fontsize=7)
        axes.set(xlabel="speed, as a part of the limit's", xlim=(0, 1.6))
        axes.invert_yaxis()
        axes.margins(y=0.005)
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in COLOURS.values()]
    panels[0].figure.legend(handles, NAMES, ncols=len(NAMES), loc="upper center", frameon=False, fontsize=8)
    plt.tight_layout(rect=(0, 0, 1, 0.96))
    finish(path)


def finish(path: Path) -> None:
    plt.savefig(path, dpi=80, bbox_inches="tight")
    plt.close()
