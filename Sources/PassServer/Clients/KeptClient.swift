// What goes along with a client's connection over a restart of the daemon: how it speaks, and the calls that made its
// session what it is, to be repeated. It is held in memory by the service manager and never on a disk, since an app may have
// brought a statement of its own.

import PassJSON
import PassProtocol
import PassWire

package struct KeptClient: Equatable {
    /// A client with more to say connects again.
    package static let longestNote = 32 << 10

    let socket: SocketKind
    let framing: Framing
    /// In the order in which they are repeated.
    let setup: [Request]

    init(socket: SocketKind, framing: Framing, setup: [Request]) {
        self.socket = socket
        self.framing = framing
        self.setup = setup
    }

    /// Nil unless all of it is what we write.
    package init?(note: [UInt8]) {
        guard let json = try? JSONReader.read(note), let framing = json["framing"]?.string,
            let socket = json["socket"]?.string.flatMap(SocketKind.init(rawValue:)), let calls = json["setup"]?.array
        else { return nil }
        let setup = calls.compactMap { call -> Request? in
            guard let method = call["method"]?.string, Setup.methods.contains(method) else { return nil }
            return Request(id: nil, method: method, params: call["params"])
        }
        guard setup.count == calls.count, ["headers", "line"].contains(framing) else { return nil }
        self.init(socket: socket, framing: framing == "headers" ? .headers : .line, setup: setup)
    }

    /// Nil if it would be too long.
    var note: [UInt8]? {
        let bytes = JSONWriter.bytes([
            "socket": .string(socket.rawValue), "framing": framing == .headers ? "headers" : "line",
            "setup": .array(setup.map(\.json)),
        ])
        return bytes.count <= Self.longestNote ? bytes : nil
    }
}

/// The calls that a session is made of. Of their params no more is kept than the methods know, and those are bounded.
struct Setup {
    static let methods = [SetOptions.definition.name, SetRequestor.definition.name]

    private(set) var options = SetOptions.Params()
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

    /// Policy has taken it away.
    mutating func forgetRequestor() { requestor = nil }

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
