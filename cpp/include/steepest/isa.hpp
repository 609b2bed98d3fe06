// Every template and inline function of the kernels lives in a namespace named for the instruction set it is
// compiled for, and so does Eigen: a linker that merges equal names must never find two to merge.
#pragma once

#ifndef STEEPEST_ISA
#define STEEPEST_ISA baseline
#endif
