// Reads a file of the state directory. Only regular files are read, because another program may have replaced the file. For the
// same reason, opening does not wait for the writer of a pipe.

import Glibc

final class PlainFile {
    private let path: String
    private let descriptor: Int32
    let size: Int

    /// Opens the file; nil if there is no such file. A relative path is looked up in `folder`.
    init?(_ path: String, in folder: Int32 = AT_FDCWD, flags: Int32 = 0) throws(FileFault) {
        self.path = path
        descriptor = openat(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileFault("opening \(path)")
        }
        do throws(FileFault) { size = try Self.size(of: descriptor, path) } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the number of bytes that were read. This number is less than the size of `target` only at the end of the file.
    func read(_ target: UnsafeMutableRawBufferPointer, at start: Int) throws(FileFault) -> Int {
        var count = 0
        while count < target.count {
            let step = pread(
                descriptor, target.baseAddress.map { $0 + count }, target.count - count, off_t(start + count))
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { throw FileFault("reading \(path)") }
            if step == 0 { break }
            count += step
        }
        return count
    }

    /// Returns the contents of the file; nil if there is no such file.
    static func read(_ path: String, flags: Int32 = 0) throws(FileFault) -> [UInt8]? {
        guard let file = try PlainFile(path, flags: flags) else { return nil }
        guard file.size <= maxBytes else { throw FileFault("reading \(path)", EFBIG) }
        return try file.piece(at: 0, of: file.size)
    }

    /// Copies a file piece by piece. Returns false if there is no such file. A file larger than `maxSize` bytes is refused.
    static func copy(_ path: String, to target: String, maxSize: Int) throws(FileFault) -> Bool {
        guard let file = try PlainFile(path) else { return false }
        guard file.size <= maxSize else { throw FileFault("copying \(path)", EFBIG) }
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault("creating \(target)") }
        defer { close(descriptor) }
        var start = 0
        while start < file.size {
            let piece = try file.piece(at: start, of: min(pieceBytes, file.size - start))
            if piece.isEmpty { break }
            guard pwrite(descriptor, piece, piece.count, off_t(start)) == piece.count else {
                throw FileFault("copying \(path)")
            }
            start += piece.count
        }
        return true
    }

    func piece(at start: Int, of count: Int) throws(FileFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var read: Result<Int, FileFault> = .success(0)
        bytes.withUnsafeMutableBytes { target in
            read = Result { () throws(FileFault) in try self.read(target, at: start) }
        }
        bytes.removeLast(count - (try read.get()))
        return bytes
    }

    /// Throws if the path leads to something that is not a regular file.
    static func check(_ path: String) throws(FileFault) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain(path) }
    }

    private static func size(of descriptor: Int32, _ path: String) throws(FileFault) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFault("examining \(path)") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain(path) }
        guard let size = Int(exactly: status.st_size), size >= 0 else {
            throw FileFault("reading \(path)", EFBIG)
        }
        return size
    }

    /// The max size of a file that is read as a whole, in bytes. A mark or a note is much smaller.
    private static let maxBytes = 1 << 20
    private static let pieceBytes = 1 << 18
}

extension FileFault {
    static func notPlain(_ path: String) -> FileFault { FileFault("\(path) is not a regular file", 0) }
}
