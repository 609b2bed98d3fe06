"""`tf.resource_loader`: paths beside the program that asks."""

import os

from steepest import v1 as tf

HERE = os.path.dirname(__file__)


def test_paths_beside_the_file_that_asks():
    assert tf.resource_loader.get_data_files_path() == HERE
    assert tf.resource_loader.get_path_to_datafile("data/a.txt") == os.path.join(HERE, "data/a.txt")
    assert tf.resource_loader.readahead_file_path("a.txt") == "a.txt"
    assert tf.resource_loader.get_root_dir_with_all_resources() == HERE


def test_root_of_a_program_in_runfiles():
    for folder, root in (("/a/b.runfiles/main/c", "/a/b.runfiles/main"), ("/a/b.runfiles", "/a/b.runfiles")):
        code = compile("root = loader.get_root_dir_with_all_resources()", f"{folder}/x.py", "exec")
        names = {"loader": tf.resource_loader}
        exec(code, names)
        assert names["root"] == root
