// Lets only one process write the store. The kernel releases the lock when the process ends, even after a crash. The
// process ID in the file is for people.

import Glibc

/// Another process uses the store. Two processes would undo each other's changes.
public struct VaultInUse: Error, Hashable, Sendable {
    public var directory: String
    public var process: String?

    public var explanation: String {
        let holder = process.map { "process \($0)" } ?? "another process"
        return "\(holder) is using the store in \(directory); stop it, or use a different --state-dir"
    }
}

final class WriterLock {
    private let descriptor: Int32

    /// Takes the lock. Nil if the lock file cannot be opened; then another process may be using the store.
    init?(_ directory: StateDirectory) throws(VaultInUse) {
        descriptor = open(directory.lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            var text = [UInt8](repeating: 0, count: 20)
            let count = pread(descriptor, &text, text.count, 0)
            let digits = text.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
            throw VaultInUse(
                directory: directory.path, process: digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self))
        }
        let text = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        pwrite(descriptor, text, text.count, 0)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
