// The two framings of messages. A framing is recognised and written here. rpc.md §2.

import PassJSON

public enum Framing: Sendable, Equatable {
    /// One message per line.
    case line
    /// The line `Content-Length: N`, an empty line, and N bytes.
    case headers

    public func frame(_ message: [UInt8]) -> [UInt8] {
        var framed: [UInt8] = []
        append({ $0.append(WrittenJSON(text: message)) }, to: &framed)
        return framed
    }

    /// Appends a message to the buffer.
    func append(_ message: (inout JSONWriter) -> Void, to output: inout [UInt8]) {
        switch self {
        case .line:
            JSONWriter.append(to: &output, message)
            output.append(UInt8(ascii: "\n"))
        case .headers:
            var writer = JSONWriter()
            message(&writer)
            output += "Content-Length: \(writer.bytes.count)\r\n\r\n".utf8
            output += writer.bytes
        }
    }

    enum Recognition: Equatable {
        case undecided
        case http
        case known(Framing)
    }

    /// The methods of HTTP and the first bytes of HTTP/2.
    private static let openings = [
        "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH ", "TRACE ", "CONNECT ", "PRI * HTTP",
    ].map { Array($0.utf8) }

    static let maxOpeningSize = 10

    static func recognise(_ bytes: ArraySlice<UInt8>) -> Recognition {
        var waits = false
        for opening in openings {
            if bytes.starts(with: opening) { return .http }
            if opening.starts(with: bytes) { waits = true }
        }
        if waits { return .undecided }
        // JSON does not begin with a C, so this can only be a header. Headers may have capital or small letters.
        let isHeader = bytes.first == UInt8(ascii: "C") || bytes.first == UInt8(ascii: "c")
        return .known(isHeader ? .headers : .line)
    }
}

/// The reason why a stream is unreadable. The connection then ends.
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
        case .truncated: "the connection ended in the middle of a message"
        }
    }
}
