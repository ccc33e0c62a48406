// A log that a test can read: a file without a name. It stays open until the process ends, because a journal may write
// until then.

import Glibc
import PassTestKit
import PassTestTools

@testable import PassSystem

final class LogFile: Sendable {
    struct Failure: Error { let reason: Int32 }

    let journal: Journal
    private let descriptor: Int32

    init() throws {
        // The file is deleted with its directory.
        let directory = TemporaryDirectory()
        descriptor = open(directory.file("log"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(reason: errno) }
        journal = Journal(to: .descriptor(descriptor), level: .debug)
    }

    /// All records until now, without the times that lines in a file have.
    var text: String {
        journal.flush()
        var (content, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 1 << 16))
        while case let count = pread(descriptor, &buffer, buffer.count, off_t(content.count)), count > 0 {
            content += buffer[..<count]
        }
        return String(decoding: content, as: UTF8.self)
            .replacing(#/(?m)^(<[0-9]>)[0-9]{4}-[0-9-]{5} [0-9:]{8} /#) { $0.1 }
    }
}
