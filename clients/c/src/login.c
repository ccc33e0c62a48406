/* A login as an app sees it: providers, codes and the outcome. It survives restarts of the daemon. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "private.h"

static void answered(passd *tv, const passd_json *result, struct error *error);

/* Notes that the answer of a step is pending although the app no longer waits for it. */
static void is_late(passd *tv, struct login *login, uint64_t number) {
    tv->late = (struct late){.number = number, .until = monotonic() + tv->within * MILLISECOND, .is_open = login->is_open};
}

static void release(struct login *login) {
    passd_json_free(login->params);
    passd_json_free(login->requestors);
    passd_json_free(login->told);
    passd_json_free(login->providers);
    error_drop(login->failed);
    free(login->provider);
    free(login->code);
    free(login->link);
    free(login->url);
    free(login);
}

/* Removes the login from the session. */
static struct login *take_login(passd *tv) {
    struct login *login = tv->login;
    tv->login = NULL;
    for (struct call *each = tv->calls; each != NULL && login->step != 0; each = each->next) {
        if (each->number != login->step) continue;
        if (each->stage == SENT && each->done == answered) is_late(tv, login, each->number);
        call_remove(tv, each);
        break;
    }
    return login;
}

void login_free(passd *tv) {
    if (tv->login != NULL) release(take_login(tv));
    for (struct login *next; tv->cancelled != NULL; tv->cancelled = next) {
        next = tv->cancelled->next;
        release(tv->cancelled);
    }
}

void tell_cancelling(passd *tv) {
    passd_json *no_choice = json_of("{'providerID':null}");
    if (no_choice != NULL) connection_send(tv, 0, PASSD_SET_SELECTED_PROVIDER, no_choice);
    passd_json_free(no_choice);
}

/* Cancels an abandoned login, so that its code stops working. Without a connection, this happens after the reconnect. */
static void cancel_at_daemon(passd *tv) {
    if (tv->ending != NULL) return;
    if (connection_is_up(tv)) tell_cancelling(tv);
    else tv->owes_cancelling = true;
}

/* Whether the connection has ended before the step's answer. If so, the daemon may have opened the login. */
static bool step_is_lost(const passd *tv) {
    for (const struct call *each = tv->calls; each != NULL; each = each->next) {
        if (each->number == tv->login->step && each->done == answered) return each->stage == FAILED && !connection_is_up(tv);
    }
    return false;
}

/* Abandons this login. If the daemon has not answered yet, the login is cancelled after the answer. Before the answer, there
 * may be no login, and a cancel would sign out a viewer who is signed in. */
static struct login *leave_login(passd *tv) {
    bool is_open = tv->login->is_open || step_is_lost(tv);
    struct login *login = take_login(tv);
    if (is_open && tv->late.number == 0) cancel_at_daemon(tv);
    return login;
}

void login_late(passd *tv, const passd_json *result) {
    const char *state = passd_string(passd_get(result, "state"));
    if (state == NULL ? tv->late.is_open : strcmp(state, "authenticated") != 0) cancel_at_daemon(tv);
    tv->late.number = 0;
}

/* Several requestors */

static const char *requestor_at(const struct login *login, size_t place) {
    return passd_string(passd_at(login->requestors, place));
}

static passd_json *params_at(const passd *tv, const struct login *login, size_t place) {
    return requestor_params(requestor_at(login, place), passd_string(passd_get(tv->requestor, "softwareStatement")));
}

static void is_back(passd *tv, const passd_json *result, struct error *error) {
    (void)tv, (void)result, (void)error; /* the outcome of the logins is reported instead */
}

/* After the logins of several requestors, sets the first requestor again. Later calls wait for this. */
static void go_back(passd *tv, const struct login *login) {
    const char *present = passd_string(passd_get(tv->requestor, "requestorID")), *first = requestor_at(login, 0);
    if (first == NULL || tv->ending != NULL || (login->place == 0 && present != NULL && strcmp(present, first) == 0)) return;
    passd_json *params = params_at(tv, login, 0);
    if (connection_is_up(tv)) call_internal(tv, PASSD_SET_REQUESTOR, params, is_back);
    else if (login->place > 0 && params != NULL) set_params(tv, REQUESTOR, params, NULL);
    else passd_json_free(params);
}

