// Who is here, and what each user takes: connections, memory, and passd's patience. A user of whom passd has accepted no web app
// so far is a stranger, and so is an origin.
#pragma once

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
    struct lws *web;
    // Once it is a web socket.
    struct page *page;
    // The memory that the page keeps, in bytes.
    size_t kept;
    struct visitor *next;
};

// Lets somebody in; strangers make room for a stranger. NULL if there is no room.
struct visitor *visitor_enter(uid_t user);
// The connection is gone. NULL is nobody.
void visitor_leave(struct visitor *visitor);

// Whose page has to go, since all pages or those of one user keep too much: the one that keeps most. NULL if nobody's.
struct visitor *visitor_keeping_too_much(void);

// Whether passd may be asked once more on behalf of this origin of this user.
bool may_ask(uid_t user, const char *origin);
// passd has accepted this origin of this user.
void note_accepted(uid_t user, const char *origin);
