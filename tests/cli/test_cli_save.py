"""Saved vectors are whole, are read back exactly, and never replace what is not a file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import numpy as np
import pytest

from steepest.cli.errors import CommandError
from steepest.cli.save import check_target, save_vectors, write_whole

WORDS = ["list", "größe", "__init__"]
VECTORS = np.random.default_rng(0).normal(size=(3, 5)).astype(np.float32)


def test_text_format_is_read_back_exactly(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    save_vectors(str(path), WORDS, VECTORS)
    first, *lines = path.read_text("utf-8").splitlines()
    assert first == "3 5"
    assert [line.split()[0] for line in lines] == WORDS
    np.testing.assert_array_equal(np.array([line.split()[1:] for line in lines], np.float32), VECTORS)


def test_npz_format_is_read_back_exactly(tmp_path: Path) -> None:
    path = tmp_path / "vectors.npz"
    save_vectors(str(path), WORDS, VECTORS)
    with np.load(path) as saved:  # without pickle
        assert saved["words"].tolist() == WORDS
        np.testing.assert_array_equal(saved["vectors"], VECTORS)


def test_a_failed_write_leaves_the_earlier_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("earlier")

    def fill_the_disk(file: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(CommandError, match=r"--save must be writable, got .*No space left on device"):
        write_whole("--save", str(path), fill_the_disk)
    assert path.read_text() == "earlier"
    assert os.listdir(tmp_path) == ["vectors.txt"]


def test_the_file_gets_ordinary_permissions_or_keeps_its_own(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    before = os.umask(0o027)
    try:
        save_vectors(str(path), WORDS, VECTORS)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    save_vectors(str(path), WORDS, VECTORS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("earlier")
    link.symlink_to(target)
    save_vectors(str(link), WORDS, VECTORS)
    assert link.is_symlink()
    assert target.read_text("utf-8").startswith("3 5\n")


@pytest.mark.parametrize("path", ["/dev/null", "/", "no/such/folder/x.txt", "nul\0byte"])
def test_an_impossible_target_is_found_beforehand(path: str) -> None:
    with pytest.raises(CommandError, match="words: --save must"):
        check_target("--save", path)


def test_the_check_leaves_nothing_behind(tmp_path: Path) -> None:
    check_target("--save", str(tmp_path / "x.txt"))
    assert os.listdir(tmp_path) == []
