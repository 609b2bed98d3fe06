"""Writing: whole or not at all, whatever the disk says; what killed saves leave is cleaned up."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import steepest as st
from steepest.checkpoint.atomic import TEMPORARY


def test_a_folder_is_not_a_file(tmp_path):
    (tmp_path / "folder").mkdir()
    for call in (lambda path: st.save(path, a=1), lambda path: st.restore(path, a=1)):
        with pytest.raises(
            IsADirectoryError, match=r"^\w+: path must be a file, got '.*folder', which is a directory$"
        ):
            call(tmp_path / "folder")
    assert os.listdir(tmp_path) == ["folder"]


@pytest.mark.parametrize(
    ("path", "error"), [(3.5, TypeError), (None, TypeError), ("", ValueError), ("a\0b", ValueError)]
)
def test_what_cannot_be_a_path_is_named(path, error):
    for call in (lambda: st.save(path, a=1), lambda: st.restore(path, a=1), lambda: st.checkpoint.load_arrays(path)):
        with pytest.raises(
            error, match=r"^\w+: path must (be a string or a path|have characters and no zero among them), got "
        ):
            call()


def test_a_device_is_not_replaced():
    with pytest.raises(OSError, match="save: path must be a file, got '/dev/null', which is a device"):
        st.save("/dev/null", a=1)
    with pytest.raises(OSError, match="restore: path must be a file, got '/dev/zero', which is a device"):
        st.restore("/dev/zero", a=1)


def test_a_missing_folder_or_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"save: path must be writable, got .*none/a.*; make the folder first"):
        st.save(tmp_path / "none" / "a", a=1)
    with pytest.raises(FileNotFoundError, match=r"restore: path must be an existing file, got '.*nothing'"):
        st.restore(tmp_path / "nothing", a=1)


AS_NOBODY = """
import os, sys
import steepest as st
st.save(sys.argv[1], a=1)  # loads all that another user may not read
os.setgid(65534), os.setuid(65534)
try:
    st.save(sys.argv[1], a=2)
except PermissionError as error:
    print(error)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="another user's folder is made by root")
def test_a_folder_that_cannot_be_written_to_is_named(tmp_path):
    os.chmod(tmp_path, 0o755)
    for parent in tmp_path.parents[:2]:
        os.chmod(parent, 0o755)
    path = tmp_path / "a.safetensors"
    done = subprocess.run([sys.executable, "-c", AS_NOBODY, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == f"save: path must be writable, got {str(path)!r} (Permission denied)\n"
    assert os.listdir(tmp_path) == ["a.safetensors"]
    assert st.checkpoint.load(path) == {"a": 1}


def test_a_full_disk_keeps_the_old_file(tmp_path):
    """A file system of 256 KiB; where none can be mounted, a limit on a file's size."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    try:
        program = FULL if mounted.returncode == 0 else LIMITED + FULL
        done = subprocess.run(
            [sys.executable, "-c", program, str(folder / "a.safetensors")], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert "save: path must be writable, got " in done.stdout
        assert ("No space left on device" if mounted.returncode == 0 else "File too large") in done.stdout
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", str(folder)], check=True)


LIMITED = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (250_000, 250_000))
"""

FULL = """
import os, sys
import numpy as np
import steepest as st
path, w = sys.argv[1], np.arange(1000.0)
st.save(path, w=w)
try:
    st.save(path, w=np.zeros(100_000))
except OSError as error:
    print(error, error.errno)
assert os.listdir(os.path.dirname(path)) == ["a.safetensors"]
w[:] = 0
st.restore(path, w=w)
assert w.tolist() == list(range(1000))
"""


def test_a_link_is_written_through_and_a_file_keeps_its_mode(tmp_path):
    st.save(tmp_path / "real", a=1)
    os.chmod(tmp_path / "real", 0o640)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    st.save(tmp_path / "link", a=2)
    assert (tmp_path / "link").is_symlink()
    assert st.checkpoint.load(tmp_path / "real") == {"a": 2}
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640


def test_leftovers_are_cleaned_but_not_what_is_being_written(tmp_path):
    left, busy, other = (tmp_path / name for name in (f".dead{TEMPORARY}", f".busy{TEMPORARY}", ".else.tmp"))
    for path in (left, busy, other):
        path.write_bytes(b"half")
    with open(busy, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        st.save(tmp_path / "a", a=1)
        assert sorted(os.listdir(tmp_path)) == sorted([busy.name, other.name, "a"])
    st.save(tmp_path / "a", a=1)
    assert sorted(os.listdir(tmp_path)) == sorted([other.name, "a"])


def test_file_and_folder_are_synchronized_before_and_after_the_rename(tmp_path, monkeypatch):
    events = []
    fsync, replace = os.fsync, os.replace

    def noted(handle):
        events.append("folder" if Path(f"/proc/self/fd/{handle}").resolve().is_dir() else "file")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(os, "replace", lambda a, b: (events.append("rename"), replace(a, b)))
    st.save(tmp_path / "a", a=np.ones(3))
    assert events == ["file", "rename", "folder"]


def test_an_interrupted_save_leaves_the_old_file(tmp_path, monkeypatch):
    st.save(tmp_path / "a", a=1)

    def interrupted(handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        st.save(tmp_path / "a", a=2)
    assert os.listdir(tmp_path) == ["a"]
    assert st.checkpoint.load(tmp_path / "a") == {"a": 1}
