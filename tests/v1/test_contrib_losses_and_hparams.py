"""``tf.contrib.losses``, ``metrics`` and ``training.HParams``: arguments in their order, weights, texts."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.contrib import slim, training

X = np.random.default_rng(3).normal(size=(5, 6)).astype("f")


def run(node: Any, feeds: Any = None) -> Any:
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        return session.run(node, feeds)


def test_contrib_losses_have_the_predictions_first():
    labels = tf.constant((X > 0).astype("f"))
    for name in ("absolute_difference", "mean_squared_error", "log_loss", "sigmoid_cross_entropy"):
        predictions = tf.nn.sigmoid(X)
        old = getattr(slim.losses, name)(predictions, labels, weight=2.0)
        new = getattr(tf.losses, name)(labels, predictions, 2.0)
        assert run(old) == run(new)
    classes = tf.constant([0, 1, 2, 3, 4])
    old = slim.losses.sparse_softmax_cross_entropy(tf.constant(X), classes)
    assert run(old) == run(slim.losses.softmax_cross_entropy(tf.constant(X), tf.one_hot(classes, 6)))
    assert run(slim.losses.hinge_loss(X, labels)).shape == X.shape
    unit = tf.nn.l2_normalize(X, 1)
    assert run(slim.losses.cosine_distance(unit, unit, 1)) == pytest.approx(0, abs=1e-5)
    assert run(slim.losses.cosine_distance(unit, unit, dim=1)) == pytest.approx(0, abs=1e-5)
    assert len(slim.losses.get_losses()) == 12


def test_contrib_losses_take_weights_of_the_first_axes():
    """`tf.losses` refuses those; the numbers are those of tf_slim's own tests of these functions."""
    predictions = tf.constant([[4.0, 8.0, 12.0], [8.0, 1.0, 3.0]])
    labels = tf.constant([[1.0, 9.0, 2.0], [-5.0, -2.0, 6.0]])
    squares, kept = np.square([[3, -1, 10], [13, 3, -3]]), tf.constant([1.2, 3.4])
    of_rows = (squares.mean(1) * [1.2, 3.4]).mean()
    assert run(slim.losses.mean_squared_error(predictions, labels, kept)) == pytest.approx(of_rows)
    assert run(slim.losses.mean_squared_error(predictions, labels, kept[:, None])) == pytest.approx(of_rows)
    first = slim.losses.mean_squared_error(predictions, labels, tf.constant([1.0, 0.0]))
    assert run(first) == pytest.approx(squares[0].mean())
    assert run(slim.losses.mean_squared_error(predictions, labels, 0.0)) == 0
    deep = tf.constant(np.arange(12.0, dtype="f").reshape(3, 2, 2))
    some = slim.losses.compute_weighted_loss(deep, tf.constant([[1.0, 0.0], [2.0, 1.0], [0.0, 0.0]]))
    assert run(some) == pytest.approx(((0 + 1) + 2 * (4 + 5) + (6 + 7)) / 6)
    with pytest.raises(ValueError, match=r"weights.get_shape\(\).ndims cannot be None"):
        slim.losses.compute_weighted_loss(deep, tf.placeholder(tf.float32))
    with pytest.raises(ValueError, match="Dimensions must be equal"):
        slim.losses.softmax_cross_entropy(predictions, labels, tf.ones([2, 3]))


def test_the_pairwise_error_of_contrib_is_of_all_elements():
    d = np.array([[3, -1, 10], [13, 3, -3]], float)
    each = 2 * (d**2).mean(1) - 2 * d.mean(1) ** 2
    predictions, labels = tf.constant(d, tf.float32), tf.zeros([2, 3])
    made = slim.losses.mean_pairwise_squared_error
    assert run(made(predictions, labels)) == pytest.approx(each.sum(), rel=1e-5)
    assert run(made(predictions, labels, tf.constant([0.5, 2.0]))) == pytest.approx(each @ [0.5, 2], rel=1e-5)
    assert run(made(predictions, labels, tf.zeros([2]))) == 0
    with slim.arg_scope([slim.losses.add_loss], loss_collection=None):
        made(predictions, labels)
    assert len(slim.losses.get_losses()) == 3


