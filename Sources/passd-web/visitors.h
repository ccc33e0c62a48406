// The visitors, and the quotas of each user: connections, memory, and questions to passd. An origin that passd has not accepted
// for its user is a stranger. A connection whose origin is not known yet is also a stranger.
#pragma once

#include "buffer.h"

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct page;

// A client, from connect to disconnect. libwebsockets keeps its address as the data of the connection.
struct visitor {
    uid_t user;
    // The number of the control group, or 0.
    uint64_t group;
    bool is_stranger;
    // Whether the visitor was evicted. If so, its connection is closed in a moment, and input until then is ignored.
    bool is_evicted;
    struct lws *web;
    // The page; NULL until the connection is a web socket.
    struct page *page;
    // The memory of the page, in bytes.
    size_t kept;
    struct visitor *next;
};

// Admits a new connection as a stranger, and evicts other strangers if necessary. Returns NULL if there is no room.
struct visitor *visitor_enter(uid_t user);
// Makes a visitor an app, after passd has accepted its origin. Returns false if there is no room for another app.
bool visitor_accept(struct visitor *visitor);
// Removes a visitor whose connection is gone. NULL is ignored.
void visitor_leave(struct visitor *visitor);

// Returns the visitor to close: of the user whose pages use the most memory, the visitor with the largest page. Returns NULL if
// the memory of all pages, and of each user's pages, is within the limits.
struct visitor *visitor_keeping_too_much(void);

// Whether passd may be asked again about this origin of the visitor's user.
bool may_ask(const struct visitor *visitor, const char *origin);
// Whether passd has accepted this origin of the visitor's user.
bool is_app(const struct visitor *visitor, const char *origin);
void note_accepted(const struct visitor *visitor, const char *origin);
void note_denied(struct visitor *visitor, const char *origin, const char *answer, size_t size);
// Records that the visitor left before passd answered.
void note_unanswered(const struct visitor *visitor, const char *origin);
// Returns passd's last denial of this origin and user, if the denial is recent. NULL if the gateway must ask passd.
const struct buffer *recent_denial(const struct visitor *visitor, const char *origin);
