// Reads one metadata value, from memory if possible. Contract: access-enabler.md §15; rpc.md §4.

public import PassJSON

public enum GetMetadata: RPCMethod {
    public enum Key: String, Sendable, CaseIterable {
        case authentication = "METADATA_AUTHENTICATION"
        case authorization = "METADATA_AUTHORIZATION"
        case deviceID = "METADATA_DEVICE_ID"
        case userMetadata = "METADATA_USER_META"
    }

    public static let resultMembers: [Member] = [
        .required("key", .words(Key.self), summary: "The key, as in the call."),
        .required(
            "metadata", .any, summary: "Null if there is no value; a time is a string of milliseconds since 1970."),
        .required(
            "encrypted", .boolean,
            summary: "Whether the value is encrypted; only the programmer's private key decrypts the value."),
        .required("arguments", .map(.any), summary: "The params of the call."),
    ]

    public static let definition = MethodDefinition(
        "getMetadata",
        "Reads one value. METADATA_AUTHENTICATION: when the login ends. METADATA_AUTHORIZATION: when the "
            + "authorization of resource ends. METADATA_DEVICE_ID: the device's ID, if expose-identity is on. "
            + "METADATA_USER_META: a value about the viewer, named by userMetadataKey. In the result, metadata is "
            + "null if there is no value, and a time is a string of milliseconds.",
        params: [
            .required("key", .words(Key.self)),
            .optional("resource", .string, summary: "Required with METADATA_AUTHORIZATION."),
            .optional("userMetadataKey", .string, summary: "Required with METADATA_USER_META."),
        ],
        result: .object(resultMembers), statuses: [.R401, .CFG404, .SEC420, .N500], capability: .entitlement,
        needsRequestor: true, callbacks: ["setMetadataStatus"],
        example: .init(
            ["key": "METADATA_USER_META", "userMetadataKey": "zip"],
            [
                "key": "METADATA_USER_META", "metadata": ["12345"], "encrypted": false,
                "arguments": ["key": "METADATA_USER_META", "userMetadataKey": "zip"],
            ]))

    public enum Params: MethodParams {
        case authentication
        case authorization(resource: String)
        case deviceID
        case userMetadata(name: String)

        public init(params: JSONValue) throws(SchemaFault) {
            try params.limit("resource", to: AuthorizationQuestion.maxResourceSize)
            switch try params.text("key") {
            case Key.authentication.rawValue: self = .authentication
            case Key.authorization.rawValue: self = .authorization(resource: try params.text("resource"))
            case Key.deviceID.rawValue: self = .deviceID
            case Key.userMetadata.rawValue: self = .userMetadata(name: try params.text("userMetadataKey"))
            default: throw params.missing("key", "a metadata key")
            }
        }

        public var key: Key {
            switch self {
            case .authentication: .authentication
            case .authorization: .authorization
            case .deviceID: .deviceID
            case .userMetadata: .userMetadata
            }
        }

        /// The params. The result and the callback repeat them as `arguments`.
        public var json: JSONValue {
            switch self {
            case .authentication, .deviceID: ["key": .string(key.rawValue)]
            case .authorization(let resource): ["key": .string(key.rawValue), "resource": .string(resource)]
            case .userMetadata(let name): ["key": .string(key.rawValue), "userMetadataKey": .string(name)]
            }
        }
    }

    public struct Result: MethodResult {
        public var question: Params
        public var metadata: JSONValue
        public var encrypted: Bool

        public init(question: Params, metadata: JSONValue, encrypted: Bool = false) {
            self.question = question
            self.metadata = metadata
            self.encrypted = encrypted
        }

        public var json: JSONValue {
            [
                "key": .string(question.key.rawValue), "metadata": metadata, "encrypted": .bool(encrypted),
                "arguments": question.json,
            ]
        }
    }
}
