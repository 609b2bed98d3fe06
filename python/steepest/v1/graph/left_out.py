"""What stands for folders and names that are left out: they can be imported, and fail when they are used."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

from .missing import is_left_out, told

__all__ = ["LeftOut", "LeftOutModule", "folder", "stand_in"]

_TOP = "steepest.v1."

# TensorFlow's public folders of which nothing is here. Programs import them for work that they may not do.
_FOLDERS = {
    "": "compiler data debug estimator feature_column keras lite raw_ops tools tpu nn.rnn_cell",
    "contrib.": (
        "all_reduce autograph batching bigtable boosted_trees cloud cluster_resolver "
        "coder copy_graph cudnn_rnn data decision_trees distribute "
        "estimator feature_column ffmpeg fused_conv gan graph_editor grid_rnn hadoop hooks "
        "input_pipeline keras kernel_methods kfac labeled_tensor legacy_seq2seq libsvm "
        "linear_optimizer lite memory_stats meta_graph_transform model_pruning nccl "
        "nearest_neighbor periodic_resample proto quantization quantize rate "
        "receptive_field recurrent reduce_slice_ops rnn rpc saved_model seq2seq session_bundle "
        "specs tensor_forest tensorrt tfprof "
        "timeseries tpu training_util xla "
    ),
}
_KERAS = "activations constraints datasets initializers preprocessing regularizers utils by_name files symbolic_tensors"
_SETS = "boston_housing cifar cifar10 cifar100 fashion_mnist imdb mnist reuters sources texts"
_HERE = {
    "keras",
    *(f"keras.{name}" for name in _KERAS.split()),
    *(f"keras.datasets.{name}" for name in _SETS.split()),
    *("keras.preprocessing.sequence", "keras.preprocessing.text"),
}
_LEFT_OUT_FOLDERS = {f"{above}{name}" for above, names in _FOLDERS.items() for name in names.split()}


class LeftOut:
    """A name of a module that is left out. A program may import it, and make classes of it, for work it does not do."""

    def __init__(self, path: str) -> None:
        self._path, said = path, told(path)
        self._message = f"tensorflow{said[2:]}" if path.startswith("python.") else said

    def _fail(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(self._message)

    __call__ = __iter__ = __len__ = __getitem__ = __enter__ = __exit__ = __index__ = __float__ = __bool__ = _fail
    __add__ = __sub__ = __mul__ = __truediv__ = __radd__ = __rsub__ = __rmul__ = __rtruediv__ = _fail

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python asks for these by itself
            raise AttributeError(name)
        return LeftOut(f"{self._path}.{name}")

    def __instancecheck__(self, instance: Any) -> bool:
        return False  # nothing can be made of it

    __subclasscheck__ = __instancecheck__

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        fail = self._fail

        class Base:
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                fail()

        return (Base,)

    def __repr__(self) -> str:
        return f"<{self._message.split(':')[0]}>"


class LeftOutModule(ModuleType):
    """A module in a folder that is left out; what looks like one may be a function, which fails when it is called."""

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise NotImplementedError."""
        LeftOut(self.__name__.removeprefix(_TOP))()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        inside = f"{self.__name__.removeprefix(_TOP)}.{name}"
        found = None if name[:1].isupper() else folder(inside)
        return LeftOut(inside) if found is None else found


def folder(inside: str) -> LeftOutModule | None:
    """Return what stands for a folder by its path below ``tf``, or for what lies in one; None for others."""
    parts = inside.split(".")
    if inside in _HERE or not any(".".join(parts[:k]) in _LEFT_OUT_FOLDERS for k in range(1, len(parts) + 1)):
        return None
    name = f"{_TOP}{inside}"
    if name not in sys.modules:
        made = LeftOutModule(name, f"TensorFlow's ``tf.{inside}``: nothing; its contents are left out.")
        made.__path__ = []
        sys.modules[name] = made
    found = sys.modules[name]
    assert isinstance(found, LeftOutModule)
    return found


def stand_in(inside: str) -> LeftOutModule | LeftOut | None:
    """Return what stands for a folder, or for a public function or class, that is left out; None for other names.

    Programs list layers in tables, of which they use some.
    """
    public = not inside.startswith("python.")
    return folder(inside) or (LeftOut(inside) if public and is_left_out(inside) else None)


class _Folders(MetaPathFinder, Loader):
    """Finds the folders, and what lies in them, when they are imported."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module in one of the folders."""
        inside = fullname.removeprefix(_TOP)
        if inside == fullname or folder(inside) is None:
            return None
        return importlib.util.spec_from_loader(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return the module that stands for it."""
        return folder(spec.name.removeprefix(_TOP))

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: there is nothing in it."""


sys.meta_path.append(_Folders())
