"""``tf.keras.preprocessing.text``: texts as lists of the numbers of their words."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ...graph.missing import namespace

__all__ = ["Tokenizer", "hashing_trick", "one_hot", "text_to_word_sequence", "tokenizer_from_json"]

FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'
"""What separates words: punctuation without ``'``, tabs and ends of lines."""


def text_to_word_sequence(text: str, filters: str = FILTERS, lower: bool = True, split: str = " ") -> list[str]:
    """Return a text's words, without the characters of ``filters``; ``lower``: in lower case.

    Example:
        >>> from steepest import v1 as tf
        >>> tf.keras.preprocessing.text.text_to_word_sequence("It's red, blue.")
        ["it's", 'red', 'blue']

    Source: ``tf.keras.preprocessing.text.text_to_word_sequence``.
    """
    text = text.lower() if lower else text
    marks: dict[str, str | int | None] = dict.fromkeys(filters, split)
    return [word for word in text.translate(str.maketrans(marks)).split(split) if word]


def hashing_trick(
    text: str,
    n: int,
    hash_function: str | Callable[[str], int] | None = None,
    filters: str = FILTERS,
    lower: bool = True,
    split: str = " ",
) -> list[int]:
    """Return for each word a number from 1 to ``n - 1``: its hash, which other words may have too.

    ``hash_function`` is Python's by default, which is another one in each process; "md5", or a program's own.

    Source: ``tf.keras.preprocessing.text.hashing_trick``.
    """
    chosen: Any = hash if hash_function is None else _md5 if hash_function == "md5" else hash_function
    return [chosen(word) % (n - 1) + 1 for word in text_to_word_sequence(text, filters, lower, split)]


def one_hot(text: str, n: int, filters: str = FILTERS, lower: bool = True, split: str = " ") -> list[int]:
    """Return what `hashing_trick` does with Python's hash. Source: ``tf.keras.preprocessing.text.one_hot``."""
    return hashing_trick(text, n, hash, filters, lower, split)


def _md5(word: str) -> int:
    return int(hashlib.md5(word.encode(), usedforsecurity=False).hexdigest(), 16)


