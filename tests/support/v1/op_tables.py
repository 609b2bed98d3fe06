"""Every table of conformance cases, read into their registries."""

from importlib import import_module

from op_cases import CASES, words
from op_errors import ERRORS

__all__ = ["CASES", "ERRORS"]

for table in words(
    "math reduce operators arrays shapes nn losses state schedules gradients names sessions training variables"
):
    import_module(f"op_cases_{table}")

for table in words("run build state train checks"):
    import_module(f"op_errors_{table}")
