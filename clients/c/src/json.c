/* Values of JSON, and the functions that read them. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"

passd_json *passd_read(const char *text, size_t length, const char **problem) {
    int number = errno;
    const char *found = json_no_memory;
    struct text copy = {0};
    text_add(&copy, text, length);
    char *bytes = text_take(&copy);
    passd_json *value = bytes == NULL ? NULL : json_take(bytes, length, &found);
    if (value == NULL && problem != NULL) *problem = found;
    errno = value != NULL ? number : found == json_no_memory ? ENOMEM : EINVAL;
    return value;
}

void passd_json_free(passd_json *root) {
    if (root == NULL) return;
    int number = errno;
    struct document *document = (struct document *)((char *)root - offsetof(struct document, values));
    free(document->text);
    free(document);
    errno = number;
}

static passd_json *copy(const passd_json *value) {
    struct text text = {0};
    text_value(&text, value);
    size_t length = text.length;
    char *bytes = text_take(&text);
    return bytes == NULL ? NULL : json_take(bytes, length, NULL);
}

passd_json *passd_copy(const passd_json *value) {
    int number = errno;
    passd_json *copied = copy(value);
    errno = copied == NULL ? ENOMEM : number;
    return copied;
}

passd_json *json_format(const char *format, va_list values, const char **problem) {
    struct text text = {0};
    if (!text_format(&text, format == NULL ? "{}" : format, values)) {
        free(text.bytes);
        *problem = "the format has an unknown letter";
        return NULL;
    }
    size_t length = text.length;
    char *bytes = text_take(&text);
    *problem = json_no_memory;
    passd_json *value = bytes == NULL ? NULL : json_take(bytes, length, problem);
    if (value != NULL && value->kind != PASSD_OBJECT) {
        *problem = "they are not an object, such as {'resource': 'news'}";
        passd_json_free(value);
        value = NULL;
    }
    return value;
}

passd_json *json_of(const char *format, ...) {
    const char *problem;
    va_list values;
    va_start(values, format);
    passd_json *value = json_format(format, values, &problem);
    va_end(values);
    return value;
}

char *json_merged(const passd_json *old, const passd_json *new) {
    struct text text = {0};
    const passd_json *sources[] = {old, new};
    text_words(&text, "{");
    for (int source = 0; source < 2; source++) {
        for (const passd_json *each = passd_at(sources[source], 0); each != NULL; each = passd_next(each)) {
            if (source == 0 && passd_get(new, each->name) != NULL) continue;
            if (text.length > 1) text_words(&text, ",");
            text_quoted(&text, each->name, each->name_length);
            text_words(&text, ":");
            text_value(&text, each);
        }
    }
    text_words(&text, "}");
    return text_take(&text);
}

enum passd_kind passd_kind(const passd_json *value) { return value == NULL ? PASSD_NULL : (enum passd_kind)value->kind; }

size_t passd_count(const passd_json *value) { return value == NULL ? 0 : value->count; }

const passd_json *passd_next(const passd_json *element) {
    return element == NULL || element->after == 0 ? NULL : element + element->size;
}

const passd_json *passd_at(const passd_json *value, size_t index) {
    if (index >= passd_count(value)) return NULL;
    const passd_json *each = value + 1;
    while (index-- > 0) each += each->size;
    return each;
}

const passd_json *passd_get(const passd_json *object, const char *name) {
    if (passd_kind(object) != PASSD_OBJECT || name == NULL) return NULL;
    const passd_json *found = NULL; /* the last member with this name, as in most parsers */
    size_t length = strlen(name);
    for (const passd_json *each = passd_at(object, 0); each != NULL; each = passd_next(each)) {
        if (each->name_length == length && memcmp(each->name, name, length) == 0) found = each;
    }
    return found;
}

const char *passd_name(const passd_json *member) { return member == NULL ? NULL : member->name; }

const char *passd_string(const passd_json *value) { return passd_kind(value) == PASSD_STRING ? value->text : NULL; }

size_t passd_length(const passd_json *value) { return passd_kind(value) == PASSD_STRING ? value->length : 0; }

bool passd_true(const passd_json *value) { return value != NULL && value->is_true; }

double passd_number(const passd_json *value, double otherwise) {
    if (passd_kind(value) != PASSD_NUMBER) return otherwise;
    /* The app's locale may use a decimal comma; JSON uses a point. */
    int errno_before = errno;
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double number = locale == (locale_t)0 ? otherwise : strtod_l(value->text, NULL, locale);
    if (locale != (locale_t)0) freelocale(locale);
    errno = errno_before;
    return number;
}

int64_t passd_integer(const passd_json *value, int64_t otherwise) {
    if (passd_kind(value) != PASSD_NUMBER) return otherwise;
    if (memchr(value->text, '.', value->length) == NULL && memchr(value->text, 'e', value->length) == NULL &&
        memchr(value->text, 'E', value->length) == NULL) {
        int errno_before = errno;
        errno = 0;
        long long whole = strtoll(value->text, NULL, 10);
        bool is_whole = errno == 0;
        errno = errno_before;
        return is_whole ? whole : otherwise;
    }
    double number = passd_number(value, 0);
    return number > -9e15 && number < 9e15 && number == (double)(int64_t)number ? (int64_t)number : otherwise;
}

void text_value(struct text *text, const passd_json *value) {
    switch (passd_kind(value)) {
        case PASSD_NULL: text_words(text, "null"); break;
        case PASSD_BOOLEAN: text_words(text, value->is_true ? "true" : "false"); break;
        case PASSD_NUMBER: text_add(text, value->text, value->length); break;
        case PASSD_STRING: text_quoted(text, value->text, value->length); break;
        default:
            text_words(text, value->kind == PASSD_OBJECT ? "{" : "[");
            for (const passd_json *each = passd_at(value, 0); each != NULL; each = passd_next(each)) {
                if (each != value + 1) text_words(text, ",");
                if (value->kind == PASSD_OBJECT) {
                    text_quoted(text, each->name, each->name_length);
                    text_words(text, ":");
                }
                text_value(text, each);
            }
            text_words(text, value->kind == PASSD_OBJECT ? "}" : "]");
    }
}
