// A note about a client whose connection is kept over a restart of the daemon. The note has the socket, the framing, and the
// calls that configured the session. The next process repeats these calls. The service manager holds the note in memory. The
// note is never written to disk, because it may contain the app's own software statement.

import PassJSON
import PassProtocol
import PassWire

package struct KeptClient: Equatable {
    /// The max size of a note in bytes. A client with a longer note is not handed over and has to connect again.
    package static let maxNoteSize = 32 << 10

    let socket: Entrance
    let framing: Framing
    /// The calls to repeat, in order.
    let setup: [Request]
}

extension KeptClient {
    /// Reads a note. Nil if the bytes do not have the form of a note.
    package init?(note: [UInt8]) {
        guard let json = try? JSONReader.read(note), let framing = json["framing"]?.string,
            let socket = json["socket"]?.string.flatMap(Entrance.init), let calls = json["setup"]?.array
        else { return nil }
        let setup = calls.compactMap { call -> Request? in
            guard let method = call["method"]?.string, Setup.methods.contains(method) else { return nil }
            return Request(id: nil, method: method, params: call["params"])
        }
        guard setup.count == calls.count, ["headers", "line"].contains(framing) else { return nil }
        self.init(socket: socket, framing: framing == "headers" ? .headers : .line, setup: setup)
    }

    /// The note as bytes; nil if it would be longer than `maxNoteSize`.
    var note: [UInt8]? {
        let bytes = JSONWriter.bytes([
            "socket": .string(socket.text), "framing": framing == .headers ? "headers" : "line",
            "setup": .array(setup.map(\.json)),
        ])
        return bytes.count <= Self.maxNoteSize ? bytes : nil
    }
}

/// The calls that configured a session. Keeps only params that the methods know, because the size of these params is limited.
struct Setup {
    static let methods = [
        SpeakFor.definition.name, SetOptions.definition.name, SetRequestor.definition.name,
    ]

    private(set) var claim: SpeakFor.Params?
    private(set) var requestor: SetRequestor.Params?

    /// Remembers a call that has succeeded.
    mutating func learn(_ call: CheckedCall) {
        if let params = call.params(of: SpeakFor.self) { claim = params }
        // The next process must not repeat the check or the erasure of the store that this call requested.
        if var params = call.params(of: SetRequestor.self) {
            params.storageCheck = .none
            requestor = params
        }
    }

    /// Drops the requestor after policy has taken it away.
    mutating func forgetRequestor() { requestor = nil }

    /// The calls that configure a new session like the present one. `options` are the options of the present session.
    func calls(setting options: SetOptions.Params) -> [Request] {
        var calls: [Request] = []
        // The web app must be known before the session is configured.
        if let claim { calls.append(Request(id: nil, method: SpeakFor.definition.name, params: claim.json)) }
        if options != SetOptions.Params() {
            calls.append(Request(id: nil, method: SetOptions.definition.name, params: options.json))
        }
        if let requestor {
            calls.append(Request(id: nil, method: SetRequestor.definition.name, params: requestor.json))
        }
        return calls
    }
}
