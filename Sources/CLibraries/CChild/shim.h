// Starts a program that does not outlive its parent. The child itself asks the kernel to end it with its parent. This code is
// written in C, because the child has to ask between fork and exec, where no Swift code can run.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Starts the child. Its input is empty, and its output and errors go to `log`. The child leads its own process group, so that
// Ctrl-C at the terminal reaches only the parent. The child gets SIGTERM when the thread that called this function ends in any
// way. Returns the child's id, or the negative error number if the program cannot be started.
static inline pid_t pass_start_child(const char *program, char *const *words, char *const *variables, int log) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return -errno;
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        if (null >= 0 && dup2(null, 0) == 0 && dup2(log, 1) == 1 && dup2(log, 2) == 2 && setpgid(0, 0) == 0
            && prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent && sigprocmask(SIG_SETMASK, &none, 0) == 0)
            execve(program, words, variables);
        int reason = errno;
        (void)!write(report[1], &reason, sizeof reason);
        _exit(127);
    }
    int reason = child < 0 ? errno : 0;
    close(report[1]);
    while (child > 0 && read(report[0], &reason, sizeof reason) < 0 && errno == EINTR) continue;
    close(report[0]);
    if (reason == 0) return child;
    if (child > 0) waitpid(child, 0, 0);
    return -reason;
}
