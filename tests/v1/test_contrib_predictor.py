"""``tf.contrib.predictor``: saved models as functions of dicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import steepest.v1 as tf

X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    where = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        w = tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2))
        y = tf.matmul(x, w, name="y")
        tf.square(y, name="z")
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, where, inputs={"in": x}, outputs={"out": y})
    return where


def test_a_saved_model_is_a_function(folder: str) -> None:
    expected = X @ np.arange(6, dtype=np.float32).reshape(3, 2)
    predict = tf.contrib.predictor.from_saved_model(folder)
    found = predict({"in": X})
    assert list(found) == ["out"]
    np.testing.assert_allclose(found["out"], expected, rtol=1e-6)
    assert predict.feed_tensors["in"].name == "x:0"
    assert predict.fetch_tensors["out"].graph is predict.graph is predict.session.graph
    assert predict.graph is not tf.get_default_graph()
    with pytest.raises(ValueError, match=r"Got unexpected keys in input_dict: {'other'}\nexpected: {'in'}"):
        predict({"other": X})
    named = tf.contrib.predictor.from_saved_model(folder, input_names={"a": "x:0"}, output_names={"b": "z:0"})
    np.testing.assert_allclose(named({"a": X})["b"], expected**2, rtol=1e-5)


def test_what_the_model_does_not_have_is_refused(folder: str) -> None:
    load = tf.contrib.predictor.from_saved_model
    with pytest.raises(ValueError, match=r"signature_def_key 'mine'. Available signatures are \['serving_default'\]"):
        load(folder, "mine")
    with pytest.raises(ValueError, match="signature_def_key must be given alone"):
        load(folder, "serving_default", input_names={"a": "x:0"}, output_names={"b": "y:0"})
    with pytest.raises(ValueError, match="input_names must be given with output_names"):
        load(folder, input_names={"a": "x:0"})
    with pytest.raises(RuntimeError, match="tags"):
        load(folder, tags="train")
