// Bytes that wait to be used, from the first on.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct buffer {
    char *bytes;
    size_t first, end, room;
};

static inline size_t buffer_size(const struct buffer *buffer) { return buffer->end - buffer->first; }

// False if there is no memory.
bool buffer_add(struct buffer *buffer, const void *bytes, size_t size);

// Room for this many bytes behind the last one; NULL if there is no memory.
char *buffer_extend(struct buffer *buffer, size_t size);

// Frees the memory of a buffer that has become empty.
void buffer_drop(struct buffer *buffer, size_t size);

void buffer_clear(struct buffer *buffer);
