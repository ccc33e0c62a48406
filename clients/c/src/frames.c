/* Splits bytes into messages, in either of the two framings: lines, or Content-Length headers. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "private.h"

enum { HEADER = 4096 };

static const char too_large[] = "a message is larger than the limit";

static char *take(struct frames *frames, size_t from, size_t to, size_t next, const char **problem) {
    struct text message = {0};
    text_add(&message, frames->bytes.bytes + from, to - from);
    frames->start = frames->searched = next;
    char *bytes = text_take(&message);
    if (bytes == NULL) *problem = json_no_memory;
    return bytes;
}

static char *next_line(struct frames *frames, size_t *length, const char **problem) {
    const char *bytes = frames->bytes.bytes;
    while (frames->searched < frames->bytes.length) {
        const char *end = memchr(bytes + frames->searched, '\n', frames->bytes.length - frames->searched);
        size_t to = end == NULL ? frames->bytes.length : (size_t)(end - bytes), next = to + 1, from = frames->start;
        if (to - from > frames->limit) {
            *problem = too_large;
            return NULL;
        }
        if (end == NULL) {
            frames->searched = to;
            return NULL;
        }
        while (from < to && strchr(" \t\r", bytes[from]) != NULL && bytes[from] != 0) from++;
        while (from < to && strchr(" \t\r", bytes[to - 1]) != NULL && bytes[to - 1] != 0) to--;
        if (from < to) {
            *length = to - from;
            return take(frames, from, to, next, problem);
        }
        frames->start = frames->searched = next;
    }
    return NULL;
}

static bool is_blank(char each) { return each == ' ' || each == '\t'; }

/* Reads the length from a header; false if the header has none. */
static bool content_length(const char *at, const char *end, size_t *length) {
    static const char name[] = "content-length";
    while (at < end) {
        const char *stop = memchr(at, '\r', (size_t)(end - at));
        if (stop == NULL) stop = end;
        const char *colon = memchr(at, ':', (size_t)(stop - at));
        const char *named = colon;
        while (named != NULL && named > at && is_blank(named[-1])) named--;
        if (colon != NULL && (size_t)(named - at) == strlen(name) && strncasecmp(at, name, strlen(name)) == 0) {
            const char *digit = colon + 1;
            while (digit < stop && is_blank(*digit)) digit++;
            while (stop > digit && is_blank(stop[-1])) stop--;
            const char *first = digit;
            for (*length = 0; digit < stop && *digit >= '0' && *digit <= '9' && *length < SIZE_MAX / 16; digit++) {
                *length = *length * 10 + (size_t)(*digit - '0');
            }
            return digit > first && digit == stop;
        }
        at = stop + 2;
    }
    return false;
}

static char *next_body(struct frames *frames, size_t *length, const char **problem) {
    for (;;) {
        const char *bytes = frames->bytes.bytes + frames->start;
        size_t there = frames->bytes.length - frames->start;
        if (!frames->has_body) {
            const char *end = there == 0 ? NULL : memmem(bytes, there, "\r\n\r\n", 4);
            if (end == NULL ? there > HEADER : end - bytes > HEADER) *problem = "a header is too long";
            else if (end != NULL && !content_length(bytes, end, &frames->body)) *problem = "a header has no Content-Length";
            else if (end != NULL && frames->body > frames->limit) *problem = too_large;
            if (end == NULL || *problem != NULL) return NULL;
            frames->has_body = true;
            frames->start += (size_t)(end - bytes) + 4;
            continue;
        }
        if (there < frames->body) return NULL;
        frames->has_body = false;
        *length = frames->body;
        size_t end = frames->start + frames->body;
        if (frames->body > 0) return take(frames, frames->start, end, end, problem);
    }
}

char *frames_next(struct frames *frames, size_t *length, const char **problem) {
    *problem = NULL;
    char *message = frames->headers ? next_body(frames, length, problem) : next_line(frames, length, problem);
    if (message == NULL && frames->start > 0) { /* the rest moves to the beginning */
        frames->bytes.length -= frames->start;
        memmove(frames->bytes.bytes, frames->bytes.bytes + frames->start, frames->bytes.length);
        frames->searched = frames->searched > frames->start ? frames->searched - frames->start : 0;
        frames->start = 0;
    }
    if (frames->bytes.length == 0) { /* an idle session keeps nothing */
        free(frames->bytes.bytes);
        frames->bytes = (struct text){0};
    }
    return message;
}

void frames_clear(struct frames *frames) {
    free(frames->bytes.bytes);
    *frames = (struct frames){.headers = frames->headers, .limit = frames->limit};
}

void frame_message(struct text *out, bool headers, const char *body) {
    if (!headers) {
        text_words(out, body);
        text_words(out, "\n");
        return;
    }
    char header[48];
    snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(body));
    text_words(out, header);
    text_words(out, body);
}
