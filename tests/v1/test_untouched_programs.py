"""Programs for TensorFlow run as they are, with its internal import paths and the names of before 1.0."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.python.module_table import EMPTY, SPACES, WHOLE

PROGRAM = """
import sys
import tensorflow as tf
import tensorflow.compat.v1 as tf_again
import tensorflow.contrib.layers as layers
from tensorflow.contrib import opt
from tensorflow.contrib.layers import l2_regularizer
from tensorflow.contrib.optimizer_v2.adam import AdamOptimizer
from tensorflow.contrib.summary.summary import scalar
from tensorflow.python.framework import dtypes, ops
from tensorflow.python.ops import array_ops, control_flow_ops, init_ops, math_ops, nn_ops, state_ops
from tensorflow.python.ops import variable_scope as vs
from tensorflow.python.ops.losses import losses
from tensorflow.python.platform import gfile, tf_logging as logging
from tensorflow.python.training import moving_averages, optimizer, training_util
from tensorflow.python.training.adam import AdamOptimizer
import helper

assert tf is tf_again and layers.l2_regularizer is l2_regularizer and helper.tf is tf
assert issubclass(AdamOptimizer, optimizer.Optimizer)

class Sgd(optimizer.Optimizer):
    def __init__(self, rate):
        super(Sgd, self).__init__(False, "Sgd")
        self._rate = rate

    def _apply_dense(self, grad, var):
        rate = ops.convert_to_tensor(self._rate, dtype=dtypes.float32)
        return state_ops.assign_sub(var, math_ops.multiply(rate, grad))

flags = tf.app.flags
flags.DEFINE_float("rate", 0.5, "")

def main(_):
    with vs.variable_scope("model"):
        w = vs.get_variable("w", [2], initializer=init_ops.constant_initializer(4.0))
    loss = math_ops.reduce_sum(tf.mul(w, w))
    train = Sgd(flags.FLAGS.rate).minimize(loss, global_step=training_util.get_or_create_global_step())
    with tf.Session() as session:
        session.run(tf.initialize_all_variables())
        session.run(train)
        print(tf.__version__[:2], session.run(w).tolist(), gfile.Exists(sys.argv[0]))

if __name__ == "__main__":
    tf.app.run()
"""


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "steepest", "tf1", *args], capture_output=True, text=True, check=False)


def test_a_program_runs_untouched(tmp_path: Path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    (tmp_path / "helper.py").write_text("import tensorflow as tf\n")
    done = run(str(program), "--rate", "0.25")
    assert done.stdout == "1. [2.0, 2.0] True\n", done.stderr
    assert done.stderr == f"steepest: in this process 'tensorflow' is steepest.v1; running {program}\n"


def test_the_exit_status_is_the_programs(tmp_path: Path):
    program = tmp_path / "program.py"
    for text, status, output in [
        ("import sys; sys.exit(3)", 3, ""),
        ("raise SystemExit('no')", 1, "no"),
        ("1/0", 1, "division"),
    ]:
        program.write_text(text)
        done = run(str(program))
        assert (done.returncode, output in done.stderr) == (status, True)
    assert "must be a file" in run(str(tmp_path / "missing.py")).stderr
    program.write_text("import tensorflow.contrib.no_such")
    assert "No module named 'tensorflow.contrib.no_such'" in run(str(program)).stderr


FOLDERS = """
import tensorflow as tf
import tensorflow.keras as keras
from tensorflow.contrib import rnn, seq2seq
from tensorflow.contrib.tpu.python.tpu import tpu_config
from tensorflow.keras.layers import Dense

class Model(tf.keras.Model):
    pass

class Cell(tf.nn.rnn_cell.RNNCell):
    pass

table = {"conv2d": tf.layers.Conv2D, "pool": tf.layers.AveragePooling1D, "dense": tf.layers.Dense,
         "cells": tf.nn.dynamic_rnn}
assert not hasattr(tf.layers, "Cone2D") and not isinstance(tf.constant(1.0), tf.RaggedTensor)
assert keras is tf.keras and rnn is tf.contrib.rnn and keras.layers is tf.keras.layers
assert not isinstance(tf.constant(1.0), (tf.keras.Model, Model)) and isinstance(keras.layers, type(rnn))
for use in (Model, Cell, lambda: Dense(3), lambda: rnn.LSTMCell(3), lambda: keras.backend.clear_session(),
            lambda: tf.data.Dataset.from_tensors(3), lambda: tpu_config.TPUConfig(), lambda: seq2seq.Helper + 1,
            lambda: table["conv2d"](3), lambda: table["pool"](3), table["cells"]):
    try:
        use()
    except NotImplementedError as error:
        print(str(error).partition(" is not here")[0])
