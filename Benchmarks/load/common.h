/* Shared by all programs here: exits with a reason, and the clock. */
#pragma once
#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline void *reserve(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) errx(1, "out of memory");
    return memory;
}

/* Reads a number from the command line. */
static inline double number(const char *text, double min, double max, const char *option) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= min && value <= max))
        errx(64, "%s: expected a number from %g to %g, found \"%s\"", option, min, max, text);
    return value;
}
