"""TensorFlow's ``file_io``: the functions of ``tf.gfile`` under lower-case names."""

from __future__ import annotations

import binascii
import os
from typing import Any

from .. import gfile as _gfile

__all__ = [
    "FileIO",
    "atomic_write_string_to_file",
    "copy",
    "create_dir",
    "delete_file",
    "delete_recursively",
    "file_crc32",
    "file_exists",
    "filecmp",
    "get_matching_files",
    "is_directory",
    "list_directory",
    "read_file_to_string",
    "recursive_create_dir",
    "rename",
    "stat",
    "walk",
    "write_string_to_file",
]

copy, create_dir, delete_file = _gfile.Copy, _gfile.MkDir, _gfile.Remove
delete_recursively, file_exists, get_matching_files = _gfile.DeleteRecursively, _gfile.Exists, _gfile.Glob
is_directory, list_directory, recursive_create_dir = _gfile.IsDirectory, _gfile.ListDirectory, _gfile.MakeDirs
FileIO = _gfile.GFile
rename, stat, walk = _gfile.Rename, _gfile.Stat, _gfile.Walk


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
