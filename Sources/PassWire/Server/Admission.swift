// What becomes of somebody at the door, decided before anything is made for the connection.

import CLinux
import Glibc
import PassJSON
import PassProtocol

public enum Admission: Sendable {
    /// When it is this one's turn.
    case enters(ConnectionOwner)
    /// Closed at once; with a reason where there is one.
    case refused(RefusalLine?)
}

/// A reason that is written out once and told to many.
public struct RefusalLine: Sendable {
    private let bytes: [UInt8]

    public init(_ error: RPCError) {
        bytes = Framing.line.frame(JSONWriter.bytes(Response(id: .null, outcome: .failure(error)).json))
    }

    /// Whoever does not read it, does not.
    public func tell(_ client: Int32) {
        _ = bytes.withUnsafeBytes {
            send(client, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
    }
}
