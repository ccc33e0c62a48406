/* Measures how long an event takes to reach all subscribers. Subscribers stay connected. In each round, a client connects and
 * sends a request, if there is one; the time ends when the last subscriber has the event. */
#include "client.h"
#include "common.h"
#include "samples.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { TIMEOUT = 30 };

static struct {
    struct server server;
    const char *subscribe, *event, *request;
    unsigned subscribers, rounds;
} wanted = {.subscribers = 100, .rounds = 20, .server = {.answer = ""}};

static const char usage[] =
    "usage: fanout SOCKET --subscribe LINE --answer TEXT --event TEXT [OPTION…]\n"
    "  --subscribe LINE    what each subscriber sends, without its line break\n"
    "  --answer TEXT       a part of the line that confirms the subscription\n"
    "  --event TEXT        a part of the event's line\n"
    "  --request LINE      the request that causes the event; without one, the connection itself is the cause\n"
    "  --wrong TEXT        a text that no line may have\n"
    "  --subscribers N     1 to 1000 (100)\n"
    "  --rounds N          how often (20)\n"
    "  --users FIRST:COUNT clients connect as these users, in turn; only root can\n";

static void parse(int count, char **arguments) {
    enum { SUBSCRIBE = 256, ANSWER, EVENT, REQUEST, WRONG, SUBSCRIBERS, ROUNDS, USERS };
    static const struct option options[] = {
        {"subscribe", 1, 0, SUBSCRIBE}, {"answer", 1, 0, ANSWER}, {"event", 1, 0, EVENT}, {"request", 1, 0, REQUEST},
        {"wrong", 1, 0, WRONG}, {"subscribers", 1, 0, SUBSCRIBERS}, {"rounds", 1, 0, ROUNDS}, {"users", 1, 0, USERS},
        {0, 0, 0, 0}};
    for (int each, at; (each = getopt_long(count, arguments, "", options, &at)) != -1;) {
        switch (each) {
        case SUBSCRIBE: wanted.subscribe = optarg; break;
        case ANSWER: wanted.server.answer = optarg; break;
        case EVENT: wanted.event = optarg; break;
        case REQUEST: wanted.request = optarg; break;
        case WRONG: wanted.server.wrong = optarg; break;
        case SUBSCRIBERS: wanted.subscribers = (unsigned)number(optarg, 1, 1000, options[at].name); break;
        case ROUNDS: wanted.rounds = (unsigned)number(optarg, 1, 10000, options[at].name); break;
        case USERS: parse_users(&wanted.server, optarg); break;
        default: fputs(usage, stderr); exit(64);
        }
    }
    if (optind != count - 1 || !wanted.subscribe || !wanted.event) {
        fputs(usage, stderr);
        exit(64);
    }
    wanted.server.path = arguments[optind];
}

static void say(struct client *client, const char *line) {
    size_t length = strlen(line);
    char *whole = reserve(length + 1, 1);
    memcpy(whole, line, length);
    whole[length] = '\n';
    client_send(client, whole, length + 1);
    free(whole);
}

int main(int count, char **arguments) {
    parse(count, arguments);
    raise_descriptor_limit();
    static struct samples samples;
    struct client *subscribers = reserve(wanted.subscribers, sizeof *subscribers);
    int set = epoll_create1(EPOLL_CLOEXEC);
    if (set < 0) err(1, "epoll_create1");
    for (unsigned each = 0; each < wanted.subscribers; each++) {
        client_connect(&subscribers[each], &wanted.server, each);
        say(&subscribers[each], wanted.subscribe);
        client_await(&subscribers[each], &wanted.server, wanted.server.answer);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = each};
        if (epoll_ctl(set, EPOLL_CTL_ADD, subscribers[each].socket, &event)) err(1, "epoll_ctl");
    }
    uint64_t began = now();
    for (unsigned round = 0; round < wanted.rounds; round++) {
        uint64_t at = now();
        struct client cause;
        client_connect(&cause, &wanted.server, round);
        if (wanted.request) say(&cause, wanted.request);
        for (unsigned heard = 0; heard < wanted.subscribers;) {
            struct epoll_event events[256];
            int ready = epoll_wait(set, events, 256, TIMEOUT * 1000);
            if (ready == 0) errx(1, "%u of %u subscribers have heard nothing within %d s", wanted.subscribers - heard,
                                 wanted.subscribers, TIMEOUT);
            for (int each = 0; each < ready; each++)
                heard += client_read(&subscribers[events[each].data.u32], &wanted.server, wanted.event);
        }
        samples_add(&samples, now() - at);
        client_close(&cause);
        /* Later events, such as the end of the connection, belong to no round. */
        struct timespec pause = {.tv_nsec = 5000000};
        nanosleep(&pause, NULL);
    }
    samples_print(&samples, (double)(now() - began) / 1e9);
    return 0;
}
