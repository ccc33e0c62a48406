/* Unit tests of libpassd, for behaviour that the conformance suite cannot see. The tests play the daemon themselves, in the
 * same thread. They are linked with the library's objects, and with functions that let memory run out. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/private.h"

/* Memory that runs out */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *words);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *words);

static long left = -1; /* the number of blocks that are left; negative: no limit */
static bool once;      /* whether only one block is refused */

static bool is_out(void) {
    if (left < 0) return false;
    if (left > 0) return left-- == 0;
    if (once) left = -1;
    return true;
}

void *__wrap_malloc(size_t size) { return is_out() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return is_out() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return is_out() ? NULL : __real_realloc(old, size); }
char *__wrap_strdup(const char *words) { return is_out() ? NULL : __real_strdup(words); }

/* A signal that arrives during a send */

ssize_t __real_send(int socket, const void *bytes, size_t length, int flags);
ssize_t __wrap_send(int socket, const void *bytes, size_t length, int flags);

static int interruptions;

ssize_t __wrap_send(int socket, const void *bytes, size_t length, int flags) {
    if (interruptions == 0) return __real_send(socket, bytes, length, flags);
    interruptions--;
    errno = EINTR;
    return -1;
}

/* Facts */

static int facts, failures;

#define EXPECT(fact) expect(fact, #fact, __LINE__)

static void expect(bool holds, const char *fact, int line) {
    facts++;
    if (holds) return;
    failures++;
    fprintf(stderr, "tests/test.c:%d: not so: %s\n", line, fact);
}

static bool is(const char *words, const char *expected) { return words != NULL && strcmp(words, expected) == 0; }

/* The daemon */

static char folder[] = "/tmp/libpassd-XXXXXX", path[64];
static int listener = -1, peer = -1;

static void listen_again(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    unlink(path);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 5) != 0) abort();
}

static void hang_up(void) {
    if (peer >= 0) close(peer);
    peer = -1;
}

static void tell(const char *text) { /* raises no signal if the library has closed */
    if (send(peer, text, strlen(text), MSG_NOSIGNAL) < 0 || send(peer, "\n", 1, MSG_NOSIGNAL) < 0) hang_up();
}

/* Refuses a call because of a rate limit. */
static void refuse_waiting(const passd_json *id) {
    passd_json *refusal = json_of("{'id':%v,'error':{'code':-32002,'message':'m','data':{'code':'LIMIT','retryAfter':10}}}", id);
    char *text = passd_write(refusal);
    tell(text);
    free(text);
    passd_json_free(refusal);
}

/* Whether the daemon has several requestors. If so, the viewer is signed in for B, and D has a provider of its own. */
static bool has_requestors;
static char requestor[8], asked[200];

static void note(const char *words, const char *more) {
    size_t length = strlen(asked);
    snprintf(asked + length, sizeof asked - length, "%s%s ", words, more);
}

static void answer_for_requestor(const passd_json *id, const char *method, const passd_json *params) {
    const char *named = passd_string(passd_get(params, "requestorID")), *provider = passd_string(passd_get(params, "providerID"));
    passd_json *answer;
    if (is(method, "setRequestor")) {
        snprintf(requestor, sizeof requestor, "%s", named);
        note(requestor, "");
        answer = json_of("{'id':%v,'result':{'authenticated':%b}}", id, is(requestor, "B"));
    } else if (is(method, "getAuthentication")) {
        answer = json_of("{'id':%v,'result':{'state':'selectProvider','providers':[{'id':%s}]}}", id, is(requestor, "D") ? "East" : "North");
    } else {
        note("=", provider == NULL ? "none" : provider);
        answer = json_of("{'id':%v,'result':{'state':%s}}", id, provider == NULL ? "cancelled" : "authenticated");
    }
    char *text = passd_write(answer);
    if (id != NULL) tell(text);
    free(text);
    passd_json_free(answer);
}

/* Answers every request with the name of its method and its params, and hangs up if told to. */
static void play(void) {
    static char bytes[1 << 16];
    if (peer < 0) peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    ssize_t size = peer < 0 ? -1 : recv(peer, bytes, sizeof bytes - 1, 0);
    if (size == 0) hang_up();
    long kept = left;
    left = -1; /* the daemon has its own memory */
    for (char *at = bytes, *end; size > 0 && peer >= 0 && (end = memchr(at, '\n', (size_t)(bytes + size - at))) != NULL; at = end + 1) {
        passd_json *message = passd_read(at, (size_t)(end - at), NULL);
        const char *method = passd_string(passd_get(message, "method"));
        const passd_json *params = passd_get(message, "params"), *filter = passd_get(params, "filter");
        const char *state = passd_string(passd_get(filter, "state"));
        passd_json *answer = json_of("{'jsonrpc':'2.0','id':%v,'result':{'method':%s,'params':%v,'state':%s,'code':'ABC','expires':%v}}",
                                     passd_get(message, "id"), method, params, state == NULL ? "secondScreen" : state,
                                     passd_get(filter, "expires"));
        char *text = passd_write(answer);
        if (has_requestors && !is(method, "setOptions") && !is(method, "passd.hello")) answer_for_requestor(passd_get(message, "id"), method, params);
        else if (is(method, "hangUp")) hang_up();
        else if (is(method, "two")) tell("{\"method\":\"first\"}\n{\"method\":\"second\"}");
        else if (is(state, "waits")) refuse_waiting(passd_get(message, "id"));
        else if (passd_get(message, "id") != NULL && !is(method, "ignore")) tell(text);
        if (is(method, "getAuthentication") && peer >= 0 && filter == NULL && !has_requestors) {
            tell("{\"method\":\"setAuthenticationStatus\",\"params\":{\"status\":1,\"outcome\":\"authenticated\"}}");
        }
        free(text);
        passd_json_free(answer);
        passd_json_free(message);
    }
    left = kept;
}

/* Dispatches until a fact holds. */
static bool until(passd *tv, const int *fact, int value) {
    for (int64_t deadline = monotonic() + 10 * SECOND; *fact != value && monotonic() < deadline;) {
        struct pollfd polled = {.fd = passd_fd(tv), .events = POLLIN};
        play();
        if (poll(&polled, 1, 1) > 0) passd_dispatch(tv);
    }
    return *fact == value;
}

