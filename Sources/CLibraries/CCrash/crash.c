// Writes a record when the program crashes. The signal handler allocates nothing. It calls only the unwinder, and functions
// that are safe in a signal handler. The unwinder is part of the program anyway, because the Swift runtime needs it.

#define _GNU_SOURCE
#include "CCrash.h"

#include <CBuild.h>
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

// `priority` is the length of `<3>`, the priority before a line on standard error.
enum { priority = 3, max_name = 32, max_frames = 32, stack_size = 64 * 1024 };

static const char *build;
static char program_name[max_name];
static char message_id[40];
static char stack[stack_size];
// The first thread that crashed.
static atomic_int crashed_thread;

static const struct {
    int number;
    const char *name;
} reported[] = {
    {SIGSEGV, "SEGV"}, {SIGBUS, "BUS"}, {SIGILL, "ILL"}, {SIGFPE, "FPE"}, {SIGABRT, "ABRT"}, {SIGTRAP, "TRAP"}, {SIGSYS, "SYS"},
};
enum { reported_count = sizeof reported / sizeof reported[0] };

// MARK: Before a crash

static void copy(char *to, const char *from, size_t size) {
    size_t count = strnlen(from, size - 1);
    memcpy(to, from, count);
    to[count] = 0;
}

// MARK: The crash

struct text {
    size_t count;
    char bytes[2048];
};

static void add(struct text *text, const char *part) {
    for (; *part && text->count < sizeof text->bytes; part++) text->bytes[text->count++] = *part;
}

static void add_hexadecimal(struct text *text, uintptr_t number) {
    char digits[2 * sizeof number + 3], *at = digits + sizeof digits;
    *--at = 0;
    do {
        *--at = "0123456789abcdef"[number & 15];
        number >>= 4;
    } while (number);
    *--at = 'x';
    *--at = '0';
    add(text, at);
}

static void add_address(struct text *text, uintptr_t address) {
    add(text, text->count ? " " : "");
    // This call needs no lock, and also finds libraries that were loaded late.
    struct dl_find_object found;
    if (_dl_find_object((void *)address, &found) != 0) {
        add(text, "?");
        return;
    }
    const char *path = found.dlfo_link_map->l_name, *slash = strrchr(path, '/');
    add(text, *path ? slash ? slash + 1 : path : program_name);
    add(text, "+");
    add_hexadecimal(text, address - found.dlfo_link_map->l_addr);
}

struct walk {
    uintptr_t at;
    int count;
    bool has_begun;
    struct text *text;
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *argument) {
    struct walk *walk = argument;
    int is_exact = 0;
    uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
    // The first frames belong to the handler itself, so they are skipped.
    if (!walk->has_begun) {
        walk->has_begun = address == walk->at;
        return _URC_NO_REASON;
    }
    // A return address is the address after the call, so one byte less is inside the call.
    add_address(walk->text, is_exact ? address : address - 1);
    return ++walk->count < max_frames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static uintptr_t program_counter(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
#error "the register of the program counter is unknown for this processor"
#endif
}

static bool send_to_journal(const struct text *text) {
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return false;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/run/systemd/journal/socket"};
    ssize_t sent = sendto(
        descriptor, text->bytes, text->count, MSG_NOSIGNAL, (const struct sockaddr *)&address, sizeof address);
    close(descriptor);
    return sent == (ssize_t)text->count;
}

static const char *name_of(int number) {
    for (int i = 0; i < reported_count; i++)
        if (reported[i].number == number) return reported[i].name;
    return "?";
}

static int first_signal;
static bool was_sent;
static struct text addresses, message, record;

static void send_report(void) {
    if (addresses.count == sizeof addresses.bytes) addresses.count--;
    addresses.bytes[addresses.count] = 0;

    add(&message, "<3>the daemon crashed with SIG");
    add(&message, name_of(first_signal));
    add(&message, was_sent ? ", which another process sent" : "");
    add(&message, "; build ");
    add(&message, build ? build : "unknown");
    add(&message, "; ");
    add(&message, addresses.bytes);
    if (message.count == sizeof message.bytes) message.count--;
    message.bytes[message.count] = 0;

    if (message_id[0]) {
        add(&record, "PRIORITY=3\nPASSD_EVENT=CRASHED\nSYSLOG_IDENTIFIER=");
        add(&record, program_name);
        add(&record, "\nMESSAGE_ID=");
        add(&record, message_id);
        add(&record, "\nPASSD_SIGNAL=SIG");
        add(&record, name_of(first_signal));
        add(&record, "\nPASSD_BUILD=");
        add(&record, build ? build : "");
        add(&record, "\nMESSAGE=");
        add(&record, message.bytes + priority);
        add(&record, "\n");
        if (send_to_journal(&record)) return;
    }
    message.bytes[message.count] = '\n';
    if (write(STDERR_FILENO, message.bytes, message.count + 1) < 0) return;
}

static void end(int number) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, NULL);
    raise(number);
}

static void crashed(int number, siginfo_t *information, void *context) {
    static bool is_sending;
    int none = 0, me = (int)syscall(SYS_gettid);
    if (!atomic_compare_exchange_strong(&crashed_thread, &none, me)) {
        // The first thread that crashes reports, and ends the program.
        while (none != me) pause();
        // The search for frames has crashed, because the stack is damaged. The frames that it has found are sent.
        if (!is_sending) {
            is_sending = true;
            send_report();
        }
        end(first_signal);
        return;
    }
    first_signal = number;
    was_sent = information->si_code <= 0 && information->si_pid != getpid();
    struct walk walk = {.at = program_counter(context), .text = &addresses};
    add_address(&addresses, walk.at);
    _Unwind_Backtrace(visit, &walk);
    is_sending = true;
    send_report();
    end(number);
}

void pass_report_crashes(const char *program, const char *id) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return; // Sanitizers report crashes themselves.
#endif
#endif
    copy(program_name, program, sizeof program_name);
    copy(message_id, id ? id : "", sizeof message_id);
    build = pass_build_id();
    // Only the calling thread gets this stack. A stack overflow of another thread leaves no record.
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    // Without SA_NODEFER, a crash of the report would end the program at once.
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < reported_count; i++) sigaction(reported[i].number, &action, NULL);
}
