// The identity of a peer as the kernel reports it. rpc.md §3.

public import PassJSON

public struct PeerIdentity: Sendable, Equatable {
    public var uid: UInt32
    public var gid: UInt32
    public var pid: Int32
    public var unit: String?
    /// The name of the app's own socket, as in `socket:NAME`. Nil for the socket of all apps.
    public var socket: String?
    /// The origin of a web app, according to the web gateway. Nil for a program with its own connection.
    public var origin: String?
    /// The app stanza that names the peer. If several stanzas name the peer, the stanza with the session's requestor counts.
    /// Before the session has a requestor, the first stanza counts.
    public var app: String?

    public init(
        uid: UInt32, gid: UInt32, pid: Int32, unit: String? = nil, socket: String? = nil, origin: String? = nil,
        app: String? = nil
    ) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.unit = unit
        self.socket = socket
        self.origin = origin
        self.app = app
    }

    public static let component = Component(
        "Identity", summary: "The peer as the kernel identifies it.",
        schema: .object([
            .required("uid", .integer(0...Int64(UInt32.max))),
            .required("gid", .integer(0...Int64(UInt32.max)), summary: "4294967295 if the group is unknown."),
            .required("pid", .integer(0...Int64(Int32.max)), summary: "0 if the process is unknown."),
            .optional("unit", .string, summary: "The systemd unit."),
            .optional("socket", .string, summary: "The NAME of the rule socket:NAME, for an app in a container."),
            .optional("origin", .string, summary: "The origin of a web app."),
            .optional(
                "app", .string,
                summary:
                    "The first matching [app] stanza with the session's requestor; if there is none, the first matching one."
            ),
        ]))

    public var json: JSONValue {
        .members([
            "uid": .int(uid), "gid": .int(gid), "pid": .int(pid), "unit": unit.map(JSONValue.string),
            "socket": socket.map(JSONValue.string), "origin": origin.map(JSONValue.string),
            "app": app.map(JSONValue.string),
        ])
    }
}
