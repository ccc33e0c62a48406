/* The connection of a session: its socket, the waiting data of both directions, and the descriptor that the app polls. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "private.h"

/* Bytes that are read in one dispatch. */
enum { PIECE = 1 << 14, PIECES = 16 };

int64_t monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

int64_t wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (now.tv_sec * SECOND + now.tv_nsec) / MILLISECOND;
}

void connection_arm(passd *tv, int64_t when) {
    if (when == tv->armed) return;
    tv->armed = when;
    struct itimerspec timer = {0};
    if (when != NEVER) {
        if (when < 1) when = 1;
        timer.it_value = (struct timespec){.tv_sec = (time_t)(when / SECOND), .tv_nsec = (long)(when % SECOND)};
    }
    timerfd_settime(tv->timer, TFD_TIMER_ABSTIME, &timer, NULL);
}

static void watch(passd *tv) {
    uint32_t interest = EPOLLIN | (tv->out.length > tv->written ? (uint32_t)EPOLLOUT : 0);
    if (interest == tv->interest) return;
    struct epoll_event event = {.events = interest, .data.fd = tv->socket};
    epoll_ctl(tv->epoll, tv->interest == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, tv->socket, &event);
    tv->interest = interest;
}

/* Connects. Returns false if that fails; the number is EAGAIN if the caller should retry. */
bool connection_open(passd *tv, int *number) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(tv->path) >= sizeof address.sun_path) {
        *number = ENAMETOOLONG;
        return false;
    }
    memcpy(address.sun_path, tv->path, strlen(tv->path));
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        *number = errno;
        if (descriptor >= 0) close(descriptor);
        return false;
    }
    tv->socket = descriptor;
    tv->interest = 0;
    tv->in.headers = tv->headers;
    tv->in.limit = tv->message_limit;
    watch(tv);
    return true;
}

void connection_close(passd *tv) {
    if (tv->socket >= 0) {
        /* A forked child may keep the socket open. Without this call, the shared epoll set would report it forever. */
        if (getpid() == tv->owner) epoll_ctl(tv->epoll, EPOLL_CTL_DEL, tv->socket, NULL);
        close(tv->socket);
    }
    tv->socket = -1;
    if (tv->late.number != 0) tv->owes_cancelling = true; /* the daemon may have opened that login */
    tv->late.number = 0;
    frames_clear(&tv->in);
    free(tv->out.bytes);
    tv->out = (struct text){0};
    tv->written = 0;
    tv->rest = NULL;
    error_drop(tv->doom);
    tv->doom = NULL;
}

bool connection_is_up(const passd *tv) { return tv->state == UP && tv->socket >= 0 && tv->doom == NULL; }

/* Lets the connection end with the next dispatch. Data that was read but not handled is dropped. */
void connection_doom(passd *tv, struct error *reason) {
    error_drop(tv->doom);
    tv->doom = reason;
    frames_clear(&tv->in);
    tv->rest = NULL;
}

/* Writes. Errors are found by the next read. */
static void flush(passd *tv) {
    while (tv->written < tv->out.length) {
        ssize_t count = send(tv->socket, tv->out.bytes + tv->written, tv->out.length - tv->written, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && (errno == EAGAIN || errno == ENOBUFS)) break;
        if (count < 0) tv->written = tv->out.length;
        else tv->written += (size_t)count;
    }
    if (tv->written == tv->out.length) {
        free(tv->out.bytes);
        tv->out = (struct text){0};
        tv->written = 0;
    }
    watch(tv);
}

void connection_send(passd *tv, uint64_t number, const char *method, const passd_json *params) {
    if (tv->socket < 0 || tv->doom != NULL) return;
    struct text text = {0};
    char id[40] = "";
    if (number != 0) snprintf(id, sizeof id, "\"id\":%" PRIu64 ",", number);
    text_words(&text, "{\"jsonrpc\":\"2.0\",");
    text_words(&text, id);
    text_words(&text, "\"method\":");
    text_quoted(&text, method, strlen(method));
    text_words(&text, ",\"params\":");
    text_value(&text, params);
    text_words(&text, "}");
    char *body = text_take(&text);
    if (tv->out.length - tv->written > tv->output_limit) {
        connection_doom(tv, error_lost("it does not read, and more than may wait is waiting"));
    } else if (body != NULL) {
        if (tv->written > 0) {
            tv->out.length -= tv->written;
            memmove(tv->out.bytes, tv->out.bytes + tv->written, tv->out.length);
            tv->written = 0;
        }
        size_t before = tv->out.length;
        frame_message(&tv->out, tv->headers, body);
        if (tv->out.failed) { /* no part of the message is sent */
            tv->out.length = before;
            tv->out.failed = false;
            connection_doom(tv, error_memory());
        } else {
            flush(tv);
        }
    } else {
        connection_doom(tv, error_memory());
    }
    free(body);
}

void connection_move(passd *tv) {
    uint64_t ticks;
    if (read(tv->timer, &ticks, sizeof ticks) == sizeof ticks) tv->armed = NEVER;
    if (tv->socket < 0 || tv->doom != NULL) return;
    flush(tv);
    char piece[PIECE];
    for (int count = 0; count < PIECES; count++) {
        ssize_t size = recv(tv->socket, piece, sizeof piece, MSG_DONTWAIT);
        if (size > 0) {
            text_add(&tv->in.bytes, piece, (size_t)size);
            tv->has_more = true;
            if (tv->in.bytes.failed) return connection_doom(tv, error_memory());
            if (size < (ssize_t)sizeof piece) return;
        } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
            tv->doom = size == 0 ? error_lost("passd closed it") : error_lost_by(errno); /* after the messages that were read */
            return;
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

static passd_json *next_message(passd *tv) {
    for (;;) {
        if (tv->rest != NULL) {
            passd_json *message = passd_copy(tv->rest);
            tv->rest = passd_next(tv->rest);
            if (message == NULL) connection_doom(tv, error_memory());
            return message;
        }
        passd_json_free(tv->batch);
        tv->batch = NULL;
        if (tv->socket < 0) return NULL;
        const char *problem;
        size_t length = 0;
        char *bytes = frames_next(&tv->in, &length, &problem);
        if (bytes == NULL && problem == NULL) return NULL;
        passd_json *message = bytes == NULL ? NULL : json_take(bytes, length, &problem);
        if (message == NULL) {
            connection_doom(tv, problem == json_no_memory ? error_memory() : error_not_understood(problem));
            return NULL;
        }
        if (passd_kind(message) != PASSD_ARRAY) return message;
        passd_json_free(tv->batch);
        tv->batch = message;
        tv->rest = passd_at(message, 0);
    }
}

passd_json *connection_next(passd *tv) {
    passd_json *message = next_message(tv);
    tv->has_more = message != NULL;
    return message;
}
