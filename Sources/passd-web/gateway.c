// A page's web socket and a connection to passd, each the other's end. A message is a text frame on one side and has a
// Content-Length on the other, so a line end in it makes no second message. Nothing of the page goes to passd before passd
// has accepted for whom the connection speaks. Whoever does not read is not read from either.

#include "gateway.h"

#include "buffer.h"
#include "door.h"
#include "origin.h"
#include "record.h"
#include "visitors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct settings settings;

enum {
    // More than this is not taken from one side while the other one does not read.
    most_waiting = 256 << 10,
    // passd itself gives up a client for whom more than 4 MiB wait.
    most_answer = 64 << 20,
    // So much of a message is given to libwebsockets at once, which copies what the socket does not take.
    most_piece = 64 << 10,
    // So long, in seconds, passd may take to accept a claim, and a page to read why it is closed.
    most_claim = 30,
    most_farewell = 5,
    close_denied = 4403,
    close_restart = 1012,
    close_later = 1013,
    linger_microseconds = 500 * 1000,
};

struct link;

// A web socket.
struct page {
    struct lws *web;
    struct link *link;
    struct visitor *visitor;
    char origin[most_origin + 1];
    // A message whose frames have not all come.
    struct buffer message;
    // What passd has sent and the page has not got. In front of each message are LWS_PRE bytes with its size, where
    // libwebsockets puts the header of a frame.
    struct buffer answers;
    // What is left of a message of which a piece was sent, in bytes; 0 between messages.
    size_t left;
    // Whether passd has accepted for whom it speaks.
    bool is_named;
    // Why it ends when the answers are sent; 0 while it does not.
    int ending;
    const char *reason;
    // Whether it has had the time to read why it is refused.
    bool has_lingered;
};

// A connection to passd.
struct link {
    struct lws *raw;
    struct page *page;
    struct buffer input, output;
};

// MARK: The connection to passd

static bool put(struct link *link, const char *bytes, size_t size) {
    char header[48];
    int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", size);
    if (!buffer_add(&link->output, header, (size_t)length) || !buffer_add(&link->output, bytes, size)) return false;
    if (buffer_size(&link->output) > most_waiting) lws_rx_flow_control(link->page->web, 0);
    lws_callback_on_writable(link->raw);
    return true;
}

static void end(struct page *page, int code, const char *reason) {
    if (page->ending != 0) return;
    page->ending = code;
    page->reason = reason;
    // What it still sends is read and dropped.
    lws_rx_flow_control(page->web, 1);
    // After a restart of passd the page still gets its answers, however slowly it reads.
    if (code != close_restart) lws_set_timeout(page->web, PENDING_TIMEOUT_USER_OK, most_farewell);
    lws_callback_on_writable(page->web);
}

static void hang_up(struct page *page) {
    struct link *link = page->link;
    if (link == NULL) return;
    page->link = NULL;
    link->page = NULL;
    buffer_clear(&link->input);
    buffer_clear(&link->output);
    lws_set_timeout(link->raw, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

static void give_up(struct page *page) {
    record(warning, "user %u, origin %s: closed, since too much waits for it", (unsigned)page->visitor->user, page->origin);
    hang_up(page);
    buffer_clear(&page->message);
    buffer_clear(&page->answers);
    page->left = 0;
    page->visitor->kept = 0;
    end(page, close_later, "too much is waiting");
    lws_set_timeout(page->web, PENDING_TIMEOUT_USER_OK, most_farewell);
}

// Counts what is kept for the page, and makes room if that is too much.
static void weigh(struct page *page) {
    size_t kept = page->message.room + page->answers.room + (lws_partial_buffered(page->web) ? most_piece : 0);
    if (page->link != NULL) kept += page->link->input.room + page->link->output.room;
    bool is_more = kept > page->visitor->kept;
    page->visitor->kept = kept;
    if (!is_more) return;
    for (struct visitor *one; (one = visitor_keeping_too_much()) != NULL;) give_up(one->page);
}

static bool dial(struct page *page) {
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
    char claim[512];
    int size = snprintf(claim, sizeof claim,
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"passd.speakFor\",\"params\":{\"origin\":\"%s\",\"uid\":%u}}",
        page->origin, (unsigned)page->visitor->user);
    return put(page->link, claim, (size_t)size);
}

// The claim has no id of its own: an error, which the page gets, belongs to none of its calls then.
static const char accepted[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}";

// Takes a message of passd's. False if there is no memory.
static bool hear(struct page *page, const char *bytes, size_t size) {
    if (!page->is_named && size == sizeof accepted - 1 && memcmp(bytes, accepted, size) == 0) {
        page->is_named = true;
        note_accepted(page->visitor->user, page->origin);
        lws_set_timeout(page->web, NO_PENDING_TIMEOUT, 0);
        lws_rx_flow_control(page->web, 1);
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
        end(page, is_denied ? close_denied : close_later, is_denied ? "no app of this box" : "passd has no room");
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
            lws_callback_on_writable(link->raw);
            break;
        }
        buffer_drop(&link->output, (size_t)count);
    }
    if (buffer_size(&link->output) <= most_waiting / 2 && link->page->is_named)
        lws_rx_flow_control(link->page->web, 1);
    return true;
}

static int daemon_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    (void)wsi, (void)in, (void)size;
    struct link *link = user;
    // A page may ask for this protocol by its name, too.
    if (reason == LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION) return -1;
    if (link == NULL || (link->page == NULL && reason != LWS_CALLBACK_RAW_CLOSE_FILE)) return 0;
    switch (reason) {
    case LWS_CALLBACK_RAW_RX_FILE:
        if (!receive(link)) return -1;
        weigh(link->page);
        return 0;
    case LWS_CALLBACK_RAW_WRITEABLE_FILE: return transmit(link) ? 0 : -1;
    case LWS_CALLBACK_RAW_CLOSE_FILE:
        if (link->page != NULL) {
            struct page *page = link->page;
            page->link = NULL;
            // Whom passd has no room for learns it in another framing, or not at all.
            if (page->is_named) end(page, close_restart, "passd has closed the connection");
            else end(page, close_later, "passd has no room");
        }
        buffer_clear(&link->input);
        buffer_clear(&link->output);
        return 0;
    default: return 0;
    }
}

