// A session with the daemon: typed calls, a stream of callbacks, and errors with a remedy.

public import PassJSON
public import PassProtocol
public import PassWire

/// One session of the AccessEnabler, over one connection. Any task may make calls, even several at the same time. Calls are
/// sent in the order in which they were made, and each gets its own answer. The session ends with the connection. After a
/// reconnect, a program has to call `SetOptions` and `SetRequestor` again.
public final class Client: Sendable {
    /// A callback as the daemon sent it: a method name and params.
    public typealias Callback = PassProtocol.Notification

    private let connection: ClientConnection
    private let time: Duration

    /// Connects to a socket of the daemon; `DaemonSockets.find` returns its path. `time` is the timeout of each answer. The
    /// timeout for connecting is the same, but at most five seconds.
    public static func connect(
        to path: String, within time: Duration = .seconds(30)
    ) async throws(ClientFault) -> Client {
        do throws(ClientError) {
            return Client(try await ClientConnection.connect(to: path, within: min(time, .seconds(5))), within: time)
        } catch {
            throw ClientFault(error, path: path, time: time)
        }
    }

    /// Uses a connection that is already open. `close()` closes it.
    public init(_ connection: ClientConnection, within time: Duration = .seconds(30)) {
        self.connection = connection
        self.time = time
    }

    /// The daemon's callbacks in the order in which it sent them. The stream ends with the connection. Only one task may read
    /// the stream. Unread callbacks are kept up to a limit. Beyond the limit, the connection is closed.
    public var callbacks: AsyncStream<Callback> { connection.notifications }

    /// Calls a method that this library knows, and waits for its result. The result is JSON, because a newer daemon may send
    /// members that this library does not know. `LoginProgress`, `MVPD`, `Permission` and the types of `PassProtocol` can be
    /// made from this JSON. If the task is cancelled, the call ends with `ClientFault.cancelled`, and the daemon's answer is
    /// dropped.
    public func call<Method: RPCMethod>(
        _ method: Method.Type, _ params: Method.Params
    ) async throws(ClientFault) -> JSONValue {
        try await call(Method.definition.name, params.json)
    }

    /// Calls a method that has no params.
    public func call<Method: RPCMethod>(
        _ method: Method.Type
    ) async throws(ClientFault) -> JSONValue where Method.Params == NoParams {
        try await call(method, NoParams())
    }

    /// Calls a method by its name, even a method that this library does not know.
    public func call(
        _ method: String, _ params: JSONValue = [:], within time: Duration? = nil
    ) async throws(ClientFault) -> JSONValue {
        let time = time ?? self.time
        do throws(ClientError) {
            return try await connection.call(method, params, within: time)
        } catch {
            throw ClientFault(error, time: time)
        }
    }

    /// Tells the daemon the name of this program. `passd-cli sessions` shows this name. Rights do not depend on the name. There
    /// is no answer to wait for.
    public func introduce(name: String, version: String) {
        connection.notify(
            Hello.definition.name, Hello.Params(client: .init(name: name, version: version)).json)
    }

    /// The reason why there will be no more callbacks; nil while the connection is open.
    public var ending: ClientFault? {
        get async { await connection.disconnection.map { ClientFault(.disconnected($0), time: time) } }
    }

    /// Ends the session. The daemon then ends what belongs only to this session, such as an open login.
    public func close() { connection.close() }
}
