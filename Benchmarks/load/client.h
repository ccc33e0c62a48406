/* A connection to a server that sends its answers as lines. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The server, and how to read its lines. */
struct server {
    const char *path;
    /* Clients connect as these users, in turn. Without users, they connect as the user of this process. */
    uid_t first_user;
    unsigned users;
    /* The mark of lines that answer a call. Other lines are skipped. */
    const char *answer;
    /* The mark of wrong lines, which end the program. */
    const char *wrong;
};

struct client {
    int socket;
    /* The beginning of a line whose end has not arrived. */
    char *kept;
    size_t kept_length;
};

/* Connects the client with this number, as its user. */
void client_connect(struct client *client, const struct server *server, unsigned number);
void client_close(struct client *client);
void client_send(struct client *client, const char *text, size_t length);
/* Reads without waiting, and returns the number of lines with `wanted`. */
unsigned client_read(struct client *client, const struct server *server, const char *wanted);
/* Reads until a line with `wanted` arrives. */
void client_await(struct client *client, const struct server *server, const char *wanted);
/* Raises the limit of descriptors to the maximum. */
void raise_descriptor_limit(void);
/* FIRST:COUNT */
void parse_users(struct server *server, const char *text);
