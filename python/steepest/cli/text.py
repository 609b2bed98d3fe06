"""From text files to numbers: reading, splitting into words, counting, subsampling."""

from __future__ import annotations

import os
import re
from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.errors import must
from .errors import CommandError

__all__ = ["Corpus", "default_text", "make_corpus", "read_files"]

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
# A word may hold digits and underscores (int32, __init__) but does not begin with a digit. Of the
# English apostrophes, a possessive 's is cut off and the others (don't, you're) stay.
_WORD = re.compile(r"[^\W\d]\w*(?:['\u2019](?:t|re|ve|ll|d|m)\b)?")
# What is not prose: addresses, the names of reStructuredText roles and directives, link targets.
_MARKUP = re.compile(
    r"https?://\S+|['\u2019]s\b|:\w+:(?=`)|^[ \t]*\.\. [\w-]+::|^[ \t]*\.\. _.*:$| <[^<>`]*>`", re.MULTILINE
)


@dataclass(frozen=True)
class Corpus:
    """A text in numbers. Word ids are ordered by falling count; rare words are left out.

    ``words`` and ``counts`` have ``V`` items, ``ids`` and ``paragraphs`` one per kept word of the text.
    """

    words: list[str]
    counts: np.ndarray[Any, np.dtype[np.int64]]
    ids: np.ndarray[Any, np.dtype[np.int32]]
    paragraphs: np.ndarray[Any, np.dtype[np.int32]]

    def subsampled(self, threshold: float, rng: np.random.Generator) -> Corpus:
        """Drop each occurrence of a word of frequency ``f`` with probability ``1 - sqrt(t/f) - t/f``.

        Frequent words say little about their neighbours; this also widens the others' windows.
        ``threshold`` 0 drops nothing. Source: Mikolov et al. 2013, and word2vec.c for the formula.
        """
        if threshold == 0:
            return self
        ratio = threshold * self.counts.sum() / self.counts
        kept = rng.random(self.ids.size) < (np.sqrt(ratio) + ratio)[self.ids]
        return Corpus(self.words, self.counts, self.ids[kept], self.paragraphs[kept])


def default_text() -> str:
    """Return Python's own documentation of its language, about 65,000 words, part of every CPython."""
    try:
        from pydoc_data.topics import topics
    except ImportError:
        text = must("words", "Python", "come with pydoc_data.topics, the default text", "none", "name a text FILE")
        raise CommandError(text) from None
    return "\n\n".join(topics.values())


def read_files(paths: Sequence[str | os.PathLike[str]]) -> str:
    """Return the files' text, one after another; CommandError for what cannot be read as UTF-8 text."""
    return "\n\n".join(_read(os.fspath(path)) for path in paths)


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except IsADirectoryError:
        raise CommandError(must("words", "FILE", "be a text file", f"the directory {path!r}")) from None
    except FileNotFoundError:
        raise CommandError(must("words", "FILE", "exist", repr(path))) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(must("words", "FILE", "be readable", f"{path!r} ({reason})")) from None
    if not data.strip():
        raise CommandError(must("words", "FILE", "contain text", f"the empty file {path!r}"))
    if b"\0" in data:
        remedy = "UTF-16 text can be converted to UTF-8"
        raise CommandError(must("words", "FILE", "be UTF-8 text", f"the binary file {path!r}", remedy))
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        got = f"byte 0x{data[error.start]:02x} at position {error.start} of {path!r}"
        raise CommandError(must("words", "FILE", "be UTF-8 text", got, "convert it first")) from None


def make_corpus(text: str, min_count: int) -> Corpus:
    """Split ``text`` into lower-case words and keep those that occur at least ``min_count`` times.

    Raises CommandError when fewer than two different words are left, or no two stand in one paragraph.
    """
    first_seen: defaultdict[str, int] = defaultdict()
    first_seen.default_factory = first_seen.__len__  # a new word gets the next number
    raw, lengths = array("i"), array("i")
    for paragraph in _PARAGRAPH.split(_MARKUP.sub(" ", text.lower())):
        before = len(raw)
        raw.extend(first_seen[match.group()] for match in _WORD.finditer(paragraph))
        lengths.append(len(raw) - before)

    ids = np.frombuffer(raw, np.intc) if raw else np.zeros(0, np.intc)
    counts = np.bincount(ids, minlength=len(first_seen))
    order = np.argsort(-counts, kind="stable")
    order = order[counts[order] >= min_count]
    if order.size < 2:
        rule = f"have at least 2 different words that occur --min-count ({min_count}) times or more"
        got = f"{order.size} of them in {ids.size} words"
        raise CommandError(must("words", "text", rule, got, "give more text or lower --min-count"))
    renumbered = np.full(len(first_seen), -1, np.int32)
    renumbered[order] = np.arange(order.size, dtype=np.int32)
    ids = renumbered[ids]
    paragraphs = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    ids, paragraphs = ids[ids >= 0], paragraphs[ids >= 0]
    if not np.any(paragraphs[1:] == paragraphs[:-1]):
        raise CommandError(must("words", "text", "have paragraphs of two or more frequent words", "none"))
    vocabulary = list(first_seen)
    return Corpus([vocabulary[i] for i in order], counts[order], ids, paragraphs)
