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

/// The calls that a session is made of.
struct Setup {
    private var options: [(String, JSONValue)] = []
    private(set) var requestor: JSONValue?

    /// After it has succeeded.
    mutating func learn(_ request: Request) {
        switch request.method {
        case SetOptions.definition.name:
            for member in request.params?.object?.members ?? [] {
                options.removeAll { $0.0 == member.name }
                options.append((member.name, member.value))
            }
        case SetRequestor.definition.name:
            // What was to be checked or erased then, is not to be erased again.
            let members = request.params?.object?.members.filter { $0.name != "storageCheck" } ?? []
            requestor = .object(JSONObject(members))
        default: break
        }
    }

    var calls: [Request] {
        var calls: [Request] = []
        if !options.isEmpty {
            calls.append(Request(id: nil, method: SetOptions.definition.name, params: .object(JSONObject(options))))
        }
        if let requestor { calls.append(Request(id: nil, method: SetRequestor.definition.name, params: requestor)) }
        return calls
    }
}
