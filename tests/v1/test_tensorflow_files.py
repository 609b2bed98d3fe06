"""A TensorFlow 1 program goes on from the checkpoint that TensorFlow wrote, by the names of its variables."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from interrupted_runs import AFTER, BEFORE, DATA, DECAY, OPTIMIZERS, build, go_on

import steepest.v1 as tf

ANSWERS = json.loads((DATA / "answers.json").read_text())


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_goes_on_with_the_numbers_of_tensorflow(name, tmp_path):
    train, loss, ids = build(tf, name)
    session, saver = tf.Session(), tf.train.Saver()
    saver.restore(session, tf.train.latest_checkpoint(str(DATA / name)))
    assert session.run(tf.train.get_global_step()) == BEFORE
    losses = go_on(session, train, loss, ids, BEFORE, AFTER)
    np.testing.assert_allclose(losses, ANSWERS[name]["losses"], 2e-5)
    after = ANSWERS[name]["after"]
    reader = tf.train.load_checkpoint(saver.save(session, str(tmp_path / "after")))
    assert set(reader.get_variable_to_shape_map()) == set(after)
    for key in after:  # the table is in parts, in the file it is whole
        np.testing.assert_allclose(reader.get_tensor(key), after[key], 2e-5, 2e-6, key)


def test_the_program_saves_its_own_format_beside_and_restores_that(tmp_path):
    shutil.copytree(DATA / "adam", tmp_path, dirs_exist_ok=True)
    train, loss, ids = build(tf, "adam")
    session, saver, path = tf.Session(), tf.train.Saver(), tf.train.latest_checkpoint(str(tmp_path))
    saver.restore(session, path)
    go_on(session, train, loss, ids, BEFORE, 1)
    assert saver.save(session, path) == path
    assert tf.train.load_variable(path, "global_step") == BEFORE + 1
    assert tf.train.load_checkpoint(str(tmp_path)).get_tensor("global_step") == BEFORE + 1


def test_old_checkpoints_of_tensorflow_are_deleted_as_a_whole(tmp_path):
    shutil.copytree(DATA / "adam", tmp_path, dirs_exist_ok=True)
    (tmp_path / "model.ckpt-4.meta").write_bytes(b"a graph")
    (tmp_path / "model.ckpt-44.index").write_bytes(b"another one")
    a = tf.Variable(1.0, name="a")
    session, saver = tf.Session(), tf.train.Saver(max_to_keep=1)
    session.run(a.initializer)
    saver.recover_last_checkpoints(tf.train.get_checkpoint_state(str(tmp_path)).all_model_checkpoint_paths)
    saver.save(session, str(tmp_path / "new"), write_meta_graph=False)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        *("checkpoint", "model.ckpt-44.index", "new.index", "new.safetensors")
    ]


@pytest.mark.parametrize("name", ["types", "cut", "adam/model.ckpt-4"])
def test_the_readers_of_tensorflow_1_answer_as_there(name):
    path = str(DATA / name)
    expected = ANSWERS.get(name, ANSWERS["adam"]["saved"])
    assert tf.train.checkpoint_exists(path)
    reader = tf.train.NewCheckpointReader(path)
    shapes = {key: entry["shape"] for key, entry in expected.items()}
    found = reader.get_variable_to_shape_map()
    assert found.pop("long", [17000]) == [17000]
    assert found == shapes
    assert [entry for entry in tf.train.list_variables(path) if entry[0] != "long"] == sorted(shapes.items())
    types = {key: dtype.name for key, dtype in reader.get_variable_to_dtype_map().items() if key != "long"}
    assert types == {key: entry["dtype"] for key, entry in expected.items()}
    assert reader.has_tensor(next(iter(shapes)))
    assert not reader.has_tensor("nothing")
    with pytest.raises(tf.errors.NotFoundError, match="Key nothing not found in checkpoint"):
        reader.get_tensor("nothing")
    for key, entry in expected.items():
        if entry["dtype"] == "float32":
            np.testing.assert_array_equal(
                tf.train.load_variable(path, key), np.float32(entry["value"]).reshape(entry["shape"])
            )


def test_a_damaged_tensor_is_data_loss_and_changes_nothing(tmp_path):
    shutil.copytree(DATA / "sgd", tmp_path, dirs_exist_ok=True)
    data = tmp_path / "model.ckpt-4.data-00000-of-00001"
    whole = data.read_bytes()
    data.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    build(tf, "sgd")
    session, saver = tf.Session(), tf.train.Saver()
    session.run(tf.global_variables_initializer())
    before = session.run(tf.global_variables())
    with pytest.raises(tf.errors.DataLossError, match=r"tensor 'table': its bytes have another checksum"):
        saver.restore(session, str(tmp_path / "model.ckpt-4"))
    for now, then in zip(session.run(tf.global_variables()), before, strict=True):
        np.testing.assert_array_equal(now, then)
    tf.train.list_variables(str(tmp_path))  # the index is whole


@pytest.mark.parametrize("name", ["decay_v1", "decay_v2"])
def test_both_layouts_of_adagrad_decay_are_restored(name):
    step = tf.train.get_or_create_global_step()
    table = tf.get_variable("table", [5, 2], tf.float64)
    rows = tf.placeholder(tf.int32, [None])
    target = tf.cast(tf.expand_dims(rows, 1), tf.float64)
    loss = tf.reduce_sum((tf.gather(table, rows) - target) ** 2) / 2
    opt = tf.train.AdagradDecayOptimizer(DECAY["learning_rate"], step, 0.1, DECAY["period"], DECAY["rate"])
    train = opt.minimize(loss, step)
    session = tf.Session()
    tf.train.Saver().restore(session, str(DATA / name))
    for number in range(BEFORE, BEFORE + AFTER):
        session.run(train, {rows: DECAY["rows"][number % len(DECAY["rows"])]})
    after = ANSWERS[name]
    np.testing.assert_allclose(session.run(table), after["table"], 1e-12)
    np.testing.assert_allclose(session.run(opt.get_slot(table, "accumulator")), after["accumulator"], 1e-12)
    power = session.run(opt.get_slot(table, "accumulator_decay_power"))
    assert power.tolist() == np.reshape(after["power"], -1)[:5].tolist()


def test_other_types_and_shapes_are_refused_as_before():
    for shape, dtype in (([3], tf.float32), ([2], tf.float64), ([2], tf.float16)):
        with tf.Graph().as_default():
            b = tf.get_variable("layer/b", shape, dtype)
            with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=r"\nlayer/b: "):
                tf.train.Saver([b]).restore(session, str(Path(DATA / "adam" / "model.ckpt-4")))
