"""Checkpoints: values come back exactly, files are whole or not there, old ones go."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
import safetensors.numpy
from ml_dtypes import bfloat16

import steepest as st
import steepest.v1 as tf
from steepest.checkpoint import load_arrays, save_arrays
from steepest.v1.graph.mode import eagerly


def model():
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    table = tf.get_variable("table", initializer=np.ones((4, 2), np.float32))
    loss = tf.reduce_sum(w * w) + tf.reduce_sum(tf.gather(table, [1, 1, 3]) ** 2)
    return tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_or_create_global_step()), loss


def trained(train, steps):
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    for _ in range(steps):
        session.run(train)
    return session


def test_training_goes_on_exactly_where_it_was_saved(tmp_path):
    train, _ = model()
    saver, session = tf.train.Saver(), trained(train, 3)
    path = saver.save(session, str(tmp_path / "model"), global_step=3)
    assert path == str(tmp_path / "model-3")
    for _ in range(2):
        session.run(train)
    expected = session.run(tf.global_variables())
    with tf.Graph().as_default():  # another program that builds the same model
        train, _ = model()
        with tf.Session() as other:
            tf.train.Saver().restore(other, tf.train.latest_checkpoint(str(tmp_path)))
            assert other.run(tf.train.get_global_step()) == 3
            for _ in range(2):
                other.run(train)
            for now, then in zip(other.run(tf.global_variables()), expected, strict=True):
                np.testing.assert_array_equal(now, then)


def test_the_file_is_safetensors_and_keyed_by_tensorflows_names(tmp_path):
    train, _ = model()
    tf.train.Saver().save(trained(train, 1), str(tmp_path / "model"))
    names = {"w", "table", "global_step", "beta1_power", "beta2_power"}
    names |= {f"{name}/Adam{suffix}" for name in ("w", "table") for suffix in ("", "_1")}
    assert set(safetensors.numpy.load_file(tmp_path / "model.safetensors")) == names
    assert dict(tf.train.list_variables(str(tmp_path)))["table/Adam_1"] == [4, 2]
    assert tf.train.load_variable(str(tmp_path / "model"), "global_step") == 1
    reader = tf.train.load_checkpoint(str(tmp_path))
    assert reader.has_tensor("w")
    assert reader.get_variable_to_shape_map()["w"] == [2]


def test_only_so_many_are_kept(tmp_path):
    train, _ = model()
    session, saver = trained(train, 1), tf.train.Saver(max_to_keep=2)
    step = tf.train.get_global_step()
    paths = []
    for _ in range(4):
        session.run(train)
        paths.append(saver.save(session, str(tmp_path / "m"), global_step=step))
    assert saver.last_checkpoints == paths[-2:]
    assert sorted(os.listdir(tmp_path)) == [
        "checkpoint",
        *("m-4.index", "m-4.meta", "m-4.safetensors", "m-5.index", "m-5.meta", "m-5.safetensors"),
    ]
    state = tf.train.get_checkpoint_state(str(tmp_path))
    assert state.model_checkpoint_path == tf.train.latest_checkpoint(str(tmp_path)) == paths[-1]
    assert state.all_model_checkpoint_paths == paths[-2:]
    os.rename(tmp_path, f"{tmp_path}_moved")  # the record names files beside itself
    assert tf.train.latest_checkpoint(f"{tmp_path}_moved") == f"{tmp_path}_moved/m-5"


def test_a_checkpoint_is_found_by_its_index_file(tmp_path):
    a = tf.Variable(1.0, name="a")
    session, saver = tf.Session(), tf.train.Saver(max_to_keep=1)
    session.run(a.initializer)
    (tmp_path / "two.index").write_bytes(b"of TensorFlow")
    paths = [saver.save(session, str(tmp_path / name), write_meta_graph=False) for name in ("one", "two", "three")]
    assert os.path.exists(paths[2] + ".index")
    assert (tmp_path / "three.index").read_text() == "steepest: the values are in three.safetensors\n"
    assert sorted(os.listdir(tmp_path)) == ["checkpoint", "three.index", "three.safetensors", "two.index"]
    assert (tmp_path / "two.index").read_bytes() == b"of TensorFlow", "it stays what it was"
    os.remove(paths[2] + ".safetensors")
    assert not tf.train.checkpoint_exists(paths[2])
    with pytest.raises((tf.errors.NotFoundError, ValueError), match="three"):
        saver.restore(session, paths[2])


def test_variables_are_chosen_and_renamed(tmp_path):
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    tf.train.Saver({"x": a}).save(session, str(tmp_path / "m"))
    tf.train.Saver({"x": b}).restore(session, str(tmp_path / "m"))
    assert session.run([a, b]) == [1, 1]
    with pytest.raises(tf.errors.NotFoundError, match=r"Key a not found"):
        tf.train.Saver([a]).restore(session, str(tmp_path / "m"))


def test_a_restore_that_fails_changes_nothing(tmp_path):
    a, b = tf.Variable([1.0], name="a"), tf.Variable([2.0], name="b")
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    for wrong in (
        {"a": np.ones(1, np.float32), "b": np.ones(2, np.float32)},
        {"a": np.ones(1, np.float32), "b": np.ones(1)},
    ):
        save_arrays(tmp_path / "wrong.safetensors", wrong)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"\nb: "):
            tf.train.Saver().restore(session, str(tmp_path / "wrong"))
    (tmp_path / "broken.npz").write_bytes(b"PK not a zip file")
    (tmp_path / "damaged.safetensors").write_bytes(b"not a header at all")
    for name in ("broken", "damaged"):
        with pytest.raises(tf.errors.DataLossError, match=name):
            tf.train.Saver().restore(session, str(tmp_path / name))
    with pytest.raises(ValueError, match=r"not a valid checkpoint.*nothing"):
        tf.train.Saver().restore(session, str(tmp_path / "nothing"))
    with pytest.raises(ValueError, match="None"):
        tf.train.Saver().restore(session, None)
    assert session.run([a, b]) == [1, 2]


def test_a_file_of_before_can_be_restored_until_there_is_a_new_one(tmp_path):
    a = tf.Variable([1.0], name="a")
    session = tf.Session()
    np.savez(tmp_path / "m.npz", a=np.float32([3.0]))
    tf.train.Saver().restore(session, str(tmp_path / "m"))
    assert session.run(a) == [3]
    assert tf.train.list_variables(str(tmp_path / "m")) == [("a", [1])]
    session.run(a.assign([4.0]))
    tf.train.Saver().save(session, str(tmp_path / "m"))
    assert tf.train.load_variable(str(tmp_path / "m"), "a") == [4]


def test_a_save_that_fails_leaves_the_old_files(tmp_path):
    a = tf.Variable([1.0], name="a")
    session = tf.Session()
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"uninitialized value a"):
        tf.train.Saver().save(session, str(tmp_path / "m"))
    assert os.listdir(tmp_path) == []
    session.run(a.initializer)
    with pytest.raises(ValueError, match="Parent directory"):
        tf.train.Saver().save(session, str(tmp_path / "none" / "deeper" / "m"))
    assert os.listdir(tmp_path) == []
    path = tf.train.Saver().save(session, str(tmp_path / "made" / "m"))  # TensorFlow makes the last folder
    assert tf.train.latest_checkpoint(str(tmp_path / "made")) == path == str(tmp_path / "made" / "m")


FULL = """
import os, resource, signal, sys
import numpy as np
from steepest.checkpoint import load_arrays, save_arrays
from steepest.v1.graph.mode import eagerly
path = sys.argv[1]
save_arrays(path, {"a": np.arange(10)})
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    save_arrays(path, {"a": np.zeros(1_000_000)})
except OSError as error:
    assert load_arrays(path)["a"].tolist() == list(range(10))
    assert os.listdir(os.path.dirname(path)) == ["a.safetensors"], os.listdir(os.path.dirname(path))
    print("kept")
