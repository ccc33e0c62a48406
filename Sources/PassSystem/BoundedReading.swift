// The content of a descriptor, up to a limit, whatever size its file claims to have.

import Glibc

enum ReadingFault: Error, Equatable {
    case tooLarge
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

/// The same of a file; the path's links are followed.
func readAll(path: String, limit: Int) throws(ReadingFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .failed(reason: errno) }
    defer { close(descriptor) }
    return try readAll(descriptor, limit: limit)
}
