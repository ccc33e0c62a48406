/* The simplest server, which answers each line with the same text. Other servers are compared with it: same request, same
 * answer, no work in between. */
#include "common.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX_LINES = 1024 };

static char *answers;
static size_t answer_length;

static void prepare(const char *text) {
    char *one = reserve(strlen(text) + 1, 1);
    for (; *text; text++) {
        if (text[0] == '\\' && text[1] == 'n') one[answer_length++] = '\n', text++;
        else one[answer_length++] = *text;
    }
    answers = reserve(MAX_LINES, answer_length);
    for (size_t each = 0; each < MAX_LINES; each++) memcpy(answers + each * answer_length, one, answer_length);
    free(one);
}

static bool answer(int socket) {
    static char input[1 << 16];
    ssize_t got = recv(socket, input, sizeof input, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) return false;
    size_t lines = 0;
    for (char *at = input; (at = memchr(at, '\n', (size_t)(input + got - at))); at++) lines++;
    while (lines > 0) {
        size_t now = lines < MAX_LINES ? lines : MAX_LINES;
        for (size_t sent = 0; sent < now * answer_length;) {
            ssize_t more = send(socket, answers + sent, now * answer_length - sent, MSG_NOSIGNAL);
            if (more < 0) return false;
            sent += (size_t)more;
        }
        lines -= now;
    }
    return true;
}

int main(int count, char **arguments) {
    if (count != 3) errx(64, "usage: echo SOCKET ANSWER");
    prepare(arguments[2]);
    struct rlimit limit;
    if (!getrlimit(RLIMIT_NOFILE, &limit)) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(arguments[1]) >= sizeof address.sun_path) errx(64, "the path is too long");
    strcpy(address.sun_path, arguments[1]);
    int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), set = epoll_create1(EPOLL_CLOEXEC);
    if (door < 0 || bind(door, (struct sockaddr *)&address, sizeof address) || listen(door, 4096)) err(1, "%s", arguments[1]);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = door};
    if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, door, &event)) err(1, "epoll");
    puts("ready");
    fflush(stdout);
    for (;;) {
        struct epoll_event events[256];
        int ready = epoll_wait(set, events, 256, -1);
        for (int each = 0; each < ready; each++) {
            int socket = events[each].data.fd;
            if (socket == door) {
                event.data.fd = accept4(door, NULL, NULL, SOCK_CLOEXEC);
                if (event.data.fd < 0 || epoll_ctl(set, EPOLL_CTL_ADD, event.data.fd, &event)) warn("accept");
            } else if (!answer(socket)) close(socket);
        }
    }
}
