/* The declarations that the library's files share. */
#ifndef PASSD_PRIVATE_H
#define PASSD_PRIVATE_H

#include <stdarg.h>
#include <sys/types.h>

#include "passd.h"

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
#define NEVER INT64_MAX

/* text.c: text that grows. When memory runs out, the text stays unchanged and `failed` is set. */
struct text {
    char *bytes;
    size_t length, room;
    bool failed;
};
void text_add(struct text *text, const char *bytes, size_t length);
void text_words(struct text *text, const char *words);
void text_quoted(struct text *text, const char *bytes, size_t length);
void text_value(struct text *text, const passd_json *value);
/* False if the format is wrong. */
bool text_format(struct text *text, const char *format, va_list values);
/* Takes the bytes, with an uncounted zero byte at the end. The text is then empty. NULL if memory ran out. */
char *text_take(struct text *text);

/* read.c: a value is followed by its elements or members. */
struct passd_json {
    const char *name, *text; /* of a string, or the digits of a number */
    size_t name_length, length;
    unsigned count;  /* of elements or members */
    unsigned size;   /* the number of values: this one and all inside it */
    unsigned after;  /* the number of later elements or members of its container */
    unsigned char kind;
    bool is_true;
};

struct document {
    char *text;
    struct passd_json values[];
};

/* Reads a value, and takes ownership of the text, which ends with a zero byte. */
passd_json *json_take(char *text, size_t length, const char **problem);
extern const char json_no_memory[];

/* json.c */
/* Makes the object of a format. A format of NULL makes an empty object. */
passd_json *json_format(const char *format, va_list values, const char **problem);
/* Returns the text of `old`, with the members of `new` in place of those with the same name. */
char *json_merged(const passd_json *old, const passd_json *new);
passd_json *json_of(const char *format, ...);

/* error.c: errors have reference counts, because many calls may fail with the same one. */
struct error {
    passd_error public;
    bool is_refusal;    /* the daemon's answer */
    bool is_connection; /* there is no connection */
    unsigned references;
    passd_json *data;
};
struct error *error_keep(struct error *error);
void error_drop(struct error *error);
struct error *error_refusal(const passd_json *error);
struct error *error_unreachable(const char *path, int number, const char *otherwise);
struct error *error_lost(const char *reason);
struct error *error_lost_by(int number);
struct error *error_not_understood(const char *reason);
struct error *error_closed(void);
struct error *error_not_opened(void);
struct error *error_not_restored(int milliseconds, const struct error *trouble);
struct error *error_timed_out(int milliseconds);
struct error *error_not_signed_in(int milliseconds);
struct error *error_overloaded(size_t limit);
struct error *error_two_logins(void);
struct error *error_no_provider(void);
struct error *error_two_opens(void);
struct error *error_params(const char *problem);
struct error *error_memory(void);
/* Whether every repetition would fail, because the app or the box must be set up differently. */
bool error_is_final(const struct error *error);

/* frames.c: splits bytes into messages. */
struct frames {
    bool headers;
    size_t limit;
    struct text bytes;
    size_t start, searched;
    size_t body;
    bool has_body;
};
/* Returns the next message, allocated; NULL if it is not complete. `problem` is set if the input is invalid. */
char *frames_next(struct frames *frames, size_t *length, const char **problem);
void frames_clear(struct frames *frames);
void frame_message(struct text *out, bool headers, const char *body);

/* settings.c, session.c, connection.c, calls.c */
enum state { NEW, OPENING, UP, DOWN, REOPENING, ENDED };

struct call {
    struct call *next;
    uint64_t number;
    enum { WAITS, SENT, FAILED } stage;
    bool establishes; /* sets options or the requestor of a new connection */
    int within;
    int64_t deadline;
    int64_t repeat_at; /* while it waits to be repeated; else 0 */
    int repeats;
    char *method;
    passd_json *params;
    struct error *error;
    passd_answered answered;
    void *context;
    /* For the library's own calls, in place of `answered`. */
    void (*done)(passd *tv, const passd_json *result, struct error *error);
    void (*login_ended)(void *context, const passd_outcome *outcome, const passd_error *error);
};

struct login {
    struct login *next; /* in the list of logins that the app has cancelled */
    uint64_t number;
    enum { ENTERS, BEGINS, STEPS, CHOOSES, CANCELS, WATCHES } stage;
    passd_signing_in how;
    char *provider;
    passd_json *params;
    passd_json *requestors; /* if there are several; and the index of the present one */
    size_t place;
    bool force;
    int64_t deadline;
    uint64_t step; /* the number of the unanswered call */
    bool was_lost, is_open, was_selected, has_login;
    bool is_unwanted; /* whether the app cancelled the login during an unanswered step */
    char *code, *link, *url;
    int64_t gives_up;
    struct error *failed; /* reported by the next dispatch */
    bool has_outcome;
    passd_outcome outcome;
    passd_json *told;      /* the value that contains the texts of the outcome */
    passd_json *providers; /* from a callback */
};

