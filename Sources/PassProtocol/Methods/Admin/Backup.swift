// Exports and imports the store as a sealed backup. rpc.md §7.

public import PassJSON

public enum Export: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.export", "Returns the store as a sealed backup for this device.",
        result: .object([
            .required("backup", .string(), summary: "The text of the backup."),
            .required("logins", .integer(0...Int64.max), summary: "How many logins are in the backup."),
            .required("apps", .integer(0...Int64.max), summary: "How many apps are in the backup."),
        ]), capability: .admin,
        example: .init([:], ["backup": "passd-backup 1\nAkVuY3J5cHRlZA==\n", "logins": 2, "apps": 1]))
}

public enum Import: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.import",
        "Replaces the store with a sealed backup of this device, and restarts the daemon.",
        params: [.required("backup", .string(), summary: "The text of the backup, from passd.export.")],
        result: .object([
            .required("logins", .integer(0...Int64.max), summary: "How many logins the store has now."),
            .required(
                "restarts", .boolean,
                summary: "Whether the service manager starts the daemon again. If not, start the daemon by hand."),
        ]),
        capability: .admin,
        example: .init(["backup": "passd-backup 1\nAkVuY3J5cHRlZA==\n"], ["logins": 2, "restarts": true]))

    public struct Params: MethodParams {
        public var backup: String

        public init(backup: String) { self.backup = backup }

        public init(params: JSONValue) throws(SchemaFault) { backup = try params.text("backup") }

        public var json: JSONValue { ["backup": .string(backup)] }
    }
}
