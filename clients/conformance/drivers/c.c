/* The conformance driver of the C library. */
#define _GNU_SOURCE
#include <passd.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command {
    char *id;
    char *chosen, *params;
    bool is_login, is_cancelled;
    uint64_t number;
    struct command *next;
};

static passd *tv;
static struct command *commands;

static void say(const char *part, const passd_json *value) {
    char *text = passd_write(value);
    printf("%s%s", part, text);
    free(text);
}

static void say_words(const char *part, const char *words) {
    printf("%s", part);
    if (words == NULL) {
        printf("null");
        return;
    }
    putchar('"');
    for (; *words != 0; words++) {
        if (*words == '"' || *words == '\\') putchar('\\');
        putchar(*words);
    }
    putchar('"');
}

static void say_error(const char *name, const passd_error *error) {
    printf("\"%s\":{", name);
    say_words("\"code\":", error->code);
    say_words(",\"message\":", error->message);
    say_words(",\"remedy\":", error->remedy);
    if (error->number == 0) printf(",\"number\":null");
    else printf(",\"number\":%d", error->number);
    if (error->retry_after < 0) printf(",\"retryAfter\":null");
    else printf(",\"retryAfter\":%.17g", error->retry_after);
    say(",\"details\":", passd_get(error->data, "details"));
    printf("}");
}

static void end_line(void) {
    printf("}\n");
    fflush(stdout);
}

/* Unknown values are ignored, as in an app. */
static bool is_known(const char *name) {
    static const char *const names[] = {
        PASSD_ON_SET_REQUESTOR_COMPLETE, PASSD_ON_SET_AUTHENTICATION_STATUS, PASSD_ON_DISPLAY_PROVIDER_DIALOG,
        PASSD_ON_NAVIGATE_TO_URL, PASSD_ON_STATUS, PASSD_ON_SET_TOKEN, PASSD_ON_TOKEN_REQUEST_FAILED, PASSD_ON_SELECTED_PROVIDER,
        PASSD_ON_PREAUTHORIZED_RESOURCES, PASSD_ON_SET_METADATA_STATUS, PASSD_ON_SEND_TRACKING_DATA, PASSD_ON_EVENT,
        PASSD_ON_DISCONNECTED, PASSD_ON_RECONNECTED};
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
        if (strcmp(name, names[index]) == 0) return true;
    }
    return false;
}

static void called_back(void *context, const char *name, const passd_json *params) {
    (void)context;
    if (!is_known(name)) return;
    say_words("{\"callback\":", name);
    say(",\"params\":", params);
    end_line();
}

static void has_ended(void *context, const passd_error *reason) {
    (void)context;
    printf("{");
    say_error("ended", reason);
    end_line();
}

static void answered(void *context, const passd_json *result, const passd_error *error) {
    struct command *command = context;
    say_words("{\"id\":", command->id);
    printf(",");
    if (error != NULL) say_error("error", error);
    else if (result == NULL) printf("\"result\":{}");
    else say("\"result\":", result);
    end_line();
}

static void choose(void *context, const passd_json *providers) {
    (void)providers;
    passd_choose(tv, ((struct command *)context)->chosen);
}

/* Lists the providers. A later command makes the choice. */
static void offer(void *context, const passd_json *providers) {
    say_words("{\"id\":", ((struct command *)context)->id);
    printf(",\"choose\":[");
    for (const passd_json *each = passd_at(providers, 0); each != NULL; each = passd_next(each)) {
        say(each == passd_at(providers, 0) ? "" : ",", passd_get(each, "id"));
    }
    printf("]");
    end_line();
}

static void show(void *context, const passd_login *login) {
    say_words("{\"id\":", ((struct command *)context)->id);
    say_words(",\"show\":{\"state\":", login->state);
    say_words(",\"code\":", login->code);
    say_words(",\"link\":", login->link);
    say_words(",\"url\":", login->url);
    printf(",\"isLocal\":%s}", login->is_local ? "true" : "false");
    end_line();
}

static void say_cancelled(const struct command *command) {
    printf("{\"id\":\"%s\",\"error\":{\"code\":\"CANCELLED\"}", command->id);
    end_line();
}

static void ended(void *context, const passd_outcome *outcome, const passd_error *error) {
    const struct command *command = context;
    if (command->is_cancelled && outcome != NULL && strcmp(outcome->outcome, "cancelled") == 0) {
        say_cancelled(command);
        return;
    }
    if (error != NULL) {
        answered(context, NULL, error);
        return;
    }
    say_words("{\"id\":", ((struct command *)context)->id);
    say_words(",\"result\":{\"outcome\":", outcome->outcome);
    say_words(",\"reason\":", outcome->reason);
    say_words(",\"display\":", outcome->display);
    printf("}");
    end_line();
}

