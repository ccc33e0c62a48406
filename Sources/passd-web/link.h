// A connection to passd. Its other end is a page's web socket.
#pragma once

#include "buffer.h"
#include "gateway.h"

struct page;

struct link {
    // NULL once passd has closed the connection.
    struct lws *raw;
    // After that, the descriptor from which the rest of what passd has written is read.
    int rest;
    struct page *page;
    struct buffer input, output;
    // The size of the claim at the start of the output. Only the claim is sent before passd has accepted it.
    size_t claim;
};

enum dialing { is_dialed, is_full, is_unreachable };

// Connects the page to passd, and names its user and origin. `is_full` means that too many others wait for passd; the caller may
// try again.
enum dialing link_dial(struct page *page);

// Sends a message to passd. False if there is no memory.
bool link_put(struct link *link, const char *bytes, size_t size);

// Reads from passd again.
void link_resume(struct link *link);

// Closes the page's connection to passd, if it has one.
void link_hang_up(struct page *page);

int link_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);
