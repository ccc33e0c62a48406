#include "client.h"
#include "common.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { ROOM = 1 << 18, TIMEOUT = 30 };

static char room[ROOM];

static void become(uid_t user) {
    if (seteuid(user)) err(1, "cannot become user %u (only root can)", user);
}

void client_connect(struct client *client, const struct server *server, unsigned number) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(server->path) >= sizeof address.sun_path) errx(64, "the path of the socket is too long");
    strcpy(address.sun_path, server->path);
    memset(client, 0, sizeof *client);
    client->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client->socket < 0) err(1, "socket");
    struct timeval timeout = {.tv_sec = TIMEOUT};
    setsockopt(client->socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    if (server->users) become(server->first_user + number % server->users);
    if (connect(client->socket, (struct sockaddr *)&address, sizeof address)) err(1, "connect");
    if (server->users) become(getuid());
}

void client_close(struct client *client) {
    close(client->socket);
    free(client->kept);
    client->kept = NULL;
}

void client_send(struct client *client, const char *text, size_t length) {
    while (length > 0) {
        ssize_t sent = send(client->socket, text, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) err(1, "send");
        text += sent;
        length -= (size_t)sent;
    }
}

static bool has(const char *line, size_t length, const char *text) {
    return text && memmem(line, length, text, strlen(text));
}

unsigned client_read(struct client *client, const struct server *server, const char *wanted) {
    size_t held = client->kept_length;
    if (held) memcpy(room, client->kept, held);
    ssize_t got = recv(client->socket, room + held, ROOM - held, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (got < 0) err(1, "recv");
    if (got == 0) errx(1, "the server has closed a connection");
    size_t length = held + (size_t)got;
    unsigned found = 0;
    char *line = room, *end;
    while ((end = memchr(line, '\n', length - (size_t)(line - room)))) {
        size_t size = (size_t)(end - line);
        if (has(line, size, server->wrong)) errx(1, "the server says: %.*s", (int)size, line);
        found += has(line, size, wanted);
        line = end + 1;
    }
    size_t left = length - (size_t)(line - room);
    if (left == ROOM) errx(1, "a line has more than %d bytes", ROOM);
    if (left > held) {
        client->kept = realloc(client->kept, left);
        if (!client->kept) errx(1, "out of memory");
    }
    if (left) memcpy(client->kept, line, left);
    client->kept_length = left;
    if (!left && client->kept) {
        free(client->kept);
        client->kept = NULL;
    }
    return found;
}

void client_await(struct client *client, const struct server *server, const char *wanted) {
    do {
        struct pollfd ready = {.fd = client->socket, .events = POLLIN};
        if (poll(&ready, 1, TIMEOUT * 1000) == 0) errx(1, "no answer within %d s", TIMEOUT);
    } while (!client_read(client, server, wanted));
}

void raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

void parse_users(struct server *server, const char *text) {
    if (sscanf(text, "%u:%u", &server->first_user, &server->users) != 2 || !server->users)
        errx(64, "--users: expected FIRST:COUNT, found \"%s\"", text);
}