static int opened_count, answer_count, end_count;
static char last_code[40], last_method[80];

static void opened(void *context, const passd_json *result, const passd_error *error) {
    (void)context, (void)result;
    opened_count = error == NULL ? 1 : 2;
    snprintf(last_code, sizeof last_code, "%s", error == NULL ? "" : error->code);
}

static void answered(void *context, const passd_json *result, const passd_error *error) {
    (void)context;
    answer_count++;
    snprintf(last_code, sizeof last_code, "%s", error == NULL ? "" : error->code);
    snprintf(last_method, sizeof last_method, "%s", error == NULL ? passd_string(passd_get(result, "method")) : "");
}

static passd *open_one(void) {
    passd *tv = passd_new();
    passd_set_path(tv, path);
    passd_set_backoff(tv, 1, 5);
    opened_count = answer_count = end_count = 0;
    passd_open(tv, opened, NULL);
    EXPECT(until(tv, &opened_count, 1));
    return tv;
}

/* JSON */

static void reads_what_is_json_and_nothing_else(void) {
    static const char *const good[] = {
        "null", "true", " false ", "0", "-0", "1.5e+3", "\"\"", "[]", "{}", "[1,[2,{\"a\":[]}]]", "{\"a\":1,\"a\":2}",
        "\"\\u00e9\\n\\\"\\/\"", "\"\\ud83d\\udcfa\"", "\"\xf0\x9f\x93\xba\"", "\t[\r\n1 , 2 ]"};
    static const char *const bad[] = {
        "", " ", "nul", "nulll", "tru", "01", "-", "1.", ".5", "1e", "+1", "NaN", "Infinity", "[", "[1", "[1,", "[1,]", "[,]", "{",
        "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{1:1}", "\"", "\"\\", "\"\\u12", "\"\\x\"", "\"a\nb\"", "1 2", "[]]",
        "\"\xff\"", "\"\xc0\x80\"", "\"\xe0\x80\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"", "'a'", "/**/1"};
    for (size_t index = 0; index < sizeof good / sizeof good[0]; index++) {
        const char *problem = NULL;
        passd_json *value = passd_read(good[index], strlen(good[index]), &problem);
        EXPECT(value != NULL && problem == NULL);
        passd_json *copy = passd_copy(value);
        char *one = passd_write(value), *other = passd_write(copy);
        EXPECT(is(one, other));
        free(one);
        free(other);
        passd_json_free(value);
        passd_json_free(copy);
    }
    for (size_t index = 0; index < sizeof bad / sizeof bad[0]; index++) {
        const char *problem = NULL;
        passd_json *value = passd_read(bad[index], strlen(bad[index]), &problem);
        if (value != NULL || problem == NULL) fprintf(stderr, "taken for JSON: %s\n", bad[index]);
        EXPECT(value == NULL && problem != NULL);
        passd_json_free(value);
    }
}

static void values_are_what_was_written(void) {
    passd_json *value = json_of("{'text':%s,'none':%s,'small':%d,'large':%l,'yes':%b,'raw':%j,'half':1.5,'percent':'%%'}",
                                "a\"\\\n\x01\xc3\xa9'%", NULL, -7, INT64_MIN, 1, "[1, {\"x\": null}]");
    EXPECT(is(passd_string(passd_get(value, "text")), "a\"\\\n\x01\xc3\xa9'%"));
    EXPECT(passd_kind(passd_get(value, "none")) == PASSD_NULL && passd_get(value, "none") != NULL);
    EXPECT(passd_integer(passd_get(value, "small"), 0) == -7 && passd_integer(passd_get(value, "large"), 0) == INT64_MIN);
    EXPECT(passd_true(passd_get(value, "yes")) && !passd_true(passd_get(value, "small")) && !passd_true(NULL));
    EXPECT(passd_count(passd_get(value, "raw")) == 2 && passd_kind(passd_at(passd_get(value, "raw"), 1)) == PASSD_OBJECT);
    EXPECT(passd_at(passd_get(value, "raw"), 2) == NULL && passd_next(passd_at(passd_get(value, "raw"), 1)) == NULL);
    EXPECT(passd_integer(passd_get(value, "half"), 3) == 3 && passd_integer(passd_get(value, "text"), 4) == 4);
    EXPECT(is(passd_name(passd_at(value, 7)), "percent") && is(passd_string(passd_at(value, 7)), "%"));
    EXPECT(passd_get(value, "missing") == NULL && passd_get(NULL, "x") == NULL && passd_string(NULL) == NULL);
    setlocale(LC_ALL, "de_DE.UTF-8");
    EXPECT(passd_number(passd_get(value, "half"), 0) == 1.5);
    passd_json_free(value);
    EXPECT(json_of("[]") == NULL && json_of("{'a':%x}") == NULL && json_of("{'a':%s}", "\xff") == NULL);
    value = passd_read("\"a\\u0000b\"", 10, NULL);
    EXPECT(passd_length(value) == 3);
    char *text = passd_write(value);
    EXPECT(is(text, "\"a\\u0000b\""));
    free(text);
    passd_json_free(value);
    value = passd_read("[12345678901234567890, 1e2, {\"a\":1,\"a\":2}]", 42, NULL);
    EXPECT(passd_integer(passd_at(value, 0), -1) == -1 && passd_integer(passd_at(value, 1), 0) == 100);
    EXPECT(passd_integer(passd_get(passd_at(value, 2), "a"), 0) == 2);
    passd_json_free(value);
}

static void levels_and_values_are_bounded(void) {
    struct text text = {0};
    for (int level = 0; level < 65; level++) text_words(&text, "[");
    for (int level = 0; level < 65; level++) text_words(&text, "]");
    const char *problem = NULL;
    EXPECT(passd_read(text.bytes, text.length, &problem) == NULL && is(problem, "it has too many levels"));
    passd_json *value = passd_read(text.bytes + 1, text.length - 2, NULL);
    EXPECT(value != NULL);
    passd_json_free(value);
    text.length = 0;
    text_words(&text, "[0");
    for (int count = 1; count < (1 << 20); count++) text_words(&text, ",0");
    text_words(&text, "]");
    EXPECT(passd_read(text.bytes, text.length, &problem) == NULL && is(problem, "it has too many values"));
    free(text.bytes);
}

/* A text with a few changed bytes is either refused, or the same after reading, writing and reading again. */
static void changed_text_does_no_harm(void) {
    static const char *const seeds[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":17,\"result\":{\"providers\":[{\"id\":\"a\",\"displayName\":\"\\u00e9\\ud83d\\udcfa\"},null]}}",
        "[-1.5e-10,true,false,null,\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x93\xba\\\\\",{\"\":{}},[[[[]]]]]"};
    static const char bytes[] = "\"\\{}[]:,.-+eEu0123456789tfn \n\xc3\xed\xf0\x80";
    unsigned random = 1;
    for (int round = 0; round < 40000; round++) {
        char text[200];
        size_t length = strlen(seeds[round % 2]);
        memcpy(text, seeds[round % 2], length);
        for (int change = 0; change <= round % 5; change++) {
            random = random * 1664525 + 1013904223;
            text[(random >> 8) % length] = bytes[(random >> 20) % (sizeof bytes - 1)];
        }
        length -= (random >> 28) == 0 ? (random >> 4) % length : 0;
        passd_json *value = passd_read(text, length, NULL), *again;
        if (value == NULL) continue;
        char *one = passd_write(value);
        again = passd_read(one, strlen(one), NULL);
        char *other = passd_write(again);
        if (!is(one, other)) expect(false, one, __LINE__);
        free(one);
        free(other);
        passd_json_free(value);
        passd_json_free(again);
    }
}

static void headers_in_pieces(void) {
    static const char text[] = "CONTENT-length:  2\r\nX: y\r\n\r\n{}Content-Length: 0\r\n\r\nContent-Length \t:\t3 \r\n\r\n[1]";
    for (size_t piece = 1; piece < sizeof text; piece++) {
        struct frames frames = {.headers = true, .limit = 10};
        const char *problem = NULL;
        size_t length, found = 0;
        for (size_t at = 0; at < strlen(text); at += piece) {
            text_add(&frames.bytes, text + at, at + piece > strlen(text) ? strlen(text) - at : piece);
            for (char *message; (message = frames_next(&frames, &length, &problem)) != NULL; free(message)) found = found * 10 + length;
        }
        EXPECT(found == 23 && problem == NULL);
        frames_clear(&frames);
    }
    static const char *const bad[] = {"Content-Length: 11\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: \r\n\r\n",
                                      "Content-Length: 99999999999999999999999\r\n\r\n", "Length: 1\r\n\r\n", "\r\n\r\n"};
    for (size_t index = 0; index < sizeof bad / sizeof bad[0]; index++) {
        struct frames frames = {.headers = true, .limit = 10};
        const char *problem = NULL;
        size_t length;
        text_words(&frames.bytes, bad[index]);
        EXPECT(frames_next(&frames, &length, &problem) == NULL && problem != NULL);
        frames_clear(&frames);
    }
}

/* Sessions */

static int descriptors(void) {
    DIR *open_ones = opendir("/proc/self/fd");
    int count = 0;
    while (readdir(open_ones) != NULL) count++;
    closedir(open_ones);
    return count;
}

static void a_free_session_leaves_nothing(void) {
    hang_up();
    int before = descriptors();
    passd *tv = open_one();
    passd_call(tv, "ignore", 0, answered, NULL, NULL);
    passd_free(tv);
    hang_up();
    EXPECT(descriptors() == before && answer_count == 0);
    passd_free(NULL);
}

static void params_that_cannot_be_sent_fail_at_the_next_dispatch(void) {
    passd *tv = open_one();
    passd_call(tv, "listProviders", 0, answered, NULL, "{'a': %s}", "\xff");
    EXPECT(answer_count == 0);
    EXPECT(until(tv, &answer_count, 1) && is(last_code, "INVALID_PARAMS"));
    passd_call(tv, "one\ntwo", 0, answered, NULL, "{\n'a':\n1}");
    EXPECT(until(tv, &answer_count, 2) && is(last_method, "one\ntwo"));
    passd_free(tv);
}

static void wrong_settings_are_told_when_it_opens(void) {
    passd *tv = passd_new();
    passd_set_path(tv, path);
    passd_set_options(tv, "{'visitorID': %s}", "\xff");
    passd_open(tv, opened, NULL);
    EXPECT(until(tv, &opened_count, 2) && is(last_code, "INVALID_PARAMS"));
    passd_set_options(tv, "{'visitorID': %s}", "v"); /* the app corrects the options */
    passd_set_requestor(tv, "\xff", NULL);
    passd_set_requestor(tv, NULL, NULL);
    opened_count = 0;
    passd_open(tv, opened, NULL);
    EXPECT(until(tv, &opened_count, 1) && tv->requestor == NULL);
    passd_free(tv);
    hang_up();
    tv = passd_new();
    char longer[200];
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = 0;
    passd_set_path(tv, longer);
    opened_count = 0;
    passd_open(tv, opened, NULL);
    EXPECT(until(tv, &opened_count, 2) && is(last_code, "UNREACHABLE"));
    passd_free(tv);
}

static void opening_is_no_call_that_waits(void) {
    passd *tv = passd_new();
    passd_set_path(tv, path);
    passd_set_limits(tv, 0, 0, 1);
    opened_count = answer_count = 0;
    passd_open(tv, opened, NULL);
    passd_call(tv, "listProviders", 0, answered, NULL, NULL);
    EXPECT(until(tv, &answer_count, 1) && opened_count == 1 && is(last_method, "listProviders"));
    passd_free(tv);
    hang_up();
}

static void no_memory_for_opening_is_told(void) {
    passd *tv = passd_new();
    passd_set_path(tv, path);
    for (long blocks = 0; blocks < 3; blocks++) { /* the call, its method, the path of the environment */
        passd_set_path(tv, NULL);
        opened_count = 0;
        left = blocks;
        passd_open(tv, opened, NULL);
        left = -1;
        EXPECT(until(tv, &opened_count, 2) && is(last_code, "OUT_OF_MEMORY"));
    }
    left = 0;
    bool is_open = passd_connect(tv);
    left = -1;
    EXPECT(!is_open && passd_failure(tv) != NULL && is(passd_failure(tv)->code, "OUT_OF_MEMORY"));
    passd_set_path(tv, path);
    opened_count = 0;
    passd_open(tv, opened, NULL);
    EXPECT(until(tv, &opened_count, 1));
    passd_free(tv);
    hang_up();
}

static void a_batch_is_not_kept(void) {
    passd *tv = open_one();
    tell("[{\"method\":\"first\"},{\"method\":\"second\"}]");
    passd_call(tv, "listProviders", 0, answered, NULL, NULL);
    EXPECT(until(tv, &answer_count, 1) && tv->batch == NULL);
    passd_free(tv);
    hang_up();
}

static void the_system_speaks_english(void) {
    struct error *error = error_unreachable("/x", ENOENT, NULL);
    EXPECT(is(error->public.message, "passd cannot be reached at /x: No such file or directory."));
    error_drop(error);
}

static void a_directory_that_keeps_the_user_out_is_named(void) {
    char closed[] = "/tmp/passd-XXXXXX", name[64];
    EXPECT(mkdtemp(closed) != NULL);
    snprintf(name, sizeof name, "%s/passd.sock", closed);
    EXPECT(chmod(closed, 0) == 0);
    bool is_root = geteuid() == 0;
    if (is_root) EXPECT(seteuid(65534) == 0);
    struct error *error = error_unreachable(name, EACCES, NULL);
    if (is_root) EXPECT(seteuid(0) == 0);
    EXPECT(is(error->public.code, "FORBIDDEN") && strstr(error->public.message, closed) != NULL);
    EXPECT(strncmp(error->public.message, "This user may not enter ", 24) == 0 && strstr(error->public.remedy, "chmod o+x") != NULL);
    error_drop(error);
    rmdir(closed);
    error = error_unreachable("/passd.sock", EACCES, NULL);
    EXPECT(is(error->public.remedy, "Join the group that the socket belongs to, or run this as root."));
    error_drop(error);
}

static void calls_of_a_session_that_is_not_open_fail(void) {
    passd *tv = passd_new();
    answer_count = 0;
    passd_call(tv, "listProviders", 0, answered, NULL, NULL);
    EXPECT(until(tv, &answer_count, 1) && is(last_code, "CLOSED"));
    passd_free(tv);
}

static void the_descriptor_is_readable_only_if_something_is_due(void) {
    passd *tv = open_one();
    struct pollfd polled = {.fd = passd_fd(tv), .events = POLLIN};
    passd_dispatch(tv);
    EXPECT(poll(&polled, 1, 0) == 0);
    passd_call(tv, "ignore", 30, answered, NULL, NULL);
    EXPECT(poll(&polled, 1, 5000) == 1 && passd_dispatch(tv) && answer_count == 1 && is(last_code, "TIMED_OUT"));
    EXPECT(poll(&polled, 1, 0) == 0);
    uint64_t number = passd_call(tv, "ignore", 30, answered, NULL, NULL);
    passd_cancel(tv, number);
    EXPECT(poll(&polled, 1, 60) == 0 && answer_count == 1);
    passd_close(tv);
    EXPECT(poll(&polled, 1, 0) == 0 && !passd_dispatch(tv) && is(passd_ending(tv)->code, "CLOSED"));
    passd_free(tv);
}

static passd *to_free;

static void frees(void *context, const passd_json *result, const passd_error *error) {
    (void)result, (void)error;
    passd_free(to_free);
    *(int *)context += 1;
}

static void an_answer_may_free_the_session(void) {
    for (int way = 0; way < 3; way++) {
        passd *tv = to_free = open_one();
        int count = 0;
        passd_call(tv, way == 0 ? "listProviders" : "ignore", 20, frees, &count, way == 1 ? "[]" : NULL);
        passd_call(tv, "ignore", 20, answered, NULL, NULL);
        for (bool lives = true; lives && count == 0;) {
            play();
            lives = passd_wait(tv, 5);
        }
        EXPECT(count == 1 && answer_count == 0);
        hang_up();
    }
}

static void free_while_signing_in(void *context, const passd_login *login) {
    (void)login;
    passd_free(to_free);
    *(int *)context += 1;
}

static void what_shows_the_code_may_free_the_session(void) {
    passd *tv = to_free = open_one();
    int count = 0;
    passd_signing_in how = {.provider = "NorthCable", .context = &count, .show = free_while_signing_in};
    passd_sign_in(tv, &how);
    while (count == 0) {
        play();
        if (!passd_wait(tv, 5)) break;
    }
    EXPECT(count == 1);
    hang_up();
}

static void asks_again(void *context, const passd_json *result, const passd_error *error) {
    (void)error;
    passd *tv = context;
    passd_json *answer = passd_ask(tv, "ignore", 20, NULL);
    EXPECT(answer == NULL && is(passd_failure(tv)->code, "TIMED_OUT"));
    EXPECT(is(passd_string(passd_get(result, "method")), "first")); /* still there */
    answer_count = 10;
}

static void an_answer_may_wait_for_another(void) {
    passd *tv = open_one();
    passd_call(tv, "first", 0, asks_again, tv, NULL);
    EXPECT(until(tv, &answer_count, 10));
    passd_call(tv, "second", 0, answered, NULL, NULL);
    EXPECT(until(tv, &answer_count, 11) && is(last_method, "second"));
    passd_free(tv);
}

static int heard;

static void waits_for_the_second(void *context, const char *name, const passd_json *params) {
    EXPECT(passd_kind(params) == PASSD_OBJECT && passd_count(params) == 0);
    heard += is(name, heard == 0 ? "first" : "second");
    if (is(name, "first")) {
        int64_t began = monotonic();
        passd_wait(context, 5000);
        EXPECT(heard == 2 && monotonic() - began < 4 * SECOND);
    }
}

static void what_has_been_read_is_due_at_once(void) {
    passd *tv = open_one();
    passd_on_callback(tv, waits_for_the_second, tv);
    heard = 0;
    passd_call(tv, "two", 0, answered, NULL, NULL);
    EXPECT(until(tv, &heard, 2));
    passd_free(tv);
}

static void a_failing_call_that_is_repeated_does_not_hold_dispatch(void) {
    passd *tv = open_one();
    passd_close(tv);
    for (int round = 1; round < 5; round++) {
        passd_call(tv, "x", 0, answered, NULL, NULL);
        passd_dispatch(tv);
        EXPECT(answer_count == round);
    }
    passd_free(tv);
}

static void a_daemon_that_does_not_read_ends_the_connection(void) {
    hang_up();
    passd *tv = passd_new();
    static char much[1 << 20];
    memset(much, 'a', sizeof much - 1);
    passd_set_path(tv, path);
    passd_set_reconnect(tv, false);
    passd_set_limits(tv, 0, 1 << 20, 0);
    opened_count = answer_count = 0;
    passd_open(tv, opened, NULL);
    while (opened_count == 0) passd_wait(tv, 100); /* in the backlog of the listener, unread */
    for (int count = 0; count < 8; count++) passd_call(tv, "x", 0, answered, NULL, "{'a': %s}", much);
    EXPECT(!passd_wait(tv, 1000) || !passd_dispatch(tv));
    EXPECT(answer_count == 8 && is(last_code, "DISCONNECTED") && is(passd_ending(tv)->code, "DISCONNECTED"));
    passd_free(tv);
    close(listener);
    listen_again();
}

static void waiting_calls_end_and_say_why(void) {
    passd *tv = passd_new();
    passd_set_path(tv, "/nonexistent/passd.sock");
    EXPECT(!passd_connect(tv) && is(passd_failure(tv)->code, "UNREACHABLE"));
    passd_set_path(tv, path);
    EXPECT(passd_connect(tv) && passd_failure(tv) == NULL);
    EXPECT(!passd_connect(tv) && is(passd_failure(tv)->code, "FLOW_CONFLICT"));
    EXPECT(passd_ask(tv, "x", 20, "{'a': %s}", "\xff") == NULL && is(passd_failure(tv)->code, "INVALID_PARAMS"));
    EXPECT(passd_ask(tv, PASSD_CHECK_AUTHORIZATION, 20, "'news'") == NULL);
    EXPECT(is(passd_failure(tv)->message, "The params cannot be sent: they are not an object, such as {'resource': 'news'}."));
    passd_signing_in how = {.provider = "NorthCable", .within = 20};
    EXPECT(!passd_sign_in_and_wait(tv, &how) && is(passd_failure(tv)->code, "TIMED_OUT"));
    how = (passd_signing_in){.params = "[]"};
    EXPECT(!passd_sign_in_and_wait(tv, &how) && is(passd_failure(tv)->code, "INVALID_PARAMS"));
    passd_free(tv);
    hang_up();
}

static int login_count;

static void login_ended(void *context, const passd_outcome *outcome, const passd_error *error) {
    (void)context;
    login_count = outcome != NULL && is(outcome->outcome, "authenticated") ? 1 : 2;
    if (error != NULL) EXPECT(error->code != NULL && error->message != NULL && error->remedy != NULL);
}

static int chooses;

static void is_to_choose(void *context, const passd_json *providers) {
    (void)context, (void)providers;
    chooses++;
}

static void notices_the_end(void *context, const char *name, const passd_json *params) {
    (void)params;
    *(int *)context += is(name, "disconnected");
}

static void the_viewer_cancels_while_there_is_no_connection(void) {
    passd *tv = open_one();
    int disconnected = 0;
    passd_signing_in how = {.params = "{\"filter\":{\"state\":\"selectProvider\"}}", .choose = is_to_choose, .ended = login_ended};
    login_count = chooses = 0;
    passd_on_callback(tv, notices_the_end, &disconnected);
    passd_sign_in(tv, &how);
    EXPECT(until(tv, &chooses, 1));
    close(listener);
    listener = -1;
    hang_up();
    EXPECT(until(tv, &disconnected, 1));
    passd_choose(tv, NULL);
    EXPECT(login_count == 0);
    EXPECT(until(tv, &login_count, 2));
    passd_choose(tv, "NorthCable"); /* no choice is open */
    passd_free(tv);
    listen_again();
}

static int cancelled_count;

static void login_cancelled(void *context, const passd_outcome *outcome, const passd_error *error) {
    (void)context;
    cancelled_count += error == NULL && is(outcome->outcome, "cancelled") && outcome->reason == NULL && outcome->display == NULL;
}

static void cancels_once_more(void *context, const passd_outcome *outcome, const passd_error *error) {
    passd_signing_in how = {.provider = "NorthCable", .context = context, .ended = cancels_once_more};
    EXPECT(error == NULL && is(outcome->outcome, "cancelled"));
    if (++cancelled_count < 100) passd_cancel(context, passd_sign_in(context, &how));
}

static void the_end_of_a_cancelled_login_is_told_by_dispatch(void) {
    passd *tv = open_one();
    passd_signing_in how = {.provider = "NorthCable", .params = "{\"filter\":{}}", .ended = login_cancelled};
    cancelled_count = 0;
    for (int number = 0; number < 3; number++) {
        passd_cancel(tv, passd_sign_in(tv, &how));
        EXPECT(cancelled_count == number);
        struct pollfd polled = {.fd = passd_fd(tv), .events = POLLIN};
        EXPECT(poll(&polled, 1, 1000) == 1 && passd_dispatch(tv) && cancelled_count == number + 1);
    }
    /* The cancel comes before the answer of the step, during an open login, and before the session ends. */
    uint64_t number = passd_sign_in(tv, &how);
    passd_dispatch(tv);
    passd_cancel(tv, number);
    EXPECT(until(tv, &cancelled_count, 4));
    passd_cancel(tv, passd_sign_in(tv, &how));
    passd_cancel(tv, passd_sign_in(tv, &how));
    passd_close(tv);
    EXPECT(cancelled_count == 4);
    for (int tries = 10; tries > 0 && passd_dispatch(tv); tries--) {}
    EXPECT(cancelled_count == 6 && !passd_dispatch(tv));
    passd_free(tv);
    hang_up();
    /* If a login is cancelled while the end of another login is reported, the next dispatch reports the cancelled login. */
    tv = open_one();
    cancelled_count = 0;
    how = (passd_signing_in){.provider = "NorthCable", .context = tv, .ended = cancels_once_more};
    passd_cancel(tv, passd_sign_in(tv, &how));
    passd_dispatch(tv);
    EXPECT(cancelled_count == 1);
    passd_free(tv);
    EXPECT(cancelled_count == 1);
    hang_up();
}

static void a_login_that_waits_for_an_answer_is_cancelled_with_it(void) {
    static const struct { const char *params; int calls; } ways[] = {{"{\"filter\":{}}", 1}, {"{\"filter\":{\"state\":\"authenticated\"}}", 0}};
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        passd *tv = open_one();
        passd_signing_in how = {.provider = "NorthCable", .params = ways[way].params, .ended = login_ended};
        login_count = 0;
        passd_sign_in(tv, &how);
        passd_dispatch(tv);
        passd_choose(tv, NULL);
        passd_choose(tv, NULL);
        passd_choose(tv, "NorthCable");
        EXPECT(login_count == 0);
        EXPECT(until(tv, &login_count, ways[way].calls == 1 ? 2 : 1));
        passd_choose(tv, NULL); /* the login has ended */
        passd_free(tv);
        hang_up();
    }
}

