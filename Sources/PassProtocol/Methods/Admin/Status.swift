// Reports the state of the daemon. rpc.md §7.

public import PassJSON

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
        "passd.status",
        "Tells version, readiness, the service, who is signed in, codes on screens, the last refusals, store and warnings.",
        result: .object([
            .required("version", .string), .required("uptime", .integer(0...Int64.max), summary: "In seconds."),
            .required("readiness", readiness),
            .required(
                "backend",
                .object([
                    .required("origin", .string), .required("protocol", .enumeration(["v2", "v1"])),
                    .required("reachable", .nullable(.boolean), summary: "Null: not tried yet."),
                    .optional("lastContact", .time, summary: "When the service last answered."),
                    .optional(
                        "lastFailure", .time,
                        summary: "When it was last asked, if it has not answered since."),
                ])),
            .required(
                "clock",
                .object([
                    .required(
                        "offset", .nullable(.integer),
                        summary: "By how much the service's clock is ahead, in milliseconds.")
                ])),
            .optional("signIn", .string, summary: "How viewers of each app can sign in."),
            .required("store", .object([.required("health", .string), .optional("path", .string)])),
            .required(
                "signedIn",
                .array(
                    .object([
                        .required("requestorID", .string),
                        .required("provider", .string, summary: "The provider's ID."),
                        .required("name", .string, summary: "The provider's name."), .required("kind", .string),
                        .required("expires", .time),
                        .optional(
                            "confirmed", .time,
                            summary: "When the service last confirmed it, since the daemon started."),
                    ])), summary: "The valid logins."),
            .required("openCodes", .integer(0...Int64.max), summary: "Codes on screens."),
            .required(
                "refusals", .array(.object(Decisions.Decision.members)),
                summary: "The last plays that were not permitted."),
            .required("sessions", .integer(0...Int64.max)),
            .required("warnings", .array(.component(warning))),
        ]),
        capability: .admin, socket: .admin,
        example: .init(
            [:],
            [
                "version": "1.0.0", "uptime": 60, "readiness": "ready",
                "backend": ["origin": "http://127.0.0.1:8642", "protocol": "v2", "reachable": true],
                "clock": ["offset": 12], "store": ["health": "good"], "signedIn": [], "openCodes": 0,
                "refusals": [], "sessions": 2, "warnings": [],
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
        /// Nil if the service has not been asked yet.
        public var isReachable: Bool?
        /// When it last answered, in milliseconds since the epoch.
        public var lastContact: Int64?
        /// When it was last asked, if it has not answered since.
        public var lastFailure: Int64?

        public init(
            origin: String, interface: String, isReachable: Bool?, lastContact: Int64?, lastFailure: Int64? = nil
        ) {
            self.origin = origin
            self.interface = interface
            self.isReachable = isReachable
            self.lastContact = lastContact
            self.lastFailure = lastFailure
        }
    }

    /// A valid login.
    public struct Login: Sendable, Equatable {
        public var requestorID: String
        public var provider: String
        public var name: String
        public var kind: String
        /// In milliseconds since the epoch.
        public var expires: Int64
        /// When the service last confirmed it; nil if it has not since the daemon started.
        public var confirmed: Int64?

        public init(
            requestorID: String, provider: String, name: String, kind: String, expires: Int64, confirmed: Int64? = nil
        ) {
            self.requestorID = requestorID
            self.provider = provider
            self.name = name
            self.kind = kind
            self.expires = expires
            self.confirmed = confirmed
        }

        fileprivate var json: JSONValue {
            .members([
                "requestorID": .string(requestorID), "provider": .string(provider), "name": .string(name),
                "kind": .string(kind), "expires": .int(expires), "confirmed": confirmed.map { .int($0) },
            ])
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
        /// How many milliseconds the service's clock is ahead; nil if unknown.
        public var clockOffset: Int64?
        public var signIn: String?
        public var store: Store
        public var signedIn: [Login]
        public var openCodes: Int
        public var refusals: [Decisions.Decision]
        public var sessions: Int
        public var warnings: [Warning]

        public init(
            version: String, uptime: Int64, readiness: Readiness, service: Service, clockOffset: Int64?,
            signIn: String? = nil,
            store: Store, signedIn: [Login], openCodes: Int, refusals: [Decisions.Decision], sessions: Int,
            warnings: [Warning]
        ) {
            self.version = version
            self.uptime = uptime
            self.readiness = readiness
            self.service = service
            self.clockOffset = clockOffset
            self.signIn = signIn
            self.store = store
            self.signedIn = signedIn
            self.openCodes = openCodes
            self.refusals = refusals
            self.sessions = sessions
            self.warnings = warnings
        }

        public var json: JSONValue {
            .members([
                "version": .string(version), "uptime": .int(uptime), "readiness": .string(readiness.rawValue),
                "backend": .members([
                    "origin": .string(service.origin), "protocol": .string(service.interface),
                    "reachable": service.isReachable.map(JSONValue.bool) ?? .null,
                    "lastContact": service.lastContact.map { .int($0) },
                    "lastFailure": service.lastFailure.map { .int($0) },
                ]),
                "clock": ["offset": clockOffset.map { .int($0) } ?? .null], "signIn": signIn.map(JSONValue.string),
                "store": ["health": .string(store.health), "path": .string(store.path)],
                "signedIn": .array(signedIn.map(\.json)), "openCodes": .int(openCodes),
                "refusals": .array(refusals.map(\.json)), "sessions": .int(sessions),
                "warnings": .array(warnings.map(\.json)),
            ])
        }
    }
}
