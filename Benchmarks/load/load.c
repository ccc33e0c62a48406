/* Clients of a server. Each client sends its request again as soon as the last request is answered, with up to --depth requests
 * at a time. Prints the connection time, and then the times of the answers.
 *
 * The requests come from the command line, so that one program can drive servers with different protocols. */
#include "client.h"
#include "common.h"
#include "samples.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { MAX_FIRST = 8, MAX_DEPTH = 1024, TIMEOUT = 30 };

struct caller {
    struct client client;
    /* The unanswered requests: their number, and the time of each. */
    unsigned waiting, oldest;
    uint64_t *sent;
};

static struct {
    struct server server;
    const char *first[MAX_FIRST];
    unsigned first_count;
    const char *request;
    unsigned clients, depth, opening;
    uint64_t calls;
    double seconds, warm, pause;
    bool reconnects, stays;
} wanted = {.server = {.answer = "", .wrong = NULL}, .clients = 1, .depth = 1, .opening = 16, .seconds = 1, .warm = 0.1};

static struct caller *callers;
static char *requests;
static size_t request_length;
static struct samples samples;
static int set;

static const char usage[] =
    "usage: load SOCKET --request TEXT [OPTION…]\n"
    "  --request TEXT      what each client sends, with its line breaks (\\r and \\n are understood)\n"
    "  --answer TEXT       a part of the line that answers a request (any line)\n"
    "  --wrong TEXT        a text that no line may have\n"
    "  --first TEXT        what each client sends first, before anything is measured; up to eight times\n"
    "  --clients N         1 to 20000 (1)\n"
    "  --depth N           requests of a client that wait at the same time (1)\n"
    "  --seconds S         how long (1)\n"
    "  --calls N           how many calls, instead of --seconds\n"
    "  --warm S            how long it runs before it measures (0.1)\n"
    "  --pause S           a single client waits S seconds before each request\n"
    "  --reconnect         a single client connects for each request, sends --first and --request, and closes\n"
    "  --opening N         clients that connect at the same time (16)\n"
    "  --users FIRST:COUNT clients connect as these users, in turn; only root can\n"
    "  --stay              waits for a line on standard input before it measures, and for its end before it closes\n";

static void watch(unsigned number) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
    if (epoll_ctl(set, EPOLL_CTL_ADD, callers[number].client.socket, &event)) err(1, "epoll_ctl");
}

static int await_events(struct epoll_event *events, int max) {
    int count = epoll_wait(set, events, max, TIMEOUT * 1000);
    if (count == 0) errx(1, "no answer within %d s", TIMEOUT);
    if (count < 0) err(1, "epoll_wait");
    return count;
}

/* Connects all clients. A client is connected when its --first request is answered. Only a few connect at the same time. */
static void open_all(void) {
    unsigned begun = 0, there = 0;
    unsigned *step = reserve(wanted.clients, sizeof *step);
    uint64_t began = now(), early = 0, late = 0;
    const unsigned tenth = wanted.clients / 10;
    while (there < wanted.clients) {
        while (begun < wanted.clients && begun - there < wanted.opening) {
            client_connect(&callers[begun].client, &wanted.server, begun);
            watch(begun);
            if (wanted.first_count) client_send(&callers[begun].client, wanted.first[0], strlen(wanted.first[0]));
            else there++;
            begun++;
        }
        struct epoll_event events[64];
        for (int each = there < wanted.clients ? await_events(events, 64) : 0; each-- > 0;) {
            unsigned number = events[each].data.u32;
            struct client *client = &callers[number].client;
            if (!client_read(client, &wanted.server, wanted.server.answer)) continue;
            if (++step[number] < wanted.first_count) {
                const char *text = wanted.first[step[number]];
                client_send(client, text, strlen(text));
                continue;
            }
            there++;
            if (there == tenth) early = now();
            if (there == wanted.clients - tenth) late = now();
        }
    }
    uint64_t end = now();
    double share = early && late ? (double)(end - late) / (double)(early - began) : 1;
    printf("{\"opened\":%u,\"seconds\":%.6f,\"last_tenth_to_first\":%.3f}\n", wanted.clients, (double)(end - began) / 1e9,
           share);
    fflush(stdout);
    free(step);
}

static void ask(struct caller *caller, unsigned count) {
    if (wanted.pause > 0) {
        struct timespec pause = {(time_t)wanted.pause, (long)((wanted.pause - (double)(time_t)wanted.pause) * 1e9)};
        nanosleep(&pause, NULL);
    }
    uint64_t at = now();
    for (unsigned each = 0; each < count; each++)
        caller->sent[(caller->oldest + caller->waiting++) % wanted.depth] = at;
    client_send(&caller->client, requests, request_length * count);
}

/* All clients send requests until the time or the number of calls is over, and then wait for their last answers. */
static double run(double seconds, uint64_t calls, bool records) {
    uint64_t began = now(), end = calls ? UINT64_MAX : began + (uint64_t)(seconds * 1e9), left = calls ? calls : UINT64_MAX;
    uint64_t waiting = 0;
    for (unsigned number = 0; number < wanted.clients; number++) {
        unsigned count = left < wanted.depth ? (unsigned)left : wanted.depth;
        if (count) ask(&callers[number], count);
        left -= count;
        waiting += count;
    }
    while (waiting) {
        struct epoll_event events[256];
        int ready = await_events(events, 256);
        for (int each = 0; each < ready; each++) {
            struct caller *caller = &callers[events[each].data.u32];
            unsigned answers = client_read(&caller->client, &wanted.server, wanted.server.answer);
            uint64_t at = now();
            if (answers > caller->waiting) errx(1, "more answers than requests");
            for (unsigned answer = 0; answer < answers; answer++) {
                if (records) samples_add(&samples, at - caller->sent[caller->oldest]);
                caller->oldest = (caller->oldest + 1) % wanted.depth;
            }
            caller->waiting -= answers;
            waiting -= answers;
            unsigned next = at >= end ? 0 : left < answers ? (unsigned)left : answers;
            if (next) ask(caller, next);
            left -= next;
            waiting += next;
        }
    }
    return (double)(now() - began) / 1e9;
}

