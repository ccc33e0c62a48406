/* Calls, from the request to the answer. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"

static struct call *add(passd *tv, const char *method, passd_json *params, int within) {
    struct call *call = calloc(1, sizeof *call);
    if (call != NULL) call->method = strdup(method == NULL ? "" : method);
    if (call == NULL || call->method == NULL) {
        free(call);
        passd_json_free(params);
        return NULL;
    }
    call->number = ++tv->last_number;
    call->params = params;
    call->within = within > 0 ? within : tv->within;
    call->deadline = monotonic() + call->within * MILLISECOND;
    struct call **end = &tv->calls;
    while (*end != NULL) end = &(*end)->next;
    *end = call;
    return call;
}

struct call *call_new(passd *tv, const char *method, passd_json *params, int within) { return add(tv, method, params, within); }

void call_remove(passd *tv, struct call *call) {
    for (struct call **each = &tv->calls; *each != NULL; each = &(*each)->next) {
        if (*each != call) continue;
        *each = call->next;
        break;
    }
    if (tv->opening == call) tv->opening = NULL;
    passd_json_free(call->params);
    error_drop(call->error);
    free(call->method);
    free(call);
}

/* Takes ownership of the error. The next dispatch reports it to the call. */
void call_fail(passd *tv, struct call *call, struct error *error) {
    if (call->stage == FAILED) {
        error_drop(error);
        return;
    }
    if (tv->opening == call) tv->opening = NULL;
    call->stage = FAILED;
    call->error = error;
}

void call_send(passd *tv, struct call *call) {
    call->stage = SENT;
    connection_send(tv, call->number, call->method, call->params);
}

enum { MAX_REPEATS = 4, DAEMON_TAKES = 16 };

/* Methods for which a viewer waits. The daemon did not execute a call that a rate limit refused. Therefore the call may be
 * repeated. */
static bool is_repeatable(const char *method) {
    static const char *const methods[] = {
        PASSD_SET_REQUESTOR, PASSD_GET_AUTHENTICATION, PASSD_SET_SELECTED_PROVIDER, PASSD_CHECK_AUTHORIZATION,
        PASSD_GET_AUTHORIZATION, PASSD_CHECK_PREAUTHORIZED_RESOURCES, PASSD_PREAUTHORIZE};
    for (size_t index = 0; index < sizeof methods / sizeof methods[0]; index++) {
        if (strcmp(method, methods[index]) == 0) return true;
    }
    return false;
}

bool call_repeat_later(struct call *call, const struct error *refusal) {
    const passd_error *error = &refusal->public;
    bool still_waits = refusal->is_refusal && (strcmp(error->code, "LIMIT") == 0 || strcmp(error->code, "CFG429") == 0);
    if (!still_waits || !is_repeatable(call->method) || call->repeats == MAX_REPEATS) return false;
    if (!(error->retry_after >= 0 && error->retry_after < 86400)) return false;
    int64_t at = monotonic() + (int64_t)(error->retry_after * (double)SECOND);
    /* The daemon may take 15 seconds for an answer. A repetition needs at least this time. */
    if (at + DAEMON_TAKES * SECOND > call->deadline) return false;
    call->stage = WAITS;
    call->repeat_at = at;
    call->repeats++;
    return true;
}

bool call_is_to_be_repeated(const passd *tv, const struct call *call) {
    if (call->stage != WAITS || call->repeat_at == 0) return false;
    return connection_is_up(tv) || (call->establishes && tv->socket >= 0 && tv->doom == NULL);
}

uint64_t call_internal(passd *tv, const char *method, passd_json *params,
                       void (*done)(passd *tv, const passd_json *result, struct error *error)) {
    struct call *call = params == NULL ? NULL : add(tv, method, params, 0);
    if (call == NULL) return 0;
    call->done = done;
    if (tv->ending != NULL) call_fail(tv, call, error_keep(tv->ending));
    else if (tv->socket >= 0) call_send(tv, call);
    return call->number;
}

/* Whether the text is UTF-8, as in JSON. */
static bool is_text(const char *words) {
    passd_json *text = words == NULL ? NULL : json_of("{'':%s}", words);
    passd_json_free(text);
    return text != NULL;
}

uint64_t passd_call(passd *tv, const char *method, int within, passd_answered answered, void *context, const char *format, ...) {
    const char *problem = NULL;
    size_t waiting = 0;
    int errno_before = enter(tv);
    for (struct call *each = tv->calls; each != NULL; each = each->next) {
        waiting += each->stage != FAILED && each->done == NULL && each != tv->opening;
    }
    va_list values;
    va_start(values, format);
    passd_json *params = json_format(format, values, &problem);
    va_end(values);
    struct call *call = add(tv, method, params, within);
    if (call == NULL) {
        leave(tv, ENOMEM);
        return 0;
    }
    call->answered = answered;
    call->context = context;
    if (params == NULL || !is_text(method)) call_fail(tv, call, error_params(params == NULL ? problem : "the method is not UTF-8"));
    else if (tv->ending != NULL) call_fail(tv, call, error_keep(tv->ending));
    else if (tv->state == NEW) call_fail(tv, call, error_not_opened());
    else if (waiting >= tv->call_limit) call_fail(tv, call, error_overloaded(tv->call_limit));
    else login_called(tv, method, params);
    if (call->stage == WAITS && connection_is_up(tv)) call_send(tv, call);
    uint64_t number = call->number;
    leave(tv, errno_before);
    return number;
}

void passd_cancel(passd *tv, uint64_t number) {
    if (number == 0) return;
    int errno_before = enter(tv);
    for (struct call *each = tv->calls; each != NULL; each = each->next) {
        /* The library's own calls have numbers, too, but the app cannot cancel them. */
        if (each->number != number || each->done != NULL || each == tv->opening) continue;
        if (each->login_ended != NULL) break; /* the end of a login that could not begin; it is reported */
        call_remove(tv, each);
        break;
    }
    login_cancel(tv, number);
    leave(tv, errno_before);
}
