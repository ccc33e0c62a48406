// Each user has a quota of records, so that one user's records do not push out another user's records. Only a limited number of
// users have their own quota at a time. All other users share one quota.

#include "record.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { max_in_a_minute = 20, max_users = 16 };

struct allowance {
    uid_t user;
    // The time of the first record of this entry. A minute later, the entry is free for any user.
    time_t minute;
    unsigned written, left_out;
};

// The last entry is for all other users.
static struct allowance allowances[max_users + 1];

static void renew(struct allowance *one) {
    if (one->left_out > 0 && one->user != the_gateway && one != &allowances[max_users])
        fprintf(stderr, "<4>user %u: %u more records were left out\n", (unsigned)one->user, one->left_out);
    else if (one->left_out > 0) fprintf(stderr, "<4>%u more records were left out\n", one->left_out);
    *one = (struct allowance){0};
}

static struct allowance *allowance_of(uid_t user) {
    struct allowance *unused = &allowances[max_users];
    for (size_t place = max_users; place-- > 0;) {
        if (allowances[place].written == 0) unused = &allowances[place];
        else if (allowances[place].user == user) return &allowances[place];
    }
    return unused;
}

void record(enum level level, uid_t user, const char *format, ...) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    for (size_t place = 0; place <= max_users; place++)
        if (allowances[place].written > 0 && now.tv_sec - allowances[place].minute >= 60) renew(&allowances[place]);
    struct allowance *allowance = allowance_of(user);
    if (allowance->written == 0) *allowance = (struct allowance){.user = user, .minute = now.tv_sec};
    if (allowance->written >= max_in_a_minute) {
        allowance->left_out++;
        return;
    }
    allowance->written++;
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    fprintf(stderr, "<%d>%s\n", level, text);
}