/* Connects, sends a request and closes, one connection after the other. */
static double run_reconnecting(uint64_t calls) {
    uint64_t began = now();
    for (uint64_t each = 0; each < calls; each++) {
        uint64_t at = now();
        struct client client;
        client_connect(&client, &wanted.server, (unsigned)each);
        for (unsigned step = 0; step < wanted.first_count; step++) {
            client_send(&client, wanted.first[step], strlen(wanted.first[step]));
            client_await(&client, &wanted.server, wanted.server.answer);
        }
        client_send(&client, requests, request_length);
        client_await(&client, &wanted.server, wanted.server.answer);
        client_close(&client);
        samples_add(&samples, now() - at);
    }
    return (double)(now() - began) / 1e9;
}

static void await_line(void) {
    for (int byte; (byte = getchar()) != '\n';)
        if (byte == EOF) exit(0);
}

/* Replaces \r and \n with line breaks. */
static char *unescaped(const char *text) {
    char *copy = reserve(strlen(text) + 1, 1), *to = copy;
    for (; *text; text++) {
        if (text[0] == '\\' && text[1] == 'n') *to++ = '\n', text++;
        else if (text[0] == '\\' && text[1] == 'r') *to++ = '\r', text++;
        else *to++ = *text;
    }
    return copy;
}

static void parse(int count, char **arguments) {
    enum { REQUEST = 256, ANSWER, WRONG, FIRST, CLIENTS, DEPTH, SECONDS, CALLS, WARM, PAUSE, RECONNECT, OPENING, USERS, STAY, HELP };
    static const struct option options[] = {
        {"request", 1, 0, REQUEST}, {"answer", 1, 0, ANSWER}, {"wrong", 1, 0, WRONG}, {"first", 1, 0, FIRST},
        {"clients", 1, 0, CLIENTS}, {"depth", 1, 0, DEPTH}, {"seconds", 1, 0, SECONDS}, {"calls", 1, 0, CALLS},
        {"warm", 1, 0, WARM}, {"pause", 1, 0, PAUSE}, {"reconnect", 0, 0, RECONNECT}, {"opening", 1, 0, OPENING},
        {"users", 1, 0, USERS}, {"stay", 0, 0, STAY}, {"help", 0, 0, HELP}, {0, 0, 0, 0}};
    for (int each, at; (each = getopt_long(count, arguments, "", options, &at)) != -1;) {
        const char *name = each == '?' ? "" : options[at].name;
        switch (each) {
        case REQUEST: wanted.request = unescaped(optarg); break;
        case ANSWER: wanted.server.answer = optarg; break;
        case WRONG: wanted.server.wrong = optarg; break;
        case FIRST:
            if (wanted.first_count == MAX_FIRST) errx(64, "--first: at most %d", MAX_FIRST);
            wanted.first[wanted.first_count++] = unescaped(optarg);
            break;
        case CLIENTS: wanted.clients = (unsigned)number(optarg, 1, 20000, name); break;
        case DEPTH: wanted.depth = (unsigned)number(optarg, 1, MAX_DEPTH, name); break;
        case SECONDS: wanted.seconds = number(optarg, 0, 3600, name); break;
        case CALLS: wanted.calls = (uint64_t)number(optarg, 1, 1e9, name); break;
        case WARM: wanted.warm = number(optarg, 0, 60, name); break;
        case PAUSE: wanted.pause = number(optarg, 0, 10, name); break;
        case RECONNECT: wanted.reconnects = true; break;
        case OPENING: wanted.opening = (unsigned)number(optarg, 1, 20000, name); break;
        case USERS: parse_users(&wanted.server, optarg); break;
        case STAY: wanted.stays = true; break;
        case HELP: fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(64);
        }
    }
    if (optind != count - 1 || !wanted.request) {
        fputs(usage, stderr);
        exit(64);
    }
    wanted.server.path = arguments[optind];
    if ((wanted.pause > 0 || wanted.reconnects) && wanted.clients * wanted.depth != 1)
        errx(64, "--pause and --reconnect are for a single client with a depth of one");
    if (wanted.reconnects && !wanted.calls) errx(64, "--reconnect needs --calls");
}

int main(int count, char **arguments) {
    parse(count, arguments);
    raise_descriptor_limit();
    request_length = strlen(wanted.request);
    requests = reserve(request_length, wanted.depth);
    for (unsigned each = 0; each < wanted.depth; each++)
        memcpy(requests + each * request_length, wanted.request, request_length);
    if (wanted.reconnects) {
        samples_print(&samples, run_reconnecting(wanted.calls));
        return 0;
    }
    set = epoll_create1(EPOLL_CLOEXEC);
    if (set < 0) err(1, "epoll_create1");
    callers = reserve(wanted.clients, sizeof *callers);
    uint64_t *sent = reserve((size_t)wanted.clients * wanted.depth, sizeof *sent);
    for (unsigned each = 0; each < wanted.clients; each++) callers[each].sent = sent + (size_t)each * wanted.depth;
    open_all();
    if (wanted.warm > 0) run(wanted.warm, 0, false);
    if (wanted.stays) {
        puts("{\"is_warm\":true}");
        fflush(stdout);
        await_line();
    }
    double took = wanted.seconds > 0 || wanted.calls ? run(wanted.seconds, wanted.calls, true) : 0;
    samples_print(&samples, took);
    if (wanted.stays) await_line();
    return 0;
}