static void open_session(const passd_json *step, struct command *command) {
    const passd_json *limits = passd_get(step, "limits"), *backoff = passd_get(step, "backoff");
    const char *requestor = passd_string(passd_get(step, "requestor")), *framing = passd_string(passd_get(step, "framing"));
    const char *name = passd_string(passd_get(step, "name"));
    if (requestor != NULL) passd_set_requestor(tv, requestor, passd_string(passd_get(step, "statement")));
    if (passd_get(step, "options") != NULL) passd_set_options(tv, "%v", passd_get(step, "options"));
    if (name != NULL) passd_set_name(tv, name, passd_string(passd_get(step, "version")));
    passd_set_within(tv, (int)passd_integer(passd_get(step, "within"), 0));
    passd_set_open_within(tv, (int)passd_integer(passd_get(step, "openWithin"), 0));
    passd_set_headers(tv, framing != NULL && strcmp(framing, "headers") == 0);
    passd_set_reconnect(tv, passd_get(step, "reconnect") == NULL || passd_true(passd_get(step, "reconnect")));
    if (backoff != NULL) {
        passd_set_backoff(tv, (int)passd_integer(passd_get(backoff, "first"), 100), (int)passd_integer(passd_get(backoff, "max"), 10000));
    }
    passd_set_limits(tv, (size_t)passd_integer(passd_get(limits, "message"), 0),
                     (size_t)passd_integer(passd_get(limits, "output"), 0), (size_t)passd_integer(passd_get(limits, "calls"), 0));
    passd_open(tv, answered, command);
}

/* The params of getAuthentication; to be freed. */
static char *login_params(const passd_json *step) {
    static const char *const both = "{\"forceAuthentication\":true,\"data\":%s}", *const one = "{\"data\":%s}";
    bool is_forced = passd_true(passd_get(step, "force"));
    if (passd_get(step, "data") == NULL) return is_forced ? strdup("{\"forceAuthentication\":true}") : NULL;
    char *data = passd_write(passd_get(step, "data")), *params = NULL;
    if (asprintf(&params, is_forced ? both : one, data) < 0) abort();
    free(data);
    return params;
}

static void perform(const passd_json *step) {
    struct command *command = calloc(1, sizeof *command);
    const char *what = passd_string(passd_get(step, "do"));
    command->id = strdup(passd_string(passd_get(step, "id")));
    command->next = commands;
    commands = command;
    if (strcmp(what, "connect") == 0) {
        open_session(step, command);
    } else if (strcmp(what, "call") == 0) {
        const passd_json *params = passd_get(step, "params");
        int within = (int)passd_integer(passd_get(step, "within"), 0);
        command->number = params == NULL
            ? passd_call(tv, passd_string(passd_get(step, "method")), within, answered, command, NULL)
            : passd_call(tv, passd_string(passd_get(step, "method")), within, answered, command, "%v", params);
    } else if (strcmp(what, "sign in") == 0) {
        const char *chosen = passd_string(passd_get(step, "choose"));
        command->chosen = chosen == NULL ? NULL : strdup(chosen);
        bool asks = passd_true(passd_get(step, "asks"));
        command->params = login_params(step);
        passd_signing_in how = {.provider = passd_string(passd_get(step, "provider")), .context = command,
                                .params = command->params, .within = (int)passd_integer(passd_get(step, "within"), 0),
                                .choose = asks ? offer : passd_get(step, "choose") == NULL ? NULL : choose,
                                .show = show, .ended = ended};
        command->is_login = true;
        command->number = passd_sign_in(tv, &how);
    } else if (strcmp(what, "cancel") == 0) {
        for (struct command *each = command->next; each != NULL; each = each->next) {
            if (strcmp(each->id, command->id) != 0) continue;
            each->is_cancelled = true;
            passd_cancel(tv, each->number);
            if (!each->is_login) say_cancelled(each);
        }
    } else if (strcmp(what, "choose") == 0) {
        passd_choose(tv, passd_string(passd_get(step, "provider")));
    } else if (strcmp(what, "signed in") == 0) {
        int signed_in = passd_signed_in(tv);
        printf("{\"id\":\"%s\",\"result\":%s", command->id, signed_in < 0 ? "null" : signed_in == 0 ? "false" : "true");
        end_line();
    } else if (strcmp(what, "close") == 0) {
        passd_close(tv);
        answered(command, NULL, NULL);
    }
}

/* Executes the complete lines. Returns false at the end of the input. */
static bool read_lines(void) {
    static char lines[1 << 22];
    static size_t length;
    ssize_t count = read(0, lines + length, sizeof lines - length);
    if (count <= 0) return false;
    length += (size_t)count;
    for (char *end; (end = memchr(lines, '\n', length)) != NULL;) {
        size_t size = (size_t)(end + 1 - lines);
        passd_json *step = passd_read(lines, size, NULL);
        perform(step);
        passd_json_free(step);
        memmove(lines, lines + size, length -= size);
    }
    return true;
}

int main(void) {
    printf("{\"library\":\"C\",\"features\":[\"cancel\",\"headers\",\"limits\",\"one order\",\"reconnect\",\"repeat\",\"sign in\",\"signed in\",\"waiting open\"]");
    end_line();
    tv = passd_new();
    if (tv == NULL) return 1;
    passd_on_callback(tv, called_back, NULL);
    passd_on_end(tv, has_ended, NULL);
    struct pollfd both[] = {{.fd = 0, .events = POLLIN}, {.fd = passd_fd(tv), .events = POLLIN}};
    do {
        poll(both, 2, -1);
        if (both[1].revents != 0) passd_dispatch(tv);
    } while (both[0].revents == 0 || read_lines());
    passd_free(tv);
    while (commands != NULL) {
        struct command *next = commands->next;
        free(commands->id);
        free(commands->chosen);
        free(commands->params);
        free(commands);
        commands = next;
    }
    return 0;
}
