// The rules for an origin are the same as for `origin:` in a stanza (an app's section of passd's configuration). Therefore,
// only origins that a stanza can name reach passd. An origin has https or http, and a host in lower case. It may have a port,
// but not the default port of the scheme. `null`, files, paths and lists are not accepted.

#include "origin.h"

#include <stdlib.h>
#include <string.h>

static bool is_host(const char *host, size_t size) {
    if (size == 0 || size > 253) return false;
    if (host[0] == '[') {
        if (size < 4 || host[size - 1] != ']' || memchr(host, ':', size) == NULL) return false;
        return strspn(host + 1, "0123456789abcdef:.") == size - 2;
    }
    if (strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.") < size) return false;
    size_t label = 0;
    for (size_t place = 0; place <= size; place++) {
        if (place < size && host[place] != '.') {
            if (++label > 63) return false;
        } else {
            if (label == 0) return false;
            label = 0;
        }
    }
    return true;
}

static bool is_port(const char *port, unsigned own) {
    size_t size = strlen(port);
    if (size == 0 || size > 5 || port[0] == '0' || strspn(port, "0123456789") != size) return false;
    unsigned long number = strtoul(port, NULL, 10);
    return number <= 65535 && number != own;
}

bool origin_is_good(const char *text) {
    bool is_secure = strncmp(text, "https://", 8) == 0;
    if (!is_secure && strncmp(text, "http://", 7) != 0) return false;
    const char *host = text + (is_secure ? 8 : 7);
    const char *end = host[0] == '[' ? strchr(host, ']') : host + strcspn(host, ":");
    if (end == NULL) return false;
    if (host[0] == '[') end++;
    if (!is_host(host, (size_t)(end - host))) return false;
    if (*end == '\0') return true;
    return *end == ':' && is_port(end + 1, is_secure ? 443 : 80);
}
