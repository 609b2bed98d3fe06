"""What the user sees: progress while training, neighbours afterwards."""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Any

import numpy as np

from .settings import Settings
from .text import Corpus
from .train import Run

__all__ = ["Progress", "neighbours", "telling_words"]

# English words that say nothing of a text's subject although they may come in clusters.
_EMPTY_WORDS = frozenset(
    """about after again also another because been before being between both does done each even every first following
    from have here into itself just like made make many more most must need only other otherwise over same should some
    such than that their them then there these they this those through true under used using very want well were what
    when where whether which while will with within without would your""".split()  # noqa: SIM905 -- a list of strings would be four times as long
)


class Progress:
    """A tqdm bar on a terminal; a line per epoch where there is no tqdm or no terminal."""

    def __init__(self, settings: Settings, label: str = "") -> None:
        self.settings = settings
        self.label = label
        self.bar: Any = None
        self.mean = 0.0
        self.reported = 0
        self.has_tqdm = importlib.util.find_spec("tqdm") is not None
        self.wants_bar = self.has_tqdm and _on_terminal()

    def __call__(self, run: Run, loss: float, examples: int) -> None:
        """Show one batch."""
        if self.wants_bar and self.bar is None:
            from tqdm import tqdm

            self.bar = tqdm(
                total=run.expected, unit=" words", unit_scale=True, desc=self.label or None, dynamic_ncols=True
            )
        self.mean = loss if self.mean == 0.0 else 0.98 * self.mean + 0.02 * loss
        if self.bar is not None:
            self.bar.set_postfix_str(f"epoch {run.epoch}/{self.settings.epochs}, loss {self.mean:.3f}", refresh=False)
            self.bar.update(examples)
        elif len(run.losses) > self.reported:
            self._line(run)

    def _line(self, run: Run) -> None:
        self.reported = len(run.losses)
        where = f"{self.label + ': ' if self.label else ''}epoch {self.reported}/{self.settings.epochs}"
        print(f"{where}  loss {run.losses[-1]:.4f}  {run.examples / run.seconds:,.0f} words/s", flush=True)

    def close(self, run: Run) -> None:
        """Finish: the bar, or the last epoch's line."""
        if self.bar is not None:
            if not run.interrupted:
                self.bar.total = self.bar.n  # how many words were thinned out is chance
            self.bar.close()
        elif len(run.losses) > self.reported:
            self._line(run)

    def note(self) -> str | None:
        """Say how to get the bar and the plots, where tqdm is not installed."""
        return None if self.has_tqdm else 'for a progress bar and plots: pip install "steepest[cli]"'


def _on_terminal() -> bool:
    """Tell whether errors go to a terminal with a size; in one of no size tqdm shows nothing."""
    try:
        return all(os.get_terminal_size(sys.stderr.fileno()))
    except (OSError, ValueError, AttributeError):  # not a terminal, or no file behind it
        return False


def telling_words(corpus: Corpus, how_many: int) -> list[int]:
    """Choose frequent words that carry a subject, by their residual idf, which serves any language.

    Function words are spread over the paragraphs as chance would; a word of content comes in
    clusters, so it is in fewer paragraphs than its count foretells. Score: count times
    ``log((1 - exp(-count / P)) * P / paragraphs with it)``. Source: Church and Gale 1995.
    """
    total = len(np.unique(corpus.paragraphs))
    pairs = np.unique(corpus.ids.astype(np.int64) * (corpus.paragraphs.max() + 1) + corpus.paragraphs)
    spread = np.bincount(pairs // (corpus.paragraphs.max() + 1), minlength=len(corpus.words))
    foretold = total * -np.expm1(-corpus.counts / total)
    score = corpus.counts * np.log(foretold / np.maximum(spread, 1))
    showable = np.array([len(word) > 3 and word.isalpha() and word not in _EMPTY_WORDS for word in corpus.words])
    return [int(i) for i in np.argsort(-score, kind="stable") if showable[i]][:how_many]


def neighbours(corpus: Corpus, vectors: np.ndarray[Any, Any], queries: list[int], how_many: int = 6) -> str:
    """Return a line per query: the words of nearest direction (cosine), leaving out the rarest."""
    length = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    directions = vectors / length
    width = max((len(corpus.words[query]) for query in queries), default=0)
    # The few occurrences of a rare word pin its vector to one sentence: true, but no neighbour to show.
    rare = corpus.counts < min(2 * corpus.counts.min(), np.median(corpus.counts))
    lines = []
    for query in queries:
        likeness = directions @ directions[query]
        likeness[rare] = -np.inf
        likeness[query] = -np.inf
        nearest = np.argsort(-likeness, kind="stable")[:how_many]
        found = [f"{corpus.words[i]} {likeness[i]:.2f}" for i in nearest if np.isfinite(likeness[i])]
        lines.append(f"  {corpus.words[query]:<{width}}  {'  '.join(found)}")
    return "\n".join(lines)
