// A full buffer grows by half of its size, so that a long message is not copied for each of its frames.

#include "buffer.h"

#include <stdlib.h>
#include <string.h>

char *buffer_extend(struct buffer *buffer, size_t size) {
    if (buffer->room - buffer->end >= size && buffer->bytes != NULL) return buffer->bytes + buffer->end;
    if (buffer->first > 0) {
        memmove(buffer->bytes, buffer->bytes + buffer->first, buffer_size(buffer));
        buffer->end -= buffer->first;
        buffer->first = 0;
    }
    if (buffer->room - buffer->end < size) {
        size_t room = (buffer->end + size) + (buffer->end + size) / 2;
        char *bytes = realloc(buffer->bytes, room);
        if (bytes == NULL) return NULL;
        buffer->bytes = bytes;
        buffer->room = room;
    }
    return buffer->bytes + buffer->end;
}

bool buffer_add(struct buffer *buffer, const void *bytes, size_t size) {
    if (size == 0) return true;
    char *place = buffer_extend(buffer, size);
    if (place == NULL) return false;
    memcpy(place, bytes, size);
    buffer->end += size;
    return true;
}

void buffer_drop(struct buffer *buffer, size_t size) {
    buffer->first += size;
    if (buffer->first == buffer->end) buffer_clear(buffer);
}

void buffer_clear(struct buffer *buffer) {
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}
