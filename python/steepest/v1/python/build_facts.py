"""TensorFlow's ``build_info`` and ``sysconfig``: what this package was built with."""

from __future__ import annotations

from typing import Any

__all__ = ["build_info", "get_build_info"]

build_info: dict[str, Any] = {
    "is_cuda_build": False,
    "is_rocm_build": False,
    "is_tensorrt_build": False,
    "msvcp_dll_names": "",
}


def get_build_info() -> dict[str, Any]:
    """Return the facts, as a dict of its own."""
    return dict(build_info)
