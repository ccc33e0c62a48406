// Connects each page's web socket to passd. docs/decisions/0021.

#include "gateway.h"

#include "door.h"
#include "guest.h"
#include "link.h"
#include "page.h"

struct settings settings;

const struct lws_protocols protocols[] = {
    {.name = "passd.v1", .callback = page_side, .per_session_data_size = sizeof(struct page),
     .rx_buffer_size = 4096, .tx_packet_size = max_piece},
    {.name = "door", .callback = door_side},
    {.name = "guest", .callback = guest_side},
    {.name = "passd", .callback = link_side, .per_session_data_size = sizeof(struct link *)},
    {0},
};
