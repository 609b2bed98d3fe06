"""Files that are written whole or not at all, and stay written when the power goes."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from ..base.errors import must

__all__ = ["TEMPORARY", "checked_path", "write_whole"]

TEMPORARY = ".steepest-tmp"
"""What the names of files that are being written end with. They begin with a dot."""


def write_whole(who: str, path: str | os.PathLike[str], write: Callable[[IO[bytes]], Any]) -> None:
    """Call ``write`` on a temporary file in the same folder, and give it its name when all is on the disk.

    File and folder are synchronized. Until then what was there before stays. A link is written through. Temporary
    files that killed processes have left in the folder are removed; who writes one holds a lock on it.

    Raises:
        TypeError, ValueError: for what cannot be a path.
        OSError: when the file cannot be written, of the kind that the system says; then nothing has changed.
    """
    name = checked_path(who, path)
    shown = repr(name)
    try:
        target = os.path.realpath(name)
        if os.path.isdir(target):
            raise IsADirectoryError(must(who, "path", "be a file", f"{shown}, which is a directory"))
        if os.path.exists(target) and not os.path.isfile(target):
            raise OSError(must(who, "path", "be a file", f"{shown}, which is a device"))
        folder = os.path.dirname(target)
        _clean(folder)
        handle, temporary = _temporary(folder)
        try:
            with os.fdopen(handle, "w+b") as file:
                write(file)
                file.flush()
                if os.path.exists(target):
                    os.fchmod(file.fileno(), os.stat(target).st_mode & 0o777)
                os.fsync(file.fileno())
                os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _synchronize(folder)
    except OSError as error:
        if error.strerror is None:
            raise
        remedy = "make the folder first" if isinstance(error, FileNotFoundError) else None
        raise _worded(error, must(who, "path", "be writable", f"{shown} ({error.strerror})", remedy)) from error


def checked_path(who: str, path: Any) -> str:
    """Return a path as a string; TypeError or ValueError for what cannot be one."""
    try:
        name = os.fsdecode(path)
    except TypeError:
        raise TypeError(must(who, "path", "be a string or a path", path)) from None
    if not name or "\0" in name:
        raise ValueError(must(who, "path", "have characters and no zero among them", repr(name)))
    return name


def _worded(error: OSError, message: str) -> OSError:
    worded = type(error)(message)
    worded.errno = error.errno
    return worded


def _temporary(folder: str) -> tuple[int, str]:
    """Make a temporary file and lock it; another process may have cleaned it away before it was locked."""
    while True:
        name = os.path.join(folder, f".{os.urandom(8).hex()}{TEMPORARY}")
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        with contextlib.suppress(OSError):  # a file system without locks: nobody cleans there
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle, name
        os.close(handle)


def _clean(folder: str) -> None:
    """Remove temporary files that nobody is writing."""
    for name in Path(folder).glob(f".*{TEMPORARY}"):
        with contextlib.suppress(OSError):
            handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(name)
            finally:
                os.close(handle)


def _synchronize(folder: str) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # some file systems cannot
            os.fsync(handle)
    finally:
        os.close(handle)
