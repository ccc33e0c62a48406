// One run of a program: a process group of its own with open signals, an empty standard input, its standard output a pipe
// and nothing else of ours. Blocks the thread that asks, never longer than told.
//
// A thread of libdispatch blocks all signals and the daemon ignores SIGPIPE; a child would inherit both and could not be
// ended by anything but SIGKILL.

import CSystemd
import Glibc

final class ChildProgram {
    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    private let id: pid_t
    /// Readable when the process has ended. Negative on kernels that have none: it is then looked at now and then.
    private let ending: Int32
    /// Closed as soon as nothing more is read.
    private var pipe: Int32

    init(_ path: String, _ environment: [String: String]) throws(ProgramOutput.Fault) {
        var ends: [Int32] = [-1, -1]
        guard pass_pipe(&ends) == 0 else { throw .cannotStart(reason: errno) }
        defer { close(ends[1]) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        do throws(ProgramOutput.Fault) {
            id = try Self.spawn(path, environment, output: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        pipe = ends[0]
        ending = pass_pidfd_open(id)
    }

    deinit {
        closePipe()
        if ending >= 0 { close(ending) }
    }

    private static func spawn(
        _ path: String, _ environment: [String: String], output: Int32
    ) throws(ProgramOutput.Fault) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The pipe first: its number may be one of those that are opened over.
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        pass_spawn_close_from(&actions, 3)
        pass_spawn_change_directory(&actions, "/")
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var arguments = [strdup(path), nil]
        var variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var id: pid_t = 0
        let reason = posix_spawn(&id, path, &actions, &attributes, &arguments, &variables)
        guard reason == 0 else { throw .cannotStart(reason: reason) }
        return id
    }

    /// All that is printed until the program ends. What it has started may live on and keep the output open; it is not
    /// waited for.
    func output(limit: Int, within time: Duration) -> ProgramOutput.Outcome {
        defer { closePipe() }
        let end = BootClock.now + time
        var bytes: [UInt8] = []
        while true {
            // Looked at before reading: what it has printed by then is there to be read.
            let isOver = hasEnded
            while pipe >= 0, bytes.count <= limit {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = read(pipe, &buffer, buffer.count)
                if count > 0 {
                    bytes += buffer[..<count]
                } else if count == 0 {
                    closePipe()
                } else if errno != EINTR {
                    break
                }
            }
            if bytes.count > limit { return .failure(.tooLong(limit: limit)) }
            if isOver { return .success(bytes) }
            let rest = end - BootClock.now
            guard rest > .zero else { return .failure(.hung(after: time)) }
            wait(rest)
        }
    }

    func hasEnded(within time: Duration) -> Bool {
        let end = BootClock.now + time
        while !hasEnded {
            let rest = end - BootClock.now
            guard rest > .zero else { return false }
            wait(rest)
        }
        return true
    }

    /// Ends whatever of the group is still there. Only before reaping: the group's number is nobody else's until then.
    func endGroup() { kill(-id, SIGKILL) }

    /// Waits for the end. Nil if somebody else has taken the status.
    func reap() -> Ending? {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 { if errno != EINTR { return nil } }
        return status & 0x7F == 0 ? .status((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }

    /// Without reaping it.
    private var hasEnded: Bool {
        var facts = siginfo_t()
        return waitid(P_PID, id_t(id), &facts, WEXITED | WNOHANG | WNOWAIT) != 0 || facts.si_signo != 0
    }

    /// Until there is something to read, it has ended, or that long.
    private func wait(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        var set = [
            pollfd(fd: pipe, events: Int16(POLLIN), revents: 0), pollfd(fd: ending, events: Int16(POLLIN), revents: 0),
        ]
        poll(&set, nfds_t(set.count), Int32(clamping: min(milliseconds, ending < 0 ? 20 : .max)))
    }

    private func closePipe() {
        if pipe >= 0 { close(pipe) }
        pipe = -1
    }
}
