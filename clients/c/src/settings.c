/* Making a session, its settings, and freeing it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "private.h"

/* The default time limit of a call, in milliseconds. It is longer than the daemon takes, including repetitions. */
enum { default_within = 60000 };

passd *passd_new(void) {
    int errno_before = errno;
    passd *tv = calloc(1, sizeof *tv);
    if (tv == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    tv->within = default_within;
    tv->first = 100;
    tv->max_pause = 10000;
    tv->reconnect = true;
    tv->message_limit = 16 << 20;
    tv->output_limit = 4 << 20;
    tv->call_limit = 256;
    tv->signed_in = tv->was_signed_in = -1;
    tv->armed = NEVER;
    tv->socket = -1;
    tv->owner = getpid();
    tv->epoll = epoll_create1(EPOLL_CLOEXEC);
    tv->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = tv->timer};
    if (tv->epoll < 0 || tv->timer < 0 || epoll_ctl(tv->epoll, EPOLL_CTL_ADD, tv->timer, &event) != 0) {
        int number = errno;
        passd_free(tv);
        errno = number;
        return NULL;
    }
    if (getrandom(&tv->random, sizeof tv->random, GRND_NONBLOCK) < 0) tv->random = (uint64_t)monotonic();
    tv->random |= 1;
    errno = errno_before;
    return tv;
}

void passd_free(passd *tv) {
    if (tv == NULL) return;
    if (tv->depth > 0) { /* a function that the session called frees the session */
        tv->is_freed = true;
        return;
    }
    int number = errno;
    connection_close(tv);
    login_free(tv);
    while (tv->calls != NULL) call_remove(tv, tv->calls);
    passd_json_free(tv->batch);
    passd_json_free(tv->options);
    passd_json_free(tv->requestor);
    error_drop(tv->lost);
    error_drop(tv->ending);
    error_drop(tv->trouble);
    error_drop(tv->failure);
    for (int setting = 0; setting < SETTINGS; setting++) error_drop(tv->broken[setting]);
    if (tv->epoll >= 0) close(tv->epoll);
    if (tv->timer >= 0) close(tv->timer);
    free(tv->path);
    free(tv->name);
    free(tv->version);
    free(tv);
    errno = number;
}

/* Stores the reason why a setting is invalid, and takes ownership of this error. NULL means that the setting is valid now. */
static void judge(passd *tv, enum setting setting, struct error *error) {
    error_drop(tv->broken[setting]);
    tv->broken[setting] = error;
}

static void set_words(passd *tv, enum setting setting, char **place, const char *words) {
    int number = errno;
    free(*place);
    *place = words == NULL ? NULL : strdup(words);
    judge(tv, setting, words != NULL && *place == NULL ? error_memory() : NULL);
    errno = number;
}

void passd_set_path(passd *tv, const char *path) { set_words(tv, PATH, &tv->path, path); }

void passd_set_name(passd *tv, const char *name, const char *version) {
    set_words(tv, NAME, &tv->name, name);
    set_words(tv, VERSION, &tv->version, version);
}

void set_params(passd *tv, enum setting setting, passd_json *params, const char *problem) {
    passd_json **place = setting == REQUESTOR ? &tv->requestor : &tv->options;
    passd_json_free(*place);
    *place = params;
    judge(tv, setting, problem == NULL ? NULL : error_params(problem));
}

passd_json *requestor_params(const char *requestor, const char *statement) {
    return statement == NULL ? json_of("{'requestorID':%s}", requestor)
                             : json_of("{'requestorID':%s,'softwareStatement':%s}", requestor, statement);
}

void passd_set_requestor(passd *tv, const char *requestor, const char *statement) {
    if (requestor == NULL) return set_params(tv, REQUESTOR, NULL, NULL);
    int number = errno;
    passd_json *params = requestor_params(requestor, statement);
    set_params(tv, REQUESTOR, params, params == NULL ? "the requestor is not UTF-8" : NULL);
    errno = number;
}

void passd_set_options(passd *tv, const char *format, ...) {
    const char *problem = NULL;
    int number = errno;
    va_list values;
    va_start(values, format);
    passd_json *options = json_format(format, values, &problem);
    va_end(values);
    set_params(tv, OPTIONS, options, options == NULL ? problem : NULL);
    errno = number;
}

void passd_set_within(passd *tv, int milliseconds) { tv->within = milliseconds > 0 ? milliseconds : default_within; }
void passd_set_open_within(passd *tv, int milliseconds) { tv->open_within = milliseconds > 0 ? milliseconds : 0; }
void passd_set_reconnect(passd *tv, bool reconnect) { tv->reconnect = reconnect; }
void passd_set_headers(passd *tv, bool headers) { tv->headers = headers; }

void passd_set_backoff(passd *tv, int first, int max) {
    tv->first = first > 0 ? first : 1;
    tv->max_pause = max > tv->first ? max : tv->first;
}

void passd_set_limits(passd *tv, size_t message, size_t output, size_t calls) {
    if (message > 0) tv->message_limit = message;
    if (output > 0) tv->output_limit = output;
    if (calls > 0) tv->call_limit = calls;
}

void passd_on_callback(passd *tv, passd_called_back called_back, void *context) {
    tv->called_back = called_back;
    tv->callback_context = context;
}

void passd_on_end(passd *tv, passd_has_ended has_ended, void *context) {
    tv->has_ended = has_ended;
    tv->end_context = context;
}

int passd_fd(const passd *tv) { return tv->epoll; }
int passd_signed_in(const passd *tv) { return tv->signed_in; }
const passd_error *passd_ending(const passd *tv) { return tv->ending == NULL ? NULL : &tv->ending->public; }
