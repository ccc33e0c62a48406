// Exports the store as a sealed backup, and imports one. rpc.md §7.

import PassJSON

private let backup = Schema.string(format: "byte")

public enum Export: RPCMethod {
    public typealias Params = NoParams

    public static let definition = MethodDefinition(
        "passd.export", "Returns the store as a sealed backup.",
        result: .object([.required("backup", backup, summary: "Base64.")]), capability: .admin, socket: .admin,
        example: .init([:], ["backup": "cGFzc2Q="]))

    public struct Result: MethodResult {
        public var backup: String

        public init(backup: String) { self.backup = backup }

        public var json: JSONValue { ["backup": .string(backup)] }
    }
}

public enum Import: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.import", "Replaces the store by a sealed backup of this device.",
        params: [.required("backup", backup, summary: "Base64, from passd.export.")],
        result: .object([.required("logins", .integer(0...Int64.max), summary: "That are there now.")]),
        capability: .admin, socket: .admin, callbacks: ["setAuthenticationStatus", "event"],
        example: .init(["backup": "cGFzc2Q="], ["logins": 2]))

    public struct Params: MethodParams {
        public var backup: String

        public init(backup: String) { self.backup = backup }

        public init(params: JSONValue) throws(SchemaFault) { backup = try params.text("backup") }

        public var json: JSONValue { ["backup": .string(backup)] }
    }

    public struct Result: MethodResult {
        public var logins: Int

        public init(logins: Int) { self.logins = logins }

        public var json: JSONValue { ["logins": .int(logins)] }
    }
}
