/* Durations in nanoseconds, counted in buckets that are 0.8 % wide, so that any number of them takes the same memory. */
#pragma once
#include <stdint.h>

enum { BUCKETS = 64 * 128 };

struct samples {
    uint64_t count, sum, max;
    uint64_t bucket[BUCKETS];
};

void samples_add(struct samples *samples, uint64_t nanoseconds);
/* The duration in microseconds. This share of all samples (0 to 1) was not longer. */
double samples_share(const struct samples *samples, double share);
/* The samples as one line of JSON: count, seconds, calls per second, mean, percentiles and the maximum in microseconds. */
void samples_print(const struct samples *samples, double seconds);
