// A page's web socket. Reading from one side pauses while the other side does not read. Before the gateway closes a page, the
// page gets the reason: it uses too much memory, it is refused, or passd has closed the page's connection.

#include "page.h"

#include "link.h"
#include "origin.h"
#include "peer.h"
#include "record.h"
#include "visitors.h"

#include <string.h>
#include <strings.h>

enum {
    // Time limits in seconds: for passd to accept the claim, for passd to accept the connection, and for the page to read a
    // reason.
    max_claim = 30,
    max_dialing = 25,
    max_farewell = 5,
    // The time between attempts to connect. Repeated attempts are necessary, because the kernel does not report when passd's
    // socket has room again.
    dial_microseconds = 10 * 1000,
    linger_microseconds = 500 * 1000,
};

void page_pause(struct page *page) {
    page->is_paused = true;
    lws_rx_flow_control(page->web, 0);
    lws_set_timer_usecs(page->web, LWS_USEC_PER_SEC);
}

void page_resume(struct page *page) {
    if (!page->is_paused) return;
    page->is_paused = false;
    lws_rx_flow_control(page->web, 1);
}

size_t page_max_held(const struct page *page) { return page->is_named ? max_waiting : max_unclaimed; }

// Checks a paused page each second, because its disconnect would otherwise go unnoticed.
static int look_after(struct page *page) {
    if (!peer_is_connected(lws_get_socket_fd(page->web))) return -1;
    lws_set_timer_usecs(page->web, LWS_USEC_PER_SEC);
    return 0;
}

bool page_put(struct page *page, const char *bytes, size_t size) {
    char *place = buffer_extend(&page->answers, LWS_PRE + size);
    if (place == NULL) return false;
    memcpy(place, &size, sizeof size);
    memcpy(place + LWS_PRE, bytes, size);
    page->answers.end += LWS_PRE + size;
    lws_callback_on_writable(page->web);
    return true;
}

void page_refuse(struct page *page, bool is_denied) {
    page_end(page, is_denied ? close_denied : close_later, is_denied ? "no app of this box" : "passd has no room");
}

void page_end(struct page *page, int code, const char *reason) {
    if (page->ending != 0) return;
    page->ending = code;
    page->reason = reason;
    // Further input from the page is read and dropped.
    page_resume(page);
    // If passd restarts, there is no time limit, so that even a page that reads slowly gets its answers.
    if (code != close_restart) lws_set_timeout(page->web, PENDING_TIMEOUT_USER_OK, max_farewell);
    lws_callback_on_writable(page->web);
}

static void give_up(struct page *page) {
    record(warning, page->visitor->user, "user %u, origin %s: closed, because too much data waits for it",
        (unsigned)page->visitor->user, page->origin);
    link_hang_up(page);
    buffer_clear(&page->message);
    buffer_clear(&page->answers);
    page->left = 0;
    page->visitor->kept = 0;
    page_end(page, close_later, "too much is waiting");
    lws_set_timeout(page->web, PENDING_TIMEOUT_USER_OK, max_farewell);
}

void page_weigh(struct page *page) {
    size_t kept = page->message.room + page->answers.room + (lws_partial_buffered(page->web) ? max_piece : 0);
    if (page->link != NULL) kept += page->link->input.room + page->link->output.room;
    bool is_more = kept > page->visitor->kept;
    page->visitor->kept = kept;
    if (!is_more) return;
    for (struct visitor *one; (one = visitor_keeping_too_much()) != NULL;) give_up(one->page);
}

// Returns the reason to refuse the page, for the journal; NULL if the page is admitted.
static const char *obstacle(struct lws *wsi, struct page *page) {
    page->visitor = lws_get_opaque_user_data(wsi);
    if (page->visitor == NULL) return "its user is unknown";
    // If there are several origins, libwebsockets joins them with commas. Such a list is refused below, because it is not an
    // origin.
    int size = lws_hdr_copy(wsi, page->origin, sizeof page->origin, WSI_TOKEN_ORIGIN);
    if (size <= 0) return "it sends no origin, or an origin that is too long";
    if (!origin_is_good(page->origin)) return "its origin is not the origin of a web app";
    return NULL;
}

static int take_frame(struct page *page, const void *bytes, size_t size) {
    if (lws_frame_is_binary(page->web)) {
        lws_close_reason(page->web, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, (unsigned char *)"text only", 9);
        return -1;
    }
    if (page->ending != 0 || page->link == NULL || page->link->raw == NULL) return 0;
    if (size > settings.message_size - buffer_size(&page->message)) {
        lws_close_reason(page->web, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, (unsigned char *)"too long", 8);
        return -1;
    }
    if (!buffer_add(&page->message, bytes, size)) return -1;
    if (!page->is_named && buffer_size(&page->message) > page_max_held(page)) page_pause(page);
    if (!lws_is_final_fragment(page->web) || lws_remaining_packet_payload(page->web) > 0) return 0;
    bool is_put = link_put(page->link, page->message.bytes + page->message.first, buffer_size(&page->message));
    buffer_clear(&page->message);
    return is_put ? 0 : -1;
}

