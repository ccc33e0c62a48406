/* Reads JSON into one block: each value is followed by its elements or members. Strings are decoded in place. */
#include <stdlib.h>
#include <string.h>

#include "private.h"

enum { DEPTH = 64, VALUES = 1 << 18 };

struct reader {
    char *at, *end;
    struct document *document;
    size_t used, room;
    const char *problem;
};

const char json_no_memory[] = "there is not enough memory";

static bool fail(struct reader *reader, const char *problem) {
    if (reader->problem == NULL) reader->problem = problem;
    return false;
}

static void skip_space(struct reader *reader) {
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL && *reader->at != 0) reader->at++;
}

/* The next byte, or 0 at the end. */
static char peek(const struct reader *reader) { return reader->at < reader->end ? *reader->at : 0; }

static bool add(struct reader *reader, size_t *index) {
    if (reader->used == VALUES) return fail(reader, "it has too many values");
    if (reader->used == reader->room) {
        size_t room = reader->room == 0 ? 8 : reader->room * 2;
        struct document *larger = realloc(reader->document, sizeof *larger + room * sizeof larger->values[0]);
        if (larger == NULL) return fail(reader, json_no_memory);
        reader->document = larger;
        reader->room = room;
    }
    *index = reader->used++;
    reader->document->values[*index] = (struct passd_json){.size = 1};
    return true;
}

/* The length of the UTF-8 character that begins here; 0 if it is invalid. */
static size_t character(const unsigned char *at, const unsigned char *end) {
    size_t length = 0;
    if (*at < 0x80) length = 1;
    else if (*at >= 0xc2 && *at < 0xe0) length = 2;
    else if (*at >= 0xe0 && *at < 0xf0) length = 3;
    else if (*at >= 0xf0 && *at < 0xf5) length = 4;
    if (length == 0 || (size_t)(end - at) < length) return 0;
    for (size_t index = 1; index < length; index++) {
        if ((at[index] & 0xc0) != 0x80) return 0;
    }
    /* The character is overlong, a surrogate, or beyond Unicode. */
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0)) return 0;
    if ((at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90)) return 0;
    return length;
}

static char *put_character(char *to, unsigned code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

static bool hexadecimal(struct reader *reader, unsigned *code) {
    *code = 0;
    if (reader->end - reader->at < 4) return fail(reader, "an escape in a string is cut off");
    for (int digit = 0; digit < 4; digit++) {
        char each = *reader->at++;
        unsigned value;
        if (each >= '0' && each <= '9') value = (unsigned)(each - '0');
        else if (each >= 'a' && each <= 'f') value = (unsigned)(each - 'a' + 10);
        else if (each >= 'A' && each <= 'F') value = (unsigned)(each - 'A' + 10);
        else return fail(reader, "an escape in a string has no four digits");
        *code = *code * 16 + value;
    }
    return true;
}

/* Decodes the part of an escape after the backslash. The output is never longer than the input. */
static bool escape(struct reader *reader, char **to) {
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char name = peek(reader);
    reader->at += reader->at < reader->end;
    const char *found = name == 0 ? NULL : strchr(names, name);
    if (found != NULL) {
        *(*to)++ = meanings[found - names];
        return true;
    }
    unsigned code, second;
    if (name != 'u') return fail(reader, "a string has an unknown escape");
    if (!hexadecimal(reader, &code)) return false;
    if (code >= 0xd800 && code < 0xdc00 && reader->end - reader->at >= 6 && reader->at[0] == '\\' && reader->at[1] == 'u') {
        char *before = reader->at;
        reader->at += 2;
        if (!hexadecimal(reader, &second)) return false;
        if (second >= 0xdc00 && second < 0xe000) code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
        else reader->at = before;
    }
    if (code >= 0xd800 && code < 0xe000) code = 0xfffd; /* an unpaired surrogate */
    *to = put_character(*to, code);
    return true;
}

static bool read_string(struct reader *reader, const char **text, size_t *length) {
    char *to = ++reader->at;
    *text = to;
    while (reader->at < reader->end) {
        unsigned char each = (unsigned char)*reader->at;
        if (each == '"') {
            reader->at++;
            *length = (size_t)(to - *text);
            *to = 0;
            return true;
        }
        if (each < 0x20) return fail(reader, "a string has a control character");
        if (each == '\\') {
            reader->at++;
            if (!escape(reader, &to)) return false;
            continue;
        }
        size_t size = character((unsigned char *)reader->at, (unsigned char *)reader->end);
        if (size == 0) return fail(reader, "a string is not UTF-8");
        memmove(to, reader->at, size);
        to += size;
        reader->at += size;
    }
    return fail(reader, "a string has no end");
}

static size_t digits(struct reader *reader) {
    const char *start = reader->at;
    while (peek(reader) >= '0' && peek(reader) <= '9') reader->at++;
    return (size_t)(reader->at - start);
}

static bool read_number(struct reader *reader, struct passd_json *value) {
    const char *start = reader->at;
    if (peek(reader) == '-') reader->at++;
    bool zero = peek(reader) == '0';
    size_t whole = digits(reader);
    if (whole == 0 || (zero && whole > 1)) return fail(reader, whole == 0 ? "it is not JSON" : "a number begins with a zero");
    if (peek(reader) == '.') {
        reader->at++;
        if (digits(reader) == 0) return fail(reader, "a number ends with a point");
    }
    if (peek(reader) == 'e' || peek(reader) == 'E') {
        reader->at++;
        if (peek(reader) == '+' || peek(reader) == '-') reader->at++;
        if (digits(reader) == 0) return fail(reader, "a number has no exponent");
    }
    value->kind = PASSD_NUMBER;
    value->text = start;
    value->length = (size_t)(reader->at - start);
    return true;
}

static bool read_word(struct reader *reader, struct passd_json *value, const char *word, enum passd_kind kind, bool is_true) {
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0) return fail(reader, "it is not JSON");
    reader->at += length;
    value->kind = (unsigned char)kind;
    value->is_true = is_true;
    return true;
}

