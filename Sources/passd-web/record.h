// Records for the journal: lines on standard error, at most twenty a minute for each user.
#pragma once

#include <sys/types.h>

enum level { error = 3, warning = 4, notice = 5 };

// Two numbers that no user has. The first is for the gateway itself. The second is for peers whose user is unknown.
static const uid_t the_gateway = (uid_t)-1, unknown_user = 65534;

// Writes a record about this user, or about the gateway.
void record(enum level level, uid_t user, const char *format, ...) __attribute__((format(printf, 3, 4)));
