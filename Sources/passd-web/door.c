// Accepts connections from the listening sockets. Each user may have a limited number of connections. The peer's user and this
// limit are checked before a byte is read.

#include "door.h"

#include "gateway.h"
#include "guest.h"
#include "peer.h"
#include "record.h"
#include "visitors.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *reason(int fault) {
    switch (fault) {
    case ENOENT: return "its process is gone";
    case EOVERFLOW: return "its user is nobody (65534), which stands for every user that this system does not know";
    default: return strerror(fault);
    }
}

static void welcome(struct lws_vhost *host, int connection) {
    struct peer peer;
    if (!peer_facts(settings.diag, connection, &peer)) {
        record(warning, unknown_user, "a connection was refused: %s", reason(errno));
        close(connection);
        return;
    }
    struct visitor *visitor = visitor_enter(peer.user);
    if (visitor == NULL) {
        record(warning, peer.user, "user %u was refused: too many connections", (unsigned)peer.user);
        refuse(connection, "503 Service Unavailable");
        close(connection);
        return;
    }
    visitor->group = peer.group;
    if (!guest_enter(host, connection, visitor)) visitor_leave(visitor);
}

static void take_all(struct lws *listener) {
    for (int count = 0; count < 16; count++) {
        int connection = accept4(lws_get_socket_fd(listener), NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (connection >= 0) {
            welcome(lws_get_vhost(listener), connection);
        } else if (errno == EAGAIN) {
            return;
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            // The waiting clients have to wait longer, because accepting again at once would keep the processor busy.
            record(warning, the_gateway, "connections have to wait: %s", strerror(errno));
            lws_rx_flow_control(listener, 0);
            lws_set_timer_usecs(listener, LWS_USEC_PER_SEC / 4);
            return;
        }
    }
}

int door_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    (void)user, (void)in, (void)size;
    switch (reason) {
    // This protocol is not for pages. A page that requests the protocol by name is refused.
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1;
    case LWS_CALLBACK_RAW_RX_FILE: take_all(wsi); return 0;
    case LWS_CALLBACK_TIMER: lws_rx_flow_control(wsi, 1); return 0;
    default: return 0;
    }
}

bool gateway_listen(struct lws_vhost *host, int listener) {
    lws_sock_file_fd_type descriptor = {.filefd = listener};
    return lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, descriptor, "door", NULL) != NULL;
}
