# Where each native dependency comes from; README.md beside this file has versions and licences.
find_package(Threads REQUIRED)

# Eigen: -DEigen3_DIR=... or CMAKE_PREFIX_PATH first, then the build requirement cmeel-eigen, then the system's.
if(NOT Eigen3_DIR)
  find_package(Python QUIET COMPONENTS Interpreter)
  if(Python_FOUND)
    # pip builds in an environment that is a part of sys.path, not the interpreter's own site-packages.
    execute_process(
      COMMAND
        ${Python_EXECUTABLE} -c
        "import os, sys; print(';'.join(p for p in (os.path.join(q, 'cmeel.prefix') for q in sys.path) if os.path.isdir(p)))"
      OUTPUT_VARIABLE STEEPEST_CMEEL_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    list(APPEND CMAKE_PREFIX_PATH ${STEEPEST_CMEEL_PREFIX})
  endif()
endif()
find_package(Eigen3 3.4 REQUIRED NO_MODULE)

# pybind11: -Dpybind11_DIR=... or CMAKE_PREFIX_PATH first (scikit-build-core sets it), then what the interpreter has.
if(STEEPEST_PYTHON AND NOT pybind11_DIR)
  find_package(Python QUIET COMPONENTS Interpreter)
  if(Python_FOUND)
    execute_process(COMMAND ${Python_EXECUTABLE} -m pybind11 --cmakedir OUTPUT_VARIABLE STEEPEST_PYBIND11_DIR
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(STEEPEST_PYBIND11_DIR)
      list(APPEND CMAKE_PREFIX_PATH ${STEEPEST_PYBIND11_DIR})
    endif()
  endif()
endif()

# Google Benchmark: only for bench/cpp. -Dbenchmark_DIR=... or CMAKE_PREFIX_PATH first, then the system's.
if(STEEPEST_BENCH)
  find_package(benchmark 1.6 CONFIG QUIET)
  if(NOT benchmark_FOUND)
    message(FATAL_ERROR "STEEPEST_BENCH needs Google Benchmark 1.6 or newer: apt-get install libbenchmark-dev, or "
                        "-Dbenchmark_DIR=<folder of benchmarkConfig.cmake>")
  endif()
endif()
