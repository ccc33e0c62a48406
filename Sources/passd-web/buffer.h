// A queue of bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct buffer {
    char *bytes;
    size_t first, end, room;
};

static inline size_t buffer_size(const struct buffer *buffer) { return buffer->end - buffer->first; }

// Appends bytes. Returns false if there is no memory.
bool buffer_add(struct buffer *buffer, const void *bytes, size_t size);

// Makes room for `size` bytes after the last byte. NULL if there is no memory.
char *buffer_extend(struct buffer *buffer, size_t size);

// Removes bytes from the start. If the buffer is then empty, frees its memory.
void buffer_drop(struct buffer *buffer, size_t size);

void buffer_clear(struct buffer *buffer);
