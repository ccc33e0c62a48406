// A server connection on a queue of its own, joined by a socket pair to a raw peer or to a client. The test decides how
// calls are answered.

public import Dispatch
import PassJSON
import PassProtocol
public import PassWire

public final class ServedPeer: Sendable {
    public let queue: DispatchQueue
    public let server: ServerConnection
    /// The reason why the connection ended.
    public let ends = Recorder<CloseReason>()
    /// A recorder that gets an element when the server's descriptor is closed.
    public let closes = Recorder<Bool>()
    private let otherEnd: Int32

    /// The queue runs `onCall`.
    public init(
        limits: ConnectionLimits = ConnectionLimits(), account: MemoryAccount? = nil, share: CallShare? = nil,
        on queue: DispatchQueue = DispatchQueue(label: "test.engine"),
        onCall: @escaping @Sendable (Call) -> Void = ServedPeer.echo
    ) throws {
        let (ours, theirs) = try Descriptor.pair()
        self.queue = queue
        server = ServerConnection(
            Descriptor(adopting: ours), queue: queue, limits: SharedLimits(limits), account: account,
            share: share)
        otherEnd = theirs
        queue.sync {
            server.start(
                onCall: onCall, onClose: { [ends] _, reason in ends.append(reason) },
                onDescriptorClosed: { [closes] in closes.append(true) })
        }
    }

    /// The other end as a raw peer. Only one of `raw` and `client` may use the other end.
    public func raw() -> RawPeer { RawPeer(Descriptor(adopting: otherEnd)) }

    /// The other end as a client.
    public func client(limits: ClientLimits = ClientLimits()) -> ClientConnection {
        ClientConnection(Descriptor(adopting: otherEnd), limits: limits)
    }

    /// Answers with the method and the params.
    public static let echo: @Sendable (Call) -> Void = { call in
        call.answer(.success(["method": .string(call.request.method), "params": call.request.params ?? .null]))
    }
}
