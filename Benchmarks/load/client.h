/* A connection to a server that answers in lines. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The server, and how its lines are to be understood. */
struct server {
    const char *path;
    /* Clients connect as these users, in turn. With none, as the user of this process. */
    uid_t first_user;
    unsigned users;
    /* What a line has that answers a call. Other lines are passed over. */
    const char *answer;
    /* What a line has that must not come; it ends the program. */
    const char *wrong;
};

struct client {
    int socket;
    /* The beginning of a line whose end has not come. */
    char *kept;
    size_t kept_length;
};

/* The user of the client with that number decides as whom it connects. */
void client_connect(struct client *client, const struct server *server, unsigned number);
void client_close(struct client *client);
void client_send(struct client *client, const char *text, size_t length);
/* Reads what is there, and returns how many lines of it have `wanted`. */
unsigned client_read(struct client *client, const struct server *server, const char *wanted);
/* Reads until a line has it. */
void client_await(struct client *client, const struct server *server, const char *wanted);
/* Lets this process have as many descriptors as it may. */
void raise_descriptor_limit(void);
/* FIRST:COUNT */
void parse_users(struct server *server, const char *text);
