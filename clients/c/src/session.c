/* A session: it connects and reconnects, sets options and requestor, and delivers each answer and callback. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"

static const char default_socket[] = "/run/passd/passd.sock";

/* The timeout for a connection, and the pause while the daemon's queue of connections is full. */
static const int64_t connecting = 5 * SECOND, again = 20 * MILLISECOND;

/* When passd_dispatch has work */

static int64_t due(const passd *tv) {
    int64_t when = login_due(tv);
    if (tv->cancelled != NULL || tv->has_more || tv->doom != NULL || tv->lost != NULL || tv->tell_ending || tv->not_opened != NULL) return 0;
    if (tv->connect_at < when && tv->connect_at != 0) when = tv->connect_at;
    for (const struct call *each = tv->calls; each != NULL; each = each->next) {
        if (each->stage == FAILED) return 0;
        if (each != tv->opening && each->deadline < when) when = each->deadline;
        if (call_is_to_be_repeated(tv, each) && each->repeat_at < when) when = each->repeat_at;
    }
    return when;
}

int enter(passd *tv) {
    tv->depth++;
    return errno;
}

bool leave(passd *tv, int number) {
    bool is_there = !tv->is_freed;
    tv->depth--;
    if (is_there) connection_arm(tv, due(tv));
    else if (tv->depth == 0) passd_free(tv);
    errno = number;
    return is_there;
}

/* Messages from the daemon */

void deliver(passd *tv, const char *name, const passd_json *params) {
    if (strcmp(name, PASSD_ON_SET_AUTHENTICATION_STATUS) == 0) tv->signed_in = passd_integer(passd_get(params, "status"), 0) == 1;
    login_heard(tv, name, params);
    if (tv->called_back != NULL) tv->called_back(tv->callback_context, name, params);
}

static void heard_requestor(passd *tv, const passd_json *answer) {
    const passd_json *authenticated = passd_get(answer, "authenticated");
    if (passd_kind(authenticated) == PASSD_BOOLEAN) tv->signed_in = passd_true(authenticated);
}

/* Sends options and requestor on a new connection. Returns false if there is no memory. */
static bool remember(passd *tv, struct call *call, const passd_json *result) {
    if (call->establishes) return true;
    if (strcmp(call->method, PASSD_SET_OPTIONS) == 0) {
        char *text = json_merged(tv->options, call->params);
        passd_json *options = text == NULL ? NULL : json_take(text, strlen(text), NULL);
        if (options == NULL) return false;
        set_params(tv, OPTIONS, options, NULL);
    } else if (strcmp(call->method, PASSD_SET_REQUESTOR) == 0) {
        set_params(tv, REQUESTOR, call->params, NULL);
        call->params = NULL;
        heard_requestor(tv, result);
    }
    return true;
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
    if (number > 0 && (uint64_t)number == tv->late.number) return login_late(tv, passd_get(message, "result"));
    for (struct call *call = tv->calls; call != NULL && number > 0; call = call->next) {
        if (call->number != (uint64_t)number || call->stage != SENT) continue;
        struct error *refusal = error == NULL ? NULL : error_refusal(error);
        if (refusal != NULL && call_repeat_later(call, refusal)) return error_drop(refusal);
        if (refusal == NULL && !remember(tv, call, passd_get(message, "result"))) refusal = error_memory();
        finish(tv, call, refusal == NULL ? passd_get(message, "result") : NULL, refusal);
        error_drop(refusal);
        return;
    }
}

/* The end */

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
    int number = enter(tv);
    session_end(tv, error_closed());
    leave(tv, number);
}

/* Connecting and reconnecting */

static int64_t pause_before_next(passd *tv) {
    tv->random ^= tv->random << 13;
    tv->random ^= tv->random >> 7;
    tv->random ^= tv->random << 17;
    int64_t delay = tv->delay * MILLISECOND / 2, longest = tv->max_pause;
    tv->delay = tv->delay * 2 < longest ? tv->delay * 2 : longest;
    return delay + (int64_t)(tv->random % (uint64_t)(delay + 1));
}

