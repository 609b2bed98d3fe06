// Every template and inline function of the kernels lives in a namespace named for the instruction set it is
// compiled for, and so does Eigen: a linker that merges equal names must never find two to merge.
#pragma once

#ifndef STEEPEST_ISA
#define STEEPEST_ISA baseline
#endif

// A name that other units see, with the instruction set at its end.
#define STEEPEST_JOIN_(a, b) a##_##b
#define STEEPEST_JOIN(a, b) STEEPEST_JOIN_(a, b)
#define STEEPEST_NAME(name) STEEPEST_JOIN(name, STEEPEST_ISA)
#define STEEPEST_TEXT_(a) #a
#define STEEPEST_TEXT(a) STEEPEST_TEXT_(a)

// Inlines everything that a driver calls: without it Eigen's assignment loops stay calls and blocks live in memory.
// Not under sanitizers, where compiling would take minutes and gigabytes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STEEPEST_FLATTEN
#else
#define STEEPEST_FLATTEN [[gnu::flatten]]
#endif

// For functions that only prefetch: GCC takes them for pure and drops their calls, unless they are inlined first.
#define STEEPEST_INLINE [[gnu::always_inline]] inline
