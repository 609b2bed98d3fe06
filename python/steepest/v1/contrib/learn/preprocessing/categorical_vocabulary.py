"""A vocabulary: words, or other categories, and their numbers in the order in which they came."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import Any

from ....graph.missing import namespace

__all__ = ["CategoricalVocabulary"]

__getattr__, __dir__ = namespace(__name__)


class CategoricalVocabulary:
    """Gives each category a number: 1, 2 and so on as they come; 0 is for unknown ones.

    Args:
        unknown_token: the category of 0.
        support_reverse: whether ``reverse`` can tell the category of a number.

    Source: ``tf.contrib.learn.preprocessing.CategoricalVocabulary``.
    """

    def __init__(self, unknown_token: Any = "<UNK>", support_reverse: bool = True) -> None:
        self._unknown_token = unknown_token
        self._support_reverse = support_reverse
        self._freq: dict[Hashable, int] = defaultdict(int)
        self._freeze = False
        self._number([])

    def _number(self, categories: list[Hashable]) -> None:
        every = [self._unknown_token, *categories]
        self._mapping: dict[Hashable, int] = {each: at for at, each in enumerate(every)}
        if self._support_reverse:
            self._reverse_mapping = every

    def __len__(self) -> int:
        """Return how many numbers there are, 0 among them."""
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """Give no more numbers: new categories are unknown; ``False`` lets it grow again."""
        self._freeze = freeze

    def get(self, category: Hashable) -> int:
        """Return a category's number; a new one gets the next, or 0 in a frozen vocabulary."""
        number = self._mapping.get(category)
        if number is not None:
            return number
        if self._freeze:
            return 0
        self._mapping[category] = len(self._mapping)
        if self._support_reverse:
            self._reverse_mapping.append(category)
        return self._mapping[category]

    def add(self, category: Hashable, count: int = 1) -> None:
        """Count a category ``count`` times more; it gets a number if it has none."""
        if self.get(category) > 0:
            self._freq[category] += count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Keep what was counted more than ``min_frequency`` times, and number it anew: the most frequent one is 1.

        Of equally frequent ones the first in the alphabet comes first. Above 0, ``max_frequency`` leaves out what was
        counted as often or oftener.
        """
        order = sorted(self._freq.items(), key=lambda item: (-item[1], isinstance(item[0], str), item[0]))
        kept = [item for item in order if item[1] > min_frequency and not 0 < max_frequency <= item[1]]
        self._freq = defaultdict(int, kept)
        self._number([category for category, _ in kept])

    def reverse(self, class_id: int) -> Any:
        """Return the category of a number. Raises ValueError where ``support_reverse`` is ``False``."""
        if not self._support_reverse:
            raise ValueError("This vocabulary wasn't initialized with support_reverse to support reverse() function.")
        return self._reverse_mapping[class_id]