"""


def test_what_is_left_out_can_be_imported_by_programs_that_may_not_use_it(tmp_path: Path):
    (tmp_path / "program.py").write_text(FOLDERS)
    done = run(str(tmp_path / "program.py"))
    assert done.stdout.split() == [
        "tf.keras.Model",
        "tf.nn.rnn_cell.RNNCell",
        "tf.keras.layers.Dense",
        "tf.contrib.rnn.LSTMCell",
        "tf.keras.backend.clear_session",
        "tf.data.Dataset.from_tensors",
        "tf.contrib.tpu.python.tpu.tpu_config.TPUConfig",
        "tf.contrib.seq2seq.Helper",
        "tf.layers.Conv2D",
        "tf.layers.AveragePooling1D",
        "tf.nn.dynamic_rnn",
    ], done.stderr
    lines = "import steepest.v1 as tf", "assert not hasattr(tf.keras, 'layers')", "rnn.Cell()"
    program = "\n".join(["import steepest.v1.contrib.rnn as rnn", *lines])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "NotImplementedError: tf.contrib.rnn.Cell is not here: recurrent cells" in done.stderr


OLD_NAMES = """
import collections, inspect, time
from collections import Mapping
import numpy as np
import tensorflow as tf

assert (np.float, np.int, np.object, np.float_) == (float, int, object, np.float64)
assert np.product([2, 3]) == 6 and np.sometrue([0, 1]) and np.isnan(np.NaN) and np.asfarray([1]).dtype == np.float64
assert np.asscalar(np.array([3])) == 3 and np.in1d([[1], [2]], [2]).tolist() == [False, True] and np.rank([[1]]) == 2
assert np.fromstring(b"ab", np.uint8).tolist() == [97, 98] and np.fromstring("1 2", sep=" ").tolist() == [1, 2]
assert Mapping is collections.Mapping and isinstance({}, collections.MutableMapping)
assert inspect.getargspec(lambda a, b=2: a).defaults == (2,) and time.clock() <= time.clock()
for module, name in (np, "no_such"), (np, "issctype"), (collections, "no_such"):
    assert not hasattr(module, name)