class Tokenizer:
    """Numbers words by how often they come in texts; 1 is the number of the most frequent one.

    Args:
        num_words: numbers are below it; more rare words are left out. None for all.
        filters, lower, split: see `text_to_word_sequence`.
        char_level: characters are numbered in place of words.
        oov_token: what stands for words without a number; its own is 1. By default they are left out.

    ``word_index`` has the words' numbers, ``index_word`` the numbers' words, ``word_counts`` how often words came,
    ``word_docs`` in how many texts, and ``document_count`` is the number of texts.

    Example:
        >>> from steepest import v1 as tf
        >>> tokenizer = tf.keras.preprocessing.text.Tokenizer()
        >>> tokenizer.fit_on_texts(["a cat", "a dog"])
        >>> tokenizer.texts_to_sequences(["a dog and a cat"])
        [[1, 3, 1, 2]]

    Source: ``tf.keras.preprocessing.text.Tokenizer``.
    """

    def __init__(
        self,
        num_words: int | None = None,
        filters: str = FILTERS,
        lower: bool = True,
        split: str = " ",
        char_level: bool = False,
        oov_token: str | None = None,
        document_count: int = 0,
        **kwargs: Any,
    ) -> None:
        if "nb_words" in kwargs:
            warnings.warn("The `nb_words` argument in `Tokenizer` has been renamed `num_words`.", stacklevel=2)
            num_words = kwargs.pop("nb_words")
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self.num_words, self.filters, self.lower, self.split = num_words, filters, lower, split
        self.char_level, self.oov_token, self.document_count = char_level, oov_token, document_count
        self.word_counts: dict[str, int] = OrderedDict()
        self.word_docs: dict[str, int] = defaultdict(int)
        self.index_docs: dict[int, int] = defaultdict(int)
        self.word_index: dict[str, int] = {}
        self.index_word: dict[int, str] = {}

    def _words(self, text: Any) -> Any:
        if isinstance(text, list):
            return [word.lower() for word in text] if self.lower else text
        if self.char_level:
            return text.lower() if self.lower else text
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts: Iterable[Any]) -> None:
        """Count the words of texts, which may be lists of words, and number them."""
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1
        ordered = sorted(self.word_counts, key=lambda word: -self.word_counts[word])
        known = ordered if self.oov_token is None else [self.oov_token, *ordered]
        self.word_index = {word: number for number, word in enumerate(known, 1)}
        self.index_word = {number: word for word, number in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences: Sequence[Any]) -> None:
        """Count in how many lists each number is, for `sequences_to_matrix`."""
        self.document_count += len(sequences)
        for each in sequences:
            for number in set(each):
                self.index_docs[number] += 1

    def texts_to_sequences(self, texts: Iterable[Any]) -> list[list[int]]:
        """Return the texts as lists of numbers."""
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts: Iterable[Any]) -> Iterator[list[int]]:
        """Yield the texts as lists of numbers."""
        for text in texts:
            yield list(self._kept(self.word_index.get(word) for word in self._words(text)))

    def sequences_to_texts(self, sequences: Iterable[Any]) -> list[str]:
        """Return lists of numbers as texts, with a space between words."""
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences: Iterable[Any]) -> Iterator[str]:
        """Yield lists of numbers as texts."""
        for each in sequences:
            known = (number if number in self.index_word else None for number in each)
            yield " ".join(self.index_word[number] for number in self._kept(known))

    def _kept(self, numbers: Iterable[int | None]) -> Iterator[int]:
        """Yield the numbers below ``num_words``, and that of ``oov_token`` for others."""
        other = self.word_index.get(self.oov_token) if self.oov_token is not None else None
        for number in numbers:
            if number is not None and not (self.num_words and number >= self.num_words):
                yield number
            elif other is not None:
                yield other

    def texts_to_matrix(self, texts: Iterable[Any], mode: str = "binary") -> np.ndarray:
        """Return a row for each text: see `sequences_to_matrix`."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode)

    def sequences_to_matrix(self, sequences: Sequence[Any], mode: str = "binary") -> np.ndarray:
        """Return a row for each list, float64, with a column for each number below ``num_words``.

        Args:
            mode: "binary" for 1 where the number is in the list, "count" for how often, "freq" for its share,
                "tfidf" for ``(1 + log(count)) * log(1 + documents / (1 + documents with it))``.

        Raises ValueError for another mode, and before anything was counted.
        """
        columns = self.num_words or (len(self.word_index) + 1 if self.word_index else 0)
        if not columns:
            raise ValueError("Specify a dimension (`num_words` argument), or fit on some text data first.")
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        weights: dict[str, Callable[[int, int, int], float]] = {
            "binary": lambda number, count, length: 1,
            "count": lambda number, count, length: count,
            "freq": lambda number, count, length: count / length,
            "tfidf": lambda number, count, length: (
                (1 + np.log(count)) * np.log(1 + self.document_count / (1 + self.index_docs.get(number, 0)))
            ),
        }
        if mode not in weights:
            raise ValueError("Unknown vectorization mode:", mode)
        out = np.zeros((len(sequences), columns))
        for row, each in zip(out, sequences, strict=True):
            for number, count in Counter(each).items():
                if number < columns:
                    row[number] = weights[mode](number, count, len(each))
        return out

    def get_config(self) -> dict[str, Any]:
        """Return the settings, and what was counted as JSON."""
        settings = ("num_words", "filters", "lower", "split", "char_level", "oov_token", "document_count")
        return {
            **{name: getattr(self, name) for name in settings},
            **{name: json.dumps(getattr(self, name)) for name in _COUNTED},
        }

    def to_json(self, **kwargs: Any) -> str:
        """Return what `tokenizer_from_json` makes the same tokenizer of; arguments are those of `json.dumps`."""
        return json.dumps({"class_name": type(self).__name__, "config": self.get_config()}, **kwargs)


_COUNTED = ("word_counts", "word_docs", "index_docs", "index_word", "word_index")


def tokenizer_from_json(json_string: str) -> Tokenizer:
    """Return the tokenizer of which `Tokenizer.to_json` told.

    Source: ``tf.keras.preprocessing.text.tokenizer_from_json``.
    """
    config = json.loads(json_string)["config"]
    counted = {name: json.loads(config.pop(name)) for name in _COUNTED}
    made = Tokenizer(**config)
    for name, held in counted.items():
        by_number = name.startswith("index_")  # whose keys JSON makes texts
        setattr(made, name, {int(key): value for key, value in held.items()} if by_number else held)
    return made


__getattr__, __dir__ = namespace(__name__)
