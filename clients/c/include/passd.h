/* libpassd: asks the TV entitlement daemon whether the viewer is signed in, signs the viewer in, and gets media tokens.
 *
 * A session has one descriptor to poll. passd_dispatch does the pending work. The functions of the app are called only by
 * passd_dispatch, and by the blocking functions, because these also dispatch. A session belongs to one thread at a time, and
 * after a fork to one of the processes. Sessions are independent of each other. Text is UTF-8.
 *
 * If memory runs out, passd_new, passd_read, passd_copy and passd_write return NULL, passd_call and passd_sign_in return 0, and
 * errno is ENOMEM. passd_read sets errno to EINVAL for invalid JSON. passd_new may set errno to a system error about
 * descriptors. No other function changes errno. Each other failure has a passd_error.
 *
 * README.md is an introduction. passd(7) explains the daemon's methods. */
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

/* Values of JSON. All functions that read a value accept NULL and treat it like null, so chains of passd_get need no checks. */

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
/* The name of a member; NULL if the value is not a member. */
PASSD_API const char *passd_name(const passd_json *member);
/* The text of a string, or NULL. It may contain zero bytes; passd_length counts them, strlen does not. */
PASSD_API const char *passd_string(const passd_json *value);
PASSD_API size_t passd_length(const passd_json *value);
PASSD_API double passd_number(const passd_json *value, double otherwise);
/* The exact value of a whole number of up to 64 bits; `otherwise` for other values. */
PASSD_API int64_t passd_integer(const passd_json *value, int64_t otherwise);
/* Whether the value is true. */
PASSD_API bool passd_true(const passd_json *value);

/* Reads a value of at most 64 levels and 262144 values. Returns NULL for invalid JSON, and sets `problem`, if given, to the
 * reason. Free the value with passd_json_free, like a copy of passd_copy. */
PASSD_API passd_json *passd_read(const char *text, size_t length, const char **problem) PASSD_MUST_USE;
PASSD_API passd_json *passd_copy(const passd_json *value) PASSD_MUST_USE;
PASSD_API void passd_json_free(passd_json *root);
/* The text of a value, on one line. Free it with free. NULL if there is no memory. */
PASSD_API char *passd_write(const passd_json *value) PASSD_MUST_USE;

/* Params are formats like those of printf. `'` means `"`. Values: %s a string (NULL: null), which is quoted and escaped; %d an
 * int; %l an int64_t; %b a boolean; %v a passd_json; %j a text that is JSON already; %% a percent sign. */

/* The error of a call or login. Act on `code`, show `message` and `remedy` to people. Codes besides those of passd(7):
 * UNREACHABLE FORBIDDEN DISCONNECTED NOT_UNDERSTOOD CLOSED TIMED_OUT OVERLOADED FLOW_CONFLICT INVALID_PARAMS OUT_OF_MEMORY. */
typedef struct passd_error {
    const char *code;
    const char *message;
    const char *remedy;
    int number;             /* of JSON-RPC; 0 if this library made the error */
    double retry_after;     /* in seconds; negative if unknown */
    const passd_json *data; /* the daemon's whole error data, with `details` and `display`; or NULL */
} passd_error;

typedef struct passd passd;

/* A function gets a result or an error, which are valid until the function returns. To keep a result, use passd_copy. */
typedef void (*passd_answered)(void *context, const passd_json *result, const passd_error *error);
/* Gets the messages of the daemon that are not answers, and `disconnected` and `reconnected` from this library, in order. */
typedef void (*passd_called_back)(void *context, const char *name, const passd_json *params);
/* Called when the session ends permanently without passd_close. */
typedef void (*passd_has_ended)(void *context, const passd_error *reason);

/* Making a session. Call the setters before passd_open; they copy their values. If memory runs out in them, opening fails. */

PASSD_API passd *passd_new(void) PASSD_MUST_USE; /* NULL if there is no memory or no descriptor; errno has the reason */
/* Ends and frees a session. No function of the app is called afterwards. The app's functions may call this. */
PASSD_API void passd_free(passd *session);
/* The path of the socket. Default: PASSD_SOCKET, else the socket of an installed daemon. */
PASSD_API void passd_set_path(passd *session, const char *path);
/* The name and version that operators see. */
PASSD_API void passd_set_name(passd *session, const char *name, const char *version);
/* The channel or brand for which the app asks, and the app's software statement (the signed text that
 * identifies the app); NULL if the box's configuration has it. */
PASSD_API void passd_set_requestor(passd *session, const char *requestor, const char *statement);
/* The params of setOptions. */
PASSD_API void passd_set_options(passd *session, const char *format, ...);
/* Milliseconds for a call with its repetitions. Default: 60000. The daemon itself takes up to 15000 for an answer. */
PASSD_API void passd_set_within(passd *session, int milliseconds);
/* Milliseconds for which opening waits for a daemon that cannot be reached yet, for example because its directory is mounted
 * later. Default: 0. */
PASSD_API void passd_set_open_within(passd *session, int milliseconds);
/* Whether the session reconnects when the connection ends. Default: true. */
PASSD_API void passd_set_reconnect(passd *session, bool reconnect);
/* The first and the longest pause before an attempt to reconnect. Default: 100 and 10000 milliseconds. */
PASSD_API void passd_set_backoff(passd *session, int first, int max);
/* Whether messages have Content-Length headers instead of being lines, for proxies that need this. Default: false. */
PASSD_API void passd_set_headers(passd *session, bool headers);
/* Limits: bytes of a message from the daemon (16 MiB), bytes not yet written (4 MiB), and waiting calls (256). */
PASSD_API void passd_set_limits(passd *session, size_t message, size_t output, size_t calls);
PASSD_API void passd_on_callback(passd *session, passd_called_back called_back, void *context);
PASSD_API void passd_on_end(passd *session, passd_has_ended has_ended, void *context);

