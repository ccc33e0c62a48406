// A page's web socket, with the connection to passd that belongs to it.
#pragma once

#include "buffer.h"
#include "gateway.h"

enum {
    // While one side does not read, at most this many bytes are read from the other side.
    max_waiting = 256 << 10,
    // Until passd has accepted the web app, at most this many bytes are read from the page. The gateway reads from such a page
    // only to notice its close. A browser keeps the connection until it gets an answer to the close.
    max_unclaimed = 64 << 10,
    // The size of the pieces for libwebsockets. It is small, because libwebsockets copies the rest of a piece if the socket has
    // too little room.
    max_piece = 64 << 10,
    close_denied = 4403,
    close_restart = 1012,
    close_later = 1013,
};

struct page {
    struct lws *web;
    struct link *link;
    struct visitor *visitor;
    char origin[max_origin + 1];
    // An incomplete message.
    struct buffer message;
    // Messages from passd that were not sent to the page yet. LWS_PRE bytes are in front of each message. These bytes contain
    // the message's size, until libwebsockets writes the header of a frame there.
    struct buffer answers;
    // The remaining bytes of a partly sent message; 0 between messages.
    size_t left;
    // Whether passd has accepted the web app.
    bool is_named;
    // The code of the close that follows the last answer; 0 if the page stays open.
    int ending;
    const char *reason;
    // Whether the page waits until passd accepts more connections. The wait ends at `dials_until`, in microseconds.
    bool is_dialing;
    lws_usec_t dials_until;
    // Whether reading is paused.
    bool is_paused;
    // Whether a refused page has time to read the reason, and whether this time has ended.
    bool is_lingering, has_lingered;
};

// Queues a message from passd for the page. Returns false if there is no memory.
bool page_put(struct page *page, const char *bytes, size_t size);

// Closes the web socket with this code and reason, after the queued messages are sent.
void page_end(struct page *page, int code, const char *reason);

// Ends the page, because passd has refused it. `is_denied` is true if no stanza names the web app and its user.
void page_refuse(struct page *page, bool is_denied);

// Pauses and resumes reading from the page.
void page_pause(struct page *page);
void page_resume(struct page *page);

// The max number of bytes from the page that may wait for passd.
size_t page_max_held(const struct page *page);

// Counts the memory of the page. If all pages, or the pages of one user, keep too much memory, closes the largest ones.
void page_weigh(struct page *page);

int page_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);
