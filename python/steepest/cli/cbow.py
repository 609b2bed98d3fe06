"""The model: continuous bag of words with negative sampling, as it would be written with TensorFlow 1.

The mean of the vectors around a word predicts the word, against ``K`` words drawn at random. Shape
letters: ``B`` examples in a batch, ``C`` context places (twice the window), ``D`` vector size,
``V`` words.

Source: Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their
Compositionality".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import steepest as st

from .text import Corpus

__all__ = ["NOTHING", "Batch", "Cbow"]

Array = np.ndarray[Any, Any]


NOTHING = -1  # the id of a place in a context that no word fills


class Batch(NamedTuple):
    """``B`` examples: ids around a word; the word before the drawn ones, and which of these count."""

    context: Array
    candidates: Array
    mask: Array


class Cbow:
    """Two tables of vectors: ``inputs`` for words in a context, ``outputs`` for the words to predict."""

    def __init__(self, corpus: Corpus, size: int, window: int, negatives: int, rng: np.random.Generator) -> None:
        self.words = len(corpus.words)
        self.window = window
        self.negatives = negatives
        self.rng = rng
        start = (rng.random((self.words, size), np.float32) - 0.5) / size
        self.inputs = st.Variable(start.astype(np.float32), name="inputs")
        self.outputs = st.Variable(np.zeros((self.words, size), np.float32), name="outputs")
        noise = np.cumsum(corpus.counts**0.75)
        self.noise = noise / noise[-1]

    def loss(self, batch: Batch) -> Any:
        """Return the batch's summed logistic loss of telling each word from the words drawn at random."""
        hidden = st.nn.embedding_bag(self.inputs, batch.context, padding_id=NOTHING)  # (B, D), the mean
        candidates = st.nn.embedding_lookup(self.outputs, batch.candidates)  # (B, 1 + K, D)
        logits = np.einsum("bkd,bd->bk", candidates, hidden)  # (B, 1 + K)
        truth = np.zeros(batch.candidates.shape, np.float32)
        truth[:, 0] = 1.0
        losses = st.nn.sigmoid_cross_entropy_with_logits(labels=truth, logits=logits)
        return np.sum(losses * batch.mask)

    def vectors(self) -> Array:
        """Return a copy of the ``V`` word vectors, ``(V, D)`` float32."""
        return self.inputs.numpy()

    def batches(self, corpus: Corpus, size: int) -> Iterator[Batch]:
        """Yield every word of the text once, in random order, ``size`` at a time."""
        w = self.window
        ids = np.pad(corpus.ids, w, constant_values=NOTHING)
        paragraphs = np.pad(corpus.paragraphs, w, constant_values=-1)
        offsets = np.concatenate([np.arange(-w, 0), np.arange(1, w + 1)])
        order = self.rng.permutation(corpus.ids.size) + w
        for start in range(0, order.size, size):
            places = order[start : start + size, None]
            around = places + offsets
            # Each example draws its own window, so that near words count more than far ones.
            reach = self.rng.integers(1, w + 1, places.shape)
            inside = (paragraphs[around] == paragraphs[places]) & (np.abs(offsets) <= reach)
            some = inside.any(axis=1)
            if some.any():
                yield self._batch(ids[places[some]], ids[around[some]], inside[some])

    def _batch(self, words: Array, around: Array, inside: Array) -> Batch:
        context = np.where(inside, around, NOTHING)
        drawn = np.searchsorted(self.noise, self.rng.random((len(words), self.negatives)), side="right")
        candidates = np.concatenate([words, drawn.astype(words.dtype)], axis=1)
        mask = candidates != words  # a drawn word that happens to be the true one does not count
        mask[:, 0] = True
        return Batch(context, candidates, mask.astype(np.float32))
