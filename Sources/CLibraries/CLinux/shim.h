// Calls of the kernel and of Swift's runtime that cannot be made from Swift.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum {
    pass_epoll_cloexec = EPOLL_CLOEXEC,
    pass_epoll_in = EPOLLIN,
    pass_epoll_out = EPOLLOUT,
    pass_epoll_error = EPOLLERR,
    pass_epoll_hangup = EPOLLHUP,
    pass_timer_flags = TFD_NONBLOCK | TFD_CLOEXEC,
    pass_timer_absolute = TFD_TIMER_ABSTIME,
    // Older headers lack these two numbers. The kernel's numbers are the same on all platforms of passd.
    pass_so_peergroups = 59,
    pass_so_peerpidfd = 77
};

static inline int pass_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }
static inline int pass_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
static inline int pass_share_heap(void) { return mallopt(M_ARENA_MAX, 1); }
static inline int pass_trim_heap(void) { return malloc_trim(0); }
static inline int pass_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// Makes a pipe. A program that another thread starts at this moment does not inherit the ends of the pipe.
static inline int pass_pipe(int *ends) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

// Makes a file in memory. Children do not inherit it.
static inline int pass_memory_file(void) { return (int)syscall(SYS_memfd_create, "passd", 1U); }

// The C library has these two functions since version 2.34, but declares them only with `_GNU_SOURCE`.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);

static inline int pass_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

static inline int pass_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

// Accepts a connection. A program that another thread starts at this moment does not inherit the descriptor.
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

enum { pass_epoll_most = 64 };

// Waits until a descriptor is ready. If `waits` is 0, only checks. Returns the number of stored tokens and events, at most
// `pass_epoll_most`; 0 if it was interrupted.
static inline int pass_epoll_ready(int poll, int waits, uint64_t *tokens, uint32_t *events) {
    struct epoll_event ready[pass_epoll_most];
    int count = epoll_wait(poll, ready, pass_epoll_most, waits ? -1 : 0);
    for (int index = 0; index < count; index++) {
        tokens[index] = ready[index].data.u64;
        events[index] = ready[index].events;
    }
    return count < 0 ? 0 : count;
}

// Names the calling thread, for people who inspect the process.
static inline void pass_name_thread(const char *name) { (void)prctl(PR_SET_NAME, name, 0, 0, 0); }

// Makes a descriptor that becomes readable with a write, and stays readable until the next read.
static inline int pass_bell(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void pass_bell_ring(int bell) { (void)eventfd_write(bell, 1); }

static inline void pass_bell_hush(int bell) {
    eventfd_t count;
    (void)eventfd_read(bell, &count);
}

// The Swift runtime's hook for tasks that have no actor with its own executor. By default, such tasks go to a global Dispatch
// queue. The first use of such a queue starts a monitor, which wakes the process every second.
typedef __attribute__((swiftcall)) void (*pass_task_enqueue)(void *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(void *job, pass_task_enqueue original);
__attribute__((swiftcall)) void swift_job_run(void *job, void *executor, void *witness);

// Stores the given function, unless it is NULL. Returns the function that is stored.
static inline void (*pass_enqueue(void (*given)(void *job)))(void *job) {
    static void (*enqueue)(void *job);
    if (given) enqueue = given;
    return enqueue;
}

static __attribute__((swiftcall)) void pass_enqueue_task(void *job, pass_task_enqueue original) {
    (void)original;
    pass_enqueue(0)(job);
}

// Sets the hook, so that tasks that have no actor with its own executor go to `enqueue`. Call this before the first task
// begins.
static inline void pass_enqueue_tasks_with(void (*enqueue)(void *job)) {
    pass_enqueue(enqueue);
    swift_task_enqueueGlobal_hook = pass_enqueue_task;
}

// Runs the task until it has to wait. The two zeros stand for an executor that belongs to no actor.
static inline void pass_run_task(void *job) { swift_job_run(job, 0, 0); }
