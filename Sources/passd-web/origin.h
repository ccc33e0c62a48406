// Checks whether a text is the origin of a web app, in the spelling of browsers. An accepted origin needs no escaping in JSON.
#pragma once

#include <stdbool.h>

bool origin_is_good(const char *text);
