// Records for the journal: lines on standard error, at most twenty a minute.
#pragma once

enum level { error = 3, warning = 4, notice = 5 };

void record(enum level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
