// The listening sockets, and who has come in through them.
#pragma once

#include <libwebsockets.h>
#include <sys/types.h>

// Somebody who has connected, from then until the connection is gone. It is the opaque data of the connection.
struct visitor {
    uid_t user;
    struct visitor *next;
};

int door_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);
// The connection is gone. NULL is nobody.
void door_forget(struct visitor *visitor);
