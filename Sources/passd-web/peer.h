// Who is at the other end of a TCP connection on this machine, as the kernel says. docs/decisions/0021.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct peer {
    uid_t user;
    // The number of the control group in which its process made the connection; 0 if the kernel does not report it.
    uint64_t group;
};

// Opens the socket for questions. -1 with errno if the kernel has no sock_diag.
int peer_open(void);

// Asks who has made the other end of the accepted connection. False with errno, which is ENOENT if it belongs to no
// process on this machine or is closed, and EOVERFLOW if the kernel has no number for its user here.
bool peer_facts(int diag, int connection, struct peer *peer);

// Whether neither end of the connection is closed.
bool peer_is_connected(int connection);
