"""What stands for a name of a module that is left out: it can be imported, and fails when it is used."""

from __future__ import annotations

from types import ModuleType
from typing import Any, NoReturn

from ..graph.missing import told

__all__ = ["LeftOut", "LeftOutModule"]


class LeftOut:
    """A name of a module that is left out. A program may import it, and make classes of it, for work it does not do."""

    def __init__(self, path: str) -> None:
        self._message = f"tensorflow.{told(f'python.{path}')[3:]}"

    def _fail(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(self._message)

    __call__ = __iter__ = __len__ = __getitem__ = __enter__ = __exit__ = __index__ = __float__ = _fail
    __add__ = __sub__ = __mul__ = __truediv__ = __radd__ = __rsub__ = __rmul__ = __rtruediv__ = _fail

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python asks for these by itself
            raise AttributeError(name)
        raise NotImplementedError(self._message)

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        fail = self._fail

        class Base:
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                fail()

        return (Base,)

    def __repr__(self) -> str:
        return f"<{self._message.split(':')[0]}>"


class LeftOutModule(ModuleType):
    """A module in a folder that is left out; what looks like one may be a function, which fails when it is called."""

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise NotImplementedError."""
        LeftOut(self.__name__.partition(".python.")[2])()
