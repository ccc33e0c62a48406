// A session with the daemon: typed calls, callbacks as a stream, and every failure with what to do about it.

import PassJSON
import PassProtocol
import PassWire

public final class Client: Sendable {
    /// A callback as it came.
    public typealias Callback = PassWire.Notification

    private let connection: ClientConnection
    private let time: Duration

    /// `time` is how long the daemon may take for each answer.
    public static func connect(
        to path: String, within time: Duration = .seconds(30)
    ) async throws(ClientFault) -> Client {
        do throws(ClientError) {
            return Client(try await ClientConnection.connect(to: path, within: min(time, .seconds(5))), within: time)
        } catch {
            throw ClientFault(error, path: path, time: time)
        }
    }

    /// Takes over a connection that stands.
    public init(_ connection: ClientConnection, within time: Duration = .seconds(30)) {
        self.connection = connection
        self.time = time
    }

    /// In their order. The stream ends with the connection and has one reader only.
    public var callbacks: AsyncStream<Callback> { connection.notifications }

    /// The result, as JSON: what a newer daemon adds to it is not lost.
    public func call<Method: RPCMethod>(
        _ method: Method.Type, _ params: Method.Params
    ) async throws(ClientFault) -> JSONValue {
        try await call(Method.definition.name, params.json)
    }

    public func call<Method: RPCMethod>(
        _ method: Method.Type
    ) async throws(ClientFault) -> JSONValue where Method.Params == NoParams {
        try await call(method, NoParams())
    }

    /// Any method by name, known here or not.
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

    /// Tells the daemon's journal who is there, and waits for nothing.
    public func introduce(name: String, version: String) {
        connection.notify(
            Hello.definition.name, Hello.Params(client: .init(name: name, version: version)).json)
    }

    /// Why there will be no more callbacks; nil while the connection stands.
    public var ending: ClientFault? {
        get async { await connection.disconnection.map { ClientFault(.disconnected($0), time: time) } }
    }

    /// Ends the session; the daemon then ends what belongs to it alone, such as an open login.
    public func close() { connection.close() }
}
