// The reason why a connection ended, and numbers about the connection. The server logs both.

public import PassProtocol

public struct ConnectionStatistics: Sendable, Equatable {
    public var requests = 0
    public var refusals = 0
    /// The largest amount of output, in bytes, that the client had not read.
    public var highestOutput = 0
}

/// The reason why a connection ended; the server logs it.
public enum CloseReason: Sendable, Equatable, CustomStringConvertible {
    case peerClosed
    case failed(errno: Int32)
    case fault(FrameFault)
    /// The client does not read.
    case outputOverflow(limit: Int)
    /// The client has read nothing for `stallTime`.
    case outputStalled
    /// The connections of this owner exceed their memory limit.
    case memoryExhausted(limit: Int)
    /// The server refused the session and told the client this error.
    case refused(ErrorName)
    /// Another reason of the server.
    case requested(String)

    public var description: String {
        switch self {
        case .peerClosed: "the client closed the connection"
        case .failed(let errno): "\(SocketError(.system("socket"), errno))"
        case .fault(let fault): fault.description
        case .outputOverflow(let limit): "the client does not read: more than \(limit) bytes of output are waiting"
        case .outputStalled: "the client does not read: output has been waiting too long"
        case .memoryExhausted(let limit): "the client would use more than its share of memory, \(limit) bytes"
        case .refused(let name): "the session was refused: \(name.text)"
        case .requested(let reason): reason
        }
    }
}
