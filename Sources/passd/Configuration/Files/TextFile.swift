// The bytes of a file that an operator wrote, up to a limit. What is no file is not read: a pipe would never end.

import Glibc

enum TextFile {
    static let mostBytes = 1 << 20

    struct Fault: Error, Equatable, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }

        init(reason: Int32) { description = "cannot be read: " + String(cString: strerror(reason)) }
    }

    static func read(_ path: String, limit: Int = mostBytes) throws(Fault) -> [UInt8] {
        guard !path.utf8.contains(0) else { throw Fault("cannot be read: the name holds a NUL byte") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Fault(reason: errno) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw Fault(reason: errno) }
        if facts.st_mode & S_IFMT == S_IFCHR, facts.st_rdev == nullDevice { return [] }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw Fault("is not a file") }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return content }
            if count < 0 {
                if errno == EINTR { continue }
                throw Fault(reason: errno)
            }
            guard content.count + count <= limit else { throw Fault("is larger than \(limit) bytes") }
            content += buffer.prefix(count)
        }
    }

    /// A link to it masks a file of the same name, as with systemd's units.
    private static let nullDevice: dev_t = 1 << 8 | 3
}
