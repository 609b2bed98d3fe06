"""``tf.contrib.learn.preprocessing``: texts as rows of numbers, of words or of bytes."""

from __future__ import annotations

from ....graph.missing import namespace
from . import categorical_vocabulary, text
from .categorical_vocabulary import CategoricalVocabulary
from .text import ByteProcessor, VocabularyProcessor, tokenizer

__all__ = [
    "ByteProcessor",
    "CategoricalVocabulary",
    "VocabularyProcessor",
    "categorical_vocabulary",
    "text",
    "tokenizer",
]

__getattr__, __dir__ = namespace(__name__)