static void a_login_that_waits_to_be_repeated_is_cancelled_at_once(void) {
    for (int way = 0; way < 2; way++) {
        passd *tv = open_one();
        passd_signing_in how = {.provider = "NorthCable", .params = "{\"filter\":{\"state\":\"waits\"}}", .ended = login_cancelled};
        cancelled_count = login_count = 0;
        uint64_t number = passd_sign_in(tv, &how);
        passd_dispatch(tv);
        answer_count = 0;
        passd_call(tv, "echo", 0, answered, NULL, NULL);
        EXPECT(until(tv, &answer_count, 1)); /* the refusal came before */
        EXPECT(cancelled_count == 0);
        if (way == 0) passd_choose(tv, NULL);
        else passd_cancel(tv, number);
        EXPECT(cancelled_count == 0 && passd_dispatch(tv) && cancelled_count == 1);
        struct pollfd polled = {.fd = passd_fd(tv), .events = POLLIN};
        EXPECT(poll(&polled, 1, 0) == 0);
        passd_free(tv);
        hang_up();
    }
}

static void what_cannot_be_chosen_is_told_by_dispatch(void) {
    passd *tv = open_one();
    passd_signing_in how = {.params = "{\"filter\":{\"state\":\"selectProvider\"}}", .choose = is_to_choose, .ended = login_ended};
    login_count = chooses = 0;
    passd_sign_in(tv, &how);
    EXPECT(until(tv, &chooses, 1));
    passd_choose(tv, "N\xf6rd");
    EXPECT(login_count == 0);
    EXPECT(until(tv, &login_count, 2));
    passd_free(tv);
    hang_up();
}

