"""``steepest compare``: one model and text under every optimizer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .errors import CommandError
from .plot import can_plot, check_plot, plot_losses
from .report import Progress
from .settings import Settings
from .train import OPTIMIZERS, Run, train
from .words import INTERRUPTED, load, set_threads

__all__ = ["compare", "table"]

DEFAULT_PLOT = "compare.png"


def compare(files: Sequence[str], settings: Settings, threads: int | None, plot: str | None) -> int:
    """Train under each optimizer with its default rate, print a table and plot loss against time."""
    if plot is None and can_plot():
        plot = DEFAULT_PLOT
    if plot is not None:
        check_plot(plot)
    set_threads(threads)
    corpus = load(files, settings)
    runs: dict[str, Run] = {}
    for name in OPTIMIZERS:
        progress = Progress(settings, label=name)
        run = train(corpus, replace(settings, optimizer=name), progress)
        progress.close(run)
        if run.interrupted:
            if runs:
                print(table(runs))
            done = f"{len(runs)} of {len(OPTIMIZERS)} optimizers were done"
            raise CommandError(f"compare: interrupted in {name}, epoch {run.epoch}; {done}", INTERRUPTED)
        runs[name] = run
    print(table(runs))
    if plot is not None:
        plot_losses(plot, runs)
        print(f"plotted loss against time in {plot}")
    else:
        print('for a plot: pip install "steepest[cli]"')
    return 0


def table(runs: Mapping[str, Run]) -> str:
    """Return the comparison, aligned."""
    rows = [("optimizer", "rate", "final loss", "words/s", "seconds")]
    for name, run in runs.items():
        speed = f"{run.examples / run.seconds:,.0f}"
        rows.append((name, f"{OPTIMIZERS[name].rate:g}", f"{run.losses[-1]:.4f}", speed, f"{run.seconds:.1f}"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    form = "  ".join([f"{{:<{widths[0]}}}"] + [f"{{:>{width}}}" for width in widths[1:]])
    return "\n".join(form.format(*row) for row in rows)
