// Takes connections from the listening sockets. Who it is comes first: each user has a share of all connections from the first
// moment on, before a byte is read.

#include "door.h"

#include "gateway.h"
#include "peer.h"
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct settings settings;

static struct visitor *visitors;

static unsigned connections(bool of_all, uid_t user) {
    unsigned count = 0;
    for (struct visitor *one = visitors; one != NULL; one = one->next) count += of_all || one->user == user;
    return count;
}

// How many connections a user may still open at once. passd counts those of all users together, since they are the gateway's
// when they come; so one user must not use up its patience.
struct patience {
    uid_t user;
    double left, since;
};

enum { most_at_once = 64, a_second = 16, most_users = 64 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool has_patience(uid_t user) {
    static struct patience all[most_users];
    double now = seconds();
    // Whoever has come last longest ago makes room for a user who is not known.
    struct patience *found = &all[0];
    for (size_t place = 0; place < most_users; place++) {
        if (all[place].since > 0 && all[place].user == user) {
            found = &all[place];
            break;
        }
        if (all[place].since < found->since) found = &all[place];
    }
    if (found->since == 0 || found->user != user) *found = (struct patience){.user = user, .left = most_at_once, .since = now};
    double left = found->left + (now - found->since) * a_second;
    found->left = left < most_at_once ? left : most_at_once;
    found->since = now;
    if (found->left < 1) return false;
    found->left -= 1;
    return true;
}

static void welcome(struct lws_vhost *host, int connection) {
    uid_t user;
    if (!peer_user(settings.diag, connection, &user)) {
        record(warning, "a connection was refused: %s", errno == ENOENT ? "its process is gone" : strerror(errno));
        close(connection);
        return;
    }
    if (!has_patience(user)) {
        record(warning, "user %u was refused: too many connections in a second", (unsigned)user);
        close(connection);
        return;
    }
    if (connections(true, 0) >= settings.total || connections(false, user) >= settings.per_user) {
        record(warning, "user %u was refused: too many connections", (unsigned)user);
        close(connection);
        return;
    }
    struct visitor *visitor = malloc(sizeof *visitor);
    if (visitor == NULL) {
        close(connection);
        return;
    }
    *visitor = (struct visitor){.user = user, .next = visitors};
    struct lws *web = lws_adopt_socket_vhost(host, connection);
    if (web == NULL) {
        free(visitor);
        return;
    }
    visitors = visitor;
    lws_set_opaque_user_data(web, visitor);
}

void door_forget(struct visitor *gone) {
    for (struct visitor **place = &visitors; *place != NULL; place = &(*place)->next) {
        if (*place != gone) continue;
        *place = gone->next;
        free(gone);
        return;
    }
}

int door_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    (void)user, (void)in, (void)size;
    // A page may ask for this protocol by its name, too.
    if (reason == LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION) return -1;
    if (reason != LWS_CALLBACK_RAW_RX_FILE) return 0;
    for (int count = 0; count < 16; count++) {
        int connection = accept4(lws_get_socket_fd(wsi), NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (connection < 0) break;
        welcome(lws_get_vhost(wsi), connection);
    }
    return 0;
}

bool gateway_listen(struct lws_vhost *host, int listener) {
    lws_sock_file_fd_type descriptor = {.filefd = listener};
    return lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, descriptor, "door", NULL) != NULL;
}