print(tf.constant(np.ones([2], np.float)).dtype.name)
"""


def test_programs_find_the_old_names_of_numpy_and_python(tmp_path: Path):
    (tmp_path / "program.py").write_text(OLD_NAMES)
    done = run(str(tmp_path / "program.py"))
    assert done.stdout == "float64\n", done.stderr
    told = done.stderr.splitlines()[1:]
    assert told[0] == "steepest: collections.Mapping is an old name, kept for this run"
    assert "steepest: numpy.product (prod) is an old name, kept for this run" in told
    assert len(told) == len(set(told))
    assert not hasattr(np, "float")


def test_the_name_is_taken_only_in_that_process():
    assert "tensorflow" not in sys.modules


@pytest.mark.parametrize("path", sorted({*SPACES, *EMPTY} - {*WHOLE}))
def test_every_internal_module_is_there(path: str):
    module = __import__(f"steepest.v1.python.{path}", fromlist=["x"])
    assert path in (module.__doc__ or "")
    if path in SPACES and not any(above in SPACES[path] for above in ("distribute", "python.ops.ragged")):
        with pytest.raises(AttributeError, match="is not here"):
            _ = module.no_such_name
    else:
        with pytest.raises(NotImplementedError, match="is not here"):
            module.no_such_name()


def test_internal_modules_forward_to_public_names():
    from steepest.v1.python.framework import errors_impl, ops
    from steepest.v1.python.ops import init_ops, nn_ops, resource_variable_ops
    from steepest.v1.python.ops.losses import losses_impl
    from steepest.v1.python.platform import tf_logging
    from steepest.v1.python.training import moving_averages, session_run_hook

    assert ops.Tensor is tf.Tensor
    assert errors_impl.NotFoundError is tf.errors.NotFoundError
    assert init_ops.zeros_initializer is tf.zeros_initializer
    assert nn_ops.softmax is tf.nn.softmax
    assert issubclass(resource_variable_ops.ResourceVariable, tf.Variable)
    assert losses_impl.Reduction is tf.losses.Reduction
    assert tf_logging.info is tf.logging.info
    assert moving_averages.assign_moving_average is tf.train.assign_moving_average
    assert session_run_hook.SessionRunHook is tf.train.SessionRunHook
    with pytest.raises(ImportError):
        from steepest.v1.python.ops import no_such_module  # noqa: F401


def test_a_name_that_is_left_out_fails_when_it_is_used():
    from steepest.v1.python.keras import backend
    from steepest.v1.python.keras.engine.training import Model
    from steepest.v1.python.ops import rnn_cell

    class Net(Model):
        pass

    for use in (
        Net,
        lambda: rnn_cell.BasicLSTMCell(3),
        lambda: Model.compile(),
        backend.floatx,
        lambda: bool(rnn_cell.NAME.of),
    ):
        with pytest.raises(
            NotImplementedError, match=r"tensorflow\.python\..* is not here: .* are left out of steepest"
        ):
            use()


def test_functions_of_shapes_under_their_internal_names():
    from steepest.v1.python.framework import tensor_shape as shapes

    made = [shapes.scalar(), shapes.vector(None), shapes.matrix(2, 3), shapes.unknown_shape(2), shapes.as_shape([4])]
    assert [shape.as_list() for shape in made] == [[], [None], [2, 3], [None, None], [4]]
    assert shapes.unknown_shape(ndims=1).ndims == 1
    assert shapes.unknown_shape().ndims is None
    assert shapes.as_shape(made[0]) is made[0]
    assert shapes.as_dimension(3) == shapes.as_dimension(shapes.as_dimension(3)) == 3


def test_internal_modules_are_attributes_too_as_before_1_0():
    assert tf.python.ops.math_ops.add is tf.add
    assert tf.python.framework.ops.reset_default_graph is tf.reset_default_graph
    assert "python" not in dir(tf)
    with pytest.raises(AttributeError, match=r"tensorflow\.python\.nothing is not here"):
        _ = tf.python.nothing


def test_names_of_before_one_have_their_old_meaning():
    x, y = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    nodes = [
        tf.sub(x, y),
        tf.neg(x),
        tf.pack([x, y], axis=1),
        tf.unpack(tf.constant(x))[1],
        tf.select(tf.constant([True, False]), x, y),
        tf.batch_matmul(x[None], y[None], adj_y=True),
        tf.inv(tf.constant(4.0)),
        tf.listdiff(tf.constant([1, 2, 3]), tf.constant([2]))[0],
    ]
    expected = [x - y, -x, np.stack([x, y], 1), x[1], np.stack([x[0], y[1]]), x[None] @ y.T[None], 0.25, [1, 3]]
    with tf.Session() as session:
        for value, right in zip(session.run(nodes), expected, strict=True):
            np.testing.assert_array_equal(value, right)


def test_files_under_tensorflows_names(tmp_path: Path):
    folder, path = tmp_path / "a" / "b", tmp_path / "a" / "b" / "f.txt"
    tf.gfile.MakeDirs(str(folder))
    with tf.gfile.GFile(str(path), "w") as file:
        file.write("one\ntwo\n")
    assert tf.gfile.Open(str(path)).readlines() == ["one\n", "two\n"]
    assert tf.gfile.FastGFile(str(path), "rb").read() == b"one\ntwo\n"
    assert (tf.gfile.GFile(str(path)).size(), tf.gfile.Stat(str(path)).length) == (8, 8)
    tf.gfile.Copy(str(path), str(tmp_path / "copy"))
    with pytest.raises(tf.errors.AlreadyExistsError):
        tf.gfile.Rename(str(path), str(tmp_path / "copy"))
    assert tf.gfile.Glob(str(folder / "*.txt")) == [str(path)]
    assert (tf.gfile.ListDirectory(str(folder)), tf.gfile.IsDirectory(str(folder))) == (["f.txt"], True)
    tf.gfile.DeleteRecursively(str(tmp_path / "a"))
    assert not tf.gfile.Exists(str(folder))
    missing = tf.gfile.GFile(str(folder / "missing"))  # which is opened when it is read
    for call in (lambda _: missing.read(), tf.gfile.Remove, tf.gfile.ListDirectory, tf.gfile.DeleteRecursively):
        with pytest.raises(tf.errors.NotFoundError, match="No such file"):
            call(str(folder / "missing"))


def test_text_and_bytes():
    assert tf.compat.v1 is tf
    assert tf.compat.as_bytes("ä") == "ä".encode()
    assert (tf.compat.as_text(b"a"), tf.compat.as_str("a"), tf.compat.as_str_any(3)) == ("a", "a", "3")
    with pytest.raises(TypeError, match="Expected binary or unicode string"):
        tf.compat.as_bytes(3)
    with pytest.raises(TypeError, match="Expected string, got 1 of type 'int' instead"):
        tf.ones_like(["apple"])
