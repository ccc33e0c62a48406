/* The errors. Each has a stable code, a sentence about the cause, and a remedy. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "private.h"

/* The error for a lack of memory. It is static, and has no reference count. */
static struct error no_memory = {.public = {
    .code = "OUT_OF_MEMORY", .message = "There is not enough memory.", .remedy = "Free some, and try again.", .retry_after = -1}};

struct error *error_memory(void) { return &no_memory; }

struct error *error_keep(struct error *error) {
    if (error != NULL && error != &no_memory) error->references++;
    return error;
}

void error_drop(struct error *error) {
    if (error == NULL || error == &no_memory || --error->references > 0) return;
    passd_json_free(error->data);
    free(error);
}

static struct error *make(const char *code, const char *message, const char *remedy) {
    size_t sizes[] = {strlen(code) + 1, strlen(message) + 1, strlen(remedy) + 1};
    struct error *error = calloc(1, sizeof *error + sizes[0] + sizes[1] + sizes[2]);
    if (error == NULL) return &no_memory;
    char *words = (char *)(error + 1);
    error->public.code = memcpy(words, code, sizes[0]);
    error->public.message = memcpy(words + sizes[0], message, sizes[1]);
    error->public.remedy = memcpy(words + sizes[0] + sizes[1], remedy, sizes[2]);
    error->public.retry_after = -1;
    error->references = 1;
    return error;
}

static struct error *disconnected(const char *code, const char *message, const char *remedy) {
    struct error *error = make(code, message, remedy);
    if (error != &no_memory) error->is_connection = true;
    return error;
}

static const char *words(const passd_json *value, const char *otherwise) {
    const char *found = passd_string(value);
    return found == NULL ? otherwise : found;
}

struct error *error_refusal(const passd_json *json) {
    const passd_json *data = passd_get(json, "data");
    struct error *error = make(words(passd_get(data, "code"), "INTERNAL_ERROR"),
                               words(passd_get(json, "message"), "The daemon refused the call."),
                               words(passd_get(data, "remedy"), "See the journal of passd."));
    if (error == &no_memory) return error;
    error->is_refusal = true;
    int64_t number = passd_integer(passd_get(json, "code"), 0);
    error->public.number = number == 0 || number < INT32_MIN || number > INT32_MAX ? -32603 : (int)number;
    error->public.retry_after = passd_number(passd_get(data, "retryAfter"), -1);
    if (passd_kind(data) == PASSD_OBJECT) error->data = passd_copy(data);
    error->public.data = error->data;
    return error;
}

/* The text is English like all messages, independent of the app's locale. */
static const char *description(int number) {
    const char *words = strerrordesc_np(number);
    return words == NULL ? "an unknown error" : words;
}

/* Sets `directory` to the first directory of the socket's path that this process may not enter. */
static bool find_closed_directory(const char *path, char *directory, size_t size) {
    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        size_t length = slash == path ? 1 : (size_t)(slash - path);
        if (length >= size) return false;
        memcpy(directory, path, length);
        directory[length] = '\0';
        if (faccessat(AT_FDCWD, directory, X_OK, AT_EACCESS) != 0) return true;
    }
    return false;
}

struct error *error_unreachable(const char *path, int number, const char *otherwise) {
    char message[400], directory[120], remedy[300];
    if (number == EACCES || number == EPERM) {
        if (find_closed_directory(path, directory, sizeof directory)) {
            snprintf(message, sizeof message, "This user may not enter %s, so %.200s cannot be reached.", directory, path);
            snprintf(remedy, sizeof remedy,
                     "Run this as the owner of the directory: a developer's box serves no other user. "
                     "Another daemon may serve other users after chmod o+x %s.",
                     directory);
            return disconnected("FORBIDDEN", message, remedy);
        }
        snprintf(message, sizeof message, "This user may not connect to %.250s.", path);
        return disconnected("FORBIDDEN", message, "Join the group that the socket belongs to, or run this as root.");
    }
    snprintf(message, sizeof message, "passd cannot be reached at %.250s: %s.", path, otherwise == NULL ? description(number) : otherwise);
    return disconnected("UNREACHABLE", message, "Start passd, or set PASSD_SOCKET to the path of its socket.");
}

struct error *error_lost(const char *reason) {
    char message[320];
    snprintf(message, sizeof message, "The connection to passd was lost: %s.", reason);
    return disconnected("DISCONNECTED", message, "Try again; the journal of passd, or passd.log of a developer's box, says why it ended.");
}

struct error *error_lost_by(int number) {
    return error_lost(description(number));
}

struct error *error_not_understood(const char *reason) {
    char message[300];
    snprintf(message, sizeof message, "What passd sent cannot be used: %s.", reason);
    return disconnected("NOT_UNDERSTOOD", message, "Check that this program and passd are from the same release.");
}

struct error *error_closed(void) { return disconnected("CLOSED", "This program closed the session.", "Open a new session."); }

struct error *error_not_opened(void) { return disconnected("CLOSED", "This session was not opened.", "Open it first."); }

struct error *error_not_restored(int milliseconds, const struct error *trouble) {
    char reason[270];
    int length = snprintf(reason, sizeof reason, "it could not be restored within %d ms", milliseconds);
    if (trouble != NULL) {
        const char *message = trouble->public.message;
        size_t text = strlen(message);
        if (text > 0 && message[text - 1] == '.') text--;
        size_t room = sizeof reason - (size_t)length - sizeof " ()";
        if (text > room) text = room;
        while (text > 0 && ((unsigned char)message[text] & 0xC0) == 0x80) text--; /* no part of a character */
        snprintf(reason + length, sizeof reason - (size_t)length, " (%.*s)", (int)text, message);
    }
    return error_lost(reason);
}

struct error *error_timed_out(int milliseconds) {
    char message[80];
    snprintf(message, sizeof message, "passd did not answer within %d ms.", milliseconds);
    return make("TIMED_OUT", message, "Try again, or allow more time.");
}

struct error *error_not_signed_in(int milliseconds) {
    char message[80];
    snprintf(message, sizeof message, "The viewer did not sign in within %d ms.", milliseconds);
    return make("TIMED_OUT", message, "Start the login again.");
}

struct error *error_overloaded(size_t limit) {
    char message[80];
    snprintf(message, sizeof message, "%zu calls are waiting for an answer already.", limit);
    return make("OVERLOADED", message, "Try again later.");
}

struct error *error_two_logins(void) {
    return make("FLOW_CONFLICT", "This session has an open login already.", "Wait for it, or cancel it.");
}

struct error *error_no_provider(void) {
    return make("INVALID_PARAMS", "No provider was given for the login.", "Name a provider, or give choose.");
}

struct error *error_two_opens(void) {
    return make("FLOW_CONFLICT", "This session is open, or being opened, already.", "Open it once, or make another one.");
}

struct error *error_params(const char *problem) {
    char message[200];
    if (problem == json_no_memory) return &no_memory;
    snprintf(message, sizeof message, "The params cannot be sent: %s.", problem);
    return make("INVALID_PARAMS", message, "Write them as passd.h says, and as UTF-8.");
}

bool error_is_final(const struct error *error) {
    static const char *const final[] = {"DENIED", "INVALID_PARAMS", "INVALID_REQUEST", "METHOD_NOT_FOUND", "CFG400", "SEC403"};
    for (size_t index = 0; error->is_refusal && index < sizeof final / sizeof final[0]; index++) {
        if (strcmp(error->public.code, final[index]) == 0) return true;
    }
    return false;
}
