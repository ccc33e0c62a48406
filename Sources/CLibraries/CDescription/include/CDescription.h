#pragma once

// The OpenRPC document that describes the methods of the socket, in one line.
const char *_Nonnull pass_description(void);
