// Puts the document that rpc.discover returns into the daemon. `make generate` makes it from the tables in PassProtocol.

#include "CDescription.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char description[] = {
#embed "openrpc.json"
    , 0};

const char *pass_description(void) { return description; }
