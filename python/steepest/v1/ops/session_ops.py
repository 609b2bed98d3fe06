"""Values that stay in a session between its runs: a handle, which is a text, stands for each."""

from __future__ import annotations
