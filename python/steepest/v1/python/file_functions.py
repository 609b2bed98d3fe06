"""TensorFlow's ``file_io``: the functions of ``tf.gfile`` under lower-case names."""

from __future__ import annotations

import binascii
import os
from typing import Any

from .. import gfile as _gfile
from ..io import gfile as _later

__all__ = [
    "FileIO",
    "atomic_write_string_to_file",
    "copy",
    "copy_v2",
    "create_dir",
    "create_dir_v2",
    "delete_file",
    "delete_file_v2",
    "delete_recursively",
    "delete_recursively_v2",
    "file_crc32",
    "file_exists",
    "file_exists_v2",
    "filecmp",
    "get_matching_files",
    "get_matching_files_v2",
    "get_registered_schemes",
    "has_atomic_move",
    "is_directory",
    "is_directory_v2",
    "join",
    "list_directory",
    "list_directory_v2",
    "read_file_to_string",
    "recursive_create_dir",
    "recursive_create_dir_v2",
    "rename",
    "rename_v2",
    "stat",
    "stat_v2",
    "walk",
    "walk_v2",
    "write_string_to_file",
]

copy, create_dir, delete_file = _gfile.Copy, _gfile.MkDir, _gfile.Remove
delete_recursively, file_exists, get_matching_files = _gfile.DeleteRecursively, _gfile.Exists, _gfile.Glob
is_directory, list_directory, recursive_create_dir = _gfile.IsDirectory, _gfile.ListDirectory, _gfile.MakeDirs
FileIO = _gfile.FileIO
rename, stat, walk = _gfile.Rename, _gfile.Stat, _gfile.Walk
copy_v2, create_dir_v2, delete_file_v2, delete_recursively_v2 = _later.copy, _later.mkdir, _later.remove, _later.rmtree
file_exists_v2, get_matching_files_v2, is_directory_v2 = _later.exists, _later.glob, _later.isdir
list_directory_v2, recursive_create_dir_v2, rename_v2 = _later.listdir, _later.makedirs, _later.rename
stat_v2, walk_v2 = _later.stat, _later.walk


def join(path: Any, *paths: Any) -> str:
    """Return a path of several parts, as `os.path.join` does."""
    return os.path.join(os.fspath(path), *map(os.fspath, paths))


def has_atomic_move(path: Any) -> bool:
    """Return True: a file of a folder is moved at once."""
    return True


def get_registered_schemes() -> list[str]:
    """Return how paths may begin: files of this machine are all there are."""
    return ["", "file"]


def read_file_to_string(filename: str, binary_mode: bool = False) -> Any:
    """Return what is in a file."""
    with _gfile.GFile(filename, "rb" if binary_mode else "r") as file:
        return file.read()


def write_string_to_file(filename: str, file_content: Any) -> None:
    """Write a file."""
    with _gfile.GFile(filename, "wb" if isinstance(file_content, bytes) else "w") as file:
        file.write(file_content)


def atomic_write_string_to_file(filename: str, contents: Any, overwrite: bool = True) -> None:
    """Write a file under another name, then give it its own."""
    beside = f"{filename}.tmp{os.getpid()}"
    write_string_to_file(beside, contents)
    try:
        _gfile.Rename(beside, filename, overwrite)
    except Exception:
        _gfile.Remove(beside)
        raise


def file_crc32(filename: str, block_size: int = 16 * 1024 * 1024) -> str:
    """Return the checksum of what is in a file, as hexadecimal digits."""
    checksum = 0
    with _gfile.GFile(filename, "rb") as file:
        while block := file.read(block_size):
            checksum = binascii.crc32(block, checksum)
    return hex(checksum)


def filecmp(filename_a: str, filename_b: str) -> bool:
    """Tell whether the same is in two files."""
    if stat(filename_a).length != stat(filename_b).length:
        return False
    return file_crc32(filename_a) == file_crc32(filename_b)
