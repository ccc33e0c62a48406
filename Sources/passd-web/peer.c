// Asks sock_diag for the socket at the other end. This socket has our two addresses in reverse order. While our end is open, no
// other connection can have these addresses, so the answer is about the peer's own socket. Only an established socket with an
// inode counts, because the kernel reports user 0 for a socket that its process has closed.

#include "peer.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int peer_open(void) { return socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG); }

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static bool is_loopback(const union address *address) {
    if (address->any.sa_family == AF_INET) return (ntohl(address->v4.sin_addr.s_addr) >> 24) == 127;
    return address->any.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
}

static void put(const union address *address, __be16 *port, __be32 words[4]) {
    if (address->any.sa_family == AF_INET) {
        *port = address->v4.sin_port;
        words[0] = address->v4.sin_addr.s_addr;
    } else {
        *port = address->v6.sin6_port;
        memcpy(words, &address->v6.sin6_addr, 16);
    }
}

bool peer_is_connected(int connection) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    if (getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return false;
    errno = ENOENT;
    return info.tcpi_state == TCP_ESTABLISHED;
}

struct question {
    struct nlmsghdr header;
    struct inet_diag_req_v2 body;
};

static bool ask(int diag, const struct question *question) {
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    ssize_t sent;
    do sent = sendto(diag, question, sizeof *question, 0, (struct sockaddr *)&kernel, sizeof kernel);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof *question;
}

// Returns the number of the control group. Returns 0 on kernels before 5.9, because they do not report the number.
static uint64_t control_group(const struct nlmsghdr *answer) {
    const struct inet_diag_msg *found = NLMSG_DATA(answer);
    const struct rtattr *attribute = (const struct rtattr *)(found + 1);
    unsigned left = answer->nlmsg_len - NLMSG_LENGTH(sizeof *found);
    uint64_t group = 0;
    for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left)) {
        if (attribute->rta_type == INET_DIAG_CGROUP_ID && RTA_PAYLOAD(attribute) == sizeof group)
            memcpy(&group, RTA_DATA(attribute), sizeof group);
    }
    return group;
}

static bool take(const struct nlmsghdr *answer, const struct question *question, struct peer *peer) {
    const struct inet_diag_msg *found = NLMSG_DATA(answer);
    if (answer->nlmsg_type == NLMSG_ERROR) {
        errno = -((const struct nlmsgerr *)NLMSG_DATA(answer))->error;
        return false;
    }
    errno = ENOENT;
    if (answer->nlmsg_type != SOCK_DIAG_BY_FAMILY || answer->nlmsg_len < NLMSG_LENGTH(sizeof *found)) return false;
    if (found->idiag_state != TCP_ESTABLISHED || found->idiag_inode == 0) return false;
    // The kernel reports this number for all users without a number in this user namespace.
    if (found->idiag_uid == (uid_t)-1 || found->idiag_uid == 65534) return errno = EOVERFLOW, false;
    // The answer may be about another socket, because the kernel's lookup falls back to listening sockets.
    if (found->id.idiag_sport != question->body.id.idiag_sport || found->id.idiag_dport != question->body.id.idiag_dport)
        return false;
    *peer = (struct peer){.user = found->idiag_uid, .group = control_group(answer)};
    return true;
}

bool peer_facts(int diag, int connection, struct peer *peer) {
    static uint32_t last;
    union address ours, theirs;
    socklen_t size = sizeof ours;
    if (getsockname(connection, &ours.any, &size) != 0) return false;
    size = sizeof theirs;
    if (getpeername(connection, &theirs.any, &size) != 0) return false;
    if (!is_loopback(&ours) || !is_loopback(&theirs)) return errno = EADDRNOTAVAIL, false;

    struct question question = {
        .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST,
                   .nlmsg_seq = ++last},
        .body = {.sdiag_family = theirs.any.sa_family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = -1,
                 .id = {.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}},
    };
    put(&theirs, &question.body.id.idiag_sport, question.body.id.idiag_src);
    put(&ours, &question.body.id.idiag_dport, question.body.id.idiag_dst);
    if (!ask(diag, &question)) return false;
    // The kernel answers during sendto. A late answer to an earlier question is skipped.
    for (;;) {
        union { struct nlmsghdr header; char bytes[4096]; } answer;
        ssize_t count = recv(diag, &answer, sizeof answer, MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        if (!NLMSG_OK(&answer.header, (size_t)count) || answer.header.nlmsg_seq != last) continue;
        // If our end is still open, the addresses belonged to this connection all the time. After a reset, a connection of
        // another user may have the same addresses.
        return take(&answer.header, &question, peer) && peer_is_connected(connection);
    }
}
