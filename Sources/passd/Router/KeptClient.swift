// What goes along with a client's connection over a restart of the daemon: how it speaks, and the calls that made its
// session what it is, to be repeated. It is held in memory by the service manager and never on a disk, since an app may have
// brought a statement of its own.

import PassProtocol
import PassWire

struct KeptClient: Equatable {
    let name: String
    let socket: SocketKind
    let framing: Framing
    /// In the order in which they are repeated.
    let setup: [Request]

    init(name: String, socket: SocketKind, framing: Framing, setup: [Request]) {
        self.name = name
        self.socket = socket
        self.framing = framing
        self.setup = setup
    }

    init?(_ json: JSONValue) {
        guard let name = json["name"]?.string, let socket = json["socket"]?.string.flatMap(SocketKind.init(rawValue:)),
            let framing = json["framing"]?.string, let setup = json["setup"]?.array
        else { return nil }
        self.name = name
        self.socket = socket
        self.framing = framing == "headers" ? .headers : .line
        self.setup = setup.compactMap { call in
            call["method"]?.string.map { Request(id: nil, method: $0, params: call["params"]) }
        }
    }

    var json: JSONValue {
        [
            "name": .string(name), "socket": .string(socket.rawValue),
            "framing": framing == .headers ? "headers" : "line", "setup": .array(setup.map(\.json)),
        ]
    }

    static let mostNotes = 4 << 20

    static func read(_ notes: [UInt8]) -> [KeptClient] {
        (try? JSONReader.read(notes))?.array?.compactMap(KeptClient.init) ?? []
    }

    static func notes(_ clients: [KeptClient]) -> [UInt8] { JSONWriter.bytes(.array(clients.map(\.json))) }
}

/// The calls that a session is made of. Of their params no more is kept than the methods know, and those are bounded.
struct Setup {
    private var options = SetOptions.Params()
    private(set) var requestor: SetRequestor.Params?

    /// After it has succeeded.
    mutating func learn(_ call: CheckedCall) {
        if let params = call.params(of: SetOptions.self) { options.take(over: params) }
        // What was to be checked or erased then, is not to be erased again.
        if var params = call.params(of: SetRequestor.self) {
            params.storageCheck = .none
            requestor = params
        }
    }

    var calls: [Request] {
        var calls: [Request] = []
        if options != SetOptions.Params() {
            calls.append(Request(id: nil, method: SetOptions.definition.name, params: options.json))
        }
        if let requestor {
            calls.append(Request(id: nil, method: SetRequestor.definition.name, params: requestor.json))
        }
        return calls
    }
}
