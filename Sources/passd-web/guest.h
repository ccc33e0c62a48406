// Connections with an incomplete request.
#pragma once

#include <libwebsockets.h>
#include <stdbool.h>

struct visitor;

// Answers with this status. If the socket has no room for the answer, sends nothing.
void refuse(int connection, const char *status);

// Takes over the connection. If there is no memory, closes the connection and returns false.
bool guest_enter(struct lws_vhost *host, int connection, struct visitor *visitor);

int guest_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);
