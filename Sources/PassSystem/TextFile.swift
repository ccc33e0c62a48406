// Reads an operator's file, up to a limit. A fault says why the file cannot be read.

import CLinux
import Glibc

package enum TextFile {
    package static let maxBytes = 1 << 20

    package struct Fault: Error, Equatable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }

        package init(reason: Int32) { description = "cannot be read: " + String(cString: strerror(reason)) }
    }

    package static func read(_ path: String, limit: Int = maxBytes) throws(Fault) -> [UInt8] {
        guard !path.utf8.contains(0) else { throw Fault("cannot be read: the name contains a NUL byte") }
        do throws(ReadingFault) { return try readAll(path: path, limit: limit) } catch {
            switch error {
            case .failed(let reason): throw Fault(reason: reason)
            case .tooLarge: throw Fault("is larger than \(limit) bytes")
            case .notAFile:
                if isNullDevice(path) { return [] }
                throw Fault("is not a regular file")
            }
        }
    }

    /// Whether the path leads to the null device. An operator masks a file of a package by a link of the same name to the null
    /// device, as with systemd's units.
    private static func isNullDevice(_ path: String) -> Bool {
        var facts = stat()
        let number: dev_t = 1 << 8 | 3
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR && facts.st_rdev == number
    }
}
