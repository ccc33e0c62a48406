// The directory of a box. Only the user can read the directory, and only one box at a time uses it. If the user names no
// directory, a temporary one is used and deleted at the end.

import FoundationEssentials
import Glibc
import PassArguments

final class BoxDirectory {
    let path: String
    let isTemporary: Bool
    private let lock: Int32

    static let configuration = "passd.conf"
    /// The first words of each file that is written at every start.
    static let mark = "# Written by pass-sandbox box at every start."
    /// The maximum length of a socket's path.
    private static let longestSocket = 107

    init(_ given: String?) throws(Failure) {
        isTemporary = given == nil
        if let given { path = try Self.kept(given) } else { path = try Self.temporary() }
        let longest = Self.longestSocket - "/admin.sock".utf8.count
        guard path.utf8.count <= longest else {
            let reason = "\(path): the path is too long for the sockets in it; it can have \(longest) bytes"
            if isTemporary { rmdir(path) }
            throw Failure(.usage, reason)
        }
        lock = open(path + "/box.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw Failure(.failed, "\(path)/box.lock: \(lastError())") }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno == EWOULDBLOCK ? "is in use by another box" : "cannot be locked: " + lastError()
            throw Failure(.failed, "\(path) \(reason)")
        }
    }

    deinit {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
        close(lock)
    }

    func file(_ name: String) -> String { path + "/" + name }

    func makeFolder(_ name: String) throws(Failure) {
        guard mkdir(file(name), 0o700) == 0 || errno == EEXIST else {
            throw Failure(.failed, "\(file(name)) cannot be created: \(lastError())")
        }
    }

    /// Replaces the file, in one step.
    func write(_ text: String, to name: String) throws(Failure) {
        do {
            try Data(text.utf8).write(to: URL(filePath: file(name)), options: .atomic)
        } catch {
            throw Failure(.failed, "\(file(name)) cannot be written")
        }
    }

    private static func kept(_ given: String) throws(Failure) -> String {
        guard mkdir(given, 0o700) == 0 || errno == EEXIST else {
            throw Failure(.failed, "\(given) cannot be created: \(lastError())")
        }
        guard let resolved = realpath(given, nil) else { throw Failure(.failed, "\(given): \(lastError())") }
        let path = String(cString: resolved)
        free(resolved)
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(.failed, "\(path) is not a directory")
        }
        guard facts.st_uid == geteuid() else {
            throw Failure(.failed, "\(path) belongs to another user (\(facts.st_uid))")
        }
        guard facts.st_mode & 0o077 == 0 else {
            throw Failure(
                .failed,
                "\(path) is not private, but will contain logins: run chmod 700, or name another "
                    + "directory")
        }
        let configuration = path + "/" + Self.configuration
        guard
            access(configuration, F_OK) != 0
                || (try? String(contentsOfFile: configuration, encoding: .utf8))?.hasPrefix(mark) == true
        else {
            throw Failure(
                .failed,
                "\(configuration) does not belong to a box, so it is not replaced: name another "
                    + "directory")
        }
        return path
    }

    private static func temporary() throws(Failure) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(parent)/pass-sandbox.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(.failed, "no temporary directory can be created in \(parent): \(lastError())")
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

func lastError() -> String { String(cString: strerror(errno)) }