/* Whether the login of another requestor comes next. */
static bool goes_on(struct login *login) {
    bool is_in = login->has_outcome && strcmp(login->outcome.outcome, "authenticated") == 0 && login->stage != CANCELS;
    if (!is_in || requestor_at(login, login->place + 1) == NULL) return false;
    login->place++;
    login->stage = ENTERS;
    passd_json_free(login->told);
    passd_json_free(login->providers);
    login->told = login->providers = NULL;
    login->has_outcome = login->was_lost = login->is_open = login->was_selected = false;
    login->gives_up = NEVER;
    return true;
}

void login_cancel(passd *tv, uint64_t number) {
    if (tv->login == NULL || tv->login->number != number) return;
    struct login *login = leave_login(tv), **end = &tv->cancelled;
    go_back(tv, login);
    while (*end != NULL) end = &(*end)->next;
    *end = login;
}

/* Continues with the next requestor, or ends the login and reports its outcome or the error. Takes ownership of the error. */
static bool finish(passd *tv, struct error *error) {
    struct login *login = tv->login;
    if (error == NULL && goes_on(login)) return true;
    go_back(tv, login);
    passd_signing_in how = login->how;
    passd_outcome outcome = login->outcome;
    passd_json *told = login->told;
    login->told = NULL;
    release(error != NULL ? leave_login(tv) : take_login(tv));
    if (how.ended != NULL) how.ended(how.context, error == NULL ? &outcome : NULL, error == NULL ? NULL : &error->public);
    passd_json_free(told);
    error_drop(error);
    return true;
}

static void set_outcome(struct login *login, const char *outcome, const char *reason, const passd_json *params) {
    passd_json_free(login->told);
    login->told = passd_copy(params);
    login->has_outcome = true;
    login->outcome = (passd_outcome){.outcome = outcome, .reason = reason, .params = login->told};
    login->outcome.display = passd_string(passd_get(login->told, "display"));
}

bool login_tell_cancelled(passd *tv, uint64_t last) {
    struct login *login = tv->cancelled;
    if (login == NULL || login->number > last) return false;
    tv->cancelled = login->next;
    if (!login->has_outcome) set_outcome(login, "cancelled", NULL, NULL);
    if (login->how.ended != NULL) login->how.ended(login->how.context, &login->outcome, NULL);
    release(login);
    return true;
}

/* Stores the outcome of the login, if this `setAuthenticationStatus` reports an outcome. */
static void read_outcome(struct login *login, const passd_json *params) {
    if (passd_string(passd_get(params, "outcome")) == NULL) return;
    set_outcome(login, NULL, NULL, params);
    params = login->told;
    const char *cause = passd_string(passd_get(params, "cause"));
    login->outcome.outcome = passd_string(passd_get(params, "outcome"));
    login->outcome.reason = passd_string(passd_get(params, "reason"));
    if (cause != NULL) login->outcome.reason = cause;
}

void login_heard(passd *tv, const char *name, const passd_json *params) {
    struct login *login = tv->login;
    if (login == NULL) return;
    if (strcmp(name, PASSD_ON_SET_AUTHENTICATION_STATUS) == 0 && !login->has_outcome) {
        read_outcome(login, params);
    } else if (strcmp(name, PASSD_ON_DISPLAY_PROVIDER_DIALOG) == 0) {
        passd_json_free(login->providers);
        login->providers = passd_copy(passd_get(params, "providers"));
    }
}

void login_lost(passd *tv) {
    if (tv->login == NULL) return;
    tv->login->was_lost = true;
    if (tv->login->stage == WATCHES) tv->login->stage = BEGINS;
}

