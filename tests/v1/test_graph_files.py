"""Graphs in files: what comes back computes and trains as what was written, and a file can name nothing that harms."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steepest as st
import steepest.v1 as tf
from steepest.v1.functions.graph_functions import MODULES, NotForFilesError, class_of, function_of, named

X = np.linspace(-1, 1, 24, dtype=np.float32).reshape(8, 3)
Y = np.arange(8) % 3


def classifier() -> None:
    x, y = tf.placeholder(tf.float32, [None, 3], name="x"), tf.placeholder(tf.int64, [None], name="y")
    training = tf.placeholder_with_default(False, [], name="training")
    hidden = tf.layers.dense(x, 5, activation=tf.nn.elu, name="hidden")
    hidden = tf.layers.batch_normalization(hidden, training=training, name="bn")
    logits = tf.identity(tf.layers.dense(hidden, 3, name="out"), name="logits")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits), name="loss")
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 3, 0.5)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.AdamOptimizer(rate).minimize(loss, global_step=step, name="train")
    for item in (x, logits, train, "a text", 3, object()):
        tf.add_to_collection("mine", item)


def trained(session: Any, steps: int) -> list[Any]:
    feeds = {"x:0": X, "y:0": Y, "training:0": True}
    return [session.run(["loss:0", "train"], feeds)[0] for _ in range(steps)]


def test_a_graph_from_a_file_goes_on_training_as_the_one_that_was_written(tmp_path: Path):
    path = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        classifier()
        session.run(tf.global_variables_initializer())
        trained(session, 3)
        assert tf.train.Saver().save(session, path, global_step=3) == f"{path}-3"
        expected, logits = trained(session, 4), session.run("logits:0", {"x:0": X})
        names = [op.name for op in session.graph.get_operations()]
        shapes = [op.outputs[0].shape.as_list() for op in session.graph.get_operations() if op.outputs]
    with tf.Graph().as_default() as graph, tf.Session() as session:
        saver = tf.train.import_meta_graph(f"{path}-3.meta")
        assert isinstance(saver, tf.train.Saver)
        assert [op.name for op in graph.get_operations()] == names
        assert [op.outputs[0].shape.as_list() for op in graph.get_operations() if op.outputs] == shapes
        saver.restore(session, tf.train.latest_checkpoint(str(tmp_path)))
        np.testing.assert_array_equal(trained(session, 4), expected)
        np.testing.assert_array_equal(session.run("logits:0", {"x:0": X}), logits)
        mine = tf.get_collection("mine")
        assert [getattr(item, "name", item) for item in mine] == [
            "x:0",
            "logits:0",
            "train",
            b"a text",
            3,
        ]  # texts come back as bytes, as in TensorFlow
        assert [v.name for v in tf.trainable_variables()][:2] == ["hidden/kernel:0", "hidden/bias:0"]
        assert session.run(tf.train.get_global_step()) == 7
        more = tf.layers.dense(graph.get_tensor_by_name("logits:0"), 1, name="hidden")
        assert more.name == "hidden_1/BiasAdd:0"
        (slope,) = tf.gradients(more, graph.get_tensor_by_name("x:0"))
        assert slope.shape.as_list() == [None, 3]


def test_another_process_reads_the_graph(tmp_path: Path):
    path = str(tmp_path / "sums")
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.placeholder(tf.float32, name="a"), tf.Variable(2.0, name="b")
        tf.multiply(tf.add(a, 3.0), b, name="result")
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, path)
    program = (
        "import sys\nimport steepest.v1 as tf\n"
        "session = tf.Session()\n"
        "tf.train.import_meta_graph(sys.argv[1] + '.meta').restore(session, sys.argv[1])\n"
        "graph = tf.get_default_graph()\n"
        "print(session.run(graph.get_tensor_by_name('result:0'), {graph.get_tensor_by_name('a:0'): 4.0}))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert done.stdout == "14.0\n"


def everything() -> Any:
    """Make nodes of many kinds; return what a run fetches."""
    x = tf.placeholder_with_default(np.arange(12, dtype=np.float32).reshape(4, 3) / 8, [None, 3], name="x")
    table = tf.get_variable("table", initializer=np.arange(10, dtype=np.float32).reshape(5, 2))
    looped = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * tf.reduce_sum(x)), [0, 1.5])[1]
    chosen = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.floor(x) + x[:, ::2][:, :1], lambda: x * tf.ones_like(x))
    found = [
        looped,
        chosen,
        *tf.gradients(looped, x),
        tf.nn.embedding_lookup(table, [3, 1, 3]),
        tf.map_fn(lambda row: tf.reduce_max(row) ** 2, x),
        tf.one_hot([0, 2], 3),
        *tf.nn.top_k(x, 2),
        tf.string_join(["a", "b"]),
        tf.strided_slice(x, [0, 1], [2, 3]),
        tf.reshape(x, [-1, tf.shape(x)[1] // 3]),
        tf.cast(tf.argmax(x, 1), tf.float64),
        tf.linalg.norm(x, axis=1),
        tf.random_uniform([2], seed=4),
        tf.losses.huber_loss(x, x * 3),
        tf.einsum("ij,kj->ik", x, x),
    ]
    return [tf.identity(each, name=f"found_{k}") for k, each in enumerate(found)], len(found)


def test_many_kinds_of_nodes_come_back():
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(3)
        fetches, count = everything()
        sparse = tf.train.AdagradOptimizer(0.5).minimize(tf.reduce_sum(fetches[3] ** 2), name="sparse")
        session.run(tf.global_variables_initializer())
        expected = session.run(fetches)
        session.run(sparse)
        table = session.run("table:0")
        meta = tf.train.export_meta_graph()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(meta, import_scope="again")
        session.run(tf.global_variables_initializer())
        found = session.run([f"again/found_{k}:0" for k in range(count)])
        for ours, theirs in zip(found, expected, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        session.run("again/sparse")
        np.testing.assert_array_equal(session.run("again/table:0"), table)
        assert tf.train.export_meta_graph().SerializeToString() != meta.SerializeToString()


def test_what_is_written_again_is_the_same(tmp_path: Path):
    with tf.Graph().as_default():
        classifier()
        everything()
        first = tf.train.export_meta_graph(str(tmp_path / "graph"), collection_list=["mine", "trainable_variables"])
    assert (tmp_path / "graph").read_bytes() == first.SerializeToString()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(str(tmp_path / "graph"))
        second = tf.train.export_meta_graph(collection_list=["mine", "trainable_variables"])
    assert second.SerializeToString() == first.SerializeToString()


def test_graphs_with_functions_of_the_program_are_saved_without_the_graph(tmp_path: Path):
    path = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0)
        tf.py_func(lambda a: a + 1, [v], tf.float32, name="mine")
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver()
        saver.save(session, path)
        with pytest.raises(ValueError, match=r"'mine' \(type PyFunc\): .*the program's own"):
            tf.train.export_meta_graph()
    with tf.Graph().as_default(), pytest.raises(ValueError, match=r"says why it could not: 'mine'.*build the graph in"):
        tf.train.import_meta_graph(f"{path}.meta")
    with tf.Graph().as_default(), tf.Session() as session:
        optimizer = tf.train.AdamOptimizer(0.1, hooks=[st.hooks.ClipByValue(-1.0, 1.0)])
        optimizer.minimize(tf.Variable(1.0) * 2.0)
        with pytest.raises(ValueError, match="an optimizer with hooks"):
            tf.train.export_meta_graph()


def test_old_graphs_go_with_their_checkpoints(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0)
        session.run(v.initializer)
        saver = tf.train.Saver(max_to_keep=2)
        for step in range(4):
            saver.save(session, str(tmp_path / "m"), global_step=step)
        saver.save(session, str(tmp_path / "bare"), write_meta_graph=False)
    assert sorted(file.name for file in tmp_path.glob("*.meta")) == ["m-3.meta"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(python="2.7"), "one of Python 2.7, version 2"),
        (lambda c: c.update(version=9), "version 9"),
        (lambda c: c.update(format="other"), "another kind of file"),
        (lambda c: c["operations"].pop(0), "one with KeyError"),
        (lambda c: c["operations"][-1].update(function={"code": "print(1)"}), "has no 'code'"),
        (lambda c: c["operations"][-1].update(function={"named": "np.load"}), "np.load is no function of arrays"),
        (lambda c: c["operations"][-1].update(function={"named": "builtins.open"}), "builtins.open is no function"),
        (lambda c: c["operations"][-1].update(function={"object": [0, "os", "system", {"dict": []}]}), "os.system"),
        (
            lambda c: c["operations"][-1].update(function={"function": [0, "os", "system", [], 0, [], None, None]}),
            "os.s",
        ),
    ],
)
def test_damaged_and_foreign_files_are_refused_and_leave_the_graph_as_it_was(tmp_path: Path, change: Any, message: str):
    path = tmp_path / "graph"
    with tf.Graph().as_default():
        tf.add(tf.Variable(1.0, name="v"), 2.0, name="sum")
        content = json.loads(tf.train.export_meta_graph().SerializeToString())
    change(content)
    path.write_text(json.dumps(content))
    with tf.Graph().as_default() as graph:
        with pytest.raises(ValueError, match=message):
            tf.train.import_meta_graph(str(path))
        assert graph.get_operations() == []
        with pytest.raises(OSError, match="does not exist"):
            tf.train.import_meta_graph(str(tmp_path / "none"))
        path.write_bytes(b"\x0a\x04\x00TensorFlow's")
        with pytest.raises(ValueError, match="another kind of file"):
            tf.train.import_meta_graph(str(path))
        tf.constant(1.0, name="sum")
        path.write_text(json.dumps({**content, "format": "steepest graph"}))


def test_names_that_are_there_already_get_a_number():
    with tf.Graph().as_default() as graph:
        tf.constant(1.0, name="c")
        meta = tf.train.export_meta_graph()
        assert tf.train.import_meta_graph(meta) is None
        assert tf.train.import_meta_graph(meta, import_scope="s") is None
        assert [op.name for op in graph.get_operations()] == ["c", "c_1", "s/c"]


@pytest.mark.parametrize(
    "path",
    [
        "np.load",
        "np.save",
        "np.savez",
        "np.fromfile",
        "np.lib",
        "np.array_repr",
        "operator.methodcaller",
        "operator.attrgetter",
        "builtins.eval",
    ],
)
def test_only_functions_of_arrays_have_names(path: str):
    with pytest.raises(NotForFilesError):
        named(path)


def test_other_modules_and_classes_have_no_names():
    for module, top in (
        ("steepest.v1.gfile", "remove"),
        ("steepest.v1.ops.print_ops", "print_"),
        ("steepest.checkpoint.files", "save_arrays"),
        ("steepest.v1.saving.saver", "Saver.save"),
        ("steepest.v1.ops.math_ops", "np.load"),
        ("steepest.v1.ops.math_ops", "__builtins__[open]"),
        ("subprocess", "run"),
    ):
        with pytest.raises((NotForFilesError, TypeError)):
            function_of((module, top, [], 0), [], None, None)
    with pytest.raises(NotForFilesError):
        class_of("subprocess", "Popen")


FORBIDDEN = {
    "open",
    "exec",
    "eval",
    "compile",
    "__import__",
    "getattr",
    "setattr",
    "globals",
    "vars",
    "input",
    "delattr",
}
IMPORTS = {"os", "io", "sys", "subprocess", "pathlib", "shutil", "pickle", "importlib", "ctypes", "socket", "urllib"}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_functions_that_a_file_may_name_do_no_harm(module: str):
    spec = importlib.util.find_spec(module)
    assert spec is not None, f"there is no module {module}"
    assert spec.origin is not None
    for node in ast.walk(ast.parse(Path(spec.origin).read_text())):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            allowed = {"sys"} if module.endswith(".script_ops") else set()  # for sys.stderr, to which Print writes
            assert not {name.split(".")[0] for name in names} & (IMPORTS - allowed), f"{module} imports {names}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN:
            text = ast.unparse(node)
            literal = node.func.id == "getattr" and isinstance(node.args[1], ast.Constant)
            assert literal or text == "vars(self)", f"{module}:{node.lineno}: {text}"
