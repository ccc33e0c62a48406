// A page's web socket. Its other end is a connection to passd.
#pragma once

#include "buffer.h"
#include "gateway.h"

enum {
    // More than this is not taken from one side while the other one does not read.
    max_waiting = 256 << 10,
    // More than this is not taken from a page before passd has accepted for whom it speaks. It is read at all so that it is heard
    // when it closes: a browser holds the connection until that is answered.
    max_unclaimed = 64 << 10,
    // So much of a message is given to libwebsockets at once, which copies what the socket does not take.
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
    // Whether it waits until passd takes more connections, and until when, in microseconds.
    bool is_dialing;
    lws_usec_t dials_until;
    // Whether it is not read from.
    bool is_paused;
    // Whether it has the time to read why it is refused, and whether it has had it.
    bool is_lingering, has_lingered;
};

// Puts a message of passd's among those for the page. False if there is no memory.
bool page_put(struct page *page, const char *bytes, size_t size);

// Closes the web socket once what passd has sent is told, with this code and reason.
void page_end(struct page *page, int code, const char *reason);

// Ends it, since passd has not accepted it.
void page_refuse(struct page *page, bool is_denied);

// Reads nothing more from the page, and reads from it again.
void page_pause(struct page *page);
void page_resume(struct page *page);

// How much of what the page has sent may wait for passd.
size_t page_max_held(const struct page *page);

// Counts what is kept for the page, and makes room if that is too much.
void page_weigh(struct page *page);

int page_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);