/* Notes that the viewer has signed in meanwhile, so there is nothing to choose. */
void login_up_again(passd *tv) {
    struct login *login = tv->login;
    bool is_needless = login != NULL && login->stage == CHOOSES && tv->signed_in == 1 && !login->force;
    if (is_needless && !login->has_outcome) set_outcome(login, "authenticated", "reconnected", NULL);
}

static bool step(passd *tv, const char *method, passd_json *params) {
    struct login *login = tv->login;
    login->stage = STEPS;
    login->was_lost = false;
    login->step = call_internal(tv, method, params, answered);
    if (login->step == 0) login->failed = error_params(params == NULL ? "the provider is not UTF-8, or memory ran out" : json_no_memory);
    return true;
}

static bool begin(passd *tv) {
    tv->late.number = 0;
    return step(tv, PASSD_GET_AUTHENTICATION, tv->login->params == NULL ? json_of("{}") : passd_copy(tv->login->params));
}

static void cancelled(passd *tv, const passd_json *result, struct error *error) {
    struct login *login = tv->login;
    login->step = 0;
    bool is_lost = error != NULL && error->is_connection && !connection_is_up(tv) && tv->ending == NULL;
    if (is_lost && login->is_open) cancel_at_daemon(tv);
    if (!login->has_outcome && (error == NULL || is_lost)) set_outcome(login, "cancelled", NULL, result);
    finish(tv, login->has_outcome ? NULL : error_keep(error));
}

/* Handles the choice of the viewer, or of the app for the viewer. */
static bool choose(passd *tv) {
    struct login *login = tv->login;
    if (login->provider != NULL) return step(tv, PASSD_SET_SELECTED_PROVIDER, json_of("{'providerID':%s}", login->provider));
    login->stage = CANCELS;
    login->step = call_internal(tv, PASSD_SET_SELECTED_PROVIDER, json_of("{'providerID':null}"), cancelled);
    if (login->step == 0) login->failed = error_memory();
    return true;
}

/* Whether the requestor has this provider. A provider chosen for another requestor may be missing here. */
static bool has_provider(struct login *login, const passd_json *providers) {
    if (login->provider == NULL) return false;
    if (login->how.choose == NULL || login->requestors == NULL) return true;
    for (const passd_json *each = passd_at(providers, 0); each != NULL; each = passd_next(each)) {
        const char *id = passd_string(passd_get(each, "id"));
        if (id != NULL && strcmp(id, login->provider) == 0) return true;
    }
    free(login->provider);
    login->provider = NULL;
    return false;
}

static void offer(passd *tv, const passd_json *providers) {
    struct login *login = tv->login;
    if (has_provider(login, providers)) {
        choose(tv);
        return;
    }
    login->stage = CHOOSES;
    login->how.choose(login->how.context, providers);
}

/* Cancels the login. The next dispatch reports this to the app. */
static void is_cancelled(passd *tv) {
    struct login *login = tv->login;
    if (login->is_open) cancel_at_daemon(tv);
    set_outcome(login, "cancelled", NULL, NULL);
    login->stage = WATCHES;
}

/* Drops the login's step if it waits to be repeated. Returns whether it did, because then the daemon has no login to cancel. */
static bool drop_waiting_step(passd *tv) {
    struct login *login = tv->login;
    for (struct call *each = tv->calls; each != NULL && login->step != 0; each = each->next) {
        if (each->number != login->step || each->stage != WAITS) continue;
        call_remove(tv, each);
        login->step = 0;
        return true;
    }
    return false;
}

/* Handles a viewer who chooses no provider, or abandons the code. */
static void choose_none(passd *tv) {
    struct login *login = tv->login;
    free(login->provider);
    login->provider = NULL;
    if (drop_waiting_step(tv)) is_cancelled(tv);
    else if (login->stage == STEPS) login->is_unwanted = true; /* the answer will tell whether there is a login */
    else if (login->stage != ENTERS && login->stage != BEGINS && connection_is_up(tv) && !login->was_lost) choose(tv);
    else is_cancelled(tv);
}