/* Plans to connect at this time. If the socket has no room then, the attempts continue for some seconds. */
static void connect_from(passd *tv, int64_t time) {
    int64_t allowed = tv->within * MILLISECOND;
    tv->connect_at = time;
    tv->connect_until = time + (allowed < connecting ? allowed : connecting);
}

static void establish_failed(passd *tv, struct error *error) {
    if (tv->state == ENDED) return error_drop(error);
    connection_close(tv);
    for (struct call *each = tv->calls, *next; each != NULL; each = next) {
        next = each->next;
        if (each->establishes) call_remove(tv, each);
    }
    bool is_absent = strcmp(error->public.code, "UNREACHABLE") == 0;
    if (tv->state == OPENING && is_absent && monotonic() < tv->open_until) {
        connect_from(tv, monotonic() + pause_before_next(tv));
        error_drop(error);
    } else if (tv->state == OPENING) {
        tv->state = NEW;
        tv->connect_at = 0;
        /* Calls made meanwhile fail with the same error. */
        for (struct call *each = tv->calls; each != NULL; each = each->next) call_fail(tv, each, error_keep(error));
        login_fail(tv, error);
    } else if (error_is_final(error)) {
        session_end(tv, error);
        tv->tell_ending = true;
    } else {
        tv->state = DOWN;
        tv->connect_at = monotonic() + pause_before_next(tv);
        error_drop(tv->trouble);
        tv->trouble = error;
    }
}

static void tell_again(passd *tv) {
    passd_json *none = tv->signed_in < 0 ? json_of("{}") : json_of("{'authenticated':%b}", tv->signed_in);
    int was = tv->was_signed_in;
    deliver(tv, PASSD_ON_RECONNECTED, none);
    passd_json_free(none);
    if (tv->is_freed || was < 0 || tv->signed_in < 0 || was == tv->signed_in) return;
    passd_json *status = json_of("{'status':%d,'errorCode':%s,'reason':'reconnected'}", tv->signed_in,
                                 tv->signed_in ? "" : "USER_NOT_AUTHENTICATED_ERROR");
    deliver(tv, PASSD_ON_SET_AUTHENTICATION_STATUS, status);
    passd_json_free(status);
}

