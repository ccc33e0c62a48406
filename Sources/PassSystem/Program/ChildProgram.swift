// One run of a child program. The child has its own process group and no blocked signals. The standard output is a pipe. The
// standard input is a pipe or nothing. The child inherits no other descriptor. One thread owns the run. A call with a time
// limit blocks this thread no longer than this time. `reap` blocks the thread until the process has ended.
//
// A thread of libdispatch blocks all signals, and the daemon ignores SIGPIPE. If a child inherited both settings, only SIGKILL
// could end it.

import CLinux
import Glibc

final class ChildProgram {
    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    private let id: pid_t
    /// A descriptor that becomes readable at the end of the process. Negative on kernels without such descriptors; then the
    /// process is polled.
    private let ending: Int32
    /// The standard output; closed after the last reading.
    private var pipe: Int32
    /// The standard input; negative if there is none or the input is closed.
    private(set) var input: Int32 = -1

    init(_ path: String, _ environment: [String: String], isHeard: Bool = false) throws(ProgramOutput.Fault) {
        var (output, input): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pass_pipe(&output) == 0 else { throw .cannotStart(reason: errno) }
        defer { close(output[1]) }
        do throws(ProgramOutput.Fault) {
            guard !isHeard || pass_pipe(&input) == 0 else { throw .cannotStart(reason: errno) }
            defer { if isHeard { close(input[0]) } }
            id = try Self.spawn(path, environment, input: input[0], output: output[1])
        } catch {
            close(output[0])
            if input[1] >= 0 { close(input[1]) }
            throw error
        }
        pipe = output[0]
        self.input = input[1]
        for end in [pipe, self.input] where end >= 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        ending = pass_pidfd_open(id)
    }

    deinit {
        closeOutput()
        closeInput()
        if ending >= 0 { close(ending) }
    }

    private static func spawn(
        _ path: String, _ environment: [String: String], input: Int32, output: Int32
    ) throws(ProgramOutput.Fault) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Both descriptors are above 2, because the daemon opens 0 to 2 at its start.
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        if input >= 0 {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
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

    /// Waits until the program ends, and returns its whole output. Does not wait for the program's children, which may keep the
    /// output open.
    func output(limit: Int, within time: Duration) -> ProgramOutput.Outcome {
        defer { closeOutput() }
        let end = BootClock.now + time
        var bytes: [UInt8] = []
        while true {
            // This check comes before the reading, so that everything printed before the program's end is read.
            let isOver = hasEnded
            while pipe >= 0, bytes.count <= limit {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = Glibc.read(pipe, &buffer, buffer.count)
                if count > 0 {
                    bytes += buffer[..<count]
                } else if count == 0 {
                    closeOutput()
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

    /// Signals the whole process group. Call this only before `reap`, because after `reap` another group may have this group's
    /// number.
    func endGroup(_ signal: Int32 = SIGKILL) { kill(-id, signal) }

    /// Reads the available bytes, up to `limit`. Nil if the program has closed its output.
    func read(limit: Int) -> [UInt8]? {
        guard pipe >= 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(pipe, &buffer, limit)
        if count < 0 { return [] }
        if count == 0 { closeOutput() }
        return count == 0 ? nil : Array(buffer[..<count])
    }

    /// Writes, and returns the number of written bytes; nil if the program has closed its input.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
        return count >= 0 ? count : [EAGAIN, EINTR].contains(errno) ? 0 : nil
    }

    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Waits for the end of the process. Nil if another call has already taken the exit status.
    func reap() -> Ending? {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 { if errno != EINTR { return nil } }
        return status & 0x7F == 0 ? .status((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }

    /// Whether the process has ended. The exit status remains for `reap`.
    var hasEnded: Bool {
        var facts = siginfo_t()
        return waitid(P_PID, id_t(id), &facts, WEXITED | WNOHANG | WNOWAIT) != 0 || facts.si_signo != 0
    }

    /// Waits for output or for the end of the process, but no longer than the time.
    private func wait(_ time: Duration) { wait(time, also: -1, toWrite: false) }

    /// Like `wait(_:)`, but also ends when `other` is readable. With `toWrite`, also ends when the input accepts more.
    func wait(_ time: Duration, also other: Int32, toWrite: Bool) {
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        var set = [pipe, ending, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        set.append(pollfd(fd: toWrite ? input : -1, events: Int16(POLLOUT), revents: 0))
        let interval: Int64 = ending >= 0 ? .max : other < 0 ? 20 : 500
        poll(&set, nfds_t(set.count), Int32(clamping: min(milliseconds, interval)))
    }

    func closeOutput() {
        if pipe >= 0 { close(pipe) }
        pipe = -1
    }
}
