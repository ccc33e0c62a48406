// Who is here, and what each user takes: connections, memory, and passd's patience. An origin that passd has not accepted for its
// user is a stranger, and so is a connection whose origin has not come.
#pragma once

#include "buffer.h"

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct page;

// Somebody who has connected, from then until the connection is gone. It is the opaque data of the connection.
struct visitor {
    uid_t user;
    // The number of the control group, or 0.
    uint64_t group;
    bool is_stranger;
    // Another visitor has its place, and its connection is closed in a moment. Nothing that arrives until then counts.
    bool is_evicted;
    struct lws *web;
    // Once it is a web socket.
    struct page *page;
    // The memory that the page keeps, in bytes.
    size_t kept;
    struct visitor *next;
};

// Lets a stranger in; other strangers make room for it. NULL if there is no room.
struct visitor *visitor_enter(uid_t user);
// Its origin has turned out to be one that passd accepts. False if there is no room for another one.
bool visitor_accept(struct visitor *visitor);
// The connection is gone. NULL is nobody.
void visitor_leave(struct visitor *visitor);

// Whose page has to go, since all pages or those of one user keep too much: the one that keeps most. NULL if nobody's.
struct visitor *visitor_keeping_too_much(void);

// Whether passd may be asked once more for this origin of the visitor's user.
bool may_ask(const struct visitor *visitor, const char *origin);
// Whether passd has accepted this origin of the visitor's user.
bool is_app(const struct visitor *visitor, const char *origin);
void note_accepted(const struct visitor *visitor, const char *origin);
void note_denied(struct visitor *visitor, const char *origin, const char *answer, size_t size);
// What passd has just answered to such a visitor, and would answer again. NULL if it has to be asked.
const struct buffer *recent_denial(const struct visitor *visitor, const char *origin);
