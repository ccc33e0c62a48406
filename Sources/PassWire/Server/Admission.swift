// What happens to a new client, decided before anything is created for its connection.

import CLinux
import Glibc
import PassJSON
import PassProtocol

public enum Admission: Sendable {
    /// The client is accepted when it is its owner's turn.
    case enters(ConnectionOwner)
    /// The connection is closed at once, with an error if there is one.
    case refused(RefusalLine?)
}

/// An error that is encoded once and sent to many clients.
public struct RefusalLine: Sendable {
    private let bytes: [UInt8]

    public init(_ error: RPCError) {
        bytes = Framing.line.frame(JSONWriter.bytes(Response(id: .null, outcome: .failure(error)).json))
    }

    /// Sends the error without waiting; it may be lost if the client does not read.
    public func tell(_ client: Int32) {
        _ = bytes.withUnsafeBytes {
            send(client, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
    }
}