void passd_choose(passd *tv, const char *provider) {
    struct login *login = tv->login;
    if (login == NULL || login->has_outcome || login->stage == CANCELS) return;
    if (provider != NULL && login->stage != CHOOSES) return;
    int number = enter(tv);
    if (provider == NULL) choose_none(tv);
    else if ((login->provider = strdup(provider)) == NULL) login->failed = error_memory();
    else if (connection_is_up(tv) && !login->was_lost) choose(tv);
    else login->stage = BEGINS; /* if the daemon does not know the login, a new login is started */
    leave(tv, number);
}

void login_called(passd *tv, const char *method, const passd_json *params) {
    struct login *login = tv->login;
    const passd_json *provider = passd_get(params, "providerID");
    bool cancels = strcmp(method, PASSD_SET_SELECTED_PROVIDER) == 0 && provider != NULL && passd_kind(provider) == PASSD_NULL;
    if (!cancels || login == NULL || login->has_outcome) return;
    if (!drop_waiting_step(tv) && connection_is_up(tv)) return;
    set_outcome(login, "cancelled", NULL, NULL);
    if (login->step == 0) login->stage = WATCHES;
}

static bool differs(const char *one, const char *other) {
    return one == NULL || other == NULL ? one != other : strcmp(one, other) != 0;
}

/* Whether the URL has a loopback name, which on each device means the device itself. */
static bool is_local(const char *url) {
    const char *host = url == NULL ? NULL : strstr(url, "://");
    if (host == NULL) return false;
    host += 3;
    const char *end = host + strcspn(host, "/?#"), *user = memchr(host, '@', (size_t)(end - host));
    for (; user != NULL; user = memchr(host, '@', (size_t)(end - host))) host = user + 1;
    if (strncmp(host, "[::1]", 5) == 0) return true;
    int length = 0, numbers[4];
    size_t size = strcspn(host, ":/?#");
    if (sscanf(host, "%3d.%3d.%3d.%3d%n", &numbers[0], &numbers[1], &numbers[2], &numbers[3], &length) == 4) {
        return numbers[0] == 127 && (size_t)length == size;
    }
    const char *name = host + (size < 9 ? 0 : size - 9);
    return size >= 9 && strncasecmp(name, "localhost", 9) == 0 && (size == 9 || name[-1] == '.');
}

static void show(passd *tv, const passd_json *state) {
    struct login *login = tv->login;
    passd_login shown = {.state = passd_string(passd_get(state, "state")), .code = passd_string(passd_get(state, "code")),
                         .link = passd_string(passd_get(state, "link")), .url = passd_string(passd_get(state, "url")),
                         .expires = passd_integer(passd_get(state, "expires"), 0),
                         .qr = passd_get(state, "qr")};
    shown.is_local = is_local(shown.link == NULL ? shown.url : shown.link);
    bool is_new = !login->has_login || differs(login->code, shown.code) || differs(login->link, shown.link) ||
                  differs(login->url, shown.url);
    login->has_login = true;
    /* This ends an expired code that the daemon does not end. Dates years ahead are ignored. */
    int64_t left = shown.expires <= 0 ? 0 : shown.expires - wall_clock();
    bool is_bounded = shown.expires > 0 && left < INT64_C(1000) * 86400 * 365;
    login->gives_up = is_bounded ? monotonic() + left * MILLISECOND + 15 * SECOND : NEVER;
    free(login->code);
    free(login->link);
    free(login->url);
    login->code = shown.code == NULL ? NULL : strdup(shown.code);
    login->link = shown.link == NULL ? NULL : strdup(shown.link);
    login->url = shown.url == NULL ? NULL : strdup(shown.url);
    login->stage = WATCHES;
    if (is_new && login->how.show != NULL) login->how.show(login->how.context, &shown);
}

