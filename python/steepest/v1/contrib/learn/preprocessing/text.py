"""Texts as rows of numbers: of their words by a vocabulary, or of their bytes."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .....base.errors import must
from ....graph.missing import namespace
from .categorical_vocabulary import CategoricalVocabulary

__all__ = ["TOKENIZER_RE", "ByteProcessor", "VocabularyProcessor", "tokenizer"]

__getattr__, __dir__ = namespace(__name__)

TOKENIZER_RE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|['\w\-]+")
_KIND = "steepest vocabulary 1"


def tokenizer(iterator: Iterable[str]) -> Iterator[list[str]]:
    """Yield each text's words: letters, digits, ``_``, ``'`` and ``-``; ``TwoWords`` and ``ABC`` come apart.

    See: ``tf.contrib.learn.preprocessing.tokenizer``.
    """
    for value in iterator:
        yield TOKENIZER_RE.findall(value)


class ByteProcessor:
    """Makes of each text a row of ``max_document_length`` bytes (uint8): cut there, or filled up with 0.

    Source: ``tf.contrib.learn.preprocessing.ByteProcessor``.
    """

    def __init__(self, max_document_length: int) -> None:
        self.max_document_length = max_document_length

    def fit(self, x: Any) -> None:
        """Do nothing: bytes need no vocabulary."""

    def fit_transform(self, x: Iterable[str | bytes]) -> Iterator[Any]:
        """Return ``transform(x)``."""
        return self.transform(x)

    def transform(self, x: Iterable[str | bytes]) -> Iterator[Any]:
        """Yield each text's bytes; those of a ``str`` are its UTF-8."""
        for document in x:
            data = document.encode() if isinstance(document, str) else document
            row = np.zeros(self.max_document_length, np.uint8)
            some = np.frombuffer(data[: self.max_document_length], np.uint8)
            row[: len(some)] = some
            yield row

    def reverse(self, x: Iterable[Any]) -> Iterator[str]:
        """Yield each row's text without the zeros at its end; an empty one where bytes are not UTF-8."""
        for row in x:
            data = np.trim_zeros(np.asarray(row).astype(np.uint8), "b").tobytes()
            try:
                yield data.decode()
            except UnicodeDecodeError:
                yield ""


class VocabularyProcessor:
    """Makes of each text a row of ``max_document_length`` numbers of words (int64): cut there, or filled up with 0.

    Args:
        max_document_length: how long rows are.
        min_frequency: above 0, words must come oftener than this to be in the vocabulary.
        vocabulary: the vocabulary to begin with; by default a new one, which is the attribute ``vocabulary_``.
        tokenizer_fn: a function of texts that yields the words of each; by default ``tokenizer``.

    Source: ``tf.contrib.learn.preprocessing.VocabularyProcessor``.
    """

    def __init__(
        self,
        max_document_length: int,
        min_frequency: int = 0,
        vocabulary: CategoricalVocabulary | None = None,
        tokenizer_fn: Callable[[Any], Iterable[Any]] | None = None,
    ) -> None:
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents: Any, unused_y: Any = None) -> VocabularyProcessor:
        """Learn the words of texts, then freeze the vocabulary; return the processor itself."""
        for tokens in self._tokenizer(raw_documents):
            for token in tokens:
                self.vocabulary_.add(token)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents: Any, unused_y: Any = None) -> Iterator[Any]:
        """Learn the words of texts and return what yields their rows."""
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents: Any) -> Iterator[Any]:
        """Yield each text's row of numbers; words that are not in the vocabulary are 0."""
        for tokens in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            for at, token in zip(range(self.max_document_length), tokens, strict=False):
                row[at] = self.vocabulary_.get(token)
            yield row

    def reverse(self, documents: Iterable[Iterable[int]]) -> Iterator[str]:
        """Yield each row's words with a space between them."""
        for row in documents:
            yield " ".join(self.vocabulary_.reverse(each) for each in row)

    def save(self, filename: Any) -> None:
        """Write lengths, words and counts to a file of JSON; where TensorFlow pickles."""
        words = self.vocabulary_
        kept = {
            "kind": _KIND,
            "max_document_length": self.max_document_length,
            "min_frequency": self.min_frequency,
            "own_tokenizer": self._tokenizer is not tokenizer,
            "words": list(words._mapping),
            "counts": list(words._freq.items()),
            "reverse": words._support_reverse,
            "frozen": words._freeze,
        }
        Path(filename).write_text(json.dumps(kept), encoding="utf-8")

    @classmethod
    def restore(cls, filename: Any, tokenizer_fn: Callable[[Any], Iterable[Any]] | None = None) -> VocabularyProcessor:
        """Return the processor that ``save`` wrote.

        A program's own ``tokenizer_fn`` is not in the file: give it again, else splitting texts is a ValueError.
        Raises ValueError for other files; those of TensorFlow, which are pickled, are not read.
        """
        try:
            kept = json.loads(Path(filename).read_text(encoding="utf-8"))
            known = kept["kind"] == _KIND
        except (ValueError, TypeError, KeyError):
            known = False
        if not known:
            raise ValueError(must("VocabularyProcessor.restore", "filename", "be a file that save() wrote", filename))
        words = CategoricalVocabulary(kept["words"][0], kept["reverse"])
        words._number(kept["words"][1:])
        words._freq = defaultdict(int, [(word, count) for word, count in kept["counts"]])
        words.freeze(kept["frozen"])
        split = tokenizer_fn or (_not_given if kept["own_tokenizer"] else None)
        return cls(kept["max_document_length"], kept["min_frequency"], words, split)


def _not_given(texts: Any) -> Iterable[Any]:
    raise ValueError(must("VocabularyProcessor.restore", "tokenizer_fn", "be the one the texts were learned by", None))
