// The state of the daemon. rpc.md §7.

import PassJSON

public enum Status: RPCMethod {
    public typealias Params = NoParams

    public static let warning = Component(
        "Warning", summary: "Something an operator should look at.",
        schema: .object([
            .required("code", .string, summary: "Stable name."), .required("message", .string),
            .required("remedy", .string),
        ]))

    public static let readiness = Schema.enumeration(Readiness.allCases.map(\.rawValue))

    public static let definition = MethodDefinition(
        "passd.status", "Tells version, readiness, backend, clock, store, open logins and warnings.",
        result: .object([
            .required("version", .string), .required("uptime", .integer(0...Int64.max), summary: "Seconds."),
            .required("readiness", readiness),
            .required(
                "backend",
                .object([
                    .required("origin", .string), .required("protocol", .enumeration(["v2", "v1"])),
                    .required("reachable", .nullable(.boolean), summary: "Null: not tried yet."),
                ])),
            .required(
                "clock",
                .object([.required("offset", .nullable(.integer), summary: "Milliseconds the server is ahead.")])),
            .required("store", .object([.required("health", .string), .optional("path", .string)])),
            .required("logins", .integer(0...Int64.max), summary: "Open ones."),
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

    public enum Readiness: String, Sendable, CaseIterable { case starting, ready, reloading, stopping }

    /// Something that an operator should look at.
    public struct Warning: Sendable, Hashable {
        public var code: String
        public var message: String
        public var remedy: String

        public init(code: String, message: String, remedy: String) {
            self.code = code
            self.message = message
            self.remedy = remedy
        }

        public var json: JSONValue {
            ["code": .string(code), "message": .string(message), "remedy": .string(remedy)]
        }
    }

    public struct Service: Sendable, Equatable {
        /// "none" if no service is configured.
        public var origin: String
        public var interface: String
        /// Nil if it has not been called yet.
        public var isReachable: Bool?

        public init(origin: String, interface: String, isReachable: Bool?) {
            self.origin = origin
            self.interface = interface
            self.isReachable = isReachable
        }
    }

    public struct Store: Sendable, Equatable {
        public var health: String
        public var path: String

        public init(health: String, path: String) {
            self.health = health
            self.path = path
        }
    }

    public struct Result: MethodResult {
        public var version: String
        /// In seconds.
        public var uptime: Int64
        public var readiness: Readiness
        public var service: Service
        /// How many milliseconds the service's clock is ahead; nil if that is unknown.
        public var clockOffset: Int64?
        public var store: Store
        public var openLogins: Int
        public var sessions: Int
        public var warnings: [Warning]

        public init(
            version: String, uptime: Int64, readiness: Readiness, service: Service, clockOffset: Int64?, store: Store,
            openLogins: Int, sessions: Int, warnings: [Warning]
        ) {
            self.version = version
            self.uptime = uptime
            self.readiness = readiness
            self.service = service
            self.clockOffset = clockOffset
            self.store = store
            self.openLogins = openLogins
            self.sessions = sessions
            self.warnings = warnings
        }

        public var json: JSONValue {
            [
                "version": .string(version), "uptime": .int(uptime), "readiness": .string(readiness.rawValue),
                "backend": [
                    "origin": .string(service.origin), "protocol": .string(service.interface),
                    "reachable": service.isReachable.map(JSONValue.bool) ?? .null,
                ],
                "clock": ["offset": clockOffset.map { .int($0) } ?? .null],
                "store": ["health": .string(store.health), "path": .string(store.path)],
                "logins": .int(openLogins), "sessions": .int(sessions), "warnings": .array(warnings.map(\.json)),
            ]
        }
    }
}
