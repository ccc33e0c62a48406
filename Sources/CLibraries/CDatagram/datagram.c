#include "CDatagram.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

int pass_send_datagram(
    int socket, const void *bytes, size_t count, const void *address, size_t addressLength, const int *descriptors,
    size_t descriptorCount) {
    union {
        char bytes[CMSG_SPACE(pass_most_sent_descriptors * sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec content = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_name = (void *)address, .msg_namelen = (socklen_t)addressLength, .msg_iov = &content, .msg_iovlen = 1};
    if (descriptorCount > pass_most_sent_descriptors) return E2BIG;
    if (descriptorCount > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(descriptorCount * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptorCount * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, descriptorCount * sizeof(int));
    }
    while (sendmsg(socket, &message, MSG_NOSIGNAL) < 0)
        if (errno != EINTR) return errno;
    return 0;
}
