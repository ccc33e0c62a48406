// Reads all data from a descriptor, up to a limit.

import Dispatch
import Glibc

enum Descriptor {
    /// Reads until the end, the limit of bytes, or the limit of milliseconds. After an error, returns the error's number with
    /// the bytes before the error.
    static func read(_ descriptor: Int32, limit: Int, maxWait: Int64? = nil) -> (bytes: [UInt8], error: Int32?) {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: min(limit, 64 << 10))
        let end = maxWait.map { milliseconds + $0 }
        while bytes.count < limit {
            if let end {
                var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                let left = end - milliseconds
                guard left > 0 else { break }
                let ready = poll(&wait, 1, Int32(left))
                if ready < 0, errno == EINTR { continue }
                guard ready > 0 else { break }
            }
            let count = Glibc.read(descriptor, &part, min(part.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return (bytes, errno) }
            if count == 0 { break }
            bytes += part[..<count]
        }
        return (bytes, nil)
    }

    /// The time by a clock that nobody can set.
    private static var milliseconds: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }
}
