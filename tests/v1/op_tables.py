"""Every table of conformance cases, read into one registry."""

from importlib import import_module

from op_cases import CASES, words

__all__ = ["CASES"]

for table in words("math reduce operators arrays nn losses state schedules"):
    import_module(f"op_cases_{table}")
