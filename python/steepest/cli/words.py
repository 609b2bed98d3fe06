"""``steepest words``: train word vectors, save them, show neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

import steepest as st

from ..base.errors import must
from ..mpi import RankError, together
from .errors import CommandError
from .plot import check_plot, plot_losses
from .progress import SavedProgress
from .ranks import Ranks, by_mpiexec
from .report import Progress, neighbours, telling_words
from .save import check_target, save_vectors
from .settings import Settings
from .text import Corpus, default_text, make_corpus, read_files
from .train import train

__all__ = ["load", "set_threads", "train_words"]

INTERRUPTED = 130  # 128 + SIGINT, what a shell reports


def load(files: Sequence[str], settings: Settings) -> Corpus:
    """Read the files, or Python's documentation when there are none, and say what was found."""
    corpus = make_corpus(read_files(files) if files else default_text(), settings.min_count)
    source = ", ".join(files) if files else "Python's documentation"
    print(f"{source}: {corpus.ids.size:,} words, {len(corpus.words):,} different", flush=True)
    return corpus


def set_threads(threads: int | None) -> None:
    """Pass ``--threads`` on; CommandError for a number that the library refuses."""
    if threads is not None:
        try:
            st.set_num_threads(threads)
        except (ValueError, OverflowError) as error:
            raise CommandError(must("words", "--threads", "be a number of threads", str(threads), str(error))) from None


def train_words(
    files: Sequence[str],
    settings: Settings,
    threads: int | None,
    save: str | None,
    plot: str | None,
    checkpoint: str | None = None,
    resume: bool = False,
) -> int:
    """Run the command; return the exit status. Under mpiexec all ranks train, and the first one prints and writes."""
    ranks = Ranks(settings.micro_batches) if by_mpiexec() or settings.micro_batches > 1 else None
    if ranks is None:
        return _train_words(files, settings, threads, save, plot, checkpoint, resume, None)
    if threads is None and ranks.size > 1:
        threads = max(1, st.get_num_threads() // ranks.size)
    if not ranks.is_root:
        save = plot = None
    try:
        with ranks.quiet():
            return _train_words(files, settings, threads, save, plot, checkpoint, resume, ranks)
    except RankError as error:
        raise CommandError("words: another rank has raised an error, which it prints") from error


def _train_words(
    files: Sequence[str],
    settings: Settings,
    threads: int | None,
    save: str | None,
    plot: str | None,
    checkpoint: str | None,
    resume: bool,
    ranks: Ranks | None,
) -> int:
    with nullcontext() if ranks is None else together(ranks.comm):
        # What would fail after the training is tried before it.
        if save is not None:
            check_target("--save", save)
        if plot is not None:
            check_plot(plot)
        if resume and checkpoint is None:
            raise CommandError(must("words", "--resume", "come with --checkpoint", "none"))
        saved_progress = None if checkpoint is None else SavedProgress(checkpoint, resume)
        set_threads(threads)
        corpus = load(files, settings)
    progress: Progress | None = Progress(settings) if ranks is None or ranks.is_root else None
    if progress is not None and progress.note():
        print(progress.note(), flush=True)
    if ranks is not None and ranks.size > 1:
        print(ranks.note(), flush=True)
    run = train(corpus, settings, progress or (lambda run, loss, examples: None), saved_progress, ranks)
    if progress is not None:
        progress.close(run)

    vectors = run.model.vectors()
    if save is not None:
        save_vectors(save, corpus.words, vectors)
        print(f"saved {vectors.shape[0]:,} vectors of size {vectors.shape[1]} to {save}")
    if run.interrupted:
        kept = "the vectors so far are saved" if save is not None else "nothing was saved (no --save)"
        raise CommandError(f"words: interrupted in epoch {run.epoch} of {settings.epochs}; {kept}", INTERRUPTED)
    if plot is not None:
        plot_losses(plot, {settings.optimizer: run})
        print(f"plotted the loss in {plot}")
    speed = run.examples / run.seconds
    print(f"{settings.optimizer}: loss {run.losses[-1]:.4f}, {run.seconds:.1f} s, {speed:,.0f} words/s")
    print("nearest words (cosine):")
    print(neighbours(corpus, vectors, telling_words(corpus, 12)))
    return 0
