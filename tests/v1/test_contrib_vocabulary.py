"""``tf.contrib.learn.preprocessing``: texts as rows of numbers. Expected numbers are worked out by hand."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from steepest.v1.contrib import learn

TEXTS = ["the cat sat", "the dog isn't the-cat", "OpenAI's GPT model", ""]


def test_words_get_numbers_in_the_order_they_come_and_rows_are_cut_or_filled_up():
    processor = learn.preprocessing.VocabularyProcessor(4)
    rows = np.array(list(processor.fit_transform(TEXTS)))
    assert rows.dtype == np.int64
    assert rows.tolist() == [[1, 2, 3, 0], [1, 4, 5, 6], [7, 8, 9, 10], [0, 0, 0, 0]]
    assert list(processor.vocabulary_._mapping)[7:] == ["Open", "AI", "'s", "GPT", "model"]
    assert next(processor.transform(["the bird sat"])).tolist() == [1, 0, 3, 0]
    assert list(processor.reverse([[1, 0, 3]])) == ["the <UNK> sat"]
    assert len(processor.vocabulary_) == 12


def test_rare_words_are_left_out_and_the_frequent_ones_come_first():
    processor = learn.preprocessing.VocabularyProcessor(3, min_frequency=1)
    rows = [row.tolist() for row in processor.fit_transform(["b a", "c a b", "a d", "0 0"])]
    assert processor.vocabulary_._mapping == {"<UNK>": 0, "a": 1, "0": 2, "b": 3}
    assert rows == [[3, 1, 0], [0, 1, 3], [1, 0, 0], [2, 2, 0]]


def test_the_most_frequent_categories_can_be_left_out_too():
    vocabulary = learn.preprocessing.CategoricalVocabulary(support_reverse=False)
    for category, count in (("a", 5), ("b", 2), (7, 2), ("c", 1)):
        vocabulary.add(category, count)
    vocabulary.trim(1, max_frequency=5)
    assert vocabulary._mapping == {"<UNK>": 0, 7: 1, "b": 2}
    assert [vocabulary.get("c"), len(vocabulary)] == [3, 4]
    with pytest.raises(ValueError, match="wasn't initialized with support_reverse"):
        vocabulary.reverse(1)


def test_bytes_are_rows_and_texts_again():
    processor = learn.preprocessing.ByteProcessor(5)
    rows = list(processor.fit_transform(["é!", b"abcdefg"]))
    assert [row.tolist() for row in rows] == [[195, 169, 33, 0, 0], [97, 98, 99, 100, 101]]
    assert list(processor.reverse([*rows, np.array([195])])) == ["é!", "abcde", ""]


def _letters(texts: Any) -> Any:
    return (list(text) for text in texts)


def test_a_saved_processor_goes_on_where_it_was(tmp_path):
    processor = learn.preprocessing.VocabularyProcessor(4, min_frequency=1).fit(["a b b", "c b a"])
    processor.save(str(tmp_path / "words"))
    for again in (processor.restore(str(tmp_path / "words")), pickle.loads(pickle.dumps(processor))):
        assert vars(again.vocabulary_) == vars(processor.vocabulary_)
        assert next(again.transform(["c a b"])).tolist() == [0, 2, 1, 0]


def test_a_tokenizer_of_the_program_is_given_again(tmp_path):
    processor = learn.preprocessing.VocabularyProcessor(3, tokenizer_fn=_letters).fit(["ab"])
    processor.save(tmp_path / "words")
    assert next(processor.restore(tmp_path / "words", _letters).transform(["ba"])).tolist() == [2, 1, 0]
    with pytest.raises(ValueError, match="tokenizer_fn must be the one"):
        next(processor.restore(tmp_path / "words").transform(["ba"]))
    (tmp_path / "other").write_bytes(pickle.dumps({"kind": 1}))
    with pytest.raises(ValueError, match="filename must be a file that save"):
        processor.restore(tmp_path / "other")
