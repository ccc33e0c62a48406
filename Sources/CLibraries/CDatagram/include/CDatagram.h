// Datagrams with descriptors, for whose control messages there are only macros. The address is passed as bytes: if this header
// included <sys/socket.h>, its names would belong to this module, and other modules would look for them in vain in Glibc.
#pragma once
#include <stddef.h>

enum { pass_most_sent_descriptors = 2 };

// Sends a datagram, with at most `pass_most_sent_descriptors` descriptors. Returns 0, or the reason why it was not sent.
int pass_send_datagram(
    int socket, const void *bytes, size_t count, const void *address, size_t addressLength, const int *descriptors,
    size_t descriptorCount);
