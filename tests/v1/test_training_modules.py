"""What TensorFlow's internal modules of training have: resources, vocabularies, plug-ins' files, loaders of models."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from steepest.v1.python.ops import gen_checkpoint_ops, resources
from steepest.v1.python.saved_model import loader_impl
from steepest.v1.python.summary import plugin_asset
from steepest.v1.python.training import checkpoint_management, checkpoint_ops, warm_starting_util

import steepest.v1 as tf


def test_resources_are_listed_and_initialized():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(2.0)
        resources.register_resource(v, v.initializer, tf.is_variable_initialized(v))
        resources.register_resource(v, v.initializer, tf.constant(True), is_shared=False)
        missing = resources.report_uninitialized_resources()
        assert session.run(missing).tolist() == [b"Variable:0"]
        session.run(resources.initialize_resources(resources.shared_resources()))
        assert (session.run(missing).tolist(), session.run(v)) == ([], 2.0)
        assert session.run(resources.report_uninitialized_resources([])).tolist() == []
        session.run(resources.initialize_resources([v]))
        session.run(resources.initialize_resources([]))


def words(folder: Path, name: str, *lines: str) -> str:
    (folder / name).write_text("\n".join(lines))
    return str(folder / name)


def test_vocabularies_are_compared(tmp_path: Path):
    old, new = words(tmp_path, "old", "a", "b", "c"), words(tmp_path, "new", "c", "x", "a", "b")
    with tf.Graph().as_default(), tf.Session() as session:
        remap = gen_checkpoint_ops.generate_vocab_remapping
        places, count = session.run(remap(tf.placeholder_with_default(new, []), old, 1, 3, 2))
        assert (places.tolist(), count) == ([-1, 0, 1], 2)
        for arguments, told in (((new, old, 2, 3), "has none of 2 to 5"), ((new, old, 0, 1, 4), "old_vocab_size of 4")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=told):
                session.run(remap(*arguments))
        with pytest.raises(tf.errors.NotFoundError):
            session.run(remap(new + "x", old, 0, 1))


def test_a_matrix_is_loaded_in_another_order(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("m", initializer=np.arange(12, dtype=np.float32).reshape(4, 3))
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
        load = gen_checkpoint_ops.load_and_remap_matrix
        found = session.run(load(path, "m", [2, -1, 0], [1, -1], [5.0, 6.0, 7.0, 8.0], 3, 2))
        assert found.tolist() == [[7, 5], [6, 7], [1, 8]]
        assert session.run(load(path, "m", [1], np.empty(0, np.int64), [], 1, 3)).tolist() == [[3, 4, 5]]
        wrong = [
            ([[[0, 1]], [0], [], 2, 1], r"row_remapping tensor must be 1-D, got shape \[1, 2\]"),
            ([[0, 9], [0], [], 2, 1], "out of bounds"),
            ([[0, 1], [0], [1.0], 2, 1], "Required 0 initializing values"),
            ([[0], [0], [], 2, 1], "Size of row remapping is 1"),
        ]
        for arguments, told in wrong:
            with pytest.raises(tf.errors.InvalidArgumentError, match=told):
                session.run(load(path, "m", *arguments))
        with pytest.raises(tf.errors.InvalidArgumentError, match="col_remapping tensor must be 1-D"):
            session.run(load(str(tmp_path / "none"), "m", [0], [[0]], [], 1, 1))  # before a file is looked for
        with pytest.raises(tf.errors.UnimplementedError, match="mapped to several rows"):
            session.run(load(path, "m", [0, 0], [0], [], 2, 1))


def test_initializers_of_other_vocabularies_check_their_shape(tmp_path: Path):
    make = checkpoint_ops._load_and_remap_matrix_initializer
    first = make(str(tmp_path), "m", 3, 2, num_row_oov_buckets=1)
    with pytest.raises(TypeError, match="must be callable"):
        make(str(tmp_path), "m", 3, 2, initializer=1)
    with pytest.raises(TypeError, match="only float32"):
        first([4, 2], tf.float64)
    for shape, told in (([4], "2-dim"), ([0, 2], "> 0"), ([4, 3], "Expected 2nd dim"), ([5, 2], "would exceed")):
        with pytest.raises(ValueError, match=told):
            first(shape)
    with pytest.raises(ValueError, match="must both be specified"):
        checkpoint_ops._load_and_remap_matrix("p", "m", 0, 1, 1, tf.zeros_initializer(), new_row_vocab_file="x")
    with pytest.raises(ValueError, match="num_col_oov_buckets must be >= 0"):
        checkpoint_ops._load_and_remap_matrix("p", "m", 0, 1, 1, tf.zeros_initializer(), num_col_oov_buckets=-1)


def test_names_of_parts_are_those_of_the_whole():
    with tf.Graph().as_default():
        parts = tf.get_variable("t", [4, 1], partitioner=tf.fixed_size_partitioner(2))
        name, listed = warm_starting_util._get_var_info(parts)
        assert (name, [part.op.name for part in listed]) == ("t", ["t/part_0", "t/part_1"])
        assert warm_starting_util._get_var_info(list(parts), "before")[0] == "before"
        other = tf.get_variable("u", [2])
        assert warm_starting_util._get_var_info(other) == ("u", other)
        for wrong in ("t", [1]):
            with pytest.raises(TypeError, match="var MUST be one of the following"):
                warm_starting_util._get_var_info(wrong)
        with pytest.raises(TypeError, match="violates the constraints"):
            warm_starting_util._infer_var_name([other, *parts])
        with pytest.raises(ValueError, match="Must provide all of"):
            warm_starting_util._warm_start_var_with_vocab(other, "", 1, "c", "p")


class Notes(plugin_asset.PluginAsset):
    """Two files."""

    plugin_name = "notes"

    def assets(self) -> dict[str, str]:
        return {"a.txt": "one", "b.txt": "two"}


class OtherNotes(Notes):
    """Another class of the same name."""


def test_files_of_plugins_go_along_with_the_graph(tmp_path: Path):
    with tf.Graph().as_default() as graph:
        notes = plugin_asset.get_plugin_asset(Notes)
        assert plugin_asset.get_plugin_asset(Notes, graph) is notes
        assert plugin_asset.get_all_plugin_assets() == [notes]
        with pytest.raises(ValueError, match="collision between classes OtherNotes and Notes"):
            plugin_asset.get_plugin_asset(OtherNotes)
        with mock.patch.object(Notes, "plugin_name", None), pytest.raises(ValueError, match="has no plugin_name"):
            plugin_asset.get_plugin_asset(Notes)
        tf.summary.FileWriter(str(tmp_path), graph).close()
    assert (tmp_path / "plugins" / "notes" / "b.txt").read_text() == "two"
    assert plugin_asset.get_all_plugin_assets(tf.Graph()) == []


def test_models_are_loaded_step_by_step(tmp_path: Path):
    folder = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as session:
        _, y = tf.Variable(5.0, name="x"), tf.Variable(11.0, name="y")
        session.run(tf.global_variables_initializer())
        builder = tf.saved_model.Builder(folder)
        builder.add_meta_graph_and_variables(session, ["t"], main_op=tf.group(tf.assign(y, 7.0)))
        builder.save()
    loader = loader_impl.SavedModelLoader(folder)
    assert (loader.export_dir, loader.get_meta_graph_def_from_tags({"t"}).tags) == (folder, ["t"])
    with tf.Graph().as_default() as graph, tf.Session() as session:
        saver, found = loader.load_graph(graph, ["t"], import_scope="s", return_elements=["y:0", "x:0"])
        assert [tensor.name for tensor in found] == ["s/y:0", "s/x:0"]
        with pytest.raises(ValueError, match="a saver is required"):
            loader.restore_variables(session, None)
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(found)
        loader.restore_variables(session, saver)
        assert session.run(found) == [11.0, 5.0]
        loader.run_init_ops(session, ["t"])
        assert session.run(found) == [7.0, 5.0]
        with pytest.raises(ValueError, match="'z:0' not found in graph_def"):
            loader.load_graph(tf.Graph(), ["t"], return_elements=["z:0"])
    with pytest.raises(RuntimeError, match="could not be found in SavedModel"):
        loader.get_meta_graph_def_from_tags(["u"])


def test_the_time_of_a_manager_can_be_replaced(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session(), mock.patch.object(checkpoint_management, "time") as clock:
        clock.time.return_value = 1000.0
        manager = checkpoint_management.CheckpointManager(tf.train.Checkpoint(), str(tmp_path), 2)
        manager.save()
        clock.time.return_value = 1010.0
        manager.save()
    state = checkpoint_management.get_checkpoint_state(str(tmp_path))
    assert (state.all_model_checkpoint_timestamps, state.last_preserved_timestamp) == ([1000.0, 1010.0], 999.0)


def test_a_clock_that_was_set_back_deletes_nothing(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session():
        checkpoint = tf.train.Checkpoint()
        path = tf.train.CheckpointManager(checkpoint, str(tmp_path), 1).save()
        tf.train.update_checkpoint_state(str(tmp_path), path, None, None, [4e9], 4e9 - 1)
        with mock.patch.object(tf.logging, "warning"), mock.patch("steepest.v1.graph.log.warning") as told:
            manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), 1)
        assert "behind the last preserved checkpoint timestamp" in str(told.call_args)
        assert (manager.checkpoints, manager.latest_checkpoint) == ([], path)
        manager.save()
        assert tf.train.checkpoint_exists(path)


def test_evaluations_count_after_a_programs_own_steps():
    from steepest.v1.python.training import evaluation, input

    with tf.Graph().as_default():
        steps = tf.get_variable("mine", initializer=0.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        count = tf.assign_add(evaluation._get_or_create_eval_step(), 1)
        hook = evaluation._StopAfterNEvalsHook(6)
        found = evaluation._evaluate_once(
            None, eval_ops=[tf.assign_add(steps, 1.0), count], final_ops=steps, hooks=[hook]
        )
        assert found == 3.0
    tensors = {"b": 1, 1: 2, "a": 3}
    assert input._as_tensor_list(tensors) == [2, 3, 1]
    assert input._as_original_type(tensors, [2, 3, 1]) == tensors
    assert input._as_original_type({"a": 1}, 4) == {"a": 4}
    assert input._as_original_type([1], [4]) == input._as_tensor_list([4])


def test_optimizers_that_are_listed_are_direct_subclasses():
    listed = [name for name in dir(tf.train) if name.endswith("Optimizer") and name != "Optimizer"]
    assert "SyncReplicasOptimizer" in listed
    assert issubclass(tf.train.LazyAdamOptimizer, tf.train.AdamOptimizer)  # not listed: it is one of `tf.contrib.opt`
    assert {getattr(tf.train, name).__base__ for name in listed} == {tf.train.Optimizer}
