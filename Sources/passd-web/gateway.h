// The protocols that libwebsockets calls: the listening sockets, the web sockets, and the connections to passd.
#pragma once

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    // The longest origin, in bytes.
    max_origin = 300,
    // So long, in seconds, a connection may take to become a web socket.
    max_greeting = 10,
    // The longest head of a request, in bytes. Browsers send the cookies of all ports of a host.
    max_head = 32 << 10,
    // The most fields of a head, and parts of the query of its address. libwebsockets closes without an answer what has many.
    max_fields = 64,
};

struct settings {
    // The path of passd's socket.
    const char *socket;
    // The most connections of one user, and of all users.
    unsigned per_user, total;
    // The longest message of a page, in bytes.
    size_t message_size;
    // The socket for questions to the kernel.
    int diag;
};

extern struct settings settings;
extern const struct lws_protocols protocols[];

// Takes connections from this listening socket. False if there is no memory.
bool gateway_listen(struct lws_vhost *host, int listener);
