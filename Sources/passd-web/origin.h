// Checks whether a text is the origin of a web app, in the only spelling that browsers send. An accepted origin needs no
// escaping in JSON.
#pragma once

#include <stdbool.h>

bool origin_is_good(const char *text);
