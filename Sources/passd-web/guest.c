// Checks the complete head of a request before libwebsockets gets the connection. The header Sec-WebSocket-Origin has to be
// refused here, because libwebsockets accepts it in place of Origin and does not report the header's name. No browser sends it.

#include "guest.h"

#include "gateway.h"
#include "peer.h"
#include "record.h"
#include "visitors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

void refuse(int connection, const char *status) {
    char answer[128];
    int size = snprintf(answer, sizeof answer, "HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status);
    send(connection, answer, (size_t)size, MSG_DONTWAIT | MSG_NOSIGNAL);
    // Drops unread input, because the kernel would otherwise send a reset after the answer.
    recv(connection, NULL, max_head, MSG_DONTWAIT | MSG_TRUNC);
}

bool guest_enter(struct lws_vhost *host, int connection, struct visitor *visitor) {
    lws_sock_file_fd_type descriptor = {.filefd = connection};
    visitor->web = lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, descriptor, "guest", NULL);
    if (visitor->web == NULL) return false;
    lws_set_opaque_user_data(visitor->web, visitor);
    lws_set_timeout(visitor->web, PENDING_TIMEOUT_USER_OK, max_greeting);
    return true;
}

static bool has_header(const char *head, size_t size, const char *name) {
    const char *end = head + size;
    for (const char *line = head; (line = memchr(line, '\n', (size_t)(end - line))) != NULL;) {
        line++;
        if ((size_t)(end - line) >= strlen(name) && strncasecmp(line, name, strlen(name)) == 0) return true;
    }
    return false;
}

static const char bad_request[] = "400 Bad Request", too_large[] = "431 Request Header Fields Too Large";

// Returns the status for refusing a complete head, or NULL if the head is acceptable. A head is refused if libwebsockets would
// reject it or understand it differently from browsers.
static const char *fault_of(const char *head, size_t size) {
    const char *end = head + size, *first_end = memchr(head, '\n', size);
    unsigned fields = 0;
    for (const char *place = head; place < end; place++) {
        if (*place == '\0') return bad_request;
        if (*place == '\r' && (place + 1 == end || place[1] != '\n')) return bad_request;
        if (place < first_end && strchr("?&;", *place) != NULL) fields++;
        if (*place != '\n') continue;
        // A continuation line makes a field of two lines. Current clients do not send such fields.
        if (place[-1] != '\r' || (place + 1 < end && (place[1] == ' ' || place[1] == '\t'))) return bad_request;
        fields++;
    }
    // The added 2 are the request line and the empty line.
    return fields > max_fields + 2 ? too_large : NULL;
}

static int refuse_head(int connection, const struct visitor *visitor, const char *status) {
    record(notice, visitor->user, "user %u was refused: the head of its request is %s", (unsigned)visitor->user,
        status == too_large ? "too large, or has too many fields" : "not what browsers send");
    refuse(connection, status);
    return -1;
}

// Gives the connection to a new client of libwebsockets, and kills the old client. A normal close of the old client would shut
// the connection down, because both clients have descriptors of the same connection.
static void hand_over(struct lws *guest, struct visitor *visitor) {
    int connection = fcntl(lws_get_socket_fd(guest), F_DUPFD_CLOEXEC, 0);
    lws_rx_flow_control(guest, 0);
    lws_set_timeout(guest, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    if (connection < 0) return;
    lws_set_opaque_user_data(guest, NULL);
    visitor->web = lws_adopt_socket_vhost(lws_get_vhost(guest), connection);
    if (visitor->web == NULL) return visitor_leave(visitor);
    lws_set_opaque_user_data(visitor->web, visitor);
}

// Checks the head. An incomplete head stays in the socket. The low-water mark of the socket then prevents calls of this
// function until more bytes have arrived.
static int look(struct lws *guest, struct visitor *visitor) {
    static const char method[] = "GET ";
    char head[max_head];
    int connection = lws_get_socket_fd(guest);
    if (visitor->is_evicted) return -1;
    ssize_t count = recv(connection, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
    if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    size_t size = (size_t)count;
    if (memcmp(head, method, size < 4 ? size : 4) != 0) return -1;
    const char *end = memmem(head, size, "\r\n\r\n", 4);
    bool is_whole = end != NULL;
    int news = is_whole ? 1 : (int)size + 1;
    setsockopt(connection, SOL_SOCKET, SO_RCVLOWAT, &news, sizeof news);
    if (!is_whole && size == sizeof head) return refuse_head(connection, visitor, too_large);
    if (!is_whole) return peer_is_connected(connection) ? 0 : -1;
    const char *fault = fault_of(head, (size_t)(end - head) + 4);
    if (fault != NULL) return refuse_head(connection, visitor, fault);
    if (has_header(head, size, "sec-websocket-origin:")) {
        record(notice, visitor->user, "user %u was refused: it sends Sec-WebSocket-Origin", (unsigned)visitor->user);
        refuse(connection, "403 Forbidden");
        return -1;
    }
    hand_over(guest, visitor);
    return 0;
}

int guest_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    (void)user, (void)in, (void)size;
    struct visitor *visitor = lws_get_opaque_user_data(wsi);
    switch (reason) {
    // This protocol is not for pages. A page that requests the protocol by name is refused.
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1;
    case LWS_CALLBACK_RAW_RX_FILE: return visitor == NULL ? 0 : look(wsi, visitor);
    default: return 0;
    }
}
