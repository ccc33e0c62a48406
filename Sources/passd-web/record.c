#include "record.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void record(enum level level, const char *format, ...) {
    static time_t minute;
    static unsigned kept, left_out;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - minute >= 60 || kept == 0) {
        if (left_out > 0) fprintf(stderr, "<4>%u more records were left out\n", left_out);
        minute = now.tv_sec;
        kept = left_out = 0;
    }
    if (kept >= 20) {
        left_out++;
        return;
    }
    kept++;
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    fprintf(stderr, "<%d>%s\n", level, text);
}
