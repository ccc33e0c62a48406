// The protocols for libwebsockets: the listening sockets, the web sockets, and the connections to passd.
#pragma once

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    // The max size of an origin in bytes.
    max_origin = 300,
    // The max time, in seconds, for a connection to become a web socket.
    max_greeting = 10,
    // The max size of a request's head in bytes. Browsers send the cookies of all ports of a host, so a head may be large.
    max_head = 32 << 10,
    // The max number of fields in a head, including the parts of its query. At a larger number, libwebsockets closes the
    // connection without an answer.
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
