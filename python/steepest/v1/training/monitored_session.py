"""Sessions that begin with values for all variables, and let hooks take part in each run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from ...variables.collections import GraphKeys
from ..graph.errors import OutOfRangeError
from ..graph.graph import get_default_graph
from ..graph.session import Session
from .checkpoint_state import latest_checkpoint
from .coordinator import Coordinator
from .queue_runner import start_queue_runners
from .session_creators import ChiefSessionCreator, Scaffold, SessionCreator
from .session_hooks import SessionRunHook
from .wrapped_sessions import run_with_hooks

__all__ = ["MonitoredSession", "SingularMonitoredSession"]


class MonitoredSession:
    """A session with hooks; the graph is finished when it begins.

    Args:
        session_creator: how it begins: a `ChiefSessionCreator`; the newest checkpoint of its folder, if there is one,
            gives variables their values.
        hooks: `SessionRunHook` objects.
        stop_grace_period_secs: how long the end waits for the threads of the coordinator that hooks are given.

    Source: ``tf.train.MonitoredSession``.
    """

    def __init__(
        self,
        session_creator: SessionCreator | None = None,
        hooks: Sequence[SessionRunHook] | None = None,
        stop_grace_period_secs: float = 120,
    ) -> None:
        creator = session_creator or ChiefSessionCreator()
        self.graph = get_default_graph()
        self._hooks = list(hooks or ())
        self._coord, self._grace = Coordinator(clean_stop_exception_types=[]), stop_grace_period_secs
        for hook in self._hooks:
            hook.begin()
        scaffold = creator.scaffold.finalize()
        self.graph.finalize()
        self._session: Session | None = Session(graph=self.graph, config=creator.config)
        newest = creator.checkpoint_path
        if newest is None and creator.checkpoint_dir is not None:
            newest = latest_checkpoint(creator.checkpoint_dir)
        if newest is not None and scaffold.saver is not None:
            scaffold.saver.restore(self._session, newest)
        else:
            self._session.run(scaffold.init_op, scaffold.init_feed_dict)
            if scaffold.init_fn is not None:
                scaffold.init_fn(scaffold, self._session)
        self._session.run(scaffold.local_init_op, scaffold.local_init_feed_dict)
        self._default = self._session.as_default()
        if self.graph.get_collection(GraphKeys.QUEUE_RUNNERS):
            start_queue_runners(self._session, self._coord)
        for hook in self._hooks:
            hook.after_create_session(self._session, self._coord)

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Run as ``Session.run``, with what the hooks want besides.

        Raises RuntimeError after a stop was asked for, or the end.
        """
        session = self._open()
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        results, stop = run_with_hooks(session, self._hooks, fetches, feed_dict, options, run_metadata)
        if stop:
            self._coord.request_stop()
        return results

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Call a function with an object that has ``session``, ``run_with_hooks`` and ``request_stop``.

        The last raises StopIteration, which leaves the function and the ``with`` block of the session.
        Raises ValueError for a function of other arguments than ``step_context``, ``self`` before it.
        """
        names = inspect.getfullargspec(step_fn).args
        if "step_context" not in names[-1:] or names[:-1] not in ([], ["self"]):
            raise ValueError(
                f"`step_fn` may either have one `step_context` argument, or `self` and it. Instead, got {names}"
                + ("; it may have one argument only." if len(names) > 1 else ".")
            )
        outer = self

        class StepContext:
            session = outer._open()
            run_with_hooks = staticmethod(outer.run)

            @staticmethod
            def request_stop() -> None:
                raise StopIteration("step_fn has requested the iterations to stop.")

        return step_fn(StepContext())

    def should_stop(self) -> bool:
        """Tell whether a hook or a thread has asked for the end, or the session is closed; raise a thread's error."""
        if self._session is None:
            return True
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def raw_session(self) -> Session:
        """Return the session inside."""
        return self._open()

    def close(self) -> None:
        """Let the hooks end, and close the session."""
        self._close(True)

    def _open(self) -> Session:
        if self._session is None:
            raise RuntimeError("Attempted to use a closed Session.")
        return self._session

    def _close(self, whole: bool) -> None:
        session, self._session = self._session, None
        if session is not None:
            try:
                for hook in self._hooks if whole else ():
                    hook.end(session)
                self._coord.request_stop()
                self._coord.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
            finally:
                session.close()

    def __enter__(self) -> MonitoredSession:
        self._default.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        at_end = kind is not None and issubclass(kind, (StopIteration, OutOfRangeError))
        try:
            self._close(kind is None or at_end)
        finally:
            self._default.__exit__(None, None, None)
        return at_end


class SingularMonitoredSession(MonitoredSession):
    """A `MonitoredSession` whose arguments begin with the hooks."""

    def __init__(
        self,
        hooks: Sequence[SessionRunHook] | None = None,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path)
        super().__init__(creator, hooks, stop_grace_period_secs)
