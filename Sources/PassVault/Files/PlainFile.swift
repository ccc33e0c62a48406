// Reading a file of the state directory that somebody may have replaced: only a plain one is read, and nothing waits for
// whoever should write into a pipe.

import Glibc

enum PlainFile {
    /// Nil where there is none.
    static func read(_ path: String, flags: Int32 = 0) throws(FileFault) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileFault("opening \(path)")
        }
        defer { close(descriptor) }
        let size = try size(of: descriptor, path)
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        while count < size {
            let step = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + count }, size - count, off_t(count))
            }
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { throw FileFault("reading \(path)") }
            if step == 0 { break }
            count += step
        }
        bytes.removeLast(size - count)
        return bytes
    }

    /// Throws where something else than a plain file has the name.
    static func check(_ path: String) throws(FileFault) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain(path) }
    }

    private static func size(of descriptor: Int32, _ path: String) throws(FileFault) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFault("looking at \(path)") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain(path) }
        guard let size = Int(exactly: status.st_size), (0...mostBytes).contains(size) else {
            throw FileFault("reading \(path)", EFBIG)
        }
        return size
    }

    /// Far more than the store's limits allow.
    private static let mostBytes = 1 << 30
}

extension FileFault {
    static func notPlain(_ path: String) -> FileFault { FileFault("\(path) is no plain file", 0) }
}
