"""``tf.gfile``: files and folders of the local disk under TensorFlow's names."""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Iterator
from typing import Any

from .compat import as_bytes
from .errors import AlreadyExistsError, InvalidArgumentError, OutOfRangeError, PermissionDeniedError
from .graph.file_errors import translated
from .graph.missing import namespace

__all__ = [
    "Copy",
    "DeleteRecursively",
    "Exists",
    "FastGFile",
    "GFile",
    "Glob",
    "IsDirectory",
    "ListDirectory",
    "MakeDirs",
    "MkDir",
    "Open",
    "Remove",
    "Rename",
    "Stat",
    "Walk",
]

__getattr__, __dir__ = namespace(__name__)


class FileIO:
    """A file of the local disk, opened when it is first read or written. Text unless the mode has a ``b``.

    What the mode does not allow is a PermissionDeniedError. Places and sizes count bytes, of texts too. A file that is
    read and written, as by the mode ``"w+"``, is read from its beginning; what is written goes to the end.

    Args:
        name: the path.
        mode: one of ``r w a r+ w+ a+``, and ``b`` for bytes. InvalidArgumentError for others.
        encoding: that of texts in the file.

    Source: TensorFlow's ``file_io.FileIO``.
    """

    def __init__(self, name: Any, mode: str, encoding: str = "utf-8") -> None:
        self._name, self._mode, self._encoding = name, mode, encoding
        self._kind = mode.replace("b", "")
        self._read: Any = None
        self._written: Any = None
        if self._kind not in ("r", "w", "a", "r+", "w+", "a+"):
            raise InvalidArgumentError(None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")

    name = property(lambda self: self._name, doc="The path.")
    mode = property(lambda self: self._mode, doc="The mode.")

    @translated
    def _reading(self) -> Any:
        """Return the stream to read. Raises NotFoundError where there is no file."""
        if self._read is None:
            if self._kind in ("w", "a"):
                raise PermissionDeniedError(None, None, "File isn't open for reading")
            self._read = open(self._name, "rb")  # noqa: SIM115
        return self._read

    @translated
    def _writing(self) -> Any:
        if self._written is None:
            if self._kind == "r":
                raise PermissionDeniedError(None, None, "File isn't open for writing")
            self._written = open(self._name, "ab" if "a" in self._kind else "wb")  # noqa: SIM115
        return self._written

    def _given(self, read: bytes) -> Any:
        return read if "b" in self._mode else read.decode(self._encoding)

    def read(self, n: int = -1) -> Any:
        """Return the next ``n`` bytes, by default all that are left.

        Raises NotFoundError where there is no file, InvalidArgumentError for less than -1.
        """
        if n < -1:
            raise InvalidArgumentError(None, None, f"Can't read a negative number of bytes: {n}")
        return self._given(self._reading().read(n))

    def readline(self) -> Any:
        r"""Return the next line with its end, of which a ``\r`` is left out; nothing at the end of the file."""
        return self._given(self._reading().readline().replace(b"\r", b""))

    def readlines(self) -> list[Any]:
        """Return the lines that are left."""
        return list(self)

    def write(self, file_content: Any) -> None:
        """Write text, or bytes."""
        self._writing().write(as_bytes(file_content, self._encoding))

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Go to a place in the file: from its beginning, from the place read (1), or from its end (2).

        Raises InvalidArgumentError for a place before its beginning, OutOfRangeError for one after its end.
        """
        reading = self._reading()
        if (offset is None) == (position is None):
            told = (
                "offset argument required" if offset is None else "offset and position may not be set simultaneously."
            )
            raise TypeError(f"seek(): {told}")
        place = position if offset is None else offset
        if whence not in (0, 1, 2):
            raise InvalidArgumentError(None, None, f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2.")
        place = int(place or 0) + (self.tell() if whence == 1 else self.size() if whence == 2 else 0)
        if place < 0:
            raise InvalidArgumentError(None, None, f"Seeking to a negative position: {place}")
        reading.seek(min(place, self.size()))
        if place > self.tell():
            raise OutOfRangeError(None, None, "reached end of file")

    def seekable(self) -> bool:
        """Return True: places in the file can be gone to."""
        return True

    def tell(self) -> int:
        """Return the place in the file."""
        stream = self._writing() if self._read is None and self._kind in ("w", "a") else self._reading()
        return int(stream.tell())

    def size(self) -> int:
        """Return the size of the file in bytes, without what waits to be written."""
        size: int = Stat(self._name).length
        return size

    def flush(self) -> None:
        """Write what waits."""
        if self._written is not None:
            self._written.flush()

    def close(self) -> None:
        """Write what waits and close the file."""
        for stream in (self._read, self._written):
            if stream is not None:
                stream.close()
        self._read = self._written = None

    def __del__(self) -> None:  # programs seldom close what they have read
        if hasattr(self, "_written"):
            self.close()

    def __iter__(self) -> FileIO:
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self) -> FileIO:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class GFile(FileIO):
    """A file of the local disk, read as text by default. Source: ``tf.gfile.GFile``."""

    def __init__(self, name: Any, mode: str = "r") -> None:
        super().__init__(name, mode)


Open = GFile


class FastGFile(GFile):
    """The same as `GFile`."""


def Exists(filename: Any) -> bool:
    """Tell whether there is a file or folder."""
    return os.path.exists(filename)


def IsDirectory(dirname: Any) -> bool:
    """Tell whether there is a folder."""
    return os.path.isdir(dirname)


def Glob(filename: Any) -> list[str]:
    """Return the paths that match a pattern, or any of several."""
    patterns: Any = [filename] if isinstance(filename, (str, bytes, os.PathLike)) else filename
    return sorted(path for pattern in patterns for path in glob.glob(os.fspath(pattern)))


@translated
def MakeDirs(dirname: Any) -> None:
    """Make a folder and those above it, where they are missing."""
    os.makedirs(dirname, exist_ok=True)


@translated
def MkDir(dirname: Any) -> None:
    """Make a folder, unless it is there. Raises NotFoundError where that above it is missing."""
    if not os.path.isdir(dirname):
        os.mkdir(dirname)


@translated
def ListDirectory(dirname: Any) -> list[str]:
    """Return the names in a folder. Raises NotFoundError."""
    return os.listdir(dirname)


@translated
def Remove(filename: Any) -> None:
    """Delete a file. Raises NotFoundError."""
    os.remove(filename)


@translated
def DeleteRecursively(dirname: Any) -> None:
    """Delete a folder and all that is in it, or a file. Raises NotFoundError."""
    if os.path.isdir(dirname) and not os.path.islink(dirname):
        shutil.rmtree(dirname)
    else:
        os.remove(dirname)


@translated
def Copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    """Copy a file. Raises NotFoundError, and AlreadyExistsError unless ``overwrite``."""
    _check_free(newpath, overwrite)
    shutil.copyfile(oldpath, newpath)


@translated
def Rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    """Rename a file or folder. Raises as `Copy`."""
    _check_free(newname, overwrite)
    os.replace(oldname, newname)


def _check_free(path: Any, overwrite: bool) -> None:
    if not overwrite and os.path.exists(path):
        raise AlreadyExistsError(None, None, f"{path}; file already exists")


class _Stat:
    def __init__(self, status: os.stat_result, is_directory: bool) -> None:
        self.length, self.mtime_nsec, self.is_directory = status.st_size, status.st_mtime_ns, is_directory


@translated
def Stat(filename: Any) -> _Stat:
    """Return ``length``, ``mtime_nsec`` and ``is_directory``. Raises NotFoundError."""
    return _Stat(os.stat(filename), os.path.isdir(filename))


def Walk(top: Any, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """Return folders below ``top`` with the names of the folders and files in each."""
    return os.walk(top, topdown=in_order)
