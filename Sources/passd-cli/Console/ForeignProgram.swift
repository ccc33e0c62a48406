// Runs another program and reads its output. Time and size are limited.

import Glibc

enum ForeignProgram {
    private static let maxWait: Int64 = 10_000
    private static let maxBytes = 4 << 20

    /// The program's standard output and standard error; nil if the program cannot be run. Ends a program that takes too long.
    static func output(of words: [String]) -> String? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let fault = posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
        close(ends[1])
        guard fault == 0 else { return nil }
        let text = String(decoding: Descriptor.read(ends[0], limit: maxBytes, maxWait: maxWait).bytes, as: UTF8.self)
        kill(child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return text
    }
}
