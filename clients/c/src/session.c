/* A session: it connects, sets options and requestor, connects again, and gives each answer and callback to whom it is for. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "private.h"

static const char default_socket[] = "/run/passd/passd.sock";

/* What may be waited for a connection at most, and the pause while the daemon has too many that wait for it. */
static const int64_t connecting = 5 * SECOND, again = 20 * MILLISECOND;

passd_json *json_of(const char *format, ...) {
    const char *problem;
    va_list values;
    va_start(values, format);
    passd_json *value = json_format(format, values, &problem);
    va_end(values);
    return value;
}

/* Making and freeing */

passd *passd_new(void) {
    passd *tv = calloc(1, sizeof *tv);
    if (tv == NULL) return NULL;
    tv->within = 30000;
    tv->first = 100;
    tv->most = 10000;
    tv->reconnect = true;
    tv->message_limit = 16 << 20;
    tv->output_limit = 4 << 20;
    tv->call_limit = 256;
    tv->signed_in = tv->was_signed_in = -1;
    tv->armed = NEVER;
    tv->socket = -1;
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
    return tv;
}

void passd_free(passd *tv) {
    if (tv == NULL) return;
    if (tv->depth > 0) { /* a function that the session has called frees it */
        tv->is_freed = true;
        return;
    }
    connection_close(tv);
    login_free(tv);
    while (tv->calls != NULL) call_remove(tv, tv->calls);
    passd_json_free(tv->batch);
    passd_json_free(tv->options);
    passd_json_free(tv->requestor);
    error_drop(tv->lost);
    error_drop(tv->ending);
    error_drop(tv->failure);
    error_drop(tv->broken);
    if (tv->epoll >= 0) close(tv->epoll);
    if (tv->timer >= 0) close(tv->timer);
    free(tv->path);
    free(tv->name);
    free(tv->version);
    free(tv);
}

static int64_t due(const passd *tv) {
    int64_t when = login_due(tv);
    if (tv->has_more || tv->doom != NULL || tv->lost != NULL || tv->tell_ending) return 0;
    if (tv->connect_at < when && tv->connect_at != 0) when = tv->connect_at;
    for (const struct call *each = tv->calls; each != NULL; each = each->next) {
        if (each->stage == FAILED) return 0;
        if (each != tv->opening && each->deadline < when) when = each->deadline;
    }
    return when;
}

void enter(passd *tv) { tv->depth++; }

bool leave(passd *tv) {
    tv->depth--;
    if (!tv->is_freed) {
        connection_arm(tv, due(tv));
        return true;
    }
    if (tv->depth == 0) passd_free(tv);
    return false;
}

static void set(passd *tv, char **place, const char *words) {
    free(*place);
    *place = words == NULL ? NULL : strdup(words);
    if (words != NULL && *place == NULL && tv->broken == NULL) tv->broken = error_memory();
}

void passd_set_path(passd *tv, const char *path) { set(tv, &tv->path, path); }

void passd_set_name(passd *tv, const char *name, const char *version) {
    set(tv, &tv->name, name);
    set(tv, &tv->version, version);
}

static void set_params(passd *tv, passd_json **place, passd_json *params, const char *problem) {
    passd_json_free(*place);
    *place = params;
    if (params == NULL && tv->broken == NULL) tv->broken = error_params(problem);
}

void passd_set_requestor(passd *tv, const char *requestor, const char *statement) {
    set_params(tv, &tv->requestor, statement == NULL
        ? json_of("{'requestorID':%s}", requestor)
        : json_of("{'requestorID':%s,'softwareStatement':%s}", requestor, statement), "the requestor is not UTF-8");
}

void passd_set_options(passd *tv, const char *format, ...) {
    const char *problem = NULL;
    va_list values;
    va_start(values, format);
    passd_json *options = json_format(format, values, &problem);
    va_end(values);
    set_params(tv, &tv->options, options, problem);
}

void passd_set_within(passd *tv, int milliseconds) { tv->within = milliseconds > 0 ? milliseconds : 30000; }
void passd_set_reconnect(passd *tv, bool reconnect) { tv->reconnect = reconnect; }
void passd_set_headers(passd *tv, bool headers) { tv->headers = headers; }

