"""Sessions around a session: with hooks, with a coordinator; what `MonitoredSession` is made of in TensorFlow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .coordinator import Coordinator
from .session_hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues

__all__ = ["_CoordinatedSession", "_HookedSession", "_WrappedSession", "run_with_hooks"]


def run_with_hooks(
    session: Any, hooks: Sequence[SessionRunHook], fetches: Any, feed_dict: Any, options: Any, run_metadata: Any
) -> tuple[Any, bool]:
    """Return what a run gives, with what the hooks want besides, and whether one of them asks for the end."""
    context = SessionRunContext(SessionRunArgs(fetches, feed_dict, options), session)
    wanted = [hook.before_run(context) for hook in hooks]
    feeds = dict(feed_dict or {})
    for args in wanted:
        for key, value in (args.feed_dict or {}).items() if args is not None else ():
            if key in feeds:
                raise RuntimeError("Same tensor is fed by two hooks or by a hook and the caller.")
            feeds[key] = value
    besides = {k: a.fetches for k, a in enumerate(wanted) if a is not None and a.fetches is not None}
    results = session.run({"caller": fetches, "hooks": besides}, feeds, options, run_metadata)
    for k, hook in enumerate(hooks):
        hook.after_run(context, SessionRunValues(results["hooks"].get(k), options, run_metadata))
    return results["caller"], context.stop_requested


class _WrappedSession:
    """A session inside another one: closed it wants to stop."""

    def __init__(self, sess: Any) -> None:
        self._sess: Any = sess

    @property
    def graph(self) -> Any:
        """The graph."""
        return self._sess.graph

    def should_stop(self) -> bool:
        """Tell whether it is closed, or the session inside is to stop."""
        if self._sess is None or self._check_stop():
            return True
        return isinstance(self._sess, _WrappedSession) and self._sess.should_stop()

    def _check_stop(self) -> bool:
        return False

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Run as ``Session.run``."""
        return self._sess.run(fetches, feed_dict, options, run_metadata)

    def close(self) -> None:
        """Close the session inside."""
        session, self._sess = self._sess, None
        if session is not None:
            session.close()


class _CoordinatedSession(_WrappedSession):
    """A session that ends together with the threads of a coordinator."""

    def __init__(self, sess: Any, coord: Coordinator, stop_grace_period_secs: float = 120) -> None:
        super().__init__(sess)
        self._coord, self._grace = coord, stop_grace_period_secs

    def _check_stop(self) -> bool:
        return self._coord.should_stop()

    def close(self) -> None:
        """Ask the threads to end, wait for them, and close the session inside."""
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
        finally:
            super().close()


class _HookedSession(_WrappedSession):
    """A session whose runs hooks take part in."""

    def __init__(self, sess: Any, hooks: Sequence[SessionRunHook]) -> None:
        super().__init__(sess)
        self._hooks = list(hooks)
        self._should_stop = False

    def _check_stop(self) -> bool:
        return self._should_stop

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Run as ``Session.run``, with what the hooks want besides. Raises RuntimeError after one asked for the end."""
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        results, stop = run_with_hooks(self._sess, self._hooks, fetches, feed_dict, options, run_metadata)
        self._should_stop = self._should_stop or stop
        return results
