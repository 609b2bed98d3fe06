// Work without the lock of the interpreter (GIL), so that other threads run Python meanwhile.
#pragma once

#include <pybind11/pybind11.h>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#include <unistd.h>
#endif

namespace steepest::bind {

// Gives the GIL back for as long as a scope lasts, and takes it again at its end.
//
// An interpreter that is ending lets no thread take it: up to Python 3.13 it ends the thread instead, by unwinding its
// stack. This stack has objects of Python's on it, which must not be released without the GIL, and destructors, which
// nothing may leave by unwinding. So the thread stays here until the process ends, as Python 3.14 does.
class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
#ifdef __GLIBCXX__
  // What is caught is no object: libgcc hands over a null reference, which UBSan would report.
  __attribute__((no_sanitize("null"))) ~GilRelease() {
    try {
      PyEval_RestoreThread(state_);
    } catch (abi::__forced_unwind&) {
      for (;;) pause();
    }
  }
#else
  ~GilRelease() { PyEval_RestoreThread(state_); }
#endif
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  PyThreadState* const state_;
};

}  // namespace steepest::bind