void passd_set_backoff(passd *tv, int first, int most) {
    tv->first = first > 0 ? first : 1;
    tv->most = most > tv->first ? most : tv->first;
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

/* What comes from the daemon */

void deliver(passd *tv, const char *name, const passd_json *params) {
    if (strcmp(name, "setAuthenticationStatus") == 0) tv->signed_in = passd_integer(passd_get(params, "status"), 0) == 1;
    login_heard(tv, name, params);
    if (tv->called_back != NULL) tv->called_back(tv->callback_context, name, params);
}

static void heard_requestor(passd *tv, const passd_json *answer) {
    const passd_json *authenticated = passd_get(answer, "authenticated");
    if (passd_kind(authenticated) == PASSD_BOOLEAN) tv->signed_in = passd_true(authenticated);
}

/* What a new connection has to be told again. */
static void remember(passd *tv, struct call *call, const passd_json *result) {
    if (call->done != NULL) return;
    if (strcmp(call->method, "setOptions") == 0) {
        char *text = json_merged(tv->options, call->params);
        set_params(tv, &tv->options, text == NULL ? NULL : json_take(text, strlen(text), NULL), json_no_memory);
    } else if (strcmp(call->method, "setRequestor") == 0) {
        set_params(tv, &tv->requestor, call->params, json_no_memory);
        call->params = NULL;
        heard_requestor(tv, result);
    }
}

static void finish(passd *tv, struct call *call, const passd_json *result, struct error *error) {
    struct call ended = *call;
    error_keep(error);
    call_remove(tv, call);
    if (ended.done != NULL) ended.done(tv, result, error);
    else if (ended.login_ended != NULL) ended.login_ended(ended.context, NULL, &error->public);
    else if (ended.answered != NULL) ended.answered(ended.context, result, error == NULL ? NULL : &error->public);
    error_drop(error);
}

static void handle(passd *tv, const passd_json *message) {
    const char *method = passd_string(passd_get(message, "method"));
    const passd_json *error = passd_get(message, "error"), *id = passd_get(message, "id");
    if (passd_kind(message) != PASSD_OBJECT) return connection_doom(tv, error_not_understood("a message is not an object"));
    if (method != NULL) {
        const passd_json *params = passd_get(message, "params");
        passd_json *none = passd_kind(params) == PASSD_OBJECT ? NULL : json_of("{}");
        deliver(tv, method, none == NULL ? params : none);
        passd_json_free(none);
        return;
    }
    if (passd_kind(id) == PASSD_NULL && error != NULL) return connection_doom(tv, error_refusal(error));
    int64_t number = passd_integer(id, 0);
    for (struct call *call = tv->calls; call != NULL && number > 0; call = call->next) {
        if (call->number != (uint64_t)number || call->stage != SENT) continue;
        struct error *refusal = error == NULL ? NULL : error_refusal(error);
        if (refusal == NULL) remember(tv, call, passd_get(message, "result"));
        finish(tv, call, refusal == NULL ? passd_get(message, "result") : NULL, refusal);
        error_drop(refusal);
        return;
    }
}

/* How it ends */

static void session_end(passd *tv, struct error *reason) {
    connection_close(tv);
    tv->state = ENDED;
    tv->ending = reason;
    tv->connect_at = 0;
    error_drop(tv->lost);
    tv->lost = NULL;
    for (struct call *each = tv->calls; each != NULL; each = each->next) call_fail(tv, each, error_keep(reason));
    login_lost(tv);
}

void passd_close(passd *tv) {
    if (tv->state == ENDED) return;
    enter(tv);
    session_end(tv, error_closed());
    leave(tv);
}

/* How it begins, and begins again */

static int64_t pause_before_next(passd *tv) {
    tv->random ^= tv->random << 13;
    tv->random ^= tv->random >> 7;
    tv->random ^= tv->random << 17;
    int64_t delay = tv->delay * MILLISECOND / 2, longest = tv->most;
    tv->delay = tv->delay * 2 < longest ? tv->delay * 2 : longest;
    return delay + (int64_t)(tv->random % (uint64_t)(delay + 1));
}

static void establish_failed(passd *tv, struct error *error) {
    if (tv->state == ENDED) return error_drop(error);
    connection_close(tv);
    for (struct call *each = tv->calls, *next; each != NULL; each = next) {
        next = each->next;
        if (each->establishes) call_remove(tv, each);
    }
    if (tv->state == OPENING) {
        tv->state = NEW;
        tv->connect_at = 0;
        /* Calls that were made meanwhile fail with it. */
        for (struct call *each = tv->calls; each != NULL; each = each->next) call_fail(tv, each, error_keep(error));
        login_fail(tv, error);
    } else if (error_is_final(error)) {
        session_end(tv, error);
        tv->tell_ending = true;
    } else {
        tv->state = DOWN;
        tv->connect_at = monotonic() + pause_before_next(tv);
        error_drop(error);
    }
}

static void tell_again(passd *tv) {
    passd_json *none = tv->signed_in < 0 ? json_of("{}") : json_of("{'authenticated':%b}", tv->signed_in);
    int was = tv->was_signed_in;
    deliver(tv, "reconnected", none);
    passd_json_free(none);
    if (tv->is_freed || was < 0 || tv->signed_in < 0 || was == tv->signed_in) return;
    passd_json *status = json_of("{'status':%d,'errorCode':%s,'reason':'reconnected'}", tv->signed_in,
                                 tv->signed_in ? "" : "USER_NOT_AUTHENTICATED_ERROR");
    deliver(tv, "setAuthenticationStatus", status);
    passd_json_free(status);
}

static void is_up(passd *tv) {
    bool was_up = tv->state == REOPENING;
    tv->state = UP;
    tv->began = monotonic();
    if (was_up) {
        tell_again(tv);
    } else if (tv->opening != NULL) {
        finish(tv, tv->opening, NULL, NULL);
    }
    if (tv->is_freed || tv->state != UP) return;
    for (struct call *each = tv->calls; each != NULL; each = each->next) {
        if (each->stage == WAITS) call_send(tv, each);
    }
}

static void requestor_is_set(passd *tv, const passd_json *result, struct error *error) {
    if (error != NULL) return establish_failed(tv, error_keep(error));
    heard_requestor(tv, result);
    is_up(tv);
}

static void tell(passd *tv, const char *method, const passd_json *params, void (*done)(passd *, const passd_json *, struct error *)) {
    uint64_t number = call_internal(tv, method, passd_copy(params), done);
    for (struct call *each = tv->calls; each != NULL; each = each->next) each->establishes |= each->number == number;
    if (number == 0) establish_failed(tv, error_memory());
}

static void options_are_set(passd *tv, const passd_json *result, struct error *error) {
    (void)result;
    if (error != NULL) establish_failed(tv, error_keep(error));
    else if (tv->requestor != NULL) tell(tv, "setRequestor", tv->requestor, requestor_is_set);
    else is_up(tv);
}

static void establish(passd *tv) {
    int number = 0;
    int64_t now = monotonic();
    if (tv->state == DOWN) {
        int64_t allowed = tv->within * MILLISECOND;
        tv->state = REOPENING;
        tv->connect_until = now + (allowed < connecting ? allowed : connecting);
    }
    tv->connect_at = 0;
    if (tv->broken != NULL) return establish_failed(tv, error_keep(tv->broken));
    if (!connection_open(tv, &number)) {
        if (number == EAGAIN && now < tv->connect_until) tv->connect_at = now + again;
        else establish_failed(tv, error_unreachable(tv->path, number, number == EAGAIN ? "it did not accept the connection in time" : NULL));
        return;
    }
    if (tv->name != NULL) {
        passd_json *hello = json_of("{'client':{'name':%s,'version':%s}}", tv->name, tv->version == NULL ? "0" : tv->version);
        if (hello != NULL) connection_send(tv, 0, "passd.hello", hello);
        passd_json_free(hello);
    }
    if (passd_count(tv->options) > 0) tell(tv, "setOptions", tv->options, options_are_set);
    else options_are_set(tv, NULL, NULL);
}

void passd_open(passd *tv, passd_answered opened, void *context) {
    enter(tv);
    struct call *call = call_new(tv, "", NULL, 0);
    if (call != NULL) {
        call->answered = opened;
        call->context = context;
        if (tv->ending != NULL) call_fail(tv, call, error_keep(tv->ending));
        else if (tv->state != NEW) call_fail(tv, call, error_two_opens());
    }
    if (call != NULL && call->stage != FAILED) {
        const char *variable = getenv("PASSD_SOCKET");
        if (tv->path == NULL) set(tv, &tv->path, variable != NULL && *variable != 0 ? variable : default_socket);
        tv->opening = call;
        tv->state = OPENING;
        tv->delay = tv->first;
        tv->connect_at = monotonic();
        int64_t allowed = tv->within * MILLISECOND;
        tv->connect_until = tv->connect_at + (allowed < connecting ? allowed : connecting);
    }
    leave(tv);
}

static void connection_lost(passd *tv) {
    struct error *reason = tv->lost;
    tv->lost = NULL;
    if (tv->state != UP) return establish_failed(tv, reason);
    if (!tv->reconnect || error_is_final(reason)) {
        session_end(tv, reason);
        tv->tell_ending = true;
        return;
    }
    tv->state = DOWN;
    if (monotonic() - tv->began > tv->most * MILLISECOND) tv->delay = tv->first;
    tv->was_signed_in = tv->signed_in;
    tv->connect_at = monotonic() + pause_before_next(tv);
    login_lost(tv);
    passd_json *params = json_of("{'code':%s,'message':%s,'remedy':%s}", reason->public.code, reason->public.message,
                                 reason->public.remedy);
    deliver(tv, "disconnected", params);
    passd_json_free(params);
    error_drop(reason);
}

static void end_connection(passd *tv) {
    tv->lost = error_keep(tv->doom);
    connection_close(tv);
    for (struct call *each = tv->calls; each != NULL; each = each->next) {
        if (each->stage == SENT && !each->establishes) call_fail(tv, each, error_keep(tv->lost));
    }
}

/* The first call that has failed, of those that were made before this dispatch. */
static struct call *failed(passd *tv, uint64_t last) {
    int64_t now = 0;
    for (struct call *each = tv->calls; each != NULL; each = each->next) {
        if (each->stage != FAILED && each != tv->opening) {
            if (now == 0) now = monotonic();
            if (each->deadline <= now) {
                call_fail(tv, each, each->stage == SENT ? error_timed_out(each->within) : error_not_restored(each->within));
            }
        }
        if (each->stage == FAILED && each->number <= last) return each;
    }
    return NULL;
}

/* Does one thing that is due. */
static bool advance(passd *tv, uint64_t last) {
    struct call *call;
    passd_json *message = connection_next(tv);
    if (message != NULL) {
        handle(tv, message);
        passd_json_free(message);
    } else if (tv->doom != NULL) {
        end_connection(tv);
    } else if ((call = failed(tv, last)) != NULL) {
        finish(tv, call, NULL, call->error);
    } else if (tv->lost != NULL) {
        connection_lost(tv);
    } else if (tv->tell_ending) {
        tv->tell_ending = false;
        if (tv->has_ended != NULL) tv->has_ended(tv->end_context, &tv->ending->public);
    } else if (tv->connect_at != 0 && tv->connect_at <= monotonic()) {
        establish(tv);
    } else {
        return false;
    }
    return true;
}

bool passd_dispatch(passd *tv) {
    uint64_t last = tv->last_number;
    enter(tv);
    connection_move(tv);
    do {
        while (!tv->is_freed && login_advance(tv)) {}
    } while (!tv->is_freed && advance(tv, last));
    bool is_over = tv->is_freed || (tv->state == ENDED && tv->calls == NULL && tv->login == NULL && !tv->tell_ending);
    return leave(tv) && !is_over;
}
