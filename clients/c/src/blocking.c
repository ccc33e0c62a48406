/* Blocking calls. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "private.h"

struct waiting {
    passd *tv;
    bool is_over, is_good;
    passd_json *result;
    const passd_signing_in *how;
};

/* Keeps the error of the failed call. */
static void keep_failure(passd *tv, const passd_error *error) {
    error_drop(tv->failure);
    /* Each public error is the first member of a private one. */
    tv->failure = error == NULL ? NULL : error_keep((struct error *)(uintptr_t)error);
}

bool passd_wait(passd *tv, int milliseconds) {
    struct pollfd polled = {.fd = tv->epoll, .events = POLLIN};
    int number = enter(tv); /* the app may call this during a dispatch, which then has more callbacks to make */
    leave(tv, number);
    bool is_due = tv->ending != NULL || poll(&polled, 1, milliseconds) > 0;
    errno = number;
    return is_due ? passd_dispatch(tv) : true;
}

static void wait_for(passd *tv, uint64_t number, struct waiting *waiting) {
    if (number == 0) return keep_failure(tv, &error_memory()->public);
    while (!waiting->is_over && !tv->is_freed && passd_wait(tv, -1)) {}
}

static void answered(void *context, const passd_json *result, const passd_error *error) {
    struct waiting *waiting = context;
    waiting->is_over = true;
    waiting->is_good = error == NULL;
    if (error == NULL) waiting->result = passd_copy(result);
    keep_failure(waiting->tv, error == NULL && waiting->result == NULL ? &error_memory()->public : error);
}

bool passd_connect(passd *tv) {
    struct waiting waiting = {.tv = tv};
    int number = enter(tv);
    passd_open(tv, answered, &waiting);
    while (!waiting.is_over && !tv->is_freed && passd_wait(tv, -1)) {}
    leave(tv, number);
    passd_json_free(waiting.result);
    return waiting.is_good;
}

passd_json *passd_ask(passd *tv, const char *method, int within, const char *format, ...) {
    struct waiting waiting = {.tv = tv};
    const char *problem = NULL;
    int number = enter(tv);
    va_list values;
    va_start(values, format);
    passd_json *params = json_format(format, values, &problem);
    va_end(values);
    if (params == NULL) {
        struct error *error = error_params(problem);
        keep_failure(tv, &error->public);
        error_drop(error);
    } else {
        wait_for(tv, passd_call(tv, method, within, answered, &waiting, "%v", params), &waiting);
    }
    leave(tv, number);
    passd_json_free(params);
    return waiting.result;
}

static void choose(void *context, const passd_json *providers) {
    struct waiting *waiting = context;
    waiting->how->choose(waiting->how->context, providers);
}

static void show(void *context, const passd_login *login) {
    struct waiting *waiting = context;
    if (waiting->how->show != NULL) waiting->how->show(waiting->how->context, login);
}

static void ended(void *context, const passd_outcome *outcome, const passd_error *error) {
    struct waiting *waiting = context;
    waiting->is_over = true;
    waiting->is_good = outcome != NULL && strcmp(outcome->outcome, "authenticated") == 0;
    keep_failure(waiting->tv, error);
    if (waiting->how->ended != NULL) waiting->how->ended(waiting->how->context, outcome, error);
}

bool passd_sign_in_and_wait(passd *tv, const passd_signing_in *how) {
    struct waiting waiting = {.tv = tv, .how = how};
    passd_signing_in own = *how;
    own.context = &waiting;
    own.choose = how->choose == NULL ? NULL : choose;
    own.show = show;
    own.ended = ended;
    int number = enter(tv);
    wait_for(tv, passd_sign_in(tv, &own), &waiting);
    leave(tv, number);
    return waiting.is_good;
}

const passd_error *passd_failure(const passd *tv) { return tv->failure == NULL ? NULL : &tv->failure->public; }
