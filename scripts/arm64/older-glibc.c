// Functions that the glibc of Debian 12 does not have. Debian's build of the Swift runtime calls them.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The functions with their older behaviour: they do not read binary numbers such as 0b101.
long older_strtol(const char *text, char **end, int base) __asm__("strtol");
long long older_strtoll(const char *text, char **end, int base) __asm__("strtoll");
unsigned long older_strtoul(const char *text, char **end, int base) __asm__("strtoul");

long __isoc23_strtol(const char *text, char **end, int base) { return older_strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return older_strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return older_strtoul(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vsscanf(text, format, list);
    va_end(list);
    return count;
}

size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = strlen(from);
    if (size > 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(to, from, copied);
        to[copied] = 0;
    }
    return length;
}
