// Chooses the requestor of a session. The params may name an unknown or empty requestor: such a call is answered with the
// status CFG400. Contract: access-enabler.md §6; rpc.md §4.

public import PassJSON

public enum SetRequestor: RPCMethod {
    public enum StorageCheck: String, Sendable, CaseIterable { case none, all, clear }

    public static let definition = MethodDefinition(
        "setRequestor",
        "Chooses the requestor, once for each connection. Until setRequestor has succeeded, other entitlement "
            + "methods fail, except setOptions.",
        params: [
            .required("requestorID", .string),
            .optional(
                "serviceProviders", .array(.string(format: "uri")),
                summary: "Base URLs of services to use instead of the box's service; seldom needed."),
            .optional(
                "softwareStatement", .string, summary: "A JWT. Absent: passd uses the statement of the app's stanza."),
            .optional(
                "storageCheck", .words(StorageCheck.self),
                summary: "Which stored logins to check; the SDK's IntegrityCheckType.", default: "none"),
        ],
        result: .object([
            .required("status", .integer(1...1)), .required("requestorID", .string),
            .required("authenticated", .boolean),
            .optional("provider", .string, summary: "The ID of the viewer's provider."),
        ]),
        statuses: SDKStatus.ofAnyQuestion + [.SEC403],
        capability: .entitlement, callbacks: ["setRequestorComplete", "status"],
        example: .init(
            ["requestorID": "NEWS24"], ["status": 1, "requestorID": "NEWS24", "authenticated": false]))

    public struct Params: MethodParams {
        public var requestorID: String
        public var serviceProviders: [String]?
        public var softwareStatement: String?
        public var storageCheck: StorageCheck

        public init(
            requestorID: String, serviceProviders: [String]? = nil, softwareStatement: String? = nil,
            storageCheck: StorageCheck = .none
        ) {
            self.requestorID = requestorID
            self.serviceProviders = serviceProviders
            self.softwareStatement = softwareStatement
            self.storageCheck = storageCheck
        }

        /// The max size of the ID in bytes. The ID is kept with the session; real IDs are much shorter.
        public static let maxIDSize = 256
        public static let maxStatementSize = 16 << 10

        public init(params: JSONValue) throws(SchemaFault) {
            try params.limit("requestorID", to: Self.maxIDSize)
            try params.limit("softwareStatement", to: Self.maxStatementSize)
            // Control characters are refused, because the ID becomes a part of addresses.
            try params.refuseControlCharacters("requestorID")
            requestorID = try params.text("requestorID")
            serviceProviders = params.optionalTexts("serviceProviders")
            softwareStatement = params.optionalText("softwareStatement")
            storageCheck = params.choice("storageCheck", default: .none)
        }

        public var json: JSONValue {
            .members([
                "requestorID": .string(requestorID), "serviceProviders": serviceProviders.map(JSONValue.strings),
                "softwareStatement": softwareStatement.map(JSONValue.string),
                "storageCheck": .string(storageCheck.rawValue),
            ])
        }
    }

    public struct Result: MethodResult {
        public var requestorID: String
        public var authenticated: Bool
        public var provider: String?

        public init(requestorID: String, authenticated: Bool, provider: String? = nil) {
            self.requestorID = requestorID
            self.authenticated = authenticated
            self.provider = provider
        }

        public var json: JSONValue {
            .members([
                "status": 1, "requestorID": .string(requestorID), "authenticated": .bool(authenticated),
                "provider": provider.map(JSONValue.string),
            ])
        }
    }
}
