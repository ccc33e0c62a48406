// What the runtimes of libFuzzer and of the address sanitizer offer to the program that they are linked into.
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*fuzz)(const uint8_t *start, size_t count));

// Of the heap.
size_t __sanitizer_get_current_allocated_bytes(void);
