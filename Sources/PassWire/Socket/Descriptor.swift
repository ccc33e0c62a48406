// An open descriptor with exactly one owner. The value can be moved but not copied. When the value is dropped, the descriptor
// is closed.

import Glibc

public struct Descriptor: ~Copyable, Sendable {
    public let number: Int32

    public init(adopting number: Int32) { self.number = number }

    /// Returns the number and gives up ownership.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    deinit { close(number) }

    /// Makes two connected stream sockets. The caller has to close both.
    public static func pair() throws(SocketError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SocketError(.system("socketpair"), errno)
        }
        return (ends[0], ends[1])
    }
}

/// The reason why a socket call failed or was not made.
public struct SocketError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Reason: Sendable, Equatable {
        case system(String)
        case pathTooLong(limit: Int)
        case notASocket
        /// A process is listening at this path.
        case inUse
        case timedOut
    }

    public let reason: Reason
    public let errno: Int32

    public init(_ reason: Reason, _ errno: Int32 = 0) {
        self.reason = reason
        self.errno = errno
    }

    public var description: String {
        switch reason {
        case .system(let call): "\(call): \(String(cString: strerror(errno)))"
        case .pathTooLong(let limit): "the path of a socket may be at most \(limit) bytes long"
        case .notASocket: "there is something other than a socket at this path"
        case .inUse: "another process is listening on this socket"
        case .timedOut: "the other side did not answer in time"
        }
    }
}
