"""Programs of constants made of nothing or of tensors, and of what the updates of averages are called."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried
from answers_choices import kinds


@graph
def constants_of_nothing_are_zeros(tf: Any) -> Any:
    nothing = [], [[]], np.zeros([0], np.int32), np.zeros([2, 0])
    filled = [tf.constant(value, shape=shape) for value in nothing for shape in ([2], [], [0, 3])]
    texts = run(tf, tf.constant([], tf.string, shape=[2]))
    return [each.dtype.name for each in filled], run(tf, filled), [text.decode() for text in texts.tolist()]


@graph
def tensors_are_no_values_of_constants(tf: Any) -> Any:
    one, variable = tf.constant(1), tf.Variable(1)
    values: list[Any] = [one, [one, 2], [[one], [2]], variable, [variable]]
    return kinds(tried(*(lambda value=value: tf.constant(value) for value in values)))


@graph
def updates_of_averages_have_their_name(tf: Any) -> Any:
    found = []
    for debiased in False, True:
        with tf.Graph().as_default():
            v = tf.get_variable("v", initializer=[1.0, 2.0])
            averages = tf.train.ExponentialMovingAverage(0.9, zero_debias=debiased)
            found.append(sorted(each.name for each in averages.apply([v, v * 2]).control_inputs))
    return found