static int choices;

/* Chooses a provider for the first question, and for the second one if the context says so. */
static void chooses_twice(void *context, const passd_json *providers) {
    (void)providers;
    struct { passd *tv; bool wants; } *viewer = context;
    passd_choose(viewer->tv, ++choices == 1 ? "North" : viewer->wants ? "East" : NULL);
}

static void several_requestors_are_signed_in_one_by_one(void) {
    static const struct { bool wants; const char *asked; int outcome; } rows[] = {
        {true, "A A =North B C =North D =East A ", 1}, /* the daemon sets A when it connects, too */
        {false, "A A =North B C =North D =none A ", 2},
    };
    has_requestors = true;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct { passd *tv; bool wants; } viewer = {.tv = passd_new(), .wants = rows[row].wants};
        passd_signing_in how = {.context = &viewer, .choose = chooses_twice, .ended = login_ended,
                                .requestors = "[\"A\",\"B\",\"C\",\"D\"]"};
        passd_set_path(viewer.tv, path);
        passd_set_requestor(viewer.tv, "A", "eyJ");
        opened_count = login_count = choices = 0;
        asked[0] = 0;
        passd_open(viewer.tv, opened, NULL);
        EXPECT(until(viewer.tv, &opened_count, 1));
        passd_sign_in(viewer.tv, &how);
        EXPECT(until(viewer.tv, &login_count, rows[row].outcome) && choices == 2);
        /* The app's next call waits for the first requestor. */
        answer_count = 0;
        passd_call(viewer.tv, "setOptions", 0, answered, NULL, "{}");
        EXPECT(until(viewer.tv, &answer_count, 1) && is(asked, rows[row].asked));
        EXPECT(is(passd_string(passd_get(viewer.tv->requestor, "requestorID")), "A"));
        EXPECT(is(passd_string(passd_get(viewer.tv->requestor, "softwareStatement")), "eyJ"));
        passd_free(viewer.tv);
        hang_up();
    }
    has_requestors = false;
}

