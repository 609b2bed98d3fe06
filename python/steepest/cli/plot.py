"""A plot of loss against time, when matplotlib is there."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from typing import IO

from ..base.errors import must
from .errors import CommandError
from .save import check_target, write_whole
from .train import Run

__all__ = ["can_plot", "check_plot", "plot_losses"]


def can_plot() -> bool:
    """Tell whether matplotlib is installed, without importing it."""
    return importlib.util.find_spec("matplotlib") is not None


def check_plot(path: str) -> None:
    """Raise CommandError when there is no matplotlib, the file's ending is none it knows, or it cannot be written."""
    if not can_plot():
        remedy = 'pip install "steepest[cli]"'
        raise CommandError(must("words", "--plot", "find matplotlib", "no such package", remedy))
    from matplotlib.backend_bases import FigureCanvasBase

    endings = sorted(FigureCanvasBase.get_supported_filetypes())
    if _ending(path) not in endings:
        raise CommandError(must("words", "--plot", f"end in one of {', '.join(endings)}", repr(path)))
    check_target("--plot", path)


def plot_losses(path: str, runs: Mapping[str, Run]) -> None:
    """Draw the mean loss of each epoch against seconds, one line per run."""
    from matplotlib.figure import Figure  # without pyplot, which would look for a screen

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    for name, run in runs.items():
        axes.plot(run.times, run.losses, label=name, marker="o" if len(run.losses) < 2 else None)
    axes.set_xlabel("seconds")
    axes.set_ylabel("mean loss of the epoch")
    axes.grid(alpha=0.3)
    axes.legend()

    def write(file: IO[bytes]) -> None:
        figure.savefig(file, format=_ending(path), dpi=120)

    write_whole("--plot", path, write)


def _ending(path: str) -> str:
    return os.path.splitext(path)[1].lstrip(".").lower()
