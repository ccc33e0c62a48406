/* libpassd: asks the TV entitlement daemon whether the viewer is signed in, signs the viewer in, and gets media tokens.
 *
 * A session has one descriptor to poll. passd_dispatch does the pending work. Only passd_dispatch, and the blocking functions,
 * which dispatch, call functions of the app. A session belongs to one thread at a time, and after a fork to one of the
 * processes. Sessions are independent of each other. Text is UTF-8.
 *
 * errno: passd_new, passd_read, passd_copy and passd_write set it if they return NULL, and passd_call and passd_sign_in if they
 * return 0. The value is ENOMEM. passd_read also sets EINVAL for invalid JSON, and passd_new an error of the system about
 * descriptors. No other function changes errno. All other failures are a passd_error.
 *
 * README.md is an introduction, passd(7) explains the daemon's methods. */
#ifndef PASSD_H
#define PASSD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <passd-protocol.h>

#if defined(__GNUC__)
#define PASSD_API __attribute__((visibility("default")))
#define PASSD_MUST_USE __attribute__((warn_unused_result))
#else
#define PASSD_API
#define PASSD_MUST_USE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Values of JSON. All readers accept NULL and treat it like null, so chains of passd_get need no checks. */

typedef struct passd_json passd_json;

enum passd_kind { PASSD_NULL, PASSD_BOOLEAN, PASSD_NUMBER, PASSD_STRING, PASSD_ARRAY, PASSD_OBJECT };

PASSD_API enum passd_kind passd_kind(const passd_json *value);
/* The member of an object, or NULL. */
PASSD_API const passd_json *passd_get(const passd_json *object, const char *name);
/* The number of elements of an array, or of members of an object; 0 for other values. */
PASSD_API size_t passd_count(const passd_json *value);
/* An element of an array, or the value of a member in the order of the text; NULL beyond the end. For many elements, begin
 * with passd_at(value, 0) and continue with passd_next. */
PASSD_API const passd_json *passd_at(const passd_json *value, size_t index);
PASSD_API const passd_json *passd_next(const passd_json *element);
/* The name of a member; NULL if the value is not one. */
PASSD_API const char *passd_name(const passd_json *member);
/* The text of a string, or NULL. It may contain zero bytes; passd_length counts them, strlen does not. */
PASSD_API const char *passd_string(const passd_json *value);
PASSD_API size_t passd_length(const passd_json *value);
PASSD_API double passd_number(const passd_json *value, double otherwise);
/* Whole numbers of up to 64 bits, exactly; `otherwise` for other values. */
PASSD_API int64_t passd_integer(const passd_json *value, int64_t otherwise);
/* Whether the value is true. */
PASSD_API bool passd_true(const passd_json *value);

/* Reads a value of at most 64 levels and 262144 values. Returns NULL for invalid JSON, and sets `problem`, if given, to the
 * reason. Free it with passd_json_free, like a copy. */
PASSD_API passd_json *passd_read(const char *text, size_t length, const char **problem) PASSD_MUST_USE;
PASSD_API passd_json *passd_copy(const passd_json *value) PASSD_MUST_USE;
PASSD_API void passd_json_free(passd_json *root);
/* The text of a value, on one line. Free it with free. NULL if there is no memory. */
PASSD_API char *passd_write(const passd_json *value) PASSD_MUST_USE;

/* Params are formats like those of printf. `'` means `"`. Values: %s a string (NULL: null), which is quoted and escaped; %d an
 * int; %l an int64_t; %b a boolean; %v a passd_json; %j a text that is JSON already; %% a percent sign. */

/* A call or login without a result. Act on `code`, show `message` and `remedy` to people. Codes besides those of passd(7):
 * UNREACHABLE FORBIDDEN DISCONNECTED NOT_UNDERSTOOD CLOSED TIMED_OUT OVERLOADED FLOW_CONFLICT INVALID_PARAMS OUT_OF_MEMORY. */