static void of_several_requestors_one_is_cancelled(void) {
    has_requestors = true;
    passd *tv = open_one();
    passd_signing_in how = {.choose = is_to_choose, .ended = login_ended, .requestors = "[\"C\",\"A\"]"};
    login_count = chooses = 0;
    asked[0] = 0;
    uint64_t number = passd_sign_in(tv, &how);
    EXPECT(until(tv, &chooses, 1));
    passd_choose(tv, "West"); /* the daemon accepts it, too */
    EXPECT(until(tv, &chooses, 2));
    passd_cancel(tv, number);
    EXPECT(until(tv, &login_count, 2));
    answer_count = 0;
    passd_call(tv, "setOptions", 0, answered, NULL, "{}");
    EXPECT(until(tv, &answer_count, 1) && is(asked, "C =West A =none C "));
    static const char *const bad[] = {"[", "{}", "[]", "[1]", "[\"A\",null]"};
    for (size_t index = 0; index < sizeof bad / sizeof bad[0]; index++) {
        how.requestors = bad[index];
        EXPECT(!passd_sign_in_and_wait(tv, &how) && is(passd_failure(tv)->code, "INVALID_PARAMS"));
    }
    passd_free(tv);
    hang_up();
    has_requestors = false;
}

static void requestors_go_on_over_a_restart(void) {
    has_requestors = true;
    passd *tv = open_one();
    passd_signing_in how = {.choose = is_to_choose, .ended = login_ended, .requestors = "[\"C\",\"D\"]"};
    login_count = chooses = 0;
    asked[0] = 0;
    passd_sign_in(tv, &how);
    EXPECT(until(tv, &chooses, 1));
    passd_choose(tv, "North");
    EXPECT(until(tv, &chooses, 2));
    hang_up();
    passd_choose(tv, "East");
    EXPECT(until(tv, &login_count, 1));
    answer_count = 0;
    passd_call(tv, "setOptions", 0, answered, NULL, "{}");
    EXPECT(until(tv, &answer_count, 1));
    EXPECT(is(asked, "C =North D D =East C "));
    passd_free(tv);
    hang_up();
    has_requestors = false;
}

