"""Import statements of programs whose ``tensorflow`` was replaced by ``steepest.v1``, and of those left as they are."""

from __future__ import annotations

import subprocess
import sys

import pytest

STATEMENTS = """
import tensorflow.compat.v1 as tf; tf.placeholder
from tensorflow.compat.v1.train import AdamOptimizer
import tensorflow.compat.v1.losses; import tensorflow.compat.v1.logging as logging; logging.info
import tensorflow.compat.v2 as tf2; tf2.Variable
import tensorflow._api.v1.keras
from tensorflow.core.framework import summary_pb2; summary_pb2.Summary
from tensorflow.core.protobuf import config_pb2, saver_pb2; config_pb2.ConfigProto
import tensorflow.core.framework.graph_pb2 as graph_pb2; graph_pb2.GraphDef
from tensorflow.contrib.layers.python.layers import layers; layers.fully_connected
from tensorflow.contrib.framework.python.ops import arg_scope; arg_scope
from tensorflow.contrib.opt.python.training import moving_average_optimizer as m; m.MovingAverageOptimizer
from tensorflow.contrib.training.python.training import hparam; hparam.HParams
from tensorflow.contrib.metrics.python.ops import metric_ops; metric_ops.streaming_mean
from tensorflow.contrib.learn.python.learn.datasets import base; base.Dataset
from tensorflow.contrib.losses.python.losses import loss_ops; loss_ops.absolute_difference
from tensorflow.tensorboard.plugins import projector; projector.ProjectorConfig
import tensorflow.app.flags as flags; flags.DEFINE_string
from tensorflow.python.ops import gen_math_ops, array_ops; array_ops.concat
from tensorflow.examples.tutorials.mnist import input_data; input_data.read_data_sets
""".strip().splitlines()


BEGIN = {
    "installed": "from steepest.v1 import as_tensorflow; as_tensorflow.install()",
    "put there": "import sys, steepest.v1; sys.modules['tensorflow'] = steepest.v1",
    "changed": "",
}


@pytest.mark.parametrize("way", BEGIN)
def test_modules_are_found_under_tensorflows_paths(way: str) -> None:
    begin, top = BEGIN[way], "steepest.v1" if way == "changed" else "tensorflow"
    program = "\n".join([begin, *(line.replace("tensorflow", top) for line in STATEMENTS)])
    program += f"\nimport sys, {top}.nn, {top}.compat.v1.nn\nassert {top}.nn is {top}.compat.v1.nn"
    files = "[getattr(module, '__file__', None) for name, module in {**sys.modules}.items() if module.__name__ == name]"
    program += f"\nfiles = [file for file in {files} if file]\nassert len(files) == len({{*files}}), 'one file twice'"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", ["core.nothing_pb2", "compat.v1.nothing", "contrib.opt.nothing", "nothing.at.all"])
def test_what_is_not_there_is_not_found(name: str) -> None:
    program = f"import steepest.v1.{name}"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith("ModuleNotFoundError: No module named")
