"""What savers and readers of checkpoints take in other forms: objects, paths with a scheme, open name scopes."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import pytest
from steepest.v1.python.framework import test_util
from steepest.v1.python.training.tracking import base

import steepest.v1 as tf


class _Holder(base.Trackable):
    """An object that saves a variable and another one as an attribute."""

    def __init__(self) -> None:
        self.main = tf.get_variable("main", initializer=6.0, use_resource=True)
        self.more = tf.get_variable("more", initializer=7.0, use_resource=True)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {base.VARIABLE_VALUE_KEY: self.main, "extra": self.more}


class ObjectsTest(tf.test.TestCase):
    """The same in both modes."""

    @test_util.run_in_graph_and_eager_modes
    def test_variables_of_objects_are_saved(self) -> None:
        held = _Holder()
        for given, names in (([held], ["main", "more"]), ({"v": held}, ["v", "v_extra"])):
            saver = tf.train.Saver(given)
            with self.cached_session() as session:
                self.evaluate([held.main.assign(42.0), held.more.assign(43.0)])
                path = saver.save(session, self.get_temp_dir() + "/c")
                self.evaluate([held.main.assign(0.0), held.more.assign(0.0)])
                saver.restore(session, path)
                assert self.evaluate([held.main, held.more]) == [42.0, 43.0]
            assert sorted(tf.train.load_checkpoint(path).get_variable_to_shape_map()) == names


def test_paths_with_a_scheme_stay_as_they_are(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=1.0)
        session.run(v.initializer)
        saver = tf.train.Saver()
        path = saver.save(session, f"file://{tmp_path}/c", global_step=3)
        assert path == f"file://{tmp_path}/c-3"
        session.run(v.assign(2.0))
        saver.restore(session, path)
        assert session.run(v) == 1.0
        assert tf.train.latest_checkpoint(str(tmp_path)) == f"{tmp_path}/c-3"


def test_readers_show_what_there_is(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("b", initializer=[[1.0, 2.0]])
        tf.get_variable("a", initializer=3)
        session.run(tf.global_variables_initializer())
        reader = tf.train.NewCheckpointReader(tf.train.Saver().save(session, str(tmp_path / "c")))
    assert reader.debug_string() == b"a (DT_INT32) []\nb (DT_FLOAT) [1,2]\n"
    with pytest.raises(tf.errors.NotFoundError, match="Unsuccessful TensorSliceReader constructor"):
        tf.train.NewCheckpointReader(str(tmp_path / "none"))


def test_graphs_are_made_below_open_scopes(tmp_path: Path):
    path = str(tmp_path / "c")
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=5.0)
        w = tf.get_variable("w", initializer=1.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        session.run(v.initializer)
        tf.train.Saver().save(session, path)
        builder = tf.saved_model.Builder(str(tmp_path / "model"))
        builder.add_meta_graph_and_variables(session, ["a"], legacy_init_op=tf.group(tf.assign(w, 9.0)))
        builder.save()
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.name_scope("outer"):
            tf.train.import_meta_graph(path + ".meta").restore(session, path)
            tf.saved_model.load(session, ["a"], str(tmp_path / "model"), import_scope="inner")
            loader = tf.saved_model.loader.SavedModelLoader(str(tmp_path / "model"))
            loader.load(session, ["a"], "inner")
            loader.load_graph(session.graph, ["a"], "last")
        names = [f"outer/{name}:0" for name in ("v", "inner/v", "inner/w", "inner_1/v", "inner_1/w")]
        assert session.run(names) == [5, 5, 9, 5, 9]
        session.run("outer/inner_1/w/Assign")  # its first value again
        loader.run_init_ops(session, ["a"], "inner")
        loader.run_init_ops(session, ["a"])
        assert session.run(["outer/inner_1/w:0", "outer/last/w:0"]) == [9, 9]


def test_operations_of_savers_are_not_in_files_of_graphs_and_made_again(tmp_path: Path):
    v = tf.Variable(2.0, name="v")
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(saver.saver_def.save_tensor_name, {saver.saver_def.filename_tensor_name: str(tmp_path / "model")})
        saver.save(session, str(tmp_path / "other"))
    tf.reset_default_graph()
    again = tf.train.import_meta_graph(str(tmp_path / "other.meta"))
    assert not [op for op in tf.get_default_graph().get_operations() if op.name.startswith("save")]
    with tf.Session() as session:
        session.run(again.saver_def.restore_op_name, {again.saver_def.filename_tensor_name: str(tmp_path / "model")})
        assert session.run("v:0") == 2


def test_any_file_exists_as_a_checkpoint_but_is_none(tmp_path: Path):
    (tmp_path / "model.meta").write_text("{}")
    assert tf.train.checkpoint_exists(str(tmp_path / "model.meta"))
    assert len(tf.train.get_checkpoint_mtimes([str(tmp_path / "model.meta"), str(tmp_path / "none")])) == 1
    v = tf.Variable(2.0, name="v")
    with tf.Session() as session, pytest.raises(ValueError, match="not a valid checkpoint"):
        tf.train.Saver([v]).restore(session, str(tmp_path / "model.meta"))


def test_a_saver_of_another_graph_goes_by_names(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session() as session:
        first = tf.Variable(1.0, name="v")
        saver = tf.train.Saver()
        session.run(first.initializer)
        path = saver.save(session, str(tmp_path / "first"))
    with tf.Graph().as_default(), tf.Session() as session:
        second = tf.Variable(2.0, name="v")
        saver.restore(session, path)
        assert session.run(second) == 1.0
        session.run(second.initializer)
        saved = saver.save(session, str(tmp_path / "second"))
        assert tf.train.load_checkpoint(saved).get_tensor("v") == 2.0
    with tf.Graph().as_default(), tf.Session() as session:
        tf.Variable(3.0, name="w")
        for call in (saver.restore, saver.save):
            with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor"):
                call(session, path)


@pytest.mark.parametrize("folder", ["./made", "made/", ".//made", "made/.", "./made/../made"])
def test_paths_of_checkpoints_begin_as_their_folder_was_spelled(tmp_path, monkeypatch, folder):
    """Programs cut the folder off with the text they gave."""
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("made").mkdir()
    tf.Variable(1.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, os.path.join(folder, "m"), 2)
    state = tf.train.get_checkpoint_state(folder)
    assert state.model_checkpoint_path == tf.train.latest_checkpoint(folder) == os.path.join(folder, "m-2")
    assert state.all_model_checkpoint_paths == [os.path.join(folder, "m-2")]
    monkeypatch.chdir(tmp_path / "made")
    assert tf.train.latest_checkpoint("") == "m-2"
    assert tf.train.latest_checkpoint(".") == "./m-2"


def test_arrays_of_a_checkpoint_are_printed(tmp_path, capsys):
    """Recorded of TensorFlow 1.15's ``inspect_checkpoint``."""
    inspect_checkpoint = importlib.import_module("steepest.v1.python.tools.inspect_checkpoint")
    tf.get_variable("b/v", initializer=[[1.0, 2.0], [3.0, 4.0]])
    tf.get_variable("a", initializer=3)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "m"))

    def printed(*args: Any, **named: Any) -> str:
        inspect_checkpoint.print_tensors_in_checkpoint_file(*args, **named)
        return capsys.readouterr().out

    v = "tensor_name:  b/v\n[[1. 2.]\n [3. 4.]]\n"
    total = "# Total number of params: 5\n"
    assert printed(path, tensor_name="", all_tensors=True) == f"tensor_name:  a\n3\n{v}{total}"
    assert printed(path, "b/v", False) == v + total
    assert printed(path, "", False) == f"a (DT_INT32) []\nb/v (DT_FLOAT) [2,2]\n\n{total}"
    assert printed(path, "", False, all_tensor_names=True) == f"tensor_name:  a\ntensor_name:  b/v\n{total}"
    assert printed(path, "b/v", False, count_exclude_pattern="b/.*") == (
        f"{v}# Excluding 1 tensors (4 params) that match b/.* when counting.\n# Total number of params: 1\n"
    )
    assert printed(path, "c", False) == "tensor_name:  c\nKey c not found in checkpoint\n"
    assert "Failed to find any matching files" in printed(str(tmp_path / "none"), "", True)
    assert tf.pywrap_tensorflow.NewCheckpointReader(path).get_tensor("a") == 3