/* The unanswered step of an abandoned login. The next login waits for the answer. `is_open`: whether the login was open. */
struct late {
    uint64_t number; /* 0 if there is none */
    int64_t until;
    bool is_open;
};

/* The settings that may be invalid. */
enum setting { PATH, NAME, VERSION, REQUESTOR, OPTIONS, SETTINGS };

struct passd {
    char *path, *name, *version;
    passd_json *options, *requestor;
    int within, open_within, first, max_pause;
    bool reconnect, headers;
    size_t message_limit, output_limit, call_limit;
    passd_called_back called_back;
    void *callback_context;
    passd_has_ended has_ended;
    void *end_context;

    enum state state;
    int epoll, timer, socket;
    pid_t owner; /* the process that made the session */
    uint32_t interest;
    int64_t armed;
    struct frames in;
    struct text out;
    size_t written;
    passd_json *batch; /* the messages that came together */
    const passd_json *rest;
    bool has_more; /* whether the data that was read may contain messages */
    struct error *doom;   /* the reason why the connection will end */
    struct error *lost;   /* the reason why it ended, until that is reported */
    struct error *ending; /* the reason why the session ended permanently */
    struct error *trouble; /* the error of the last attempt to reconnect */
    bool tell_ending;
    int64_t connect_at, connect_until, open_until, began;
    int64_t delay;
    uint64_t random;
    int signed_in, was_signed_in;

    struct call *calls;
    uint64_t last_number;
    struct call *opening;
    passd_answered not_opened; /* called if there was no memory */
    void *not_opened_context;
    struct login *login;
    struct login *cancelled; /* the next dispatch reports their ends */
    bool owes_cancelling; /* whether the app cancelled a login and the daemon may not know it yet */
    struct late late;
    struct error *failure;
    unsigned depth;
    struct error *broken[SETTINGS]; /* the reason why a setting is invalid, until it is set again */
    bool is_freed;
};

/* Takes ownership of the params. If they are missing, opening the session reports the problem. */
void set_params(passd *tv, enum setting setting, passd_json *params, const char *problem);
passd_json *requestor_params(const char *requestor, const char *statement);
int64_t monotonic(void);
int64_t wall_clock(void);
/* Between `enter` and `leave`, functions of the app may free the session. `leave` restores the errno that `enter` returned. */
int enter(passd *tv);
bool leave(passd *tv, int number);

bool connection_open(passd *tv, int *number);
bool connection_is_up(const passd *tv);
void connection_close(passd *tv);
void connection_send(passd *tv, uint64_t number, const char *method, const passd_json *params);
void connection_doom(passd *tv, struct error *reason);
/* Reads and writes as much as possible without waiting. */
void connection_move(passd *tv);
/* The next message, to be freed; NULL if there is none. */
passd_json *connection_next(passd *tv);
void connection_arm(passd *tv, int64_t when);

struct call *call_new(passd *tv, const char *method, passd_json *params, int within);
void call_remove(passd *tv, struct call *call);
void call_send(passd *tv, struct call *call);
void call_fail(passd *tv, struct call *call, struct error *error);
/* Handles a refusal because of a rate limit. Returns whether the call is repeated later. */
bool call_repeat_later(struct call *call, const struct error *refusal);
/* Whether the call waits to be repeated, and there is a connection. */
bool call_is_to_be_repeated(const passd *tv, const struct call *call);
/* Makes a call for the library itself. */
uint64_t call_internal(passd *tv, const char *method, passd_json *params,
                       void (*done)(passd *tv, const passd_json *result, struct error *error));
void deliver(passd *tv, const char *name, const passd_json *params);

/* login.c */
void login_heard(passd *tv, const char *name, const passd_json *params);
void login_lost(passd *tv);
/* Ends the login with this error, and takes ownership of the error. */
void login_fail(passd *tv, struct error *error);
/* Does the next step. Returns false if there is none. */
bool login_advance(passd *tv);
int64_t login_due(const passd *tv);
void login_up_again(passd *tv);
void login_free(passd *tv);
void login_cancel(passd *tv, uint64_t number);
/* Reports the end of a login that the app has cancelled, if its number is not above `last`. */
bool login_tell_cancelled(passd *tv, uint64_t last);
/* Looks at a call of the app. If the app cancels the login while there is no connection or while a step waits to be repeated,
 * the login ends without an answer of the daemon. */
void login_called(passd *tv, const char *method, const passd_json *params);
void tell_cancelling(passd *tv);
/* Handles the answer to the last step of an abandoned login. `result` is NULL if the answer is an error. */
void login_late(passd *tv, const passd_json *result);

#endif
