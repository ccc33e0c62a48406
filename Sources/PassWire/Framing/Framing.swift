// The two framings, how to distinguish and how to write them. rpc.md §2.

public enum Framing: Sendable, Equatable {
    /// One message per line.
    case line
    /// `Content-Length: N`, an empty line, N bytes.
    case headers

    public func frame(_ message: [UInt8]) -> [UInt8] {
        switch self {
        case .line: message + [UInt8(ascii: "\n")]
        case .headers: Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
        }
    }

    enum Recognition: Equatable {
        case undecided
        case http
        case known(Framing)
    }

    /// The methods of HTTP, and the first bytes of HTTP/2.
    private static let openings = [
        "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH ", "TRACE ", "CONNECT ", "PRI * HTTP",
    ].map { Array($0.utf8) }

    static let longestOpening = 10

    static func recognise(_ bytes: ArraySlice<UInt8>) -> Recognition {
        var waits = false
        for opening in openings {
            if bytes.starts(with: opening) { return .http }
            if opening.starts(with: bytes) { waits = true }
        }
        if waits { return .undecided }
        return .known(bytes.first == UInt8(ascii: "C") ? .headers : .line)
    }
}

/// Why a stream cannot be read. It ends the connection.
public enum FrameFault: Error, Sendable, Equatable, CustomStringConvertible {
    case http
    case tooLarge(limit: Int)
    case malformedHeader(String)
    case truncated

    public var description: String {
        switch self {
        case .http: "the client speaks HTTP"
        case .tooLarge(let limit): "a message is larger than \(limit) bytes"
        case .malformedHeader(let reason): "malformed header: \(reason)"
        case .truncated: "the stream ended inside a message"
        }
    }
}
