// The key without a credential: 32 random bytes in a file that only passd may read. It protects a copy of the database, but
// not a copy of the whole folder. A credential protects both.

import Glibc

struct KeyFile {
    static let count = 32

    enum Contents {
        case key(SealingKey, isExposed: Bool)
        case absent
        /// The file exists but does not contain a key.
        case malformed
        /// The file may exist and become readable later, so it must not be overwritten.
        case unreadable(FileFault)
    }

    let directory: StateDirectory

    /// Reads the key. If other users can read the file, tries to prevent that, and reports `isExposed` in any case.
    func read() -> Contents {
        let descriptor = open(directory.key, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT ? .absent : .unreadable(FileFault("opening \(directory.key)"))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .unreadable(FileFault("examining \(directory.key)")) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .unreadable(.notPlain(directory.key)) }
        let isExposed = status.st_mode & 0o077 != 0 || (status.st_uid != geteuid() && status.st_uid != 0)
        if isExposed { fchmod(descriptor, 0o600) }
        var bytes = [UInt8](repeating: 0, count: Self.count + 1)
        defer { wipe(&bytes) }
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return .unreadable(FileFault("reading \(directory.key)")) }
        guard count == Self.count, let key = SealingKey(secret: Array(bytes.prefix(count))) else { return .malformed }
        return .key(key, isExposed: isExposed)
    }

    /// Makes a new key file. The file gets its name only when it is complete and synced, because values sealed with an
    /// incomplete key would be lost.
    func create() throws(FileFault) -> SealingKey {
        guard var bytes = randomBytes(Self.count) else { throw FileFault("generating a key", EIO) }
        defer { wipe(&bytes) }
        let draft = directory.key + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault("creating \(draft)") }
        let written = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let fault = FileFault("writing \(draft)")
        close(descriptor)
        guard written else {
            unlink(draft)
            throw fault
        }
        guard rename(draft, directory.key) == 0 else {
            let fault = FileFault("renaming \(draft) to \(directory.key)")
            unlink(draft)
            throw fault
        }
        directory.sync()
        guard let key = SealingKey(secret: bytes) else { throw FileFault("deriving a key", EIO) }
        return key
    }
}
