// Secrets that the service manager passes as files (`LoadCredential=`). Only plain files directly in the manager's directory
// are read, and symbolic links are not followed. Contract: operations.md §2 `credential:NAME`, `sealing`.

import Glibc

public struct Credentials: Sendable {
    public enum Fault: Error, Equatable, Sendable {
        case badName
        case missing
        /// The entry is a symbolic link, a directory or a pipe.
        case notAFile
        case tooLarge(limit: Int)
        case unreadable(reason: Int32)
    }

    private let directory: String?

    /// `directory` is nil if no credentials were passed. In this case, every name is missing.
    public init(directory: String?) { self.directory = directory.flatMap { $0.isEmpty ? nil : $0 } }

    /// The credentials of this process.
    public static func inherited() -> Credentials {
        Credentials(directory: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) })
    }

    public var arePassed: Bool { directory != nil }

    public func contents(of name: String, limit: Int = 64 << 10) throws(Fault) -> [UInt8] {
        guard (1...255).contains(name.utf8.count), name != ".", name != "..",
            name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") })
        else { throw .badName }
        guard let directory else { throw .missing }
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw Self.fault(errno) }
        defer { close(folder) }
        // Without O_NONBLOCK, opening a pipe could wait forever.
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Self.fault(errno) }
        defer { close(file) }
        do { return try readFile(file, limit: limit) } catch {
            switch error {
            case .tooLarge: throw .tooLarge(limit: limit)
            case .notAFile: throw .notAFile
            case .failed(let reason): throw .unreadable(reason: reason)
            }
        }
    }

    private static func fault(_ reason: Int32) -> Fault {
        switch reason {
        case ENOENT: .missing
        case ELOOP, ENOTDIR, ENXIO: .notAFile
        default: .unreadable(reason: reason)
        }
    }
}
