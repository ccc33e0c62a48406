// The identity of the peer, as the kernel reports it. rpc.md §3.

import PassJSON

public struct PeerIdentity: Sendable, Equatable {
    public var uid: UInt32
    public var gid: UInt32
    public var pid: Int32
    public var unit: String?
    public var executable: String?
    /// The app stanza that matched.
    public var app: String?

    public init(
        uid: UInt32, gid: UInt32, pid: Int32, unit: String? = nil, executable: String? = nil, app: String? = nil
    ) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.unit = unit
        self.executable = executable
        self.app = app
    }

    public static let component = Component(
        "Identity", summary: "The peer, as the kernel says.",
        schema: .object([
            .required("uid", .integer(0...Int64(UInt32.max))),
            .required("gid", .integer(0...Int64(UInt32.max))),
            .required("pid", .integer(0...Int64(Int32.max))),
            .optional("unit", .string, summary: "The systemd unit."),
            .optional("executable", .string),
            .optional("app", .string, summary: "The [app] stanza that matched."),
        ]))

    public var json: JSONValue {
        .members([
            "uid": .int(uid), "gid": .int(gid), "pid": .int(pid), "unit": unit.map(JSONValue.string),
            "executable": executable.map(JSONValue.string), "app": app.map(JSONValue.string),
        ])
    }
}
