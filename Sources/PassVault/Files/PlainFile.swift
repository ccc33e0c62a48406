// Reads a file of the state directory, which somebody may have replaced. Only regular files are read, and opening a
// pipe does not block.

import Glibc

final class PlainFile {
    private let path: String
    private let descriptor: Int32
    let size: Int

    /// Nil if there is no such file.
    init?(_ path: String, flags: Int32 = 0) throws(FileFault) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags)
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

    /// Returns how many bytes were read.
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

    /// Nil if there is no such file.
    static func read(_ path: String, flags: Int32 = 0) throws(FileFault) -> [UInt8]? {
        guard let file = try PlainFile(path, flags: flags) else { return nil }
        guard file.size <= mostBytes else { throw FileFault("reading \(path)", EFBIG) }
        return try file.piece(at: 0, of: file.size)
    }

    /// Returns false if there is no such file. At most `most` bytes are copied, in small pieces.
    static func copy(_ path: String, to target: String, most: Int) throws(FileFault) -> Bool {
        guard let file = try PlainFile(path) else { return false }
        guard file.size <= most else { throw FileFault("copying \(path)", EFBIG) }
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault("making \(target)") }
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

    private func piece(at start: Int, of count: Int) throws(FileFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var read: Result<Int, FileFault> = .success(0)
        bytes.withUnsafeMutableBytes { target in
            read = Result { () throws(FileFault) in try self.read(target, at: start) }
        }
        bytes.removeLast(count - (try read.get()))
        return bytes
    }

    /// Throws if the path names something other than a regular file.
    static func check(_ path: String) throws(FileFault) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain(path) }
    }

    private static func size(of descriptor: Int32, _ path: String) throws(FileFault) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFault("looking at \(path)") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain(path) }
        guard let size = Int(exactly: status.st_size), size >= 0 else {
            throw FileFault("reading \(path)", EFBIG)
        }
        return size
    }

    /// The limit for files that are read whole, such as a mark or a note, which are far smaller.
    private static let mostBytes = 1 << 20
    private static let pieceBytes = 1 << 18
}

extension FileFault {
    static func notPlain(_ path: String) -> FileFault { FileFault("\(path) is no plain file", 0) }
}