// MARK: The web socket

// Whether the page may come in; the reason why not is for the record.
static const char *obstacle(struct lws *wsi, struct page *page) {
    page->visitor = lws_get_opaque_user_data(wsi);
    if (page->visitor == NULL) return "nobody knows who it is";
    // Of several headers libwebsockets makes a list with commas, which is no origin.
    int size = lws_hdr_copy(wsi, page->origin, sizeof page->origin, WSI_TOKEN_ORIGIN);
    if (size <= 0) return "it sends no origin, or too long a one";
    if (!origin_is_good(page->origin)) return "its origin is not that of a web app";
    return NULL;
}

static int take_frame(struct page *page, const void *bytes, size_t size) {
    if (lws_frame_is_binary(page->web)) {
        lws_close_reason(page->web, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, (unsigned char *)"text only", 9);
        return -1;
    }
    if (page->ending != 0 || page->link == NULL) return 0;
    if (size > settings.message_size - buffer_size(&page->message)) {
        lws_close_reason(page->web, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, (unsigned char *)"too long", 8);
        return -1;
    }
    if (!buffer_add(&page->message, bytes, size)) return -1;
    if (!lws_is_final_fragment(page->web) || lws_remaining_packet_payload(page->web) > 0) return 0;
    bool is_put = put(page->link, page->message.bytes + page->message.first, buffer_size(&page->message));
    buffer_clear(&page->message);
    return is_put ? 0 : -1;
}

// Sends a piece of a message, or says why there are no more. The header of the piece overwrites what was sent before it.
static int tell(struct page *page) {
    if (buffer_size(&page->answers) > 0) {
        unsigned char *start = (unsigned char *)page->answers.bytes + page->answers.first;
        bool is_first = page->left == 0;
        if (is_first) memcpy(&page->left, start, sizeof page->left);
        size_t size = page->left < most_piece ? page->left : most_piece;
        int kind = (is_first ? LWS_WRITE_TEXT : LWS_WRITE_CONTINUATION) | (size < page->left ? LWS_WRITE_NO_FIN : 0);
        if (lws_write(page->web, start + LWS_PRE, size, (enum lws_write_protocol)kind) < (int)size) return -1;
        page->left -= size;
        buffer_drop(&page->answers, page->left > 0 ? size : size + LWS_PRE);
        if (page->link != NULL && buffer_size(&page->answers) <= most_waiting / 2) lws_rx_flow_control(page->link->raw, 1);
        if (buffer_size(&page->answers) > 0 || page->ending != 0) lws_callback_on_writable(page->web);
        return 0;
    }
    if (page->ending == 0) return 0;
    // What a page sends to a connection that is closed already is answered by a reset, and then a browser may drop what it has
    // not read: the refusal.
    if (!page->is_named && !page->has_lingered) {
        lws_set_timer_usecs(page->web, linger_microseconds);
        return 0;
    }
    lws_close_reason(page->web, page->ending, (unsigned char *)page->reason, strlen(page->reason));
    return -1;
}

static int web_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    struct page *page = user;
    switch (reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return strcasecmp(in, "websocket") == 0 ? 0 : -1;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: {
        struct page looked = {0};
        const char *why = obstacle(wsi, &looked);
        if (why == NULL) return 0;
        record(notice, "user %u was refused: %s", looked.visitor == NULL ? 0 : (unsigned)looked.visitor->user, why);
        lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN, NULL);
        return -1;
    }
    case LWS_CALLBACK_ESTABLISHED:
        *page = (struct page){.web = wsi};
        if (obstacle(wsi, page) != NULL) return -1;
        page->visitor->page = page;
        lws_rx_flow_control(wsi, 0);
        lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, most_claim);
        if (!may_ask(page->visitor->user, page->origin)) end(page, close_later, "too many connections in a second");
        else if (!dial(page)) end(page, close_later, "passd cannot be reached");
        return 0;
    case LWS_CALLBACK_RECEIVE:
        if (take_frame(page, in, size) != 0) return -1;
        weigh(page);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        if (tell(page) != 0) return -1;
        weigh(page);
        return 0;
    case LWS_CALLBACK_TIMER:
        page->has_lingered = true;
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_CLOSED:
        // A page that was refused is closed, too.
        if (page->visitor == NULL) return 0;
        hang_up(page);
        page->visitor->page = NULL;
        page->visitor->kept = 0;
        buffer_clear(&page->message);
        buffer_clear(&page->answers);
        return 0;
    case LWS_CALLBACK_HTTP: lws_return_http_status(wsi, HTTP_STATUS_NOT_FOUND, NULL); return -1;
    case LWS_CALLBACK_WSI_DESTROY: visitor_leave(lws_get_opaque_user_data(wsi)); return 0;
    default: return 0;
    }
}

const struct lws_protocols protocols[] = {
    {.name = "passd.v1", .callback = web_side, .per_session_data_size = sizeof(struct page),
     .rx_buffer_size = 4096, .tx_packet_size = most_piece},
    {.name = "door", .callback = door_side},
    {.name = "passd", .callback = daemon_side, .per_session_data_size = sizeof(struct link)},
    {0},
};
