// Who is at the other end of a TCP connection on this machine, as the kernel says. docs/decisions/0021.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

// Opens the socket for questions. -1 with errno if the kernel has no sock_diag.
int peer_open(void);

// Asks which user has made the other end of the accepted connection. False with errno, which is ENOENT if it belongs to no
// process on this machine, or not any more.
bool peer_user(int diag, int connection, uid_t *user);
