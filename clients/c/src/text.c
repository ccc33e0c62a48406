/* Text that grows, and JSON written into it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"

void text_add(struct text *text, const char *bytes, size_t length) {
    if (text->failed || length == 0) return;
    if (length >= text->room - text->length) {
        size_t room = text->room * 2 > text->length + length + 1 ? text->room * 2 : text->length + length + 1;
        char *larger = length > SIZE_MAX / 4 ? NULL : realloc(text->bytes, room);
        if (larger == NULL) {
            text->failed = true;
            return;
        }
        text->bytes = larger;
        text->room = room;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

void text_words(struct text *text, const char *words) { text_add(text, words, strlen(words)); }

char *text_take(struct text *text) {
    text_add(text, "", 1);
    char *bytes = text->bytes;
    if (text->failed) {
        free(bytes);
        bytes = NULL;
    }
    *text = (struct text){0};
    return bytes;
}

void text_quoted(struct text *text, const char *bytes, size_t length) {
    text_words(text, "\"");
    size_t plain = 0;
    for (size_t index = 0; index < length; index++) {
        unsigned char each = (unsigned char)bytes[index];
        if (each >= 0x20 && each != '"' && each != '\\') continue;
        char escape[8];
        if (each < 0x20) snprintf(escape, sizeof escape, "\\u%04x", each);
        else snprintf(escape, sizeof escape, "\\%c", each);
        text_add(text, bytes + plain, index - plain);
        text_words(text, escape);
        plain = index + 1;
    }
    text_add(text, bytes + plain, length - plain);
    text_words(text, "\"");
}

bool text_format(struct text *text, const char *format, va_list values) {
    char number[32];
    const char *words;
    for (const char *at = format; *at != 0; at++) {
        if (*at == '\'') {
            text_words(text, "\"");
        } else if (*at != '%') {
            text_add(text, at, 1);
        } else {
            switch (*++at) {
                case 's':
                    words = va_arg(values, const char *);
                    if (words == NULL) text_words(text, "null");
                    else text_quoted(text, words, strlen(words));
                    break;
                case 'd':
                    snprintf(number, sizeof number, "%d", va_arg(values, int));
                    text_words(text, number);
                    break;
                case 'l':
                    snprintf(number, sizeof number, "%" PRId64, va_arg(values, int64_t));
                    text_words(text, number);
                    break;
                case 'b': text_words(text, va_arg(values, int) ? "true" : "false"); break;
                case 'v': text_value(text, va_arg(values, const passd_json *)); break;
                case 'j':
                    words = va_arg(values, const char *);
                    text_words(text, words == NULL ? "null" : words);
                    break;
                case '%': text_words(text, "%"); break;
                default: return false;
            }
        }
    }
    return true;
}

char *passd_write(const passd_json *value) {
    int number = errno;
    struct text text = {0};
    text_value(&text, value);
    char *words = text_take(&text);
    errno = words == NULL ? ENOMEM : number;
    return words;
}
