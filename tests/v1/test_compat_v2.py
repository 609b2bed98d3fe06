"""``tf.compat.v2``: its functions take TensorFlow 2's arguments by position, as TensorFlow 1.15's do."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

V2 = tf.compat.v2
X = [[1.0, 5.0, 2.0], [4.0, 0.0, 9.0]]
# What TensorFlow 1.15 gives; the first forms would take the third argument for another one.
CALLS = {
    "argmax": (lambda x: V2.argmax(x, 1, tf.int32), [1, 2]),
    "math.argmax": (lambda x: V2.math.argmax(x, 0, tf.int32), [1, 0, 1]),
    "pad": (lambda x: V2.pad(x, [[1, 0], [0, 1]], "CONSTANT", 7.0), [[7, 7, 7, 7], [1, 5, 2, 7], [4, 0, 9, 7]]),
    "size": (lambda x: V2.size(x, tf.int64), 6),
    "shape": (lambda x: V2.shape(x, tf.int64), [2, 3]),
    "nn.dropout": (lambda x: V2.nn.dropout(x, 0.0), X),
    "nn.moments": (lambda x: V2.nn.moments(x, [0], None, True)[0], [[2.5, 2.5, 5.5]]),
    "where": (lambda x: V2.where(x > 2.0, x, 0.0), [[0, 5, 0], [4, 0, 9]]),
    "gather": (lambda x: V2.gather(x, [0, 2], None, 1), [[1, 2], [4, 9]]),
    "math.in_top_k": (lambda x: V2.math.in_top_k([1, 2], x, 1), [True, True]),
    "boolean_mask": (lambda x: V2.boolean_mask(x, [True, False, True], 1), [[1, 2], [4, 9]]),
    "math.confusion_matrix": (lambda x: V2.math.confusion_matrix([0, 1], [1, 1], 2, [2, 3]), [[0, 2], [0, 3]]),
    "strings.length": (lambda x: V2.strings.length(tf.constant("aé"), "UTF8_CHAR"), 2),
    "sparse.segment_sum": (lambda x: V2.sparse.segment_sum(x, [0, 1], [0, 2], 4), [X[0], [0] * 3, X[1], [0] * 3]),
    "initializers": (lambda x: V2.ones_initializer()([2]), [1, 1]),
    "the same": (lambda x: V2.reduce_sum(x, 1, True), [[8], [13]]),
}


@pytest.mark.parametrize("name", CALLS)
def test_arguments_are_those_of_tensorflow_2(name: str):
    function, want = CALLS[name]
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(function(tf.constant(X))), want)


@pytest.mark.parametrize("path", ["summary", "image.resize", "strings.split"])
def test_what_means_something_else_is_not_here(path: str):
    def found() -> Any:
        space = V2
        for part in path.split("."):
            space = getattr(space, part)
        return space

    with pytest.raises(AttributeError, match=f"tf.compat.v2.{path} is not here: it is not what tf.{path} is"):
        found()


@pytest.mark.parametrize("name", ["losses", "metrics", "optimizers"])
def test_what_is_keras_there_is_left_out(name: str):
    with pytest.raises(AttributeError, match=f"tf.keras.{name} is not here: estimators and Keras are left out"):
        getattr(V2, name)


# What libraries compare with their own functions.
SIGNATURES = {
    "concat": "(values, axis, name='concat')",
    "split": "(value, num_or_size_splits, axis=0, num=None, name='split')",
    "reduce_sum": "(input_tensor, axis=None, keepdims=False, name=None)",
    "reduce_any": "(input_tensor, axis=None, keepdims=False, name=None)",
    "ones_like": "(input, dtype=None, name=None)",
    "zeros_like": "(input, dtype=None, name=None)",
    "pad": "(tensor, paddings, mode='CONSTANT', constant_values=0, name=None)",
    "shape": "(input, out_type='int32', name=None)",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_are_the_second_forms(name: str):
    bare = [each.replace(annotation=each.empty) for each in inspect.signature(getattr(V2, name)).parameters.values()]
    assert str(inspect.Signature(bare)) == SIGNATURES[name]


def test_required_arguments_stay_required():
    with pytest.raises(TypeError, match="axis"):
        V2.concat([[1], [2]])
    with pytest.raises(TypeError, match="num_or_size_splits"):
        V2.split(tf.constant([1, 2]))
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(V2.concat([[1], [2]], 0)), [1, 2])
        np.testing.assert_array_equal(session.run(V2.split(tf.constant([1, 2]), 2)[1]), [2])
        np.testing.assert_array_equal(session.run(V2.reduce_sum(tf.constant([[1, 2]]), 1, True)), [[3]])


def test_names_of_initializers_do_not_hide_functions():
    with tf.Session() as session:
        assert session.run(V2.identity(tf.constant(3), name="same")) == 3
    assert V2.Module is tf.Module
    assert V2.zeros_initializer is not tf.zeros_initializer


def test_programs_import_it():
    program = (
        "from steepest.v1 import as_tensorflow; as_tensorflow.install()\n"
        "import tensorflow as tf\nimport tensorflow.compat.v2 as tf2\nfrom tensorflow.compat.v2 import nn\n"
        "assert tf.compat.v2 is tf2 and nn.dropout.__name__ == 'dropout_v2'\n"
        "print(tf2.argmax([1, 2], 0, tf.int32).dtype)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "<dtype: 'int32'>\n"
