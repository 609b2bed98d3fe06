"""Lists of one length, pairs of words, texts as numbers; the answers are TensorFlow 1.15's."""

import random

import numpy as np
import pytest

import steepest.v1 as tf

LISTS = [[1, 2, 3], [4], [], [5, 6, 7, 8, 9]]
TEXTS = ["The cat, the dog!", "A cat's tail\tis it", "THE end. the end", ""]

sequence, text = tf.keras.preprocessing.sequence, tf.keras.preprocessing.text


@pytest.fixture(autouse=True)
def _plain_seed():
    state = random.getstate()
    yield
    random.setstate(state)


@pytest.mark.parametrize(
    ("arguments", "want"),
    [
        ({}, [[0, 0, 1, 2, 3], [0, 0, 0, 0, 4], [0] * 5, [5, 6, 7, 8, 9]]),
        ({"maxlen": 3}, [[1, 2, 3], [0, 0, 4], [0] * 3, [7, 8, 9]]),
        ({"maxlen": 3, "padding": "post"}, [[1, 2, 3], [4, 0, 0], [0] * 3, [7, 8, 9]]),
        ({"maxlen": 2, "truncating": "post", "value": -1.0}, [[1, 2], [-1, 4], [-1, -1], [5, 6]]),
    ],
)
def test_lists_get_one_length(arguments, want):
    found = sequence.pad_sequences(LISTS, **arguments)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, want)


def test_lists_of_rows_and_of_texts():
    rows = sequence.pad_sequences([[[1, 2], [3, 4]], [[5, 6]]], dtype="float32", value=0.5)
    np.testing.assert_array_equal(rows, [[[1, 2], [3, 4]], [[0.5, 0.5], [5, 6]]])
    assert sequence.pad_sequences([["a"], ["b", "c"]], dtype=object, value="-").tolist() == [["-", "a"], ["b", "c"]]


@pytest.mark.parametrize(
    ("lists", "arguments", "message"),
    [
        (LISTS, {"padding": "x"}, 'Padding type "x" not understood'),
        (LISTS, {"truncating": "x"}, 'Truncating type "x" not understood'),
        (LISTS, {"value": "s"}, "`dtype` int32 is not compatible"),
        ([1, 2], {}, "must be a list of iterables. Found non-iterable: 1"),
        (iter([]), {}, "`sequences` must be iterable"),
        ([[[1, 2]], [3]], {}, r"Shape of sample \(\) of sequence at position 1 is different"),
    ],
)
def test_what_cannot_be_rows(lists, arguments, message):
    with pytest.raises(ValueError, match=message):
        sequence.pad_sequences(lists, **arguments)


def test_pairs_of_words():
    random.seed(4)
    couples, labels = sequence.skipgrams([1, 2, 0, 3, 4], 10, window_size=2, seed=1)
    near = [couple for couple, label in zip(couples, labels, strict=True) if label]
    assert sorted(near) == [[1, 2], [2, 1], [2, 3], [3, 2], [3, 4], [4, 3]]
    assert len(couples) == 12
    assert all(1 <= word < 10 for couple in couples for word in couple)
    _, labels = sequence.skipgrams([1, 2, 3], 10, negative_samples=0.5, categorical=True, shuffle=False)
    assert labels == [[0, 1]] * 6 + [[1, 0]] * 3
    assert sequence.skipgrams([1, 2], 3, sampling_table=[0.0, -1.0, 2.0], negative_samples=0)[0] == [[2, 1]]
    table = sequence.make_sampling_table(8)
    np.testing.assert_allclose(
        table[[0, 1, 7]], np.sqrt(1e-5 * np.array([0.99366667, 0.99366667, 18.14846])), rtol=1e-5
    )


@pytest.mark.parametrize(
    ("arguments", "want", "back"),
    [
        ({}, [[1, 3, 1, 4], [5, 6, 7, 8, 9], [1, 2, 1, 2], [], [3]], "the cat the dog"),
        ({"num_words": 4}, [[1, 3, 1], [], [1, 2, 1, 2], [], [3]], "the cat the"),
        (
            {"num_words": 4, "oov_token": "<o>"},
            [[2, 1, 2, 1], [1] * 5, [2, 3, 2, 3], [], [1, 1]],
            "the <o> the <o>",
        ),
        ({"lower": False, "filters": "."}, [[3, 4, 1, 5], [6, 7, 8, 9], [10, 2, 1, 2], [], []], "The cat, the dog!"),
    ],
)
def test_texts_become_numbers(arguments, want, back):
    tokenizer = text.Tokenizer(**arguments)
    tokenizer.fit_on_texts(TEXTS)
    found = tokenizer.texts_to_sequences([*TEXTS, "unknown cat"])
    assert found == want
    assert tokenizer.sequences_to_texts(found)[0] == back
    again = text.tokenizer_from_json(tokenizer.to_json())
    assert again.texts_to_sequences(TEXTS) == want[:4]
    assert again.get_config() == tokenizer.get_config()


def test_characters_and_lists_of_words():
    tokenizer = text.Tokenizer(char_level=True)
    tokenizer.fit_on_texts(["ab a"])
    assert tokenizer.texts_to_sequences(["Ba"]) == [[2, 1]]
    tokenizer = text.Tokenizer()
    tokenizer.fit_on_texts([["A b", "c"], ["c"]])
    assert tokenizer.word_index == {"c": 1, "a b": 2}
    assert (tokenizer.document_count, dict(tokenizer.index_docs)) == (2, {1: 2, 2: 1})


def test_texts_become_rows():
    tokenizer = text.Tokenizer(num_words=4)
    tokenizer.fit_on_texts(TEXTS)
    want = {
        "binary": [0, 1, 0, 1],
        "count": [0, 2, 0, 1],
        "freq": [0, 0.66667, 0, 0.33333],
        "tfidf": [0, 1.4346, 0, 1.09861],
    }
    for mode, row in want.items():
        found = tokenizer.texts_to_matrix(TEXTS, mode)
        np.testing.assert_allclose(found[0], row, atol=1e-5)
        assert not found[3].any()
    counted = text.Tokenizer(num_words=5)
    counted.fit_on_sequences([[1, 2], [2, 3]])
    found = counted.sequences_to_matrix([[1, 2, 9], [4]], "tfidf")
    np.testing.assert_allclose(found, [[0, 0.6931, 0.5108, 0, 0], [0, 0, 0, 0, 1.0986]], atol=1e-4)


def test_what_a_tokenizer_refuses():
    with pytest.raises(ValueError, match="Specify a dimension"):
        text.Tokenizer().texts_to_matrix(TEXTS)
    with pytest.raises(ValueError, match="Fit the Tokenizer on some data"):
        text.Tokenizer(3).texts_to_matrix(TEXTS, "tfidf")
    with pytest.raises(ValueError, match="Unknown vectorization mode"):
        text.Tokenizer(3).sequences_to_matrix([[1]], "no")
    with pytest.raises(TypeError, match="Unrecognized keyword arguments"):
        text.Tokenizer(words=1)
    with pytest.warns(UserWarning, match="has been renamed"):
        assert text.Tokenizer(nb_words=2).num_words == 2


def test_hashes_of_words():
    assert text.hashing_trick("a b c a", 7, "md5") == [2, 2, 2, 2]
    assert text.hashing_trick("a bc", 7, len) == [2, 3]
    assert text.text_to_word_sequence("a--b c", split="-") == ["a", "b c"]
    assert all(1 <= number < 5 for number in text.one_hot("x y", 5))
