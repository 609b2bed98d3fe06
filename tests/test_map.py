"""The map in docs/design.md: every source file has a room and a line there, and all that is there exists."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def atlas():
    spec = importlib.util.spec_from_file_location("map_of_files", TOP / "docs" / "map.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_folder_of_sources_is_a_room(atlas):
    folders = {atlas.room_of(path) for path in atlas.sources()}
    assert folders <= set(atlas.ROOMS), "a new folder: docs/map.py must have it in ROOMS, at its place in the order"
    assert set(atlas.ROOMS) <= folders, "a folder is gone: take it out of ROOMS in docs/map.py"


def test_every_source_file_says_what_it_is_for(atlas):
    assert atlas.mute(atlas.sources()) == [], (
        "begin the file with a sentence (docstring or comment) that says its purpose"
    )


def test_the_map_is_of_the_files_that_are_there(atlas):
    assert atlas.page() == atlas.PAGE.read_text("utf-8"), "run: python docs/map.py"


def test_a_name_on_the_page_is_a_file(atlas):
    """Paths in the prose of design.md, and of CONTRIBUTING.md, lead somewhere."""
    for page in (atlas.PAGE, TOP / "CONTRIBUTING.md"):
        text = page.read_text("utf-8")
        for name in re.findall(r"`((?:python|cpp|tests|docs|bench|examples)/[\w./-]+)`", text):
            assert (TOP / name).exists(), f"{page.name} mentions {name}, which does not exist"


def test_the_way_of_a_gradient_has_at_most_twelve_stations(atlas):
    text = atlas.PAGE.read_text("utf-8")
    table = text[text.index("## The way of a gradient") : text.index("## The map")]
    stations = [line for line in table.splitlines() if re.match(r"\| \d+ \|", line)]
    assert 1 <= len(stations) <= 12
    folders = [TOP / folder for folder in ("python/steepest", "cpp", "cpp/include/steepest")]
    for name in re.findall(r"`([\w/]+\.(?:py|cpp|hpp))`", "\n".join(stations)):
        assert any((folder / name).exists() for folder in folders), f"{name} is no file"
