// Functions that libFuzzer and the address sanitizer offer to the program.
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*fuzz)(const uint8_t *start, size_t count));

// The heap's sizes.
size_t __sanitizer_get_current_allocated_bytes(void);