/* A helper that the app forked without exec keeps the socket open. */
static void a_forked_helper_does_not_make_the_descriptor_readable(void) {
    passd *tv = open_one();
    int disconnected = 0, wakes = 0;
    passd_set_backoff(tv, 60000, 60000);
    passd_on_callback(tv, notices_the_end, &disconnected);
    play(); /* accepts the connection */
    pid_t helper = fork();
    if (helper == 0) {
        pause();
        _exit(0);
    }
    close(listener);
    listener = -1;
    shutdown(peer, SHUT_RDWR);
    hang_up();
    EXPECT(until(tv, &disconnected, 1));
    for (int turn = 0; turn < 50; turn++) {
        struct pollfd polled = {.fd = passd_fd(tv), .events = POLLIN};
        wakes += poll(&polled, 1, 0);
        passd_dispatch(tv);
    }
    EXPECT(wakes < 5);
    kill(helper, SIGKILL);
    waitpid(helper, NULL, 0);
    passd_free(tv);
    listen_again();
}

/* errno */

enum { ODD = 4242 };

#define LEAVES_ERRNO(call) \
    do { \
        errno = ODD; \
        call; \
        expect(errno == ODD, #call " leaves errno", __LINE__); \
    } while (0)
#define SETS_ERRNO(number, failing, call) \
    do { \
        errno = ODD; \
        bool has_failed = (call) == (failing); \
        int found = errno; \
        left = -1; \
        expect(has_failed && found == (number), #call " sets errno to " #number, __LINE__); \
    } while (0)

static void errno_is_left_alone(void) {
    passd *tv = NULL;
    passd_json *value = NULL, *copy = NULL;
    char *text = NULL;
    passd_signing_in how = {.provider = "NorthCable", .params = "{\"filter\":{}}"};
    uint64_t number = 0;
    LEAVES_ERRNO(tv = passd_new());
    LEAVES_ERRNO(passd_set_path(tv, "/nowhere/passd.sock"));
    LEAVES_ERRNO(passd_set_name(tv, "a", "1"));
    LEAVES_ERRNO(passd_set_requestor(tv, "LUMENTV", NULL));
    LEAVES_ERRNO(passd_set_requestor(tv, "\xff", NULL));
    LEAVES_ERRNO(passd_set_requestor(tv, NULL, NULL));
    LEAVES_ERRNO(passd_set_options(tv, "{'visitorID':%s}", "v"));
    LEAVES_ERRNO(EXPECT(!passd_connect(tv)));
    LEAVES_ERRNO(EXPECT(passd_ask(tv, "echo", 0, "[") == NULL));
    passd_set_path(tv, path);
    passd_set_backoff(tv, 1, 5);
    opened_count = answer_count = 0;
    LEAVES_ERRNO(passd_open(tv, opened, NULL));
    for (int64_t deadline = monotonic() + 10 * SECOND; opened_count != 1 && monotonic() < deadline;) {
        play();
        LEAVES_ERRNO(passd_dispatch(tv));
    }
    LEAVES_ERRNO(number = passd_call(tv, "ignore", 0, answered, NULL, NULL));
    LEAVES_ERRNO(passd_cancel(tv, number));
    LEAVES_ERRNO(number = passd_sign_in(tv, &how));
    LEAVES_ERRNO(passd_cancel(tv, number));
    LEAVES_ERRNO(passd_call(tv, "hangUp", 0, answered, NULL, NULL));
    for (int64_t deadline = monotonic() + 10 * SECOND; answer_count == 0 && monotonic() < deadline;) {
        play();
        LEAVES_ERRNO(passd_wait(tv, 1));
    }
    EXPECT(is(last_code, "DISCONNECTED"));
    LEAVES_ERRNO(passd_close(tv));
    LEAVES_ERRNO(passd_wait(tv, -1));
    LEAVES_ERRNO(passd_free(tv));
    LEAVES_ERRNO(value = passd_read("[1e999, 99999999999999999999]", 29, NULL));
    LEAVES_ERRNO(passd_number(passd_at(value, 0), 0));
    LEAVES_ERRNO(EXPECT(passd_integer(passd_at(value, 1), 7) == 7));
    LEAVES_ERRNO(copy = passd_copy(value));
    LEAVES_ERRNO(text = passd_write(copy));
    LEAVES_ERRNO(passd_json_free(copy));
    free(text);
    passd_json_free(value);
}

static void errno_says_why_there_is_nothing(void) {
    passd_signing_in how = {.provider = "NorthCable"};
    passd *tv = open_one();
    passd_json *value = passd_read("[1]", 3, NULL);
    once = false;
    SETS_ERRNO(EINVAL, NULL, passd_read("[", 1, NULL));
    left = 0;
    SETS_ERRNO(ENOMEM, NULL, passd_new());
    left = 0;
    SETS_ERRNO(ENOMEM, NULL, passd_read("[1]", 3, NULL));
    left = 0;
    SETS_ERRNO(ENOMEM, NULL, passd_copy(value));
    left = 0;
    SETS_ERRNO(ENOMEM, NULL, passd_write(value));
    left = 0;
    SETS_ERRNO(ENOMEM, 0, passd_call(tv, "echo", 0, answered, NULL, NULL));
    left = 0;
    SETS_ERRNO(ENOMEM, 0, passd_sign_in(tv, &how));
    passd_json_free(value);
    passd_free(tv);
    hang_up();
}

static void a_forked_child_may_free_its_copy_of_the_session(void) {
    passd *tv = open_one();
    play(); /* accepts the connection */
    pid_t child = fork();
    if (child == 0) {
        passd_free(tv);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    passd_call(tv, "listProviders", 0, answered, NULL, NULL);
    EXPECT(until(tv, &answer_count, 1) && is(last_method, "listProviders"));
    passd_free(tv);
    hang_up();
}

static void what_a_signal_interrupts_is_sent_all_the_same(void) {
    passd *tv = open_one();
    interruptions = 2;
    passd_call(tv, "listProviders", 0, answered, NULL, NULL);
    EXPECT(interruptions == 0 && until(tv, &answer_count, 1) && is(last_method, "listProviders"));
    passd_free(tv);
    hang_up();
}

static void an_empty_path_is_none(void) {
    passd *tv = passd_new();
    passd_set_path(tv, "");
    setenv("PASSD_SOCKET", path, 1);
    opened_count = 0;
    passd_open(tv, opened, NULL);
    EXPECT(until(tv, &opened_count, 1));
    unsetenv("PASSD_SOCKET");
    passd_free(tv);
    hang_up();
}

static const int64_t ends[] = {INT64_MIN, -1, 1, INT64_MAX};

/* The time 1 is in 1970. The others are not possible times for the end of a code. */
static void a_code_that_ends_at_an_odd_time(void) {
    for (size_t index = 0; index < sizeof ends / sizeof ends[0]; index++) {
        passd *tv = open_one();
        char params[80];
        snprintf(params, sizeof params, "{\"filter\":{\"expires\":%lld}}", (long long)ends[index]);
        passd_signing_in how = {.provider = "NorthCable", .params = params, .within = 60, .ended = login_ended};
        login_count = 0;
        passd_sign_in(tv, &how);
        EXPECT(until(tv, &login_count, 2));
        passd_free(tv);
        hang_up();
    }
}

/* Opens, makes a call, loses the connection, and signs in. Returns false if a block was refused. */
static bool session_with(long blocks) {
    left = blocks;
    passd *tv = passd_new();
    if (tv != NULL) {
        passd_set_path(tv, path);
        passd_set_reconnect(tv, blocks % 2 == 0);
        passd_set_within(tv, 50);
        passd_set_backoff(tv, 1, 1);
        passd_set_name(tv, "test", "1");
        passd_set_requestor(tv, "LUMENTV", "eyJ");
        passd_set_options(tv, "{'visitorID': %s}", "v");
        passd_open(tv, opened, NULL);
        passd_signing_in how = {.provider = "NorthCable", .params = "{\"data\":{}}", .within = 2000, .ended = login_ended};
        if (blocks % 3 == 0) how.requestors = "[\"LUMENTV\",\"LUMENNEWS\"]";
        for (int turn = 0; turn < 24; turn++) {
            play();
            passd_wait(tv, turn % 4 == 3 ? 1 : 0);
            if (turn == 4) passd_call(tv, "setOptions", 0, answered, NULL, "{'a':[1,2,3]}");
            if (turn == 6) passd_call(tv, "hangUp", 0, answered, NULL, "{'a':[1,2,3]}");
            if (turn == 6) passd_sign_in(tv, &how);
        }
    }
    bool was_enough = left > 0;
    left = -1;
    passd_free(tv);
    hang_up();
    close(listener);
    listen_again();
    return was_enough;
}

/* A lack of memory or descriptors breaks nothing and leaks nothing. */
static void memory_may_run_out_at_any_time(void) {
    for (int way = 0; way < 2; way++) {
        long blocks = 0;
        once = way == 1;
        while (blocks < 2000 && !session_with(blocks)) blocks++;
        EXPECT(blocks > 50 && blocks < 2000);
    }
    opened_count = login_count = 0;
    EXPECT(session_with(100000) && opened_count == 1 && login_count == 1);
}

int main(void) {
    if (mkdtemp(folder) == NULL) return 1;
    snprintf(path, sizeof path, "%s/passd.sock", folder);
    listen_again();
    reads_what_is_json_and_nothing_else();
    values_are_what_was_written();
    levels_and_values_are_bounded();
    changed_text_does_no_harm();
    headers_in_pieces();
    a_free_session_leaves_nothing();
    params_that_cannot_be_sent_fail_at_the_next_dispatch();
    wrong_settings_are_told_when_it_opens();
    calls_of_a_session_that_is_not_open_fail();
    opening_is_no_call_that_waits();
    no_memory_for_opening_is_told();
    a_batch_is_not_kept();
    the_system_speaks_english();
    a_directory_that_keeps_the_user_out_is_named();
    the_descriptor_is_readable_only_if_something_is_due();
    an_answer_may_free_the_session();
    what_shows_the_code_may_free_the_session();
    an_answer_may_wait_for_another();
    what_has_been_read_is_due_at_once();
    a_failing_call_that_is_repeated_does_not_hold_dispatch();
    a_daemon_that_does_not_read_ends_the_connection();
    waiting_calls_end_and_say_why();
    the_viewer_cancels_while_there_is_no_connection();
    the_end_of_a_cancelled_login_is_told_by_dispatch();
    a_login_that_waits_for_an_answer_is_cancelled_with_it();
    a_login_that_waits_to_be_repeated_is_cancelled_at_once();
    what_cannot_be_chosen_is_told_by_dispatch();
    several_requestors_are_signed_in_one_by_one();
    of_several_requestors_one_is_cancelled();
    requestors_go_on_over_a_restart();
    a_forked_helper_does_not_make_the_descriptor_readable();
    errno_is_left_alone();
    errno_says_why_there_is_nothing();
    a_forked_child_may_free_its_copy_of_the_session();
    what_a_signal_interrupts_is_sent_all_the_same();
    an_empty_path_is_none();
    a_code_that_ends_at_an_odd_time();
    memory_may_run_out_at_any_time();
    hang_up();
    close(listener);
    unlink(path);
    rmdir(folder);
    printf("# facts %d\n# fail %d\n", facts, failures);
    return failures == 0 ? 0 : 1;
}
