// The listening sockets.
#pragma once

#include <libwebsockets.h>

int door_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);
