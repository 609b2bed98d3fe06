"""The folder of a process for the files of its tests: its own, as programs delete it with all that is in it."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import sys
import tempfile

__all__ = ["get_temp_dir", "new_folder"]


@functools.cache
def _folder(process: int) -> str:
    program = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    path = tempfile.mkdtemp(prefix=program.lstrip("-"))

    def remove() -> None:
        if os.getpid() == process:  # and not a process that it was copied for
            shutil.rmtree(path, ignore_errors=True)

    atexit.register(remove)
    return path


def get_temp_dir() -> str:
    """Return a folder for files of tests, the same at each call; it is removed when the process ends.

    Source: ``tf.test.get_temp_dir``.
    """
    return _folder(os.getpid())


def new_folder(name: str) -> str:
    """Return a new folder inside, whose name begins with ``name``."""
    os.makedirs(get_temp_dir(), exist_ok=True)  # a program may have deleted it
    return tempfile.mkdtemp(prefix=name, dir=get_temp_dir())
