"""Messages for people, on Python's ``logging`` (the logger ``steepest``)."""

from __future__ import annotations

import logging as _logging
from typing import Any

__all__ = [
    "DEBUG",
    "ERROR",
    "FATAL",
    "INFO",
    "WARN",
    "TaskLevelStatusMessage",
    "debug",
    "error",
    "error_log",
    "fatal",
    "flush",
    "get_verbosity",
    "info",
    "log",
    "log_every_n",
    "log_first_n",
    "log_if",
    "set_verbosity",
    "vlog",
    "warn",
    "warning",
]

DEBUG, INFO, WARN, ERROR, FATAL = _logging.DEBUG, _logging.INFO, _logging.WARNING, _logging.ERROR, _logging.FATAL

_logger = _logging.getLogger("steepest")
_counts: dict[Any, int] = {}


def rename(name: str) -> None:
    """Log to another logger of Python's: programs for TensorFlow set up the one of its name."""
    global _logger
    _logger = _logging.getLogger(name)


def get_logger() -> _logging.Logger:
    """Return the logger of Python's that messages go to. Source: ``tf.get_logger``."""
    return _ready()


def _ready() -> _logging.Logger:
    """Return the logger, with a way to the terminal where the program has set up none."""
    if not _logger.handlers and not _logging.getLogger().handlers:
        handler = _logging.StreamHandler()
        handler.setFormatter(_logging.Formatter("%(levelname)s:steepest:%(message)s"))
        _logger.addHandler(handler)
        if _logger.level == _logging.NOTSET:
            _logger.setLevel(WARN)
    return _logger


def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log ``msg % args`` at a level."""
    _ready().log(level, msg, *args, **kwargs)


def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log at level DEBUG."""
    log(DEBUG, msg, *args, **kwargs)


def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log at level INFO."""
    log(INFO, msg, *args, **kwargs)


def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log at level WARN."""
    log(WARN, msg, *args, **kwargs)


warn = warning


def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log at level ERROR."""
    log(ERROR, msg, *args, **kwargs)


def error_log(error_msg: Any, *args: Any, level: int = ERROR, **kwargs: Any) -> None:
    """Log an error at a level. Source: ``tf_logging.error_log``."""
    log(level, error_msg, *args, **kwargs)


def TaskLevelStatusMessage(msg: str) -> None:
    """Log a message as an error. Source: ``tf.logging.TaskLevelStatusMessage``."""
    error(msg)


def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log at level FATAL."""
    log(FATAL, msg, *args, **kwargs)


def vlog(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log at level DEBUG."""
    log(DEBUG, msg, *args, **kwargs)


def _count(level: int, msg: Any) -> int:
    key = (level, str(msg))
    _counts[key] = _counts.get(key, -1) + 1
    return _counts[key]


def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Log every n-th call with this message."""
    if _count(level, msg) % n == 0:
        log(level, msg, *args)


def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Log the first n calls with this message."""
    if _count(level, msg) < n:
        log(level, msg, *args)


def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Log where the condition holds."""
    if condition:
        log(level, msg, *args)


def flush() -> None:
    """Let what was logged be written."""
    for handler in _ready().handlers:
        handler.flush()


def set_verbosity(v: int) -> None:
    """Show messages from this level on."""
    _ready().setLevel(v)


def get_verbosity() -> int:
    """Return the level from which on messages are shown."""
    return _ready().level
