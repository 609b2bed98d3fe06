"""The checks by name, as in `nox -s lint`; .ci/run calls them, too.

They run in the environment that nox is in, that of `pip install -e ".[dev]"`.
"""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import nox

TOP = Path(__file__).parent

nox.needs_version = ">=2024.3"
nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "types", "tests"]


@nox.session
def tests(session: nox.Session) -> None:
    """Python's tests; arguments after -- are pytest's."""
    session.run("pytest", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Style of Python and C++; `nox -s lint -- --fix` mends what it can."""
    fix = "--fix" in session.posargs
    paths = [path for folder in ("cpp", "bench") for path in (TOP / folder).rglob("*.[ch]pp")]
    sources = sorted(str(path.relative_to(TOP)) for path in paths)
    session.run("ruff", "check", *(["--fix"] if fix else []), ".")
    session.run("ruff", "format", *([] if fix else ["--check"]), ".")
    session.run("clang-format", *(["-i"] if fix else ["--dry-run", "--Werror"]), *sources)


@nox.session
def types(session: nox.Session) -> None:
    """Types of the package, and its stub against the compiled module."""
    session.run("mypy")
    # The stub by itself: mypy shall read the compiled module's, not the whole package once more.
    alone = Path(session.create_tmp()) / "steepest"
    alone.mkdir(exist_ok=True)
    (alone / "__init__.pyi").touch()
    shutil.copy(TOP / "python" / "steepest" / "_core.pyi", alone)
    session.run("python", "-m", "mypy.stubtest", "steepest._core", env={"MYPYPATH": str(alone.parent)})


def build_and_test(
    session: nox.Session, preset: str, folder: str, *options: str, topics: tuple[str, ...] = (), module: bool = False
) -> None:
    """Build and run the native tests: all of the preset's, or those of some topics, with Python's module or without."""
    session.run("cmake", "--preset", preset, "-B", folder, *options, silent=True)
    targets = [f"{topic}_test" for topic in topics] + ["_core"] * module
    session.run("cmake", "--build", folder, *(["--target", *targets] if targets else []))
    chosen = ["--tests-regex", f"^({'|'.join(topics)})$"] if topics else []
    arguments = ["--output-on-failure", "--timeout", "900", "-j", "2", *chosen]
    session.run("ctest", "--test-dir", folder, *arguments, env=SANITIZER_OPTIONS)


@nox.session
def reference(session: nox.Session) -> None:
    """The public docstrings as pages in build/reference; a warning of the generator's is an error."""
    session.run("sphinx-build", "-W", "-q", "--keep-going", "-b", "html", "docs/reference", "build/reference")


@nox.session
def native(session: nox.Session) -> None:
    """The C++ core and its tests, without Python, warnings as errors; arguments: the folder to build in, and options.

    ``nox -s native -- FOLDER -DSTEEPEST_BUILT=OTHER`` tests the libraries that another build folder has, as the gate
    does with those of which pip has made the wheel.
    """
    build_and_test(session, "native", *(session.posargs or ["build/native"]))


# Those that give the native core odd memory, short memory, threads, forks and signals, with the common rules alone ...
SANITIZED_QUICKLY = [
    "tests/test_faults.py",
    "tests/test_races.py",
    "tests/test_commit_point.py",
    "tests/test_caching_allocator.py",
]
# ... and with all rules.
SANITIZED = [
    *SANITIZED_QUICKLY,
    "tests/test_bad_inputs.py",
    "tests/test_deferred_adam.py",
    "tests/test_forks.py",
    "tests/test_fuzz.py",
    "tests/test_hooks.py",
    "tests/test_interrupts.py",
    "tests/test_invariance.py",
    "tests/test_sparse.py",
    "tests/test_sparse_engine.py",
    "tests/test_threads.py",
    "tests/test_work_list.py",
]
# Several threads in the native core at once. Not test_races.py, where they write to the same memory on purpose, nor
# test_forks.py: ThreadSanitizer knows no fork while threads run, and without use_locking those race on purpose, too.
OF_THREADS = ["tests/test_threads.py", "tests/test_commit_point.py"]

SANITIZER_OPTIONS = {
    # Leaks are not looked for: the interpreter leaves much to the end of the process.
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "die_after_fork=0",
}


@nox.session
def sanitize(session: nox.Session) -> None:
    """The C++ tests, and Python's of the native part, under the sanitizers: every rule and instruction set.

    ThreadSanitizer is given the common rules alone: what threads share does not depend on the rule.
    """
    build_and_test(session, "sanitize", "build/sanitize")
    sanitized_tests(session, "build/sanitize", ["libasan.so", "libubsan.so"], SANITIZED)
    build_and_test(session, "tsan", "build/tsan", "-DSTEEPEST_COMMON_ONLY=ON")
    # In one process, whose end tells of every report: what becomes of a worker of pytest-xdist nobody asks.
    sanitized_tests(session, "build/tsan", ["libtsan.so"], OF_THREADS, workers=0)


@nox.session
def sanitize_common(session: nox.Session) -> None:
    """The quick part of it, which the gate has: the common rules on one instruction set; argument: where to build.

    Threads are tested where they meet, in the pool and its users, without kernels.
    """
    (folder,) = session.posargs or ["build/common"]
    options = ["-DSTEEPEST_COMMON_ONLY=ON", "-DSTEEPEST_BASELINE_ONLY=ON"]
    # These two checks are a third of what compiling takes; `nox -s sanitize` has them.
    options += ["-DSTEEPEST_KERNEL_OPTIMIZATION=-O1;-fno-sanitize=null,alignment"]
    options += ["-DSTEEPEST_BINDING_OPTIMIZATION=-O0"]
    topics = ("allocation", "block", "driver", "grouping", "occurrences", "plan", "pool", "step_history")
    build_and_test(session, "sanitize", f"{folder}/sanitize", *options, topics=topics, module=True)
    sanitized_tests(session, f"{folder}/sanitize", ["libasan.so", "libubsan.so"], SANITIZED_QUICKLY)
    build_and_test(session, "tsan", f"{folder}/tsan", "-DSTEEPEST_PYTHON=OFF", topics=("allocation", "pool"))


def sanitized_tests(session: nox.Session, folder: str, runtimes: list[str], tests: list[str], workers: int = 2) -> None:
    """Run some of Python's tests on the module of a sanitized build.

    Two kinds are left out by name: limits of memory, since the sanitizers reserve terabytes, and the pages that a step
    asks for, since their allocators ask for others.
    """
    paths = [session.run("g++", f"-print-file-name={name}", silent=True, external=True) for name in runtimes]
    environment = sanitized_package(session, folder, [Path(str(path).strip()) for path in paths])
    session.run(
        "pytest",
        "-p",
        "no:cacheprovider",
        "-n",
        str(workers),
        "-k",
        "not memory and not no_pages",
        *tests,
        env=environment,
    )


def sanitized_package(session: nox.Session, folder: str, runtimes: list[Path]) -> dict[str, str]:
    """Lay out the package with the module of a folder; return the environment that uses it.

    NumPy and the interpreter are not built for the sanitizers, so these are loaded before them.
    """
    package = Path(session.create_tmp()) / Path(folder).name / "steepest"
    shutil.rmtree(package.parent, ignore_errors=True)
    shutil.copytree(TOP / "python" / "steepest", package, ignore=shutil.ignore_patterns("_core*.so"))
    (module,) = (TOP / folder).glob("_core*.so")
    shutil.copy(module, package)
    return {
        **SANITIZER_OPTIONS,
        "PYTHONPATH": str(package.parent.resolve()),
        "PYTHONMALLOC": "malloc",
        "LD_PRELOAD": ":".join(str(path) for path in runtimes),
    }


@nox.session
def fuzz(session: nox.Session) -> None:
    """Ten minutes of mutated inputs for the native entries and the readers of checkpoints; arguments are fuzz.py's."""
    session.run("python", "tests/fuzz/fuzz.py", *(session.posargs or ["--seconds", "600"]))


@nox.session
def fuzz_guided(session: nox.Session) -> None:
    """The same targets, mutated by libFuzzer after the code that an input reaches, the module under AddressSanitizer.

    Needs clang++ with its runtimes, and the package atheris. Arguments: seconds, 600 by default. What it finds goes to
    build/fuzz/corpus; ``-- keep`` takes from there into tests/fuzz/corpus the inputs that reach code of their own.
    """
    atheris = importlib.util.find_spec("atheris")
    if atheris is None or atheris.origin is None or shutil.which("clang++") is None:
        session.error("clang++ and the package atheris must be there")
    session.run("cmake", "--preset", "fuzz", silent=True)
    session.run("cmake", "--build", "--preset", "fuzz")
    environment = sanitized_package(session, "build/fuzz", [Path(atheris.origin).parents[1] / "asan_with_fuzzer.so"])
    (given,) = session.posargs or ["600"]
    targets = sorted(path.name for path in (TOP / "tests" / "fuzz" / "corpus").iterdir())
    for target in targets:
        kept, found = f"tests/fuzz/corpus/{target}", TOP / "build" / "fuzz" / "corpus" / target
        found.mkdir(parents=True, exist_ok=True)
        if given == "keep":
            options = ["-set_cover_merge=1", "-use_counters=0", kept, str(found)]
        else:
            options = [f"-max_total_time={int(given) // len(targets)}", "-timeout=60", str(found), kept]
        options += ["-rss_limit_mb=0", f"-artifact_prefix={TOP}/build/fuzz/{target}-"]
        session.run("python", "tests/fuzz/guided.py", target, *options, env=environment)


@nox.session
def bench(session: nox.Session) -> None:
    """A few small benchmarks in less than a minute; arguments after -- instead of --quick."""
    session.run("python", "-m", "bench", *(session.posargs or ["--quick"]))


@nox.session
def docs(session: nox.Session) -> None:
    """Write the pages that programs write, and check the benchmarks' tables."""
    session.run("python", "docs/functions.py")
    session.run("python", "docs/errors.py")
    session.run("python", "docs/v1.py")
    session.run("python", "docs/map.py")
    session.run("python", "-m", "bench", "--check")
