// libsystemd for Swift, and the calls of the kernel beside it that Swift's Glibc leaves out.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

enum {
    pass_timer_flags = TFD_NONBLOCK | TFD_CLOEXEC,
    pass_timer_absolute = TFD_TIMER_ABSTIME,
    // Older headers lack these two; the kernel's numbers are the same everywhere that matters here.
    pass_so_peergroups = 59,
    pass_so_peerpidfd = 77
};

static inline int pass_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }
static inline int pass_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
static inline int pass_share_heap(void) { return mallopt(M_ARENA_MAX, 1); }
static inline int pass_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// The ends belong to no program that another thread starts at this moment.
static inline int pass_pipe(int *ends) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

// A file in memory alone; closed for children.
static inline int pass_memory_file(void) { return (int)syscall(SYS_memfd_create, "passd", 1U); }

// The C library has these since its version 2.34, and shows them to GNU programs only.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);

static inline int pass_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

static inline int pass_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}
