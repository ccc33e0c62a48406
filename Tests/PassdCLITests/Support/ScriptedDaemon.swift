// A daemon with scripted answers, on both sockets in a directory of its own.

import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire

final class ScriptedDaemon: Sendable {
    struct Heard: Sendable, Equatable {
        let socket: SocketKind
        let method: String
        let params: JSONValue
    }

    enum Answer: Sendable {
        case result(JSONValue)
        case error(RPCError)
        /// Callbacks before the answer, as in rpc.md §2.
        case callbacks([Callback], then: JSONValue)
        /// Callbacks after the answer, as if the viewer had acted.
        case resultThenCallbacks(JSONValue, [Callback])
        /// The answers in order. The last answer is repeated.
        case sequence([Answer])
        case silence
        case hangUp
    }

    let heard = Recorder<Heard>()
    private let directory: TemporaryDirectory
    private let queue = DispatchQueue(label: "test.daemon")
    private let listeners: [Listener]
    private let held = Recorder<Call>()
    private let connections = Recorder<ServerConnection>()

    /// Other methods get an empty result, and any requestor is accepted.
    init(_ answers: [String: Answer] = [:]) throws {
        directory = TemporaryDirectory()
        let queue = queue
        listeners = [
            try Listener(path: directory.file("passd.sock"), mode: 0o600, queue: queue),
            try Listener(path: directory.file("admin.sock"), mode: 0o600, queue: queue),
        ]
        for (listener, socket) in zip(listeners, [SocketKind.api, .admin]) {
            queue.sync {
                listener.start(onAccept: { [heard, held, connections] client, _ in
                    let connection = ServerConnection(client, queue: queue)
                    connections.append(connection)
                    connection.start(
                        onCall: { call in
                            let method = call.request.method
                            let count = heard.elements.count { $0.method == method }
                            heard.append(Heard(socket: socket, method: method, params: call.request.params ?? .null))
                            Self.give(answers[method] ?? .result(Self.usual[method] ?? [:]), to: call, count, held)
                        }, onClose: { _, _ in })
                })
            }
        }
    }

    deinit {
        let listeners = listeners
        queue.async { for listener in listeners { listener.stop() } }
    }

    var socket: String { directory.file("passd.sock") }

    /// The called methods, without the introduction. The program does not wait for its answer.
    var methods: [String] { heard.elements.map(\.method).filter { $0 != "passd.hello" } }

    func params(of method: String) -> [JSONValue] { heard.elements.filter { $0.method == method }.map(\.params) }

    /// Sends the callback to every session.
    func tell(_ callback: Callback) {
        queue.sync { for connection in connections.elements { connection.notify(callback) } }
    }

    func hangUp() { queue.sync { for connection in connections.elements { connection.close(.requested("test")) } } }

    /// Ends like a stopped daemon.
    func goAway() {
        queue.sync { for listener in listeners { listener.stop() } }
        hangUp()
    }

    private static let usual: [String: JSONValue] = [
        "passd.whoami": ["requestors": ["NEWS24"], "rule": "test"],
        "setRequestor": ["status": 1, "requestorID": "NEWS24", "authenticated": false],
    ]

    private static func give(_ answer: Answer, to call: Call, _ count: Int, _ held: Recorder<Call>) {
        switch answer {
        case .result(let result): call.answer(.success(result))
        case .error(let error): call.answer(.failure(error))
        case .callbacks(let callbacks, let result):
            for callback in callbacks { call.connection.notify(callback) }
            call.answer(.success(result))
        case .resultThenCallbacks(let result, let callbacks):
            call.answer(.success(result))
            for callback in callbacks { call.connection.notify(callback) }
        case .sequence(let answers):
            if let answer = answers[safe: min(count, answers.count - 1)] { give(answer, to: call, count, held) }
        case .silence: held.append(call)
        case .hangUp: call.connection.close(.requested("test"))
        }
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
