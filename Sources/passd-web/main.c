// passd-web: serves passd's JSON-RPC to web apps on this box, over WebSockets on loopback. docs/decisions/0021.

#include "gateway.h"
#include "peer.h"
#include "record.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { default_port = 8643, bad_usage = 64, unavailable = 69, first_passed = 3 };

static const char help[] =
    "usage: passd-web [--socket PATH] [--port PORT] [--connections-per-user N] [--connections N] [--message-size BYTES]\n"
    "Lets web apps on this box reach passd over WebSockets on 127.0.0.1 and ::1. See passd-web(8).\n\n"
    "  --socket PATH             passd's socket (default: /run/passd/passd.sock)\n"
    "  --port PORT               where to listen, unless systemd passes the sockets (default: 8643; 0: any free port)\n"
    "  --connections-per-user N  the max number of connections of one user (default: 64)\n"
    "  --connections N           the max number of connections of all users (default: 256)\n"
    "  --message-size BYTES      the max size of a message from a page (default: 1048576)\n"
    "  --help, --version\n";

static volatile sig_atomic_t must_end;
static struct lws_context *context;

static void stop(int number) {
    (void)number;
    must_end = 1;
    lws_cancel_service(context);
}

static void relay(int level, const char *line) {
    record(level == LLL_ERR ? error : warning, the_gateway, "%.*s", (int)strcspn(line, "\n"), line);
}

static size_t count(const char *text, const char *name, size_t least, size_t most) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && number >= least && number <= most)
        return (size_t)number;
    fprintf(stderr, "passd-web: %s %s: expected a number from %zu to %zu\n", name, text, least, most);
    exit(bad_usage);
}

// Makes a listening socket on the loopback address of this family. Returns -1 with errno if that fails.
static int listener(int family, uint16_t port) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_loopback};
    int number = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (number < 0) return -1;
    int on = 1;
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    int outcome = family == AF_INET ? bind(number, (struct sockaddr *)&v4, sizeof v4)
                                    : bind(number, (struct sockaddr *)&v6, sizeof v6);
    if (outcome == 0 && listen(number, 64) == 0) return number;
    int fault = errno;
    close(number);
    errno = fault;
    return -1;
}

// The number of sockets that systemd has passed.
static int passed(void) {
    const char *process = getenv("LISTEN_PID"), *number = getenv("LISTEN_FDS");
    if (process == NULL || number == NULL || strtol(process, NULL, 10) != getpid()) return 0;
    return (int)count(number, "LISTEN_FDS", 0, 16);
}

static bool listen_everywhere(struct lws_vhost *host, uint16_t port) {
    int sockets = passed();
    for (int place = 0; place < sockets; place++) {
        fcntl(first_passed + place, F_SETFD, FD_CLOEXEC);
        fcntl(first_passed + place, F_SETFL, fcntl(first_passed + place, F_GETFL) | O_NONBLOCK);
        if (!gateway_listen(host, first_passed + place)) return false;
    }
    if (sockets > 0) return true;
    int v4 = listener(AF_INET, port);
    if (v4 < 0 || !gateway_listen(host, v4)) {
        record(error, the_gateway, "127.0.0.1:%u: %s", port, strerror(errno));
        return false;
    }
    struct sockaddr_in chosen;
    socklen_t size = sizeof chosen;
    if (port == 0 && getsockname(v4, (struct sockaddr *)&chosen, &size) == 0) port = ntohs(chosen.sin_port);
    record(notice, the_gateway, "listening at ws://127.0.0.1:%u", port);
    // A box may have no IPv6.
    int v6 = listener(AF_INET6, port);
    if (v6 >= 0) return gateway_listen(host, v6);
    record(notice, the_gateway, "[::1]:%u: %s", port, strerror(errno));
    return true;
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"socket", required_argument, NULL, 's'}, {"port", required_argument, NULL, 'p'},
        {"connections-per-user", required_argument, NULL, 'u'}, {"connections", required_argument, NULL, 'c'},
        {"message-size", required_argument, NULL, 'm'}, {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'}, {0},
    };
    settings = (struct settings){.socket = "/run/passd/passd.sock", .per_user = 64, .total = 256, .message_size = 1 << 20};
    uint16_t port = default_port;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 's': settings.socket = optarg; break;
        case 'p': port = (uint16_t)count(optarg, "--port", 0, 65535); break;
        case 'u': settings.per_user = (unsigned)count(optarg, "--connections-per-user", 1, 4096); break;
        case 'c': settings.total = (unsigned)count(optarg, "--connections", 4, 4096); break;
        case 'm': settings.message_size = count(optarg, "--message-size", 4096, 64 << 20); break;
        case 'h': fputs(help, stdout); return 0;
        case 'v': puts("passd-web " PASSD_VERSION); return 0;
        default: fputs(help, stderr); return bad_usage;
        }
    }
    if (optind < argc || settings.socket[0] != '/' || strlen(settings.socket) >= sizeof((struct sockaddr_un *)0)->sun_path) {
        fputs(optind < argc ? help : "passd-web: --socket: expected an absolute path of at most 107 bytes\n", stderr);
        return bad_usage;
    }
    // Each page needs two descriptors: its web socket and a connection to passd.
    struct rlimit descriptors;
    if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_cur < 2 * settings.total + 32) {
        fprintf(stderr, "passd-web: --connections %u: needs %u descriptors, and LimitNOFILE allows %llu\n", settings.total,
            2 * settings.total + 32, (unsigned long long)descriptors.rlim_cur);
        return bad_usage;
    }
    // Returns large buffers to the kernel, because the C library would otherwise keep them.
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    settings.diag = peer_open();
    if (settings.diag < 0) {
        record(error, the_gateway, "the kernel does not report the users of connections (sock_diag): %s", strerror(errno));
        return unavailable;
    }
    lws_set_log_level(LLL_ERR, relay);
    // No pings are sent. Both ends are on this machine, so the kernel reports when a page's process has ended. A suspended
    // browser and a page that does not read must keep their connections.
    static const lws_retry_bo_t no_pings = {0};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER, .protocols = protocols, .retry_and_idle_policy = &no_pings,
        // libwebsockets also stores unknown headers, with a few more bytes for each header.
        .max_http_header_data = max_head + (8 << 10),
        .timeout_secs = max_greeting, .timeout_secs_ah_idle = max_greeting,
        .options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_EXPLICIT_VHOSTS, .fd_limit_per_thread = 16384,
        .server_string = "passd-web",
    };
    context = lws_create_context(&info);
    struct lws_vhost *host = context == NULL ? NULL : lws_create_vhost(context, &info);
    if (host == NULL || !listen_everywhere(host, port)) return unavailable;
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    signal(SIGPIPE, SIG_IGN);
    while (must_end == 0 && lws_service(context, 0) >= 0) continue;
    lws_context_destroy(context);
    // The service manager restarts the service if it exits.
    return must_end != 0 ? 0 : unavailable;
}