"""


def test_a_full_disk_leaves_the_old_file(tmp_path):
    (tmp_path / "full").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "full" / "a.safetensors")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.returncode) == ("kept\n", 0), done.stderr


def test_half_types_come_back(tmp_path):
    arrays = {
        "h": np.arange(3, dtype=np.float16),
        "b": np.arange(4).astype(bfloat16),
        "i": np.int64(3),
        "e": np.ones((0, 2)),
    }
    save_arrays(tmp_path / "a.safetensors", arrays)
    back = load_arrays(tmp_path / "a.safetensors")
    for name, array in arrays.items():
        assert back[name].dtype == array.dtype
        np.testing.assert_array_equal(back[name], array)


def test_eager_variables_can_be_saved(tmp_path):
    v = st.Variable([1.0, 2.0], name="v")
    saver = tf.train.Saver([v])
    saver.save(None, str(tmp_path / "m"))
    v.assign([0.0, 0.0])
    saver.restore(None, str(tmp_path / "m"))
    assert v.numpy().tolist() == [1, 2]


def test_eager_variables_of_one_name_are_not_saved_together():
    with eagerly():
        twice = [tf.Variable(1.0, name="twice") for _ in range(2)]
        assert [v.name for v in twice] == ["twice:0"] * 2
        with pytest.raises(ValueError, match="same shared_name 'twice' were passed to the Saver"):
            tf.train.Saver(twice)
        with pytest.raises(RuntimeError, match="`var_list` must specify a list or dict"):
            tf.train.Saver()


def test_texts_are_saved_and_restored(tmp_path):
    words = [[b"a", b"", b"caf\xc3\xa9"], [b"nul\0", b"\xff", b"z"]]
    v, number = tf.Variable(words, name="words"), tf.Variable([1.0], name="number")
    empty = tf.Variable(np.zeros([0, 2], object), name="empty")
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = saver.save(session, str(tmp_path / "texts"))
        session.run([v.assign([[b"x"] * 3] * 2), number.assign([2.0])])
        saver.restore(session, path)
        assert session.run(v).tolist() == words
        assert session.run(number).tolist() == [1.0]
        assert session.run(empty).shape == (0, 2)
    assert tf.train.list_variables(path) == [("empty", [0, 2]), ("number", [1]), ("words", [2, 3])]
    assert tf.train.load_variable(path, "words").tolist() == words
    assert tf.train.load_checkpoint(path).get_variable_to_dtype_map()["words"] == tf.string
