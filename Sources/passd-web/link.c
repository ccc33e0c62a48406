// A message is a text frame on the page's side and has a Content-Length on passd's, so a line end in it makes no second
// message. Nothing of the page goes to passd before passd has accepted for whom the connection speaks.

#include "link.h"

#include "page.h"
#include "record.h"
#include "unit.h"
#include "visitors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// passd itself gives up a client for whom more than 4 MiB wait.
enum { most_answer = 64 << 20 };

bool link_put(struct link *link, const char *bytes, size_t size) {
    char header[48];
    int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", size);
    if (!buffer_add(&link->output, header, (size_t)length) || !buffer_add(&link->output, bytes, size)) return false;
    if (buffer_size(&link->output) > most_waiting) page_pause(link->page);
    lws_callback_on_writable(link->raw);
    return true;
}

void link_hang_up(struct page *page) {
    struct link *link = page->link;
    if (link == NULL) return;
    page->link = NULL;
    link->page = NULL;
    buffer_clear(&link->input);
    buffer_clear(&link->output);
    lws_set_timeout(link->raw, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

// A backslash is all that has to be escaped in the name of a unit.
static void put_member(char *member, const char *unit) {
    char *end = stpcpy(member, ",\"unit\":\"");
    for (; *unit != '\0'; unit++) {
        if (*unit == '\\') *end++ = '\\';
        *end++ = *unit;
    }
    strcpy(end, "\"");
}

// Says for whom the connection speaks.
static bool claim(struct page *page) {
    char unit[most_unit_name], member[2 * most_unit_name + 16] = "", call[512 + sizeof member];
    if (unit_of_group(page->visitor->group, unit)) put_member(member, unit);
    int size = snprintf(call, sizeof call,
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"passd.speakFor\",\"params\":{\"origin\":\"%s\",\"uid\":%u%s}}",
        page->origin, (unsigned)page->visitor->user, member);
    return link_put(page->link, call, (size_t)size);
}

bool link_dial(struct page *page) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, settings.socket, strlen(settings.socket) + 1);
    int number = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (number < 0) return false;
    if (connect(number, (struct sockaddr *)&address, sizeof address) != 0) {
        record(warning, "passd cannot be reached at %s: %s", settings.socket, strerror(errno));
        close(number);
        return false;
    }
    lws_sock_file_fd_type descriptor = {.filefd = number};
    struct lws *raw =
        lws_adopt_descriptor_vhost(lws_get_vhost(page->web), LWS_ADOPT_RAW_FILE_DESC, descriptor, "passd", NULL);
    if (raw == NULL) return false;
    page->link = lws_wsi_user(raw);
    *page->link = (struct link){.raw = raw, .page = page};
    return claim(page);
}

// The claim has no id of its own: an error, which the page gets, belongs to none of its calls then.
static const char accepted[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}";

// Takes a message of passd's. False if there is no memory.
static bool hear(struct page *page, const char *bytes, size_t size) {
    if (!page->is_named && size == sizeof accepted - 1 && memcmp(bytes, accepted, size) == 0) {
        page->is_named = true;
        note_accepted(page->visitor->user, page->origin);
        lws_set_timeout(page->web, NO_PENDING_TIMEOUT, 0);
        page_resume(page);
        return true;
    }
    char *place = buffer_extend(&page->answers, LWS_PRE + size);
    if (place == NULL) return false;
    memcpy(place, &size, sizeof size);
    memcpy(place + LWS_PRE, bytes, size);
    page->answers.end += LWS_PRE + size;
    if (!page->is_named) {
        bool is_denied = memmem(bytes, size, "\"code\":\"DENIED\"", 15) != NULL;
        record(notice, "user %u, origin %s: passd refused it", (unsigned)page->visitor->user, page->origin);
        page_end(page, is_denied ? close_denied : close_later, is_denied ? "no app of this box" : "passd has no room");
    }
    lws_callback_on_writable(page->web);
    return true;
}

// Takes the messages that are complete. False if that is not what passd sends.
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
        if (stop != blank || size > most_answer) return false;
        size_t header = (size_t)(blank - start) + 4;
        if (there - header < size) return true;
        if (!hear(link->page, blank + 4, size)) return false;
        buffer_drop(&link->input, header + size);
    }
    return true;
}

// Reads what is there. False at the end, and on any fault.
static bool receive(struct link *link) {
    for (int round = 0; round < 16; round++) {
        char *place = buffer_extend(&link->input, 64 << 10);
        if (place == NULL) return false;
        ssize_t count = recv(lws_get_socket_fd(link->raw), place, 64 << 10, MSG_DONTWAIT);
        if (count < 0) {
            // An idle connection keeps no memory.
            if (buffer_size(&link->input) == 0) buffer_clear(&link->input);
            return errno == EAGAIN || errno == EINTR;
        }
        if (count == 0) return false;
        link->input.end += (size_t)count;
        if (!hear_all(link)) return false;
        if (buffer_size(&link->page->answers) > most_waiting) {
            lws_rx_flow_control(link->raw, 0);
            return true;
        }
    }
    return true;
}

static bool transmit(struct link *link) {
    while (buffer_size(&link->output) > 0) {
        ssize_t count = send(lws_get_socket_fd(link->raw), link->output.bytes + link->output.first,
            buffer_size(&link->output), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0) {
            if (errno != EAGAIN && errno != EINTR) return false;
            // libwebsockets 4.1 forgets who asks to write while it lets him write, so that is asked a moment later.
            lws_set_timer_usecs(link->raw, 1);
            break;
        }
        buffer_drop(&link->output, (size_t)count);
    }
    if (buffer_size(&link->output) <= most_waiting / 2 && link->page->is_named) page_resume(link->page);
    return true;
}

int link_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    (void)in, (void)size;
    struct link *link = user;
    // A page may ask for this protocol by its name, too.
    if (reason == LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION) return -1;
    if (link == NULL || (link->page == NULL && reason != LWS_CALLBACK_RAW_CLOSE_FILE)) return 0;
    switch (reason) {
    case LWS_CALLBACK_RAW_RX_FILE:
        if (!receive(link)) return -1;
        page_weigh(link->page);
        return 0;
    case LWS_CALLBACK_RAW_WRITEABLE_FILE: return transmit(link) ? 0 : -1;
    case LWS_CALLBACK_TIMER: lws_callback_on_writable(wsi); return 0;
    case LWS_CALLBACK_RAW_CLOSE_FILE:
        if (link->page != NULL) {
            struct page *page = link->page;
            page->link = NULL;
            // Whom passd has no room for learns it in another framing, or not at all; nor is more known if it has ended.
            if (page->is_named) page_end(page, close_restart, "passd has closed the connection");
            else page_end(page, close_later, "passd has closed the connection before it answered");
        }
        buffer_clear(&link->input);
        buffer_clear(&link->output);
        return 0;
    default: return 0;
    }
}
