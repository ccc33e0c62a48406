// Reads the content of a descriptor up to a limit. The reading does not trust the file's reported size.

import Glibc

enum ReadingFault: Error, Equatable {
    case tooLarge
    /// The descriptor is not a regular file. The content of a pipe or a device may have no end.
    case notAFile
    case failed(reason: Int32)
}

func readAll(_ descriptor: Int32, limit: Int) throws(ReadingFault) -> [UInt8] {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count == 0 { return content }
        if count < 0 {
            if errno == EINTR { continue }
            throw .failed(reason: errno)
        }
        guard content.count + count <= limit else { throw .tooLarge }
        content += buffer.prefix(count)
    }
}

/// Like `readAll`, but reads regular files only.
func readFile(_ descriptor: Int32, limit: Int) throws(ReadingFault) -> [UInt8] {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .failed(reason: errno) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    return try readAll(descriptor, limit: limit)
}

/// Reads the content of a regular file. Symbolic links are followed.
func readAll(path: String, limit: Int) throws(ReadingFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .failed(reason: errno) }
    defer { close(descriptor) }
    return try readFile(descriptor, limit: limit)
}
