// The state on disk: a log of changes. Each change is one line with a checksum. A line is written and synced before the call is
// answered. A crash can leave an incomplete last line. The call of this line was never answered, so the next start drops the
// line. Any other damage is an error that names the place. A log that is much larger than its content is replaced by a
// snapshot. The snapshot is written to another file, synced and renamed.

import FoundationEssentials
import Glibc
import PassJSON

public struct StateFileError: Error, CustomStringConvertible, Sendable {
    public let description: String
}

final class StateFile {
    private static let title = "pass-sandbox state 1\n"

    private let path: String
    private var descriptor: Int32
    private var size: Int
    private var sizeAfterSnapshot: Int

    /// Opens or creates the file and reads it into `state`. A new file leaves the state unchanged.
    init(path: String, state: inout State) throws(StateFileError) {
        self.path = path
        descriptor = Self.lock(path)
        guard descriptor >= 0 else {
            throw StateFileError(
                description: errno == EWOULDBLOCK
                    ? "\(path) is in use by another pass-sandbox"
                    : Self.failure("cannot open", path).description)
        }
        size = 0
        sizeAfterSnapshot = 0
        let content = try Self.read(descriptor, path)
        if content.isEmpty {
            try replace(with: &state)
            return
        }
        let kept = try Self.replay(content, into: &state, path)
        if kept < content.count, ftruncate(descriptor, off_t(kept)) != 0 {
            throw failure("cannot cut off the unfinished end of")
        }
        size = kept
        sizeAfterSnapshot = kept
        if kept < Self.title.utf8.count { try replace(with: &state) }
        lseek(descriptor, 0, SEEK_END)
    }

    deinit { close(descriptor) }

    /// Reads a file that another process may have open, without changing it.
    static func peek(path: String, into state: inout State) throws(StateFileError) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot open", path) }
        defer { close(descriptor) }
        _ = try replay(read(descriptor, path), into: &state, path)
    }

    /// Opens and locks the file. Then checks that the path still names this file, because a snapshot may have replaced it.
    private static func lock(_ path: String) -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return -1 }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let reason = errno
                close(descriptor)
                errno = reason
                return -1
            }
            var held = stat()
            var named = stat()
            if fstat(descriptor, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino { return descriptor }
            close(descriptor)
        }
    }

    private static func read(_ descriptor: Int32, _ path: String) throws(StateFileError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StateFileError(description: "\(path) is not a regular file")
        }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return content }
            guard count > 0 else { throw failure("cannot read", path) }
            content += buffer[..<count]
        }
    }

    /// Applies the lines, and returns the number of bytes in complete lines.
    private static func replay(
        _ content: [UInt8], into state: inout State, _ path: String
    ) throws(StateFileError) -> Int {
        if content.count < title.utf8.count, title.utf8.starts(with: content) { return 0 }
        guard content.starts(with: title.utf8) else {
            throw StateFileError(description: "\(path) is not a state file of this version of pass-sandbox")
        }
        var start = title.utf8.count
        var line = 2
        while start < content.count {
            guard let end = content[start...].firstIndex(of: UInt8(ascii: "\n")) else { return start }
            do {
                try state.apply(try changes(of: content[start..<end]))
            } catch is ChecksumError where end + 1 == content.count {
                // After a crash, the disk may have the end of the last line without its middle.
                return start
            } catch {
                throw StateFileError(
                    description: "\(path):\(line): the state file is damaged (\(describe(error))); "
                        + "move it away to start with an empty state, or restore it from a backup")
            }
            start = end + 1
            line += 1
        }
        return start
    }

    private static func changes(of line: ArraySlice<UInt8>) throws -> JSONValue {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2, parts[0].elementsEqual(checksum(parts[1]).utf8) else {
            throw ChecksumError()
        }
        return try JSONReader.read(Array(parts[1]), limits: JSONLimits(values: .max))
    }

    private struct ChecksumError: Error {}

    private static func describe(_ error: any Error) -> String {
        error is ChecksumError ? "the checksum does not match" : "\(error)"
    }

    private static func checksum(_ text: some Sequence<UInt8>) -> String { hexadecimal(sha256(text).prefix(8)) }

    private static func line(_ changes: String) -> String { checksum(changes.utf8) + " " + changes + "\n" }

    /// Makes all changes of the state durable. After an error, none is durable.
    func commit(_ state: inout State) throws(StateFileError) {
        let changes: String?
        do { changes = try state.takeChanges() } catch {
            throw StateFileError(description: "cannot write the state: \(error)")
        }
        guard let changes else { return }
        let line = Array(Self.line(changes).utf8)
        guard Self.write(line, to: descriptor), fdatasync(descriptor) == 0 else {
            let error = failure("cannot write")
            ftruncate(descriptor, off_t(size))
            lseek(descriptor, off_t(size), SEEK_SET)
            throw error
        }
        size += line.count
        if size > 1 << 22, size > 4 * sizeAfterSnapshot { try? replace(with: &state) }
    }

    private func replace(with state: inout State) throws(StateFileError) {
        let aside = path + ".new"
        let snapshot: String
        do { snapshot = try state.snapshot() } catch {
            throw StateFileError(description: "cannot write the state: \(error)")
        }
        let content = Array((Self.title + Self.line(snapshot)).utf8)
        unlink(aside)
        let fresh = open(aside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard fresh >= 0 else { throw failure("cannot create \(aside) for") }
        guard flock(fresh, LOCK_EX | LOCK_NB) == 0, Self.write(content, to: fresh), fsync(fresh) == 0,
            rename(aside, path) == 0
        else {
            let error = failure("cannot write")
            close(fresh)
            unlink(aside)
            throw error
        }
        syncFolder()
        close(descriptor)
        descriptor = fresh
        size = content.count
        sizeAfterSnapshot = size
    }

    private func syncFolder() {
        let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func failure(_ what: String) -> StateFileError { Self.failure(what, path) }

    private static func failure(_ what: String, _ path: String) -> StateFileError {
        StateFileError(description: "\(what) \(path): \(String(cString: strerror(errno)))")
    }
}
