// The decision whether a new client may connect. No memory has been allocated for its connection yet.

import CLinux
import Glibc
import PassJSON
public import PassProtocol

public enum Admission: Sendable {
    /// The client is accepted when it is this owner's turn.
    case enters(ConnectionOwner)
    /// The client is disconnected at once. The line, if any, gives the reason.
    case refused(RefusalLine?)
}

/// The text of a refusal, made once for many clients.
public struct RefusalLine: Sendable {
    private let bytes: [UInt8]

    public init(_ error: RPCError) {
        bytes = Framing.line.frame(JSONWriter.bytes(Response(id: .null, outcome: .failure(error)).json))
    }

    /// Sends the line without waiting. If the socket cannot take the line, it is lost.
    public func tell(_ client: Int32) {
        _ = bytes.withUnsafeBytes {
            send(client, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
    }
}
