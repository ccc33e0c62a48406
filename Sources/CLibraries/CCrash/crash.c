// What a crash leaves behind. The handler only calls functions that are safe in a signal handler, and the unwinder, which the
// program already has for the Swift runtime. It allocates nothing: all that it needs was read when it was installed.

#define _GNU_SOURCE
#include "CCrash.h"

#include <elf.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

// `priority` is the length of the prefix that a line on standard error has.
enum { priority = 3, max_modules = 48, max_name = 32, max_frames = 32, max_id = 20, stack_size = 64 * 1024 };

struct module {
    uintptr_t base, end;
    char name[max_name];
};

static struct module modules[max_modules];
static int module_count;
static char build[2 * max_id + 1];
static char program_name[max_name];
static char message_id[40];
static char stack[stack_size];
static atomic_flag has_crashed = ATOMIC_FLAG_INIT;

static const struct {
    int number;
    const char *name;
} reported[] = {
    {SIGSEGV, "SEGV"}, {SIGBUS, "BUS"}, {SIGILL, "ILL"}, {SIGFPE, "FPE"}, {SIGABRT, "ABRT"}, {SIGTRAP, "TRAP"}, {SIGSYS, "SYS"},
};
enum { reported_count = sizeof reported / sizeof reported[0] };

// MARK: What is known before

static void copy(char *to, const char *from, size_t size) {
    size_t count = strnlen(from, size - 1);
    memcpy(to, from, count);
    to[count] = 0;
}

static void read_notes(const char *at, const char *end) {
    while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        size_t name = (note.n_namesz + 3u) & ~3u, value = (note.n_descsz + 3u) & ~3u;
        at += sizeof note;
        if (name + value > (size_t)(end - at)) return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(at, "GNU", 4) == 0 && note.n_descsz <= max_id) {
            for (unsigned i = 0; i < note.n_descsz; i++) {
                unsigned char byte = (unsigned char)at[name + i];
                build[2 * i] = "0123456789abcdef"[byte >> 4];
                build[2 * i + 1] = "0123456789abcdef"[byte & 15];
            }
            return;
        }
        at += name + value;
    }
}

// The first module is the program itself.
static int read_module(struct dl_phdr_info *info, size_t size, void *only_program) {
    (void)size;
    if (module_count == max_modules) return 1;
    struct module *module = &modules[module_count];
    module->base = info->dlpi_addr;
    module->end = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
        if (part->p_type == PT_LOAD && end > module->end) module->end = end;
        if (part->p_type == PT_NOTE && module_count == 0 && !build[0]) read_notes((const char *)start, (const char *)end);
    }
    const char *path = info->dlpi_name, *slash = strrchr(path, '/');
    copy(module->name, slash ? slash + 1 : path, max_name);
    module_count++;
    return only_program != NULL;
}

const char *pass_build_id(void) {
    if (module_count == 0) dl_iterate_phdr(read_module, build);
    return build;
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
    for (int i = 0; i < module_count; i++) {
        if (address < modules[i].base || address >= modules[i].end) continue;
        add(text, i ? modules[i].name : program_name);
        add(text, "+");
        add_hexadecimal(text, address - modules[i].base);
        return;
    }
    add(text, "?");
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
    // The handler's own frames come first.
    if (!walk->has_begun) {
        walk->has_begun = address == walk->at;
        return _URC_NO_REASON;
    }
    // A return address is behind the call.
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

static void report(const char *signal_name, bool was_sent, const ucontext_t *context) {
    static struct text addresses, message, record;
    uintptr_t at = program_counter(context);
    add_address(&addresses, at);
    struct walk walk = {.at = at, .text = &addresses};
    _Unwind_Backtrace(visit, &walk);
    if (addresses.count == sizeof addresses.bytes) addresses.count--;
    addresses.bytes[addresses.count] = 0;

    add(&message, "<3>the daemon crashed with SIG");
    add(&message, signal_name);
    add(&message, was_sent ? ", which another process sent" : "");
    add(&message, "; build ");
    add(&message, build[0] ? build : "unknown");
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
        add(&record, signal_name);
        add(&record, "\nPASSD_BUILD=");
        add(&record, build);
        add(&record, "\nMESSAGE=");
        add(&record, message.bytes + priority);
        add(&record, "\n");
        if (send_to_journal(&record)) return;
    }
    message.bytes[message.count] = '\n';
    if (write(STDERR_FILENO, message.bytes, message.count + 1) < 0) return;
}

static void crashed(int number, siginfo_t *information, void *context) {
    // A crash of the handler, or of another thread at the same time, changes nothing.
    if (!atomic_flag_test_and_set(&has_crashed)) {
        const char *name = "?";
        for (int i = 0; i < reported_count; i++)
            if (reported[i].number == number) name = reported[i].name;
        bool was_sent = information->si_code <= 0 && information->si_pid != getpid();
        report(name, was_sent, context);
    }
    // SA_RESETHAND has restored the default effect, and SA_NODEFER does not block the signal.
    raise(number);
}

void pass_report_crashes(const char *program, const char *id) {
    copy(program_name, program, sizeof program_name);
    copy(message_id, id ? id : "", sizeof message_id);
    module_count = 0;
    dl_iterate_phdr(read_module, NULL);
    // Only the calling thread gets it; a stack overflow of another thread leaves no record.
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < reported_count; i++) sigaction(reported[i].number, &action, NULL);
}
