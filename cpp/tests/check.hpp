// The few lines of test framework that these programs need.
#pragma once

#include <cstdio>
#include <cstdlib>

inline int failures = 0;

#define CHECK(condition, ...)                                              \
  do {                                                                     \
    if (!(condition)) {                                                    \
      if (++failures <= 20) {                                              \
        std::printf("%s:%d: %s failed: ", __FILE__, __LINE__, #condition); \
        std::printf(__VA_ARGS__);                                          \
        std::printf("\n");                                                 \
      }                                                                    \
    }                                                                      \
  } while (false)

inline int report(const char* name) {
  std::printf("%s: %s\n", name, failures == 0 ? "passed" : "FAILED");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
