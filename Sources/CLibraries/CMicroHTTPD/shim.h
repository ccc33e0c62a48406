// libmicrohttpd for Swift. Plain functions wrap its variadic functions, which Swift cannot call.
#pragma once
#include <stdint.h>
#include <sys/socket.h>
#include <microhttpd.h>

static inline struct MHD_Daemon *pass_mhd_start(unsigned int flags, MHD_AcceptPolicyCallback accept, void *acceptContext,
                                                MHD_AccessHandlerCallback handler, void *context,
                                                const struct MHD_OptionItem *options) {
    return MHD_start_daemon(flags, 0, accept, acceptContext, handler, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

static inline uint16_t pass_mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

static inline const struct sockaddr *pass_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : 0;
}

static inline int pass_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// The pointer that the connection-notify callback stored with the connection.
static inline void *pass_mhd_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : 0;
}

// Drops libmicrohttpd's messages about its peers, because they do not help a person at the terminal.
static void pass_mhd_say_nothing(void *context, const char *format, va_list arguments) {
    (void)context; (void)format; (void)arguments;
}

static inline intptr_t pass_mhd_silent_logger(void) { return (intptr_t)pass_mhd_say_nothing; }