static bool read_value(struct reader *reader, unsigned depth, size_t *index);

/* Each value moves when the block grows, so it is found by its index. */
static bool read_container(struct reader *reader, unsigned depth, size_t self, bool is_object) {
    struct passd_json *values;
    char end = is_object ? '}' : ']';
    unsigned count = 0;
    if (depth == DEPTH) return fail(reader, "it has too many levels");
    reader->at++;
    skip_space(reader);
    while (peek(reader) != end) {
        const char *name = NULL;
        size_t length = 0, each;
        if (count > 0) {
            if (peek(reader) != ',') return fail(reader, "a comma is missing");
            reader->at++;
            skip_space(reader);
        }
        if (is_object) {
            if (peek(reader) != '"') return fail(reader, "a name is missing");
            if (!read_string(reader, &name, &length)) return false;
            skip_space(reader);
            if (peek(reader) != ':') return fail(reader, "a colon is missing");
            reader->at++;
        }
        if (!read_value(reader, depth + 1, &each)) return false;
        reader->document->values[each].name = name;
        reader->document->values[each].name_length = length;
        count++;
        skip_space(reader);
    }
    reader->at++;
    values = reader->document->values;
    values[self].kind = is_object ? PASSD_OBJECT : PASSD_ARRAY;
    values[self].count = count;
    values[self].size = (unsigned)(reader->used - self);
    for (size_t each = self + 1; count > 0; each += values[each].size) values[each].after = --count;
    return true;
}

static bool read_value(struct reader *reader, unsigned depth, size_t *index) {
    if (!add(reader, index)) return false;
    skip_space(reader);
    struct passd_json *value = &reader->document->values[*index];
    switch (peek(reader)) {
        case '{':
        case '[': return read_container(reader, depth, *index, peek(reader) == '{');
        case '"': value->kind = PASSD_STRING; return read_string(reader, &value->text, &value->length);
        case 't': return read_word(reader, value, "true", PASSD_BOOLEAN, true);
        case 'f': return read_word(reader, value, "false", PASSD_BOOLEAN, false);
        case 'n': return read_word(reader, value, "null", PASSD_NULL, false);
        default: return read_number(reader, value);
    }
}

passd_json *json_take(char *text, size_t length, const char **problem) {
    struct reader reader = {.at = text, .end = text + length};
    size_t root;
    bool good = read_value(&reader, 0, &root);
    if (good) {
        skip_space(&reader);
        if (reader.at < reader.end) good = fail(&reader, "it has more than one value");
    }
    if (!good) {
        if (problem != NULL) *problem = reader.problem;
        free(reader.document);
        free(text);
        return NULL;
    }
    reader.document->text = text;
    return reader.document->values;
}
