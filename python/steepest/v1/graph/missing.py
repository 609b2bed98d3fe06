"""The names of a namespace, and the error for a name that is missing: near names, or why it is left out."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from ...base.late_names import late_names

__all__ = ["PAGE", "is_left_out", "left_out", "namespace", "public_names", "told"]

PAGE = "docs/v1.md"

# What stands for what is left out, None for none: programs that are run as they are have `left_out.stand_in`.
stand_in: Callable[[str], Any] = lambda full: None  # noqa: E731 - it is replaced

_LEFT_OUT = {
    "convolutions, and image files": (
        "nn.conv nn.atrous_conv nn.depthwise_conv nn.separable_conv nn.max_pool nn.avg_pool nn.pool nn.lrn "
        "nn.local_response layers.conv layers.max_pool layers.average_pooling layers.separable_conv "
        "layers.Conv layers.MaxPool layers.AveragePooling layers.SeparableConv "
        "contrib.layers.pool contrib.layers.gdn contrib.slim.pool "
        "contrib.layers.conv contrib.layers.convolution contrib.layers.max_pool contrib.layers.avg_pool "
        "contrib.layers.separable_conv contrib.slim.conv contrib.slim.max_pool contrib.slim.avg_pool contrib.slim.nets "
        "image.decode_jpeg image.decode_gif image.decode_bmp image.decode_image image.decode_webp image.decode_jxl "
        "image.decode_and image.encode_jpeg image.extract_jpeg image.adjust_jpeg image.random_jpeg "
        "image.stateless_random_jpeg image.is_jpeg"
    ),
    "recurrent cells": (
        "nn.rnn_cell nn.rnn nn.dynamic_rnn nn.static_rnn nn.bidirectional nn.raw_rnn nn.ctc nn.seq2seq contrib.rnn "
        "contrib.seq2seq contrib.legacy_seq2seq contrib.cudnn_rnn contrib.grid_rnn "
        "contrib.crf.CrfForwardRnnCell contrib.crf.CrfDecodeForwardRnnCell contrib.crf.CrfDecodeBackwardRnnCell "
        "models.rnn python.ops.rnn python.ops.rnn_cell python.ops.seq2seq"
    ),
    "tf.data": "data contrib.data contrib.slim.dataset contrib.eager.Iterator python.data",
    "estimators and Keras": (
        "estimator keras.Input keras.Model keras.Sequential keras.applications keras.backend keras.callbacks "
        "keras.estimator keras.experimental keras.layers keras.losses keras.metrics keras.models "
        "keras.optimizers keras.preprocessing.image keras.wrappers keras.utils.multi_gpu_model keras.utils.plot_model "
        "keras.utils.model_to_dot keras.utils.Sequence keras.utils.OrderedEnqueuer keras.utils.GeneratorEnqueuer "
        "feature_column contrib.learn contrib.keras contrib.estimator "
        "contrib.tensor_forest contrib.boosted_trees contrib.timeseries "
        "contrib.eager.Network python.keras python.estimator "
        "contrib.layers.real_valued contrib.layers.sparse_column contrib.layers.embedding_column "
        "contrib.layers.bucketized_column"
    ),
    "ragged tensors": (
        "ragged RaggedTensor RaggedTensorSpec python.ops.ragged strings.bytes_split strings.ngrams "
        "strings.unicode_decode strings.unicode_split io.RaggedFeature"
    ),
    "graphs of TensorFlow's files": "contrib.graph_editor",
    "servers and what is spread over them": "distribute tpu contrib.distribute contrib.tpu",
}

_INSTEAD = {
    "convolutions, and image files": "read images into arrays elsewhere; take PyTorch for convolutions",
    "recurrent cells": "write the steps as a Python loop of matrix products, as examples/tf1/gru_lengths.py does",
    "tf.data": "feed arrays with feed_dict, or take readers such as tf.TextLineReader and tf.train.batch",
    "estimators and Keras": "build the graph, call session.run and save with tf.train.Saver",
    "ragged tensors": "pad rows to one length, or take tf.SparseTensor",
    "graphs of TensorFlow's files": "build the graph in Python, or take tf.train.export_meta_graph or tf.GraphDef",
    "servers and what is spread over them": "take steepest.mpi, or tf.train.MonitoredTrainingSession for one process",
}


def _reason(name: str) -> str | None:
    for what, prefixes in _LEFT_OUT.items():
        if any(name == p or name.startswith((f"{p}.", f"{p}_")) or _numbered(name, p) for p in prefixes.split()):
            return what
    return None


def is_left_out(full: str) -> bool:
    """Tell whether a name below ``tf`` belongs to what this package leaves out."""
    return _reason(full) is not None


def _numbered(name: str, prefix: str) -> bool:
    """Whether the name is the prefix and a number of dimensions: conv2d, max_pooling2d, conv2d_transpose."""
    rest = name.removeprefix(prefix)
    return rest != name and (rest[:1].isdigit() or rest.startswith("ing"))


def public_names(module: ModuleType) -> list[str]:
    """Return the names of a namespace that programs use, sorted; namespaces inside it included."""
    here = vars(module)  # not getattr: it would call the module's __getattr__, which raises
    if "__all__" in here:
        return sorted(here["__all__"])
    spaces = here.get("_NAMESPACES", ())
    names = (key for key in here if not key.startswith("_"))
    return sorted(name for name in names if name in spaces or not isinstance(here[name], ModuleType))


def left_out() -> dict[str, list[str]]:
    """Return what this package leaves out, with the beginnings of the names that belong to it."""
    return {what: names.split() for what, names in _LEFT_OUT.items()}


def told(full: str, near: Sequence[str] = ()) -> str:
    """Return what is said of a name that is not here: why it is left out and what to use, or near names."""
    reason = _reason(full)
    if reason is not None:
        return f"tf.{full} is not here: {reason} are left out of steepest.v1; {_INSTEAD[reason]}; see {PAGE}"
    hint = f"; near names are {', '.join(near)}" if near else ""
    return f"tf.{full} is not here{hint}; the names of steepest.v1 are listed in {PAGE}"


class _NotHere(AttributeError):
    """A name is not here. Near ones are looked for when somebody reads the message: most programs only ask."""

    def __init__(self, full: str, module: str, missing: str) -> None:
        super().__init__()
        self._about = full, module, missing

    def __str__(self) -> str:
        full, module, missing = self._about
        return told(full, difflib.get_close_matches(missing, public_names(sys.modules[module]), 4, 0.6))

    def __repr__(self) -> str:
        return f"AttributeError({str(self)!r})"

    def __reduce__(self) -> Any:
        return AttributeError, (str(self),)


_NotHere.__name__ = _NotHere.__qualname__ = "AttributeError"  # as which a traceback shows it
_NotHere.__module__ = "builtins"


def namespace(
    module: str, inner: str = "", late: Sequence[str] | Mapping[str, Sequence[str]] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` (for the names that are not there) and ``__dir__`` of a module of this package.

    Modules ``late`` below it are imported when they are first asked for, or when names of theirs are.

    Where TensorFlow has modules ``inner`` below it, whose names are in this one, they stand for it: programs say
    ``from tensorflow.contrib.layers.python.layers import initializers``.
    """
    inside = module.removeprefix("steepest.v1").lstrip(".")
    names = late if isinstance(late, Mapping) else {name: [name] for name in late}
    sys.modules[module].__dict__.setdefault("__path__", [])  # TensorFlow's is a folder: others can be imported below it
    imported, known = late_names(module, names, {}), {name for several in names.values() for name in several}

    def getattr_(name: str) -> Any:
        full = f"{inside}.{name}" if inside else name
        if name in inner.split():
            return sys.modules[module]
        if name in known:
            return imported(name)
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        if (standing := stand_in(full)) is not None:
            return standing
        raise _NotHere(full, module, name)

    return getattr_, lambda: public_names(sys.modules[module])