/* Called when the next of several requestors is set. */
static void entered(passd *tv, const passd_json *result, struct error *error) {
    struct login *login = tv->login;
    login->step = 0;
    bool is_lost = error != NULL && error->is_connection && !connection_is_up(tv) && tv->ending == NULL;
    if (error != NULL && !is_lost) {
        finish(tv, error_keep(error));
        return;
    }
    login->stage = is_lost ? ENTERS : BEGINS;
    if (login->is_unwanted) is_cancelled(tv);
    else if (!is_lost && passd_true(passd_get(result, "authenticated")) && !login->force) {
        login->stage = WATCHES;
        set_outcome(login, "authenticated", NULL, NULL);
    }
}

static bool enter_requestor(passd *tv) {
    struct login *login = tv->login;
    login->stage = STEPS;
    login->step = call_internal(tv, PASSD_SET_REQUESTOR, params_at(tv, login, login->place), entered);
    if (login->step == 0) login->failed = error_memory();
    return true;
}

static void answered(passd *tv, const passd_json *result, struct error *error) {
    struct login *login = tv->login;
    if (error != NULL && strcmp(error->public.code, "TIMED_OUT") == 0) is_late(tv, login, login->step);
    login->step = 0;
    if (error != NULL && error->is_connection && !connection_is_up(tv) && tv->ending == NULL) {
        login->stage = BEGINS;
        login->is_open = true; /* as far as this library knows */
        if (login->is_unwanted) is_cancelled(tv);
        return;
    }
    if (error != NULL) {
        finish(tv, error_keep(error));
        return;
    }
    const char *state = passd_string(passd_get(result, "state"));
    if (state == NULL) {
        finish(tv, error_not_understood("a step of the login has no state"));
        return;
    }
    login->is_open = strcmp(state, "authenticated") != 0;
    if (login->is_open) { /* earlier callbacks are old, or the answer repeats them */
        login->has_outcome = false;
        passd_json_free(login->providers);
        login->providers = NULL;
    }
    bool was_selected = login->was_selected;
    login->was_selected = strcmp(state, "selected") == 0;
    login->stage = WATCHES;
    login->gives_up = NEVER;
    if (login->has_outcome) return; /* it is reported next */
    if (!login->is_open) set_outcome(login, "authenticated", NULL, result);
    else if (login->is_unwanted) choose(tv);
    else if (strcmp(state, "selectProvider") == 0) offer(tv, passd_get(result, "providers"));
    else if (strcmp(state, "secondScreen") == 0 || strcmp(state, "browser") == 0) show(tv, result);
    else if (login->was_selected && was_selected) finish(tv, error_not_understood("a choice does not begin the login"));
    else if (login->was_selected) begin(tv);
}

/* Whether the outcome can be reported without further calls. */
static bool is_told(const struct login *login) {
    bool is_between = login->stage == WATCHES || login->stage == CHOOSES || (login->stage == BEGINS && login->was_lost);
    return login->has_outcome && is_between;
}

/* Whether a new login has to wait, because the last answer to an abandoned login is still pending. */
static bool waits_for_earlier(const passd *tv) { return tv->late.number != 0 && tv->late.until > monotonic(); }

static bool may_enter(const passd *tv) { return tv->login->stage == ENTERS && connection_is_up(tv); }

static bool may_begin(const passd *tv) { return tv->login->stage == BEGINS && connection_is_up(tv) && !waits_for_earlier(tv); }

void login_fail(passd *tv, struct error *error) {
    if (tv->login != NULL) finish(tv, error);
    else error_drop(error);
}

