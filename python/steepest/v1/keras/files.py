"""``tf.keras.utils.get_file``: files that are fetched once and kept in the user's folder."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tarfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Sequence
from typing import Any

from ...base.errors import must

__all__ = ["get_file", "validate_file"]


def get_file(
    fname: str,
    origin: str,
    untar: bool = False,
    md5_hash: str | None = None,
    file_hash: str | None = None,
    cache_subdir: str = "datasets",
    hash_algorithm: str = "auto",
    extract: bool = False,
    archive_format: str | Sequence[str] | None = "auto",
    cache_dir: str | None = None,
) -> str:
    """Return the path of a file, which is fetched where it is not there, or has another hash.

    Args:
        fname: its name, in ``cache_dir/cache_subdir``; or a whole path.
        origin: where it is fetched from.
        untar: it is ``fname.tar.gz``, and the path of the folder ``fname`` in it is returned.
        md5_hash, file_hash, hash_algorithm: its MD5 or SHA-256 (which one the number of digits tells).
        extract: what is in it is put beside it, where it is an archive of ``archive_format``: "tar", "zip", or both.
        cache_dir: ``~/.keras`` by default, ``/tmp/.keras`` where nothing can be written there.

    Raises:
        OSError: where it cannot be fetched. What was there before is there still.
        ValueError: where what was fetched has another hash.

    Source: ``tf.keras.utils.get_file``.
    """
    if md5_hash is not None and file_hash is None:
        file_hash, hash_algorithm = md5_hash, "md5"
    base = os.path.expanduser(cache_dir or os.path.join("~", ".keras"))
    folder = os.path.join(base if _is_writable(base) else os.path.join("/tmp", ".keras"), cache_subdir)
    os.makedirs(folder, exist_ok=True)
    unpacked = os.path.join(folder, fname)
    path = f"{unpacked}.tar.gz" if untar else unpacked
    if os.path.exists(path) and file_hash is not None and not validate_file(path, file_hash, hash_algorithm):
        print(f"A local file was found, but its hash is not {file_hash}, so that the data is fetched again.")
        _fetch(origin, path, file_hash, hash_algorithm)
    elif not os.path.exists(path):
        _fetch(origin, path, file_hash, hash_algorithm)
    if untar and not os.path.exists(unpacked):
        _unpack(path, folder, "tar")
    elif extract and not untar:
        _unpack(path, folder, archive_format)
    return unpacked if untar else path


def _is_writable(folder: str) -> bool:
    """Tell whether a folder can be written to, which need not be there yet."""
    while not os.path.exists(folder):
        folder = os.path.dirname(folder) or os.curdir
    return os.access(folder, os.W_OK)


def validate_file(fpath: str, file_hash: str, algorithm: str = "auto", chunk_size: int = 65535) -> bool:
    """Tell whether a file has a hash: SHA-256 where that, or 64 digits, are given, else MD5."""
    is_long = algorithm == "sha256" or (algorithm == "auto" and len(file_hash) == 64)
    hasher: Any = hashlib.sha256() if is_long else hashlib.md5(usedforsecurity=False)
    with open(fpath, "rb") as file:
        while chunk := file.read(chunk_size):
            hasher.update(chunk)
    return bool(hasher.hexdigest() == file_hash)


def _fetch(origin: str, path: str, file_hash: str | None, hash_algorithm: str) -> None:
    """Fetch a file; it takes its place when all of it is there and its hash is right."""
    print("Downloading data from", origin)
    part = f"{path}.part"
    try:
        with urllib.request.urlopen(origin) as response, open(part, "wb") as file:
            size = int(response.headers.get("Content-Length") or 0)
            while chunk := response.read(1 << 16):
                file.write(chunk)
                _show_progress(file.tell(), size)
        if file_hash is not None and not validate_file(part, file_hash, hash_algorithm):
            raise ValueError(must("get_file", "origin", f"be a file of the hash {file_hash}", origin))
        os.replace(part, path)
    except urllib.error.URLError as error:
        remedy = f"put the file at {path}"
        raise OSError(must("get_file", "origin", "be reachable", f"{origin} ({error})", remedy)) from error
    finally:
        if os.path.exists(part):
            os.remove(part)


def _show_progress(done: int, size: int) -> None:
    if sys.stderr.isatty():
        share = f" of {size / 1e6:.1f}" if size else ""
        print(f"\r{done / 1e6:.1f}{share} MB", end="\n" if done == size else "", file=sys.stderr, flush=True)


def _unpack(path: str, folder: str, archive_format: str | Sequence[str] | None) -> None:
    """Put what is in an archive into a folder; nothing of what is no archive of the formats."""
    formats = ["tar", "zip"] if archive_format == "auto" else archive_format or []
    if "tar" in formats and tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # no paths that lead outside
            archive.extractall(folder, **safely)  # type: ignore[arg-type]  # Pythons before 3.10.12 have no filter
    elif "zip" in formats and zipfile.is_zipfile(path):
        shutil.unpack_archive(path, folder, "zip")
