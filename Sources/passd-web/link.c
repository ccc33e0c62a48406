// One page's connection to passd. The gateway's first message to passd is the claim, which names the web app. On the page's
// side, a message is a text frame. On passd's side, a message has a Content-Length, so that a line end in it does not begin a
// second message. The page's messages go to passd only after passd has accepted the web app. If passd closes the connection,
// its last messages stay in the socket until the page has read the earlier messages.

#include "link.h"

#include "page.h"
#include "record.h"
#include "unit.h"
#include "verdict.h"
#include "visitors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// The max size of a message from passd. Larger messages do not occur, because passd closes a connection with more than 4 MiB of
// unread answers. For a moment, a message is stored twice, with room to grow. The memory limit of one user must be large enough
// for two such messages.
enum { max_answer = 5 << 20 };

bool link_put(struct link *link, const char *bytes, size_t size) {
    char header[48];
    int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", size);
    if (!buffer_add(&link->output, header, (size_t)length) || !buffer_add(&link->output, bytes, size)) return false;
    if (buffer_size(&link->output) > page_max_held(link->page)) page_pause(link->page);
    lws_callback_on_writable(link->raw);
    return true;
}

static void forget(struct link *link) {
    if (link->rest >= 0) close(link->rest);
    buffer_clear(&link->input);
    buffer_clear(&link->output);
    link->page->link = NULL;
    free(link);
}

// The data of libwebsockets for a connection: the address of the link. NULL if the link has ended.
static struct link **place(struct lws *raw) { return lws_wsi_user(raw); }

void link_hang_up(struct page *page) {
    struct link *link = page->link;
    if (link == NULL) return;
    if (!page->is_named && page->ending == 0 && !page->visitor->is_evicted) note_unanswered(page->visitor, page->origin);
    if (link->raw != NULL) {
        *place(link->raw) = NULL;
        lws_set_timeout(link->raw, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    }
    forget(link);
}

// Writes the claim's member with the unit's name. The backslash is the only character of this name that needs escaping.
static void put_member(char *member, const char *unit) {
    char *end = stpcpy(member, ",\"unit\":\"");
    for (; *unit != '\0'; unit++) {
        if (*unit == '\\') *end++ = '\\';
        *end++ = *unit;
    }
    strcpy(end, "\"");
}

// Queues the claim. Returns false if there is no memory.
static bool claim(struct page *page) {
    char unit[max_unit_name], member[2 * max_unit_name + 16] = "", call[512 + sizeof member];
    if (unit_of_group(page->visitor->group, unit)) put_member(member, unit);
    int size = snprintf(call, sizeof call,
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"passd.speakFor\",\"params\":{\"origin\":\"%s\",\"uid\":%u%s}}",
        page->origin, (unsigned)page->visitor->user, member);
    if (!link_put(page->link, call, (size_t)size)) return false;
    page->link->claim = buffer_size(&page->link->output);
    return true;
}

enum dialing link_dial(struct page *page) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, settings.socket, strlen(settings.socket) + 1);
    int number = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (number < 0) return is_unreachable;
    if (connect(number, (struct sockaddr *)&address, sizeof address) != 0) {
        bool is_later = errno == EAGAIN;
        if (!is_later) record(warning, the_gateway, "passd cannot be reached at %s: %s", settings.socket, strerror(errno));
        close(number);
        return is_later ? is_full : is_unreachable;
    }
    lws_sock_file_fd_type descriptor = {.filefd = number};
    struct lws *raw =
        lws_adopt_descriptor_vhost(lws_get_vhost(page->web), LWS_ADOPT_RAW_FILE_DESC, descriptor, "passd", NULL);
    if (raw == NULL) return is_unreachable;
    struct link *link = malloc(sizeof *link);
    if (link == NULL) {
        lws_set_timeout(raw, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
        return is_unreachable;
    }
    *link = (struct link){.raw = raw, .rest = -1, .page = page};
    *place(raw) = page->link = link;
    return claim(page) ? is_dialed : is_unreachable;
}

// Begins to pass messages on, after passd has accepted the claim. The claim's id is null, so that passd's error about the claim
// belongs to no call of the page.
static void begin(struct page *page) {
    note_accepted(page->visitor, page->origin);
    if (!visitor_accept(page->visitor)) return page_end(page, close_later, "too many connections");
    page->is_named = true;
    lws_set_timeout(page->web, NO_PENDING_TIMEOUT, 0);
    page_resume(page);
    // Also passes on the messages that the page has sent in the meantime.
    if (page->link->raw != NULL) lws_callback_on_writable(page->link->raw);
}

// Ends the page, because passd has not accepted the claim.
static void end(struct page *page, bool is_denied, const char *answer, size_t size) {
    record(notice, page->visitor->user, "user %u, origin %s: passd refused it", (unsigned)page->visitor->user, page->origin);
    if (is_denied) note_denied(page->visitor, page->origin, answer, size);
    page_refuse(page, is_denied);
}