static void is_up(passd *tv) {
    bool was_up = tv->state == REOPENING;
    tv->state = UP;
    tv->began = monotonic();
    error_drop(tv->trouble);
    tv->trouble = NULL;
    if (tv->owes_cancelling && tv->signed_in != 1) tell_cancelling(tv);
    tv->owes_cancelling = false;
    for (struct call *each = tv->calls; each != NULL; each = each->next) {
        if (each->stage == WAITS && each->repeat_at == 0 && each != tv->opening) call_send(tv, each);
    }
    if (was_up) {
        tell_again(tv);
        login_up_again(tv);
    } else if (tv->opening != NULL) {
        finish(tv, tv->opening, NULL, NULL);
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
    else if (tv->requestor != NULL) tell(tv, PASSD_SET_REQUESTOR, tv->requestor, requestor_is_set);
    else is_up(tv);
}

static void establish(passd *tv) {
    int number = 0;
    int64_t now = monotonic();
    if (tv->state == DOWN) {
        tv->state = REOPENING;
        connect_from(tv, now);
    }
    tv->connect_at = 0;
    for (int setting = 0; setting < SETTINGS; setting++) {
        if (tv->broken[setting] != NULL) return establish_failed(tv, error_keep(tv->broken[setting]));
    }
    if (!connection_open(tv, &number)) {
        if (number == EAGAIN && now < tv->connect_until) tv->connect_at = now + again;
        else establish_failed(tv, error_unreachable(tv->path, number, number == EAGAIN ? "it has no room for connections" : NULL));
        return;
    }
    if (tv->name != NULL) {
        passd_json *hello = json_of("{'client':{'name':%s,'version':%s}}", tv->name, tv->version == NULL ? "0" : tv->version);
        if (hello != NULL) connection_send(tv, 0, PASSD_HELLO, hello);
        passd_json_free(hello);
    }
    if (passd_count(tv->options) > 0) tell(tv, PASSD_SET_OPTIONS, tv->options, options_are_set);
    else options_are_set(tv, NULL, NULL);
}

/* Sets the default path, if the app has set none. Returns false if there is no memory. */
static bool find_path(passd *tv) {
    if (tv->broken[PATH] != NULL || (tv->path != NULL && *tv->path != 0)) return true;
    const char *variable = getenv("PASSD_SOCKET");
    free(tv->path);
    tv->path = strdup(variable != NULL && *variable != 0 ? variable : default_socket);
    return tv->path != NULL;
}

void passd_open(passd *tv, passd_answered opened, void *context) {
    int number = enter(tv);
    struct call *call = call_new(tv, "", NULL, 0);
    if (call == NULL) {
        tv->not_opened = opened;
        tv->not_opened_context = context;
    } else {
        call->answered = opened;
        call->context = context;
        if (tv->ending != NULL) call_fail(tv, call, error_keep(tv->ending));
        else if (tv->state != NEW) call_fail(tv, call, error_two_opens());
    }
    if (call != NULL && call->stage != FAILED && !find_path(tv)) call_fail(tv, call, error_memory());
    if (call != NULL && call->stage != FAILED) {
        tv->opening = call;
        tv->state = OPENING;
        tv->delay = tv->first;
        connect_from(tv, monotonic());
        tv->open_until = tv->connect_at + tv->open_within * MILLISECOND;
    }
    leave(tv, number);
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
    if (monotonic() - tv->began > tv->max_pause * MILLISECOND) tv->delay = tv->first;
    tv->was_signed_in = tv->signed_in;
    tv->connect_at = monotonic() + pause_before_next(tv);
    login_lost(tv);
    passd_json *params = json_of("{'code':%s,'message':%s,'remedy':%s}", reason->public.code, reason->public.message,
                                 reason->public.remedy);
    deliver(tv, PASSD_ON_DISCONNECTED, params);
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

/* The first failed call. Calls made during this dispatch do not count. */
static struct call *failed(passd *tv, uint64_t last) {
    int64_t now = 0;
    for (struct call *each = tv->calls; each != NULL; each = each->next) {
        if (each->stage != FAILED && each != tv->opening) {
            if (now == 0) now = monotonic();
            if (each->deadline <= now) {
                call_fail(tv, each, each->stage == SENT ? error_timed_out(each->within) : error_not_restored(each->within, tv->trouble));
            }
        }
        if (each->stage == FAILED && each->number <= last) return each;
    }
    return NULL;
}

/* A call whose repetition is due. */
static struct call *repeated(const passd *tv) {
    for (struct call *each = tv->calls; each != NULL; each = each->next) {
        if (call_is_to_be_repeated(tv, each) && each->repeat_at <= monotonic()) return each;
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
    } else if (login_tell_cancelled(tv, last)) {
        return true;
    } else if ((call = repeated(tv)) != NULL) {
        call->repeat_at = 0;
        call_send(tv, call);
    } else if (tv->not_opened != NULL) {
        passd_answered opened = tv->not_opened;
        tv->not_opened = NULL;
        opened(tv->not_opened_context, NULL, &error_memory()->public);
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
    int number = enter(tv);
    connection_move(tv);
    do {
        while (!tv->is_freed && login_advance(tv)) {}
    } while (!tv->is_freed && advance(tv, last));
    bool is_over = tv->is_freed || (tv->state == ENDED && tv->calls == NULL && tv->login == NULL && tv->cancelled == NULL && !tv->tell_ending && tv->not_opened == NULL);
    return leave(tv, number) && !is_over;
}