bool login_advance(passd *tv) {
    struct login *login = tv->login;
    if (login == NULL) return false;
    int64_t now = monotonic();
    if (tv->ending != NULL && login->step == 0) return finish(tv, error_keep(tv->ending));
    if (login->failed != NULL) return finish(tv, error_keep(login->failed));
    if (is_told(login)) return finish(tv, NULL);
    if (login->deadline <= now && !tv->has_more) return finish(tv, error_not_signed_in(login->how.within));
    if (may_enter(tv)) return enter_requestor(tv);
    if (may_begin(tv)) {
        if (login->was_lost && tv->signed_in == 1 && !login->force) {
            set_outcome(login, "authenticated", "reconnected", NULL);
            return finish(tv, NULL);
        }
        return begin(tv);
    }
    if (login->stage == WATCHES && login->providers != NULL) {
        passd_json *providers = login->providers;
        login->providers = NULL;
        offer(tv, providers);
        passd_json_free(providers);
        return true;
    }
    if (login->stage == WATCHES && login->gives_up <= now && !tv->has_more) {
        set_outcome(login, "expired", NULL, NULL);
        return finish(tv, NULL);
    }
    return false;
}

int64_t login_due(const passd *tv) {
    const struct login *login = tv->login;
    if (login == NULL) return NEVER;
    bool has_ended = tv->ending != NULL && login->step == 0;
    if (has_ended || login->failed != NULL || is_told(login) || may_enter(tv) || may_begin(tv)) return 0;
    if (login->stage == BEGINS && waits_for_earlier(tv) && tv->late.until < login->deadline) return tv->late.until;
    if (login->stage == WATCHES && login->gives_up < login->deadline) return login->gives_up;
    return login->deadline;
}

/* Ends a login that could not begin. The next dispatch reports the error. Returns the number of the login, or 0. */
static uint64_t refuse(passd *tv, const passd_signing_in *how, struct error *error) {
    struct call *call = call_new(tv, "", NULL, 0);
    if (call == NULL) {
        error_drop(error);
        return 0;
    }
    call->login_ended = how->ended;
    call->context = how->context;
    call_fail(tv, call, error);
    return call->number;
}

static bool are_requestors(const passd_json *list) {
    const passd_json *each = passd_at(list, 0);
    if (passd_kind(list) != PASSD_ARRAY || each == NULL) return false;
    while (each != NULL && passd_string(each) != NULL) each = passd_next(each);
    return each == NULL;
}

uint64_t passd_sign_in(passd *tv, const passd_signing_in *how) {
    int errno_before = enter(tv);
    uint64_t number = 0;
    const char *problem = NULL;
    passd_json *params = how->params == NULL ? NULL : passd_read(how->params, strlen(how->params), &problem);
    passd_json *requestors = how->requestors == NULL || problem != NULL
        ? NULL : passd_read(how->requestors, strlen(how->requestors), &problem);
    struct login *login = NULL;
    if (tv->login != NULL) number = refuse(tv, how, error_two_logins());
    else if (how->provider == NULL && how->choose == NULL) number = refuse(tv, how, error_no_provider());
    else if (problem != NULL) number = refuse(tv, how, error_params(problem));
    else if (passd_kind(params) != PASSD_OBJECT && how->params != NULL) number = refuse(tv, how, error_params("it is not an object"));
    else if (how->requestors != NULL && !are_requestors(requestors)) number = refuse(tv, how, error_params("requestors is not a list of IDs"));
    else if (tv->ending != NULL) number = refuse(tv, how, error_keep(tv->ending));
    else if (tv->state == NEW) number = refuse(tv, how, error_not_opened());
    else login = calloc(1, sizeof *login);
    if (login != NULL) {
        login->how = *how;
        login->force = passd_true(passd_get(params, "forceAuthentication"));
        login->params = params;
        login->requestors = requestors;
        login->stage = requestors == NULL ? BEGINS : ENTERS;
        login->provider = how->provider == NULL ? NULL : strdup(how->provider);
        login->deadline = how->within > 0 ? monotonic() + how->within * MILLISECOND : NEVER;
        login->gives_up = NEVER;
        login->number = number = ++tv->last_number;
        tv->login = login;
        if (how->provider != NULL && login->provider == NULL) {
            release(take_login(tv));
            number = 0;
        }
    } else {
        passd_json_free(params);
        passd_json_free(requestors);
    }
    leave(tv, number == 0 ? ENOMEM : errno_before);
    return number;
}
