// 32 random bytes in a file that only passd may read: the salt, or the key of a box without a credential. If the key is in such
// a file, a thief can read a copy of the whole folder, but not a copy of the database alone. If the key is a credential, a
// thief can read neither.

import Glibc

struct SecretFile {
    static let count = 32

    enum Contents {
        case secret([UInt8], isExposed: Bool)
        case absent
        /// The file exists but does not have the right size.
        case malformed
        /// The file may exist and become readable later, so it must not be overwritten.
        case unreadable(FileFault)
    }

    let path: String
    let directory: StateDirectory

    init(_ path: String, in directory: StateDirectory) {
        self.path = path
        self.directory = directory
    }

    /// Reads the file. If other users could access the file, takes their access away if possible. Reports `isExposed` in any
    /// case, because they may have read the secret before.
    func read() -> Contents {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT ? .absent : .unreadable(FileFault("opening \(path)"))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .unreadable(FileFault("examining \(path)")) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .unreadable(.notPlain(path)) }
        let isExposed = status.st_mode & 0o077 != 0 || (status.st_uid != geteuid() && status.st_uid != 0)
        if isExposed { fchmod(descriptor, 0o600) }
        var bytes = [UInt8](repeating: 0, count: Self.count + 1)
        defer { wipe(&bytes) }
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return .unreadable(FileFault("reading \(path)")) }
        return count == Self.count ? .secret(Array(bytes.prefix(count)), isExposed: isExposed) : .malformed
    }

    /// Makes the file, with new bytes if no bytes are given. The file gets its name only when it is complete and synced,
    /// because values sealed with an incomplete key would be lost.
    func create(_ given: [UInt8]? = nil) throws(FileFault) -> [UInt8] {
        guard let bytes = given ?? randomBytes(Self.count) else { throw FileFault("generating a key", EIO) }
        try directory.replace(path, with: bytes, syncs: true)
        return bytes
    }
}
