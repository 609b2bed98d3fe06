"""All flags of a program: the command line is read into them, and they are attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .flag import Flag
from .flag_errors import (
    CantOpenFlagFileError,
    DuplicateFlagError,
    Error,
    IllegalFlagValueError,
    UnparsedFlagAccessError,
    UnrecognizedFlagError,
)

__all__ = ["FLAGS", "FlagValues", "Validator"]

# Names of flags; a function that tells whether their values pass and what to say; what is said where it says nothing.
Validator = tuple[Sequence[str], Callable[[dict[str, Any]], tuple[bool, str]], str]


class FlagValues:
    """The values of flags as attributes.

    Source: ``absl.flags.FlagValues``.
    """

    def __init__(self) -> None:
        # Programs of TensorFlow 1.4 print what is under the first of these names.
        self.__dict__.update({"__flags": {}, "_parsed": False, "_validators": []})

    @property
    def _flags(self) -> dict[str, Flag]:
        flags: dict[str, Flag] = self.__dict__["__flags"]
        return flags

    def _add(self, flag: Flag) -> None:
        for name in filter(None, (flag.name, flag.short_name)):
            first = self._flags.get(name)
            if first is not None and not (flag.allow_override or first.allow_override):
                raise DuplicateFlagError(
                    f"The flag '{name}' is defined twice. First from {first.module}, Second from {flag.module}.  "
                    f"Description from first occurrence: {first.help}"
                )
            self._flags[name] = flag

    def __call__(self, argv: Sequence[str], known_only: bool = False) -> list[str]:
        """Read a command line, and return its first word and what is no flag.

        With ``known_only`` flags that nobody has defined are returned too. Raises UnrecognizedFlagError for these
        otherwise, IllegalFlagValueError for values that a flag cannot have.
        """
        if not argv:
            raise ValueError("argv cannot be an empty list, and must contain the program name as the first element.")
        words, rest, unknown, allowed = iter(self._with_files(argv[1:])), [], [], set[str]()
        for word in words:
            if word == "--":
                rest += [word] if known_only else []
                break
            name, has_value, text = word.lstrip("-").partition("=") if word.startswith("-") else ("", "", "")
            if not name:
                rest.append(word)
                continue
            flag = self._flags.get(name)
            denied = self._flags.get(name[2:]) if name.startswith("no") else None
            if flag is None and denied is not None and denied.boolean:
                if has_value:
                    raise ValueError(f"{word} does not take an argument")
                denied.parse("false")
            elif flag is not None or name == "undefok":
                if not has_value:
                    text = "true" if flag is not None and flag.boolean else self._next(words, word)
                if flag is not None:
                    flag.parse(text)
                else:
                    allowed |= {f"{no}{each.strip()}" for each in text.split(",") for no in ("", "no")}
            elif known_only:
                rest.append(word)
            else:
                unknown.append((name, word))
        for name, word in unknown:
            if name not in allowed:
                raise UnrecognizedFlagError(name, word, list(self._flags))
        self.mark_as_parsed()
        self.validate_all_flags()
        return [argv[0], *rest, *words]

    @staticmethod
    def _next(words: Iterator[str], flag: str) -> str:
        for word in words:
            return word
        raise Error(f"Missing value for flag {flag}")

    def _with_files(self, words: Sequence[str], seen: tuple[str, ...] = ()) -> list[str]:
        """Return words with the lines of flag files in the place of ``--flagfile``."""
        read, words = [], list(words)
        while words:
            word = words.pop(0)
            option, has_value, path = word.partition("=")
            if option not in ("--flagfile", "-flagfile"):
                read.append(word)
                if word == "--":
                    break
                continue
            if not has_value:
                path = words.pop(0) if words else ""
            if path in seen:
                continue
            try:
                with open(path) as file:
                    lines = [line.strip() for line in file]
            except OSError as error:
                raise CantOpenFlagFileError(f"ERROR:: Unable to open flagfile: {error}") from None
            wanted = [line for line in lines if line and not line.startswith(("#", "//"))]
            read += self._with_files(wanted, (*seen, path))
        return read + words

    def validate_all_flags(self) -> None:
        """Raise IllegalFlagValueError where a checker refuses values."""
        self._check(self._validators)

    def _check(self, validators: Sequence[Validator]) -> None:
        for names, check, message in validators:
            values = {name: self._flags[name].value for name in names}
            passed, reason = check(values)
            if not passed:
                said = ", ".join(f"{name}={value}" for name, value in values.items())
                kind = f"flag --{said}" if len(names) == 1 else f"flags {said}"
                raise IllegalFlagValueError(f"{kind}: {reason or message}")

    def _add_validator(self, validator: Validator) -> None:
        for name in validator[0]:
            self[name]
        self._validators.append(validator)

    def is_parsed(self) -> bool:
        """Whether a command line has been read."""
        return bool(self._parsed)

    def mark_as_parsed(self) -> None:
        """Let the flags be read with the values that they have."""
        self.__dict__["_parsed"] = True

    def unparse_flags(self) -> None:
        """Give all flags their defaults again."""
        self.__dict__["_parsed"] = False
        for flag in self._flags.values():
            flag.unparse()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self._flags:
            raise AttributeError(name)
        if not self._parsed:
            raise UnparsedFlagAccessError(f"Trying to access flag --{name} before flags were parsed.")
        return self._flags[name].value

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._flags:
            raise UnrecognizedFlagError(name, value)
        flag = self._flags[name]
        before = flag.value, flag.using_default_value
        flag.value, flag.using_default_value = value, False
        try:
            self._check([each for each in self._validators if name in each[0]])
        except IllegalFlagValueError:
            flag.value, flag.using_default_value = before
            raise

    def __delattr__(self, name: str) -> None:
        if name not in self._flags:
            raise AttributeError(name)
        flag = self._flags[name]
        for each in [key for key, found in self._flags.items() if found is flag]:
            del self._flags[each]

    def __getitem__(self, name: str) -> Flag:
        return self._flags[name]

    def __setitem__(self, name: str, flag: Flag) -> None:
        self._flags[name] = flag

    def __contains__(self, name: str) -> bool:
        return name in self._flags

    def __iter__(self) -> Iterator[str]:
        return iter(self._flags)

    def __len__(self) -> int:
        return len(self._flags)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._flags})

    def get_flag_value(self, name: str, default: Any) -> Any:
        """Return the value of a flag, or ``default`` where it has none or there is no such flag."""
        value = self._flags[name].value if name in self else None
        return default if value is None else value

    def set_default(self, name: str, value: Any) -> None:
        """Give a flag another default, which is its value where the command line gives none."""
        if name not in self._flags:
            raise AttributeError(name)
        self._flags[name].set_default(value)
        self._check([each for each in self._validators if name in each[0]])

    def flag_values_dict(self) -> dict[str, Any]:
        """Return names and values."""
        return {name: flag.value for name, flag in self._flags.items()}

    def flags_by_module_dict(self) -> dict[str, list[Flag]]:
        """Return the flags that each module defines."""
        found: dict[str, list[Flag]] = {}
        for name, flag in self._flags.items():
            if name == flag.name:
                found.setdefault(flag.module, []).append(flag)
        return found

    def find_module_defining_flag(self, flagname: str, default: Any = None) -> Any:
        """Return the name of the module that defines a flag."""
        return self._flags[flagname].module if flagname in self._flags else default

    def flags_into_string(self) -> str:
        """Return the values as lines of a flag file."""
        flags = [flag for flags in self.flags_by_module_dict().values() for flag in flags]
        return "".join(f"{flag.serialize()}\n" for flag in flags if flag.value is not None)

    def append_flags_into_file(self, filename: str) -> None:
        """Write the values at the end of a flag file."""
        with open(filename, "a") as file:
            file.write(self.flags_into_string())

    def get_help(self, prefix: str = "", include_special_flags: bool = True) -> str:
        """Return what the flags are for, by the modules that define them."""
        pages = [
            "\n".join([f"\n{prefix}{module}:", *(flag.described() for flag in flags)])
            for module, flags in sorted(self.flags_by_module_dict().items())
        ]
        return "\n".join(pages)

    main_module_help = get_help

    def __str__(self) -> str:
        return self.get_help()

    def __repr__(self) -> str:
        return f"<flags {self.flag_values_dict()}>"


FLAGS = FlagValues()
