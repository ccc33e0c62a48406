// Whether passd has accepted the web app of a connection.
#pragma once

#include <stddef.h>

enum verdict {
    is_accepted,
    // No stanza names the origin and the user.
    is_denied,
    // Another error, or no answer at all.
    is_refused,
};

// Reads passd's answer to the claim, the gateway's first message.
enum verdict verdict_in(const char *bytes, size_t size);