/* For the event loop of the app. */

/* Connects, and sets options and requestor. Then calls `opened`. If `opened` gets an error, you may open again. */
PASSD_API void passd_open(passd *session, passd_answered opened, void *context);
/* The descriptor that is readable when passd_dispatch has work, which includes deadlines. It never changes. */
PASSD_API int passd_fd(const passd *session);
/* Does the pending work, without waiting. Returns false after the session has ended and everything was reported. */
PASSD_API bool passd_dispatch(passd *session);
/* Waits for work or a signal, up to a number of milliseconds (-1: no limit). Then dispatches. */
PASSD_API bool passd_wait(passd *session, int milliseconds);
/* Ends the session. The next passd_dispatch fails waiting calls with CLOSED. */
PASSD_API void passd_close(passd *session);
/* The reason why the session ended permanently; NULL before that. */
PASSD_API const passd_error *passd_ending(const passd *session);
/* The daemon's last report: 1 if the viewer is signed in, 0 if not; -1 before the first report. */
PASSD_API int passd_signed_in(const passd *session);

/* Calls. They may overlap. Without a connection, they wait for one. Each call ends within `within` milliseconds (0: the
 * session's limit). If the connection ends before the answer, the call fails with DISCONNECTED and is not repeated: only the
 * caller knows whether it may be executed twice. Calls for which a viewer waits (a requestor, a login, a play, a menu) are
 * repeated after a rate limit (LIMIT or CFG429, with retry_after). The library waits for that time and repeats them up to four
 * times, if at least 16 seconds of `within` are left for the answer. Returns the call's number. If there is no memory, returns
 * 0, and `answered` is not called. */
PASSD_API uint64_t passd_call(passd *session, const char *method, int within, passd_answered answered, void *context,
                              const char *format, ...);
/* Ends the call or cancels the login with this number. After the end of a call, `answered` is not called, and the daemon's
 * answer is dropped. After the cancel of a login, the next passd_dispatch calls `ended` with the outcome `cancelled`, and the
 * login's other functions are no longer called. */
PASSD_API void passd_cancel(passd *session, uint64_t number);

/* Signing in. */

/* The data for the viewer. `link`, shown as a QR code, leads directly to the provider. `code` is typed at `url`. Each may be
 * NULL. */
typedef struct passd_login {
    const char *state; /* secondScreen, or browser */
    const char *code;
    const char *link;
    const char *url;
    int64_t expires;      /* in milliseconds since 1970, or 0 */
    const passd_json *qr; /* the QR code of link, or else of url, if the option `qr` asks for it; or NULL */
    bool is_local; /* whether the address works only on the box, so that no phone can open it */
} passd_login;

typedef struct passd_outcome {
    const char *outcome;      /* authenticated, cancelled, expired, denied or failed */
    const char *reason;       /* or NULL */
    const char *display;      /* a sentence for the viewer, or NULL */
    const passd_json *params; /* everything that the daemon sent; or NULL */
} passd_outcome;

/* Set unused members to zero. */
typedef struct passd_signing_in {
    const char *provider; /* the ID of the viewer's provider; if NULL, `choose` gets the list */
    const char *params;   /* of getAuthentication, as JSON; or NULL */
    int within;           /* the time limit for the viewer in milliseconds; 0: no limit */
    void *context;
    /* Called with the providers. The app answers with passd_choose, at once or later. Needed if `provider` is NULL. */
    void (*choose)(void *context, const passd_json *providers);
    /* Called with each code. If the daemon restarts and loses the first code, there is a second code. */
    void (*show)(void *context, const passd_login *login);
    /* Called at the end of the login, with an outcome or an error. */
    void (*ended)(void *context, const passd_outcome *outcome, const passd_error *error);
    /* Several requestors of one programmer, as a JSON array; or NULL. Each may need its own login. They are signed in one by
     * one. A requestor may be signed in already, perhaps by the login of another requestor. Such requestors are skipped.
     * `choose` is called once, and again only if a requestor does not have the chosen provider. The result is the outcome of
     * the last login, or of the first login that failed. Afterwards the session uses the first requestor. */
    const char *requestors;
    void *reserved[3];
} passd_signing_in;

/* Does the whole login, over restarts of the daemon. The struct is copied. Returns a number for passd_cancel. */
PASSD_API uint64_t passd_sign_in(passd *session, const passd_signing_in *how);
/* Passes on the ID of the provider that the viewer has chosen. NULL cancels the login, also while it shows a code. `ended` is
 * called after the daemon has cancelled the login, or at the next passd_dispatch if there is no connection. */
PASSD_API void passd_choose(passd *session, const char *provider);

/* Blocking functions, in place of passd_open, passd_call and passd_sign_in. They dispatch, so they also call callbacks. */

PASSD_API bool passd_connect(passd *session);
/* Returns the result, or NULL. Free it with passd_json_free. */
PASSD_API passd_json *passd_ask(passd *session, const char *method, int within, const char *format, ...) PASSD_MUST_USE;
/* Returns whether the viewer is signed in at the end. `ended`, if given, gets the outcome. */
PASSD_API bool passd_sign_in_and_wait(passd *session, const passd_signing_in *how);
/* The error of the last of these three calls; NULL if it succeeded. A login that the viewer did not finish is no error. */
PASSD_API const passd_error *passd_failure(const passd *session);

#ifdef __cplusplus
}
#endif

#endif
