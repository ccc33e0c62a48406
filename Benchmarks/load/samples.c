#include "samples.h"
#include <stdio.h>

/* Exact below 128; above that, the leading bit and the next seven bits. */
static unsigned bucket_of(uint64_t value) {
    if (value < 128) return (unsigned)value;
    unsigned shift = 63 - (unsigned)__builtin_clzll(value) - 7;
    return (shift + 1) * 128 + (unsigned)((value >> shift) & 127);
}

/* The middle of a bucket. */
static double value_of(unsigned bucket) {
    if (bucket < 128) return bucket;
    unsigned shift = bucket / 128 - 1;
    return ((double)(128 + bucket % 128) + 0.5) * (double)(1ull << shift);
}

void samples_add(struct samples *samples, uint64_t nanoseconds) {
    samples->count++;
    samples->sum += nanoseconds;
    if (nanoseconds > samples->max) samples->max = nanoseconds;
    samples->bucket[bucket_of(nanoseconds)]++;
}

double samples_share(const struct samples *samples, double share) {
    uint64_t wanted = (uint64_t)((double)samples->count * share), seen = 0;
    for (unsigned each = 0; each < BUCKETS; each++) {
        seen += samples->bucket[each];
        if (seen > wanted) return value_of(each) / 1e3;
    }
    return (double)samples->max / 1e3;
}

void samples_print(const struct samples *samples, double seconds) {
    double count = (double)samples->count;
    printf("{\"count\":%.0f,\"seconds\":%.6f,\"rate\":%.1f,\"mean\":%.3f,\"p50\":%.3f,\"p90\":%.3f,\"p99\":%.3f,"
           "\"p999\":%.3f,\"max\":%.3f}\n",
           count, seconds, seconds > 0 ? count / seconds : 0, count > 0 ? (double)samples->sum / count / 1e3 : 0,
           samples_share(samples, 0.5), samples_share(samples, 0.9), samples_share(samples, 0.99),
           samples_share(samples, 0.999), (double)samples->max / 1e3);
    fflush(stdout);
}
