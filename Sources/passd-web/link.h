// A connection to passd, with the page's web socket to which it belongs.
#pragma once

#include "buffer.h"
#include "gateway.h"

struct page;

struct link {
    // The connection; NULL after passd has closed it.
    struct lws *raw;
    // The descriptor for reading passd's last messages after passd has closed.
    int rest;
    struct page *page;
    struct buffer input, output;
    // The size of the claim at the start of the output. The claim is the first message and names the web app. Until passd has
    // accepted the web app, only the claim is sent.
    size_t claim;
};

enum dialing { is_dialed, is_full, is_unreachable };

// Connects the page to passd, and names its user and origin. `is_full` means that too many other connections wait for passd,
// and that the caller may try again later.
enum dialing link_dial(struct page *page);

// Sends a message to passd. Returns false if there is no memory.
bool link_put(struct link *link, const char *bytes, size_t size);

// Resumes reading from passd.
void link_resume(struct link *link);

// Closes the page's connection to passd, if it has one.
void link_hang_up(struct page *page);

int link_side(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size);
