// The process at the other end of a TCP connection on this machine. All facts come from the kernel. docs/decisions/0021.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct peer {
    uid_t user;
    // The number of the process's control group at the opening of the connection. 0 if the kernel does not report it.
    uint64_t group;
};

// Opens the socket for questions. -1 with errno if the kernel has no sock_diag.
int peer_open(void);

// Finds the user at the other end of an accepted connection. Returns false with errno. ENOENT: the other end is closed, or
// belongs to no process on this machine. EOVERFLOW: the user of the other end has no number in this user namespace.
bool peer_facts(int diag, int connection, struct peer *peer);

// Whether both ends of the connection are open.
bool peer_is_connected(int connection);