typedef struct passd_error {
    const char *code;
    const char *message;
    const char *remedy;
    int number;             /* of JSON-RPC, or 0 if the daemon has not sent this error */
    double retry_after;     /* in seconds; negative if unknown */
    const passd_json *data; /* the daemon's whole error data, with `details` and `display`; or NULL */
} passd_error;

typedef struct passd passd;

/* A function gets either a result or an error. Both are valid only during the call. passd_copy keeps a result. */
typedef void (*passd_answered)(void *context, const passd_json *result, const passd_error *error);
/* Messages of the daemon other than answers, and `disconnected` and `reconnected` from this library, in their order. */
typedef void (*passd_called_back)(void *context, const char *name, const passd_json *params);
/* The session has ended for good, without passd_close. */
typedef void (*passd_has_ended)(void *context, const passd_error *reason);

/* Making a session. Call the setters before passd_open; they copy their values. If memory runs out, opening fails. */

PASSD_API passd *passd_new(void) PASSD_MUST_USE; /* NULL if there is no memory or no descriptor; errno says which */
/* Ends and frees a session. No function of the app is called afterwards. Functions that the session calls may free it. */
PASSD_API void passd_free(passd *session);
/* The path of the socket. Default: PASSD_SOCKET, else the socket of an installed daemon. */
PASSD_API void passd_set_path(passd *session, const char *path);
/* The name and version that operators see. */
PASSD_API void passd_set_name(passd *session, const char *name, const char *version);
/* The channel or brand for which the app asks, and the app's software statement; NULL if a stanza of the box has one. */
PASSD_API void passd_set_requestor(passd *session, const char *requestor, const char *statement);
/* The params of setOptions. */
PASSD_API void passd_set_options(passd *session, const char *format, ...);
/* Milliseconds for a call with its repetitions. Default: 60000. The daemon itself takes up to 15000 for an answer. */
PASSD_API void passd_set_within(passd *session, int milliseconds);
/* Whether the session reconnects when the connection ends. Default: true. */
PASSD_API void passd_set_reconnect(passd *session, bool reconnect);
/* The first and the longest pause before a new attempt to connect. Default: 100 and 10000 milliseconds. */
PASSD_API void passd_set_backoff(passd *session, int first, int max);
/* Content-Length instead of lines, for proxies that need it. */
PASSD_API void passd_set_headers(passd *session, bool headers);
/* Limits: bytes of a message from the daemon (16 MiB), bytes not yet written (4 MiB), and waiting calls (256). */
PASSD_API void passd_set_limits(passd *session, size_t message, size_t output, size_t calls);
PASSD_API void passd_on_callback(passd *session, passd_called_back called_back, void *context);
PASSD_API void passd_on_end(passd *session, passd_has_ended has_ended, void *context);

/* For the event loop of the app. */

/* Connects, and sets options and requestor. Then `opened` is called, with an error if it failed; then you may open again. */
PASSD_API void passd_open(passd *session, passd_answered opened, void *context);
/* The descriptor that is readable when passd_dispatch has work, deadlines included. It never changes. */
PASSD_API int passd_fd(const passd *session);
/* Does the pending work, without waiting. False once the session has ended and everything was reported. */
PASSD_API bool passd_dispatch(passd *session);
/* Waits for work, for these milliseconds (-1: no limit) or for a signal, whichever comes first. Then dispatches. */
PASSD_API bool passd_wait(passd *session, int milliseconds);
/* Ends the session. The next passd_dispatch fails waiting calls with CLOSED. */
PASSD_API void passd_close(passd *session);
/* The reason why the session has ended for good; NULL before that. */
PASSD_API const passd_error *passd_ending(const passd *session);
/* 1 if the viewer is signed in, 0 if not, according to the last report of the daemon; -1 before the first. */
PASSD_API int passd_signed_in(const passd *session);

