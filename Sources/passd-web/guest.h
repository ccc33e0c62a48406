// Connections with an incomplete request.
#pragma once

#include <libwebsockets.h>
#include <stdbool.h>

struct visitor;

// Answers with this status if the socket has room for the answer.
void refuse(int connection, const char *status);

// Takes over the connection, and closes it if that fails. Returns false if there is no memory.
bool guest_enter(struct lws_vhost *host, int connection, struct visitor *visitor);

int guest_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);
