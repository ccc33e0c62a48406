// The protocols that libwebsockets calls: the listening sockets, the web sockets, and the connections to passd.
#pragma once

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    // The max size of an origin in bytes.
    max_origin = 300,
    // The max time, in seconds, for a connection to become a web socket.
    max_greeting = 10,
    // The max size of a request's head in bytes. It is large, because browsers send the cookies of all ports of a host.
    max_head = 32 << 10,
    // The max number of fields in a head, and of parts in its query. If there are more, libwebsockets closes the connection
    // without an answer.
    max_fields = 64,
};

struct settings {
    // The path of passd's socket.
    const char *socket;
    // The max numbers of connections of one user, and of all users.
    unsigned per_user, total;
    // The max size of a message from a page in bytes.
    size_t message_size;
    // The socket for questions to the kernel about peers.
    int diag;
};

extern struct settings settings;
extern const struct lws_protocols protocols[];

// Accepts connections from this listening socket. Returns false if there is no memory.
bool gateway_listen(struct lws_vhost *host, int listener);