/* Calls. They may overlap. Without a connection they wait for one. Each ends within `within` milliseconds (0: the session's).
 * If the connection ends before the answer, the call fails with DISCONNECTED and is not repeated: only the caller knows
 * whether it may be executed twice. Calls for which a viewer waits (a requestor, a login, a play, a menu) are repeated if the
 * daemon refuses them because of a rate limit (LIMIT or CFG429, with retry_after): after that time, up to four times, while
 * `within` leaves 16 seconds for the answer. Returns its number, or 0 if there is no memory; `answered` is then not called. */
PASSD_API uint64_t passd_call(passd *session, const char *method, int within, passd_answered answered, void *context,
                              const char *format, ...);
/* Ends a call: `answered` is not called, and the daemon's answer is dropped. Cancels a login: the next passd_dispatch calls
 * `ended` with the outcome `cancelled`, and its other functions are no longer called. */
PASSD_API void passd_cancel(passd *session, uint64_t number);

/* Signing in. */

/* What the viewer needs: `link`, shown as a QR code, leads straight to the provider; `code` is typed at `url`. Each may be
 * NULL. */
typedef struct passd_login {
    const char *state; /* secondScreen, or browser */
    const char *code;
    const char *link;
    const char *url;
    int64_t expires;      /* in milliseconds since 1970, or 0 */
    const passd_json *qr; /* the QR code of link, or else of url, if the option `qr` asks for it; or NULL */
    bool is_local;        /* the address works only on the box, as that of a sandbox may: a phone cannot open it */
} passd_login;

typedef struct passd_outcome {
    const char *outcome;      /* authenticated, cancelled, expired, denied or failed */
    const char *reason;       /* or NULL */
    const char *display;      /* what to tell the viewer, or NULL */
    const passd_json *params; /* everything that the daemon sent; or NULL */
} passd_outcome;

/* Set unused members to zero. */
typedef struct passd_signing_in {
    const char *provider; /* the ID of the viewer's provider; else `choose` gets the list */
    const char *params;   /* of getAuthentication, as JSON; or NULL */
    int within;           /* milliseconds that the viewer may take; 0: no limit */
    void *context;
    /* The app answers with passd_choose, at once or later. Needed without a provider. */
    void (*choose)(void *context, const passd_json *providers);
    /* Called with each code. There is a second one if the first was lost in a restart of the daemon. */
    void (*show)(void *context, const passd_login *login);
    /* An outcome, or an error. */
    void (*ended)(void *context, const passd_outcome *outcome, const passd_error *error);
    /* Several requestors of one programmer, as a JSON array; or NULL. Each may need its own login. They are signed in one by
     * one. Those that are signed in already, perhaps by the login of another one, are skipped. `choose` is called once, and
     * again only if a requestor does not have that provider. The outcome is that of the last login, or of the first that has
     * failed. Afterwards the session has the first requestor. */
    const char *requestors;
    void *reserved[3];
} passd_signing_in;

/* Does the whole login, over restarts of the daemon. The struct is copied. passd_cancel takes the number that it returns. */
PASSD_API uint64_t passd_sign_in(passd *session, const passd_signing_in *how);
/* The ID of the provider that the viewer has chosen. NULL cancels the login, also while it shows a code: `ended` is called when
 * the daemon has cancelled it, or at the next passd_dispatch if there is no connection. */
PASSD_API void passd_choose(passd *session, const char *provider);

/* Blocking versions of these functions. They dispatch, so callbacks are called meanwhile. */

PASSD_API bool passd_connect(passd *session);
/* The result, or NULL. Free it with passd_json_free. */
PASSD_API passd_json *passd_ask(passd *session, const char *method, int within, const char *format, ...) PASSD_MUST_USE;
/* Returns whether the viewer is signed in at the end. `ended`, if given, gets the outcome. */
PASSD_API bool passd_sign_in_and_wait(passd *session, const passd_signing_in *how);
/* The error of the last of these three; NULL if it did not fail. A login that the viewer did not finish is no failure. */
PASSD_API const passd_error *passd_failure(const passd *session);

#ifdef __cplusplus
}
#endif

#endif