// Takes a message from passd. Returns false if there is no memory.
static bool hear(struct page *page, const char *bytes, size_t size) {
    if (page->is_named) return page_put(page, bytes, size);
    enum verdict verdict = verdict_in(bytes, size);
    if (verdict == is_accepted) {
        begin(page);
        return true;
    }
    if (!page_put(page, bytes, size)) return false;
    end(page, verdict == is_denied, bytes, size);
    return true;
}

// Takes the complete messages. Returns false for malformed or too large input, or if there is no memory.
static bool hear_all(struct link *link) {
    static const char name[] = "Content-Length: ";
    while (buffer_size(&link->input) > 0 && link->page->ending == 0) {
        char *start = link->input.bytes + link->input.first;
        size_t there = buffer_size(&link->input);
        char *blank = memmem(start, there, "\r\n\r\n", 4);
        if (blank == NULL) return there < 256;
        if ((size_t)(blank - start) < sizeof name || memcmp(start, name, sizeof name - 1) != 0) return false;
        char *stop;
        unsigned long size = strtoul(start + sizeof name - 1, &stop, 10);
        if (stop != blank) return false;
        if (size > max_answer) {
            record(error, the_gateway, "passd sends a message of %lu bytes, which is too long", size);
            return false;
        }
        size_t header = (size_t)(blank - start) + 4;
        if (there - header < size) return true;
        if (!hear(link->page, blank + 4, size)) return false;
        buffer_drop(&link->input, header + size);
    }
    return true;
}

enum news { no_more_now, more_later, page_is_behind, is_over };

// Reads the available input, up to a limit.
static enum news receive(struct link *link, int connection) {
    for (int round = 0; round < 16; round++) {
        if (buffer_size(&link->page->answers) > max_waiting) return page_is_behind;
        char *bytes = buffer_extend(&link->input, 64 << 10);
        if (bytes == NULL) return is_over;
        ssize_t count = recv(connection, bytes, 64 << 10, MSG_DONTWAIT);
        if (count < 0) {
            // An idle connection needs no buffer.
            if (buffer_size(&link->input) == 0) buffer_clear(&link->input);
            return errno == EAGAIN ? no_more_now : errno == EINTR ? more_later : is_over;
        }
        if (count == 0) return is_over;
        link->input.end += (size_t)count;
        if (!hear_all(link)) return is_over;
    }
    return more_later;
}

static bool transmit(struct link *link) {
    bool is_named = link->page->is_named;
    size_t left = is_named ? buffer_size(&link->output) : link->claim;
    while (left > 0) {
        ssize_t count = send(lws_get_socket_fd(link->raw), link->output.bytes + link->output.first, left,
            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0) {
            if (errno != EAGAIN && errno != EINTR) return false;
            // The next write is requested a moment later, because libwebsockets 4.1 forgets a request during a write.
            lws_set_timer_usecs(link->raw, 1);
            break;
        }
        buffer_drop(&link->output, (size_t)count);
        left -= (size_t)count;
        if (!is_named) link->claim = left;
    }
    if (is_named && buffer_size(&link->output) <= max_waiting / 2) page_resume(link->page);
    return true;
}

// After passd has closed, continues to read the data in the socket. No new data can arrive, so an empty read means the end.
static void read_rest(struct link *link) {
    struct page *page = link->page;
    enum news news;
    do news = receive(link, link->rest);
    while (news == more_later);
    if (news == page_is_behind) return;
    forget(link);
    // If passd closes before it answers the claim, the reason is unknown, because passd sends it in another framing or not at
    // all. One possible reason is too many connections.
    if (page->is_named) page_end(page, close_restart, "passd has closed the connection");
    else page_end(page, close_later, "passd has closed the connection before it answered");
}

// Keeps a copy of the descriptor, because libwebsockets closes its own descriptor even during a pause of reading.
static void keep_rest(struct link *link) {
    link->rest = fcntl(lws_get_socket_fd(link->raw), F_DUPFD_CLOEXEC, 0);
    link->raw = NULL;
    buffer_clear(&link->output);
    buffer_clear(&link->page->message);
    // Further input from the page is read and dropped.
    page_resume(link->page);
    read_rest(link);
}

void link_resume(struct link *link) {
    if (link->raw != NULL) lws_rx_flow_control(link->raw, 1);
    else read_rest(link);
}

int link_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    (void)in, (void)size;
    // This protocol is not for pages. A page that requests the protocol by name is refused.
    if (reason == LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION) return -1;
    struct link *link = user == NULL ? NULL : *(struct link **)user;
    if (link == NULL) return 0;
    struct page *page = link->page;
    switch (reason) {
    case LWS_CALLBACK_RAW_RX_FILE:
        switch (receive(link, lws_get_socket_fd(wsi))) {
        case is_over: return -1;
        case page_is_behind: lws_rx_flow_control(wsi, 0); break;
        default: break;
        }
        page_weigh(page);
        return 0;
    case LWS_CALLBACK_RAW_WRITEABLE_FILE: return transmit(link) ? 0 : -1;
    case LWS_CALLBACK_TIMER: lws_callback_on_writable(wsi); return 0;
    case LWS_CALLBACK_RAW_CLOSE_FILE:
        keep_rest(link);
        page_weigh(page);
        return 0;
    default: return 0;
    }
}
