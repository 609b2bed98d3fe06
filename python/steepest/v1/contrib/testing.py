"""``tf.contrib.testing``: writers of summaries that keep what they are given, and the summaries of a folder."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from typing import Any

from ..graph.missing import namespace
from ..summaries import writer as _writer
from ..summaries.protos import summary_class
from ..summaries.reader import summary_iterator
from ..testing.test_helpers import assert_meta_graph_protos_equal

__all__ = ["FakeSummaryWriter", "latest_event_file", "latest_events", "latest_summaries", "simple_values_from_events"]

__getattr__, __dir__ = namespace(__name__, "fake_summary_writer util_test")


class FakeSummaryWriter:
    """A writer that keeps summaries by their steps, graphs and what happened to sessions, and writes no file.

    Source: ``tf.contrib.testing.FakeSummaryWriter``.
    """

    _replaced: Any = None

    @classmethod
    def install(cls) -> None:
        """Let writers of folders be of this class from now on. Raises ValueError where they are."""
        if cls._replaced is not None:
            raise ValueError("FakeSummaryWriter already installed.")
        cls._replaced = _writer.FileWriter
        vars(_writer)["FileWriter"] = cls

    @classmethod
    def uninstall(cls) -> None:
        """Let them be what they were. Raises ValueError without `install`."""
        if cls._replaced is None:
            raise ValueError("FakeSummaryWriter not installed.")
        vars(_writer)["FileWriter"], cls._replaced = cls._replaced, None

    def __init__(self, logdir: str, graph: Any = None) -> None:
        self._logdir, self._graph = logdir, graph
        self._summaries: dict[Any, list[Any]] = {}
        self._added_graphs: list[Any] = []
        self._added_meta_graphs: list[Any] = []
        self._added_session_logs: list[Any] = []
        self._added_run_metadata: dict[str, Any] = {}

    @property
    def summaries(self) -> dict[Any, list[Any]]:
        """The summaries that were added, by their steps."""
        return self._summaries

    def assert_summaries(
        self,
        test_case: Any,
        expected_logdir: str | None = None,
        expected_graph: Any = None,
        expected_summaries: Any = None,
        expected_added_graphs: Sequence[Any] | None = None,
        expected_added_meta_graphs: Sequence[Any] | None = None,
        expected_session_logs: Sequence[Any] | None = None,
    ) -> None:
        """Compare what was added with what a test expects: summaries as ``{step: {tag: value}}``."""
        found = {
            step: {
                value.tag: value.simple_value
                for summary in self._summaries[step]
                for value in summary.value
                if value.tag != "global_step/sec"  # other hooks write their rates besides
            }
            for step in expected_summaries or {}
            if step in self._summaries
        }
        graphs = expected_added_meta_graphs
        pairs = (
            ("logdir", expected_logdir, self._logdir),
            ("graph", expected_graph, self._graph),
            ("summaries", expected_summaries, found),
            ("added graphs", expected_added_graphs, self._added_graphs),
            ("number of added meta graphs", None if graphs is None else len(graphs), len(self._added_meta_graphs)),
            ("session logs", expected_session_logs, self._added_session_logs),
        )
        for what, expected, given in pairs:
            if expected is not None and expected != given:
                test_case.fail(f"The {what} must be {expected!r}, got {given!r}.")
        for wanted, added in zip(graphs or (), self._added_meta_graphs, strict=False):
            assert_meta_graph_protos_equal(test_case, wanted, added)

    def add_summary(self, summ: Any, current_global_step: Any = None) -> None:
        """Keep a summary: what a summary operation gave, or a ``tf.Summary``."""
        message = summary_class().FromString(bytes(summ)) if isinstance(summ, bytes) else summ
        self._summaries.setdefault(current_global_step, []).append(message)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Keep a graph. Raises ValueError for a step below 0, or for a ``GraphDef``."""
        _check_step(global_step)
        if graph_def is not None:
            raise ValueError("Unexpected graph_def.")
        self._added_graphs.append(graph)

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Keep the description of a graph. Raises ValueError for a step below 0."""
        _check_step(global_step)
        self._added_meta_graphs.append(meta_graph_def)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Keep what happened to a session."""
        del global_step
        self._added_session_logs.append(session_log)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Keep what a run told. Raises ValueError for a step below 0."""
        _check_step(global_step)
        self._added_run_metadata[tag] = run_metadata

    def flush(self) -> None:
        """Do nothing."""

    def reopen(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def _check_step(global_step: Any) -> None:
    if global_step is not None and global_step < 0:
        raise ValueError(f"Invalid global_step {global_step}.")


def latest_event_file(base_dir: str) -> str | None:
    """Return the path of the folder's newest file of events, None where there is none."""
    paths = glob.glob(os.path.join(base_dir, "events.*"))
    return max(paths, key=lambda path: (os.path.getmtime(path), path)) if paths else None


def latest_events(base_dir: str) -> list[Any]:
    """Return the events of the newest file."""
    path = latest_event_file(base_dir)
    return [] if path is None else list(summary_iterator(path))


def latest_summaries(base_dir: str) -> list[Any]:
    """Return the events of the newest file that have summaries."""
    return [event for event in latest_events(base_dir) if event.HasField("summary")]


def simple_values_from_events(events: Sequence[Any], tags: Sequence[str]) -> dict[str, float]:
    """Return the numbers of summaries by their tags, those of ``tags`` alone; of each the last."""
    values = [value for event in events if event.summary.value for value in event.summary.value]
    return {value.tag: value.simple_value for value in values if value.tag in tags}