// Sends a piece of a message, or the reason for the close. The header of the piece overwrites the bytes before the piece, which
// were already sent.
static int tell(struct page *page) {
    if (buffer_size(&page->answers) > 0) {
        unsigned char *start = (unsigned char *)page->answers.bytes + page->answers.first;
        bool is_first = page->left == 0;
        if (is_first) memcpy(&page->left, start, sizeof page->left);
        size_t size = page->left < max_piece ? page->left : max_piece;
        int kind = (is_first ? LWS_WRITE_TEXT : LWS_WRITE_CONTINUATION) | (size < page->left ? LWS_WRITE_NO_FIN : 0);
        if (lws_write(page->web, start + LWS_PRE, size, (enum lws_write_protocol)kind) < (int)size) return -1;
        page->left -= size;
        buffer_drop(&page->answers, page->left > 0 ? size : size + LWS_PRE);
        if (page->link != NULL && buffer_size(&page->answers) <= max_waiting / 2) link_resume(page->link);
        if (buffer_size(&page->answers) > 0 || page->ending != 0) lws_callback_on_writable(page->web);
        return 0;
    }
    if (page->ending == 0) return 0;
    // A refused page stays connected for a moment. If it sent to a closed connection, it would get a reset, and the browser
    // might drop the refusal before the page has read it.
    if (!page->is_named && !page->has_lingered) {
        page->is_lingering = true;
        lws_set_timer_usecs(page->web, linger_microseconds);
        return 0;
    }
    lws_close_reason(page->web, page->ending, (unsigned char *)page->reason, strlen(page->reason));
    return -1;
}

static void dial(struct page *page) {
    enum dialing dialing = link_dial(page);
    page->is_dialing = dialing == is_full && lws_now_usecs() < page->dials_until;
    if (page->is_dialing) {
        // In the meantime, the page's messages stay in the socket.
        page_pause(page);
        lws_set_timer_usecs(page->web, dial_microseconds);
    } else if (dialing == is_dialed) {
        page_resume(page);
    } else {
        if (dialing == is_full) record(warning, the_gateway, "passd cannot be reached: too many connections wait at its socket");
        page_end(page, close_later, "passd cannot be reached");
    }
}

static int dial_again(struct page *page) {
    if (!peer_is_connected(lws_get_socket_fd(page->web))) return -1;
    dial(page);
    return 0;
}

// Asks passd about the page. Returns false if there is no memory.
static bool begin(struct page *page) {
    const struct buffer *denial = recent_denial(page->visitor, page->origin);
    if (denial != NULL) {
        if (!page_put(page, denial->bytes + denial->first, buffer_size(denial))) return false;
        page_refuse(page, true);
    } else if (is_app(page->visitor, page->origin) && !visitor_accept(page->visitor)) {
        page_end(page, close_later, "too many connections");
    } else if (!may_ask(page->visitor, page->origin)) {
        page_end(page, close_later, "too many connections in a second");
    } else {
        page->dials_until = lws_now_usecs() + max_dialing * LWS_USEC_PER_SEC;
        dial(page);
    }
    return true;
}

int page_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    struct page *page = user;
    switch (reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return strcasecmp(in, "websocket") == 0 ? 0 : -1;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: {
        struct visitor *visitor = lws_get_opaque_user_data(wsi);
        // An evicted visitor already has its answer.
        if (visitor != NULL && visitor->is_evicted) return -1;
        struct page looked = {0};
        const char *why = obstacle(wsi, &looked);
        if (why == NULL) return 0;
        uid_t who = looked.visitor == NULL ? unknown_user : looked.visitor->user;
        record(notice, who, "user %u was refused: %s", (unsigned)who, why);
        lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN, NULL);
        return -1;
    }
    case LWS_CALLBACK_ESTABLISHED:
        *page = (struct page){.web = wsi};
        if (obstacle(wsi, page) != NULL) return -1;
        page->visitor->page = page;
        lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, max_claim);
        return begin(page) ? 0 : -1;
    case LWS_CALLBACK_RECEIVE:
        if (take_frame(page, in, size) != 0) return -1;
        page_weigh(page);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        if (tell(page) != 0) return -1;
        page_weigh(page);
        return 0;
    case LWS_CALLBACK_TIMER:
        if (page->is_dialing) return dial_again(page);
        if (page->is_paused) return look_after(page);
        if (!page->is_lingering) return 0;
        page->has_lingered = true;
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_CLOSED:
        // After a refusal by `obstacle`, a page has no visitor. The close of such a page is also reported here.
        if (page->visitor == NULL) return 0;
        link_hang_up(page);
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
