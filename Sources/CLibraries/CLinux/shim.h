// Calls of the kernel that Swift's Glibc leaves out.
#pragma once
#include <fcntl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    pass_epoll_cloexec = EPOLL_CLOEXEC,
    pass_epoll_in = EPOLLIN,
    pass_epoll_out = EPOLLOUT,
    pass_epoll_error = EPOLLERR,
    pass_epoll_hangup = EPOLLHUP
};

// The descriptor belongs to no program that another thread starts at this moment.
static inline int pass_accept(int socket) {
    return (int)syscall(SYS_accept4, socket, 0, 0, O_CLOEXEC | O_NONBLOCK);
}

static inline int pass_epoll_set(int poll, int operation, int number, uint32_t events, uint64_t token) {
    struct epoll_event event;
    event.events = events;
    event.data.u64 = token;
    return epoll_ctl(poll, operation, number, &event);
}

static inline int pass_epoll_add(int poll, int number, uint32_t events, uint64_t token) {
    return pass_epoll_set(poll, EPOLL_CTL_ADD, number, events, token);
}

static inline int pass_epoll_change(int poll, int number, uint32_t events, uint64_t token) {
    return pass_epoll_set(poll, EPOLL_CTL_MOD, number, events, token);
}

static inline int pass_epoll_remove(int poll, int number) {
    return pass_epoll_set(poll, EPOLL_CTL_DEL, number, 0, 0);
}

// What is ready now: tokens and events, at most `most`. Does not wait.
static inline int pass_epoll_ready(int poll, uint64_t *tokens, uint32_t *events, int most) {
    struct epoll_event ready[64];
    int count = epoll_wait(poll, ready, most < 64 ? most : 64, 0);
    for (int index = 0; index < count; index++) {
        tokens[index] = ready[index].data.u64;
        events[index] = ready[index].events;
    }
    return count;
}