def test_contrib_metrics_have_the_predictions_first():
    predictions, labels = tf.constant([1, 0, 1, 1]), tf.constant([1, 1, 0, 1])
    for name in ("accuracy", "precision", "recall", "true_positives", "false_negatives"):
        old = getattr(slim.metrics, f"streaming_{name}")(predictions, labels)[1]
        assert run(old) == run(getattr(tf.metrics, name)(labels, predictions)[1])
    assert run(slim.metrics.accuracy(predictions, labels)) == 0.5
    assert run(slim.metrics.accuracy(predictions, labels, [1.0, 0.0, 0.0, 1.0])) == 1
    with pytest.raises(ValueError, match="dtypes of predictions and labels must match"):
        slim.metrics.accuracy([1.0], labels)
    scores = tf.constant([0.9, 0.2, 0.8, 0.7])
    auc = slim.metrics.streaming_auc(scores, labels)
    assert run(auc[1]) == run(tf.metrics.auc(labels, scores)[1])
    values, updates = slim.metrics.aggregate_metric_map({"auc": auc, "mean": slim.metrics.streaming_mean(scores)})
    assert list(values) == list(updates) == ["auc", "mean"]
    assert slim.metrics.aggregate_metrics(auc) == ([auc[0]], [auc[1]])


def test_hparams_keep_their_types():
    hparams = training.HParams(rate=0.1, layers=[3, 4], name="a", fast=False, steps=5)
    assert hparams.parse("rate=1,layers=[7,8,9],fast=true,name=b") is hparams
    assert hparams.values() == {"rate": 1.0, "layers": [7, 8, 9], "name": "b", "fast": True, "steps": 5}
    assert type(hparams.rate) is float
    assert json.loads(hparams.override_from_dict({"steps": 6}).to_json())["steps"] == 6
    assert (hparams.get("none", 3), "rate" in hparams, hparams.parse_json('{"rate": 2}').rate) == (3, True, 2.0)
    hparams.add_hparam("more", None)
    hparams.del_hparam("steps")
    assert "steps" not in hparams
    for bad in (
        lambda: hparams.set_hparam("rate", "x"),
        lambda: hparams.set_hparam("layers", 3),
        lambda: hparams.set_hparam("rate", [1.0]),
        lambda: hparams.parse("nosuch=1"),
        lambda: hparams.parse("rate"),
        lambda: hparams.parse("fast=maybe"),
        lambda: hparams.parse("rate=[1]"),
        lambda: hparams.add_hparam("rate", 1),
        lambda: hparams.add_hparam("empty", []),
        lambda: hparams.get("rate", "a text"),
    ):
        with pytest.raises(ValueError, match=r"hparam|yperparam|Must (not )?pass"):
            bad()
    with pytest.raises(AssertionError, match="hparam_def must be what to_proto"):
        training.HParams(hparam_def=1)
    assert training.HParams(hparam_def=hparams.to_proto()).values() == hparams.values()
    assert training.HParams.from_proto(hparams.to_proto()).rate == hparams.rate


def test_texts_of_hyperparameters():
    parse = training.parse_values
    kinds = {"a": int, "b": bool, "c": str, "d.e": float}
    assert parse("a[0]=5,b=true,c=[x,y],d.e=1", kinds) == {"a": {0: 5}, "b": True, "c": ["x", "y"], "d.e": 1.0}
    assert parse("c=,z[1]=2,a=[]", kinds, ignore_unknown=True) == {"c": "", "a": []}
    for text, said in (
        ("a[1]=[1,2]", "Assignment of a list to a list index"),
        ("z=1", "Unknown hyperparameter type for z"),
        ("a=1,a=2", "Multiple assignments to variable 'a'"),
        ("a[0]=1,a[0]=2", r"Multiple assignments to variable 'a\[0\]'"),
        ("a=[1],a[0]=2", "Multiple assignments to variable 'a'"),
        ("a[0]=1,a=[1]", "Multiple assignments to variable 'a'"),
        ("b=maybe", "Could not parse hparam 'b' of type 'bool'"),
        ("d.e=[1,x]", "Could not parse hparam 'd.e' of type 'float'"),
        ("=1", "Malformed hyperparameter value"),
    ):
        with pytest.raises(ValueError, match=said):
            parse(text, kinds)
