// Lets requests for memory fail, of the program that it is linked into.
#pragma once

// After so many more requests one is refused, and where `rest` is set all that follow; below 0: none.
void refuse_memory(long after, bool rest);

// Whether one was, since that was said.
bool has_refused_memory();
