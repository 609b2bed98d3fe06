"""Checkpoints of objects, read by savers and by `tf.train.warm_start`, which know the names of variables alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from steepest.v1.python.training import saver as saver_lib

import steepest.v1 as tf
from steepest.v1.saving.saveables import SaveableObject, SaveSpec


def saved(folder: Path) -> str:
    """Return the path of a checkpoint of two variables, which are ``x`` and ``y`` of the first object."""
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = made([1.0, 2.0], 5)
        session.run(tf.global_variables_initializer())
        path: str = tf.train.Checkpoint(x=a, y=b).save(str(folder / "checkpoint"), session=session)
        return path


def made(first: Any, second: Any) -> tuple[Any, Any]:
    return tf.get_variable("a", initializer=first), tf.get_variable("b", initializer=second)


def test_a_saver_finds_variables_by_the_names_that_they_had(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    path = saved(tmp_path)
    a, b = made([0.0, 0.0], 0)
    with tf.Session() as session:
        tf.train.Saver().restore(session, path)
        assert session.run(a).tolist() == [1.0, 2.0]
        assert session.run(b) == 5
    assert "Restoring an object-based checkpoint using a name-based saver" in caplog.text
    keys = saver_lib.object_graph_key_mapping(path)
    assert keys == {name: f"{key}/.ATTRIBUTES/VARIABLE_VALUE" for name, key in (("a", "x"), ("b", "y"))} | {
        "save_counter": "save_counter/.ATTRIBUTES/VARIABLE_VALUE"
    }


def test_a_saver_says_which_names_are_missing(tmp_path: Path):
    path = saved(tmp_path)
    a, b = made([0.0, 0.0], 0)
    new = tf.get_variable("new", initializer=3.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.NotFoundError) as error:
            tf.train.Saver().restore(session, path)
        assert session.run([a, b, new])[1] == 0
        tf.train.Saver({"b": b}).restore(session, path)
        assert session.run(b) == 5
        with pytest.raises(tf.errors.InvalidArgumentError, match="Original error"):
            tf.train.Saver({"a": b}).restore(session, path)
    words = str(error.value)
    assert words.startswith("\n\nExisting variables not in the checkpoint: new\n\nVariables names when this")
    assert "don't exist now: save_counter\n\n(2 variable name(s) did match)\n\nCould not find" in words


def test_a_saver_of_names_has_no_keys_of_objects(tmp_path: Path):
    made([1.0, 2.0], 5)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "names"))
    with pytest.raises(tf.errors.NotFoundError, match="_CHECKPOINTABLE_OBJECT_GRAPH not found in checkpoint"):
        saver_lib.object_graph_key_mapping(path)


def test_what_saves_itself_is_found_too(tmp_path: Path):
    class Doubled(SaveableObject):
        """A variable that is kept as its double."""

        def __init__(self, variable: Any, name: str) -> None:
            super().__init__(variable, [SaveSpec(variable * 2.0, "", name)], name)

        def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
            return self.op.assign(restored_tensors[0] / 2.0)

    path = saved(tmp_path)
    a, _ = made([0.0, 0.0], 0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver([Doubled(a, "a")]).restore(session, path)
        assert session.run(a).tolist() == [0.5, 1.0]
        with pytest.raises(tf.errors.NotFoundError, match="not in the checkpoint: other"):
            tf.train.Saver([Doubled(a, "other")]).restore(session, path)


def test_variables_begin_with_those_of_objects(tmp_path: Path):
    saved(tmp_path)
    a, b = made([0.0, 0.0], 0)
    tf.train.warm_start(str(tmp_path))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(a).tolist() == [1.0, 2.0]
        assert session.run(b) == 5
    with pytest.raises(ValueError, match="Tensor b is not found"):
        tf.train.warm_start(str(tmp_path), var_name_to_prev_var_name={"a": "x/.ATTRIBUTES/VARIABLE_VALUE"})
    tf.get_variable("new", initializer=3.0)
    with pytest.raises(ValueError, match=r"The following variables were missing: \{'new'\}"):
        tf.train.warm_start(str(tmp_path))
