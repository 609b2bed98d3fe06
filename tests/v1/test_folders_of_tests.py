"""The folder for files of tests: a program may delete it with all that is in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile

from steepest.v1 import test


def test_the_folder_for_files_of_tests_is_not_that_of_all_temporary_files():
    folder = test.get_temp_dir()
    assert folder == test.get_temp_dir()
    assert os.path.isdir(folder)
    assert not os.path.samefile(folder, tempfile.gettempdir())


def test_a_test_has_a_folder_of_its_own_also_where_another_one_deleted_that_of_all():
    class Case(test.TestCase):
        def test_nothing(self) -> None:
            pass

    first, second = Case("test_nothing"), Case("test_nothing")
    assert os.path.dirname(first.get_temp_dir()) == test.get_temp_dir()
    assert first.get_temp_dir() == first.get_temp_dir() != second.get_temp_dir()
    shutil.rmtree(test.get_temp_dir())
    assert os.path.isdir(Case("test_nothing").get_temp_dir())


def test_the_folder_is_gone_when_the_process_has_ended():
    told = "from steepest.v1 import test; print(test.get_temp_dir())"
    (folder,) = subprocess.run([sys.executable, "-c", told], text=True, capture_output=True, check=True).stdout.split()
    assert os.path.dirname(folder) == tempfile.gettempdir()
    assert not os.path.exists(folder)
