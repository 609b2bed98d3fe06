"""``tf.resource_loader``: paths of files that lie beside the program that asks."""

import os
import sys

from .graph.missing import namespace

__all__ = [
    "get_data_files_path",
    "get_path_to_datafile",
    "get_root_dir_with_all_resources",
    "load_resource",
    "readahead_file_path",
]

__getattr__, __dir__ = namespace(__name__)


def _folder(depth: int) -> str:
    """Return the folder of the file whose code calls the function that calls this one."""
    return os.path.dirname(sys._getframe(depth).f_code.co_filename)


def get_data_files_path() -> str:
    """Return the folder of the file that calls this. Source: ``tf.resource_loader.get_data_files_path``."""
    return _folder(2)


def get_path_to_datafile(path: str) -> str:
    """Return the path of a file beside the one that calls this. Source: ``tf.resource_loader.get_path_to_datafile``."""
    return os.path.join(_folder(2), path)


def get_root_dir_with_all_resources() -> str:
    """Return the folder below that of Bazel's ``.runfiles`` in which the calling file is, else the file's own folder.

    Source: ``tf.resource_loader.get_root_dir_with_all_resources``.
    """
    folder = below = _folder(2)
    own = folder
    while folder != os.path.dirname(folder):
        if ".runfiles" in os.path.basename(folder):
            return below if below != folder else own
        folder, below = os.path.dirname(folder), folder
    return own


def load_resource(path: str) -> bytes:
    """Return what is in a file of this package, by its path below it. OSError where there is none.

    Source: ``tf.resource_loader.load_resource``.
    """
    with open(os.path.join(os.path.dirname(__file__), path), "rb") as file:
        return file.read()


def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """Return the path as it is."""
    return path
