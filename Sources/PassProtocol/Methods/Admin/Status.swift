// How the daemon is. rpc.md §7.

public enum Status: RPCMethod {
    public typealias Params = NoParams
    public typealias Result = Report

    public static let warning = Component(
        "Warning", "Something an operator should look at.",
        .object([
            .required("code", .string, "Stable name."), .required("message", .string), .required("remedy", .string),
        ]))

    public static let readiness = Schema.enumeration(["starting", "ready", "reloading", "stopping"])

    public static let definition = MethodDefinition(
        "passd.status", "Tells version, readiness, backend, clock, store, open logins and warnings.",
        result: .object([
            .required("version", .string), .required("uptime", .integer(0...Int64.max), "Seconds."),
            .required("readiness", readiness),
            .required(
                "backend",
                .object([
                    .required("origin", .string), .required("protocol", .enumeration(["v2", "v1"])),
                    .required("reachable", .nullable(.boolean), "Null: not tried yet."),
                ])),
            .required(
                "clock", .object([.required("offset", .nullable(.integer), "Milliseconds the server is ahead.")])),
            .required("store", .object([.required("health", .string), .optional("path", .string)])),
            .required("logins", .integer(0...Int64.max), "Open ones."),
            .required("sessions", .integer(0...Int64.max)),
            .required("warnings", .array(.component(warning))),
        ]),
        capability: .admin, socket: .admin,
        example: .init(
            [:],
            [
                "version": "1.0.0", "uptime": 60, "readiness": "ready",
                "backend": ["origin": "http://127.0.0.1:8642", "protocol": "v2", "reachable": true],
                "clock": ["offset": 12], "store": ["health": "good"], "logins": 0, "sessions": 2, "warnings": [],
            ]))
}
