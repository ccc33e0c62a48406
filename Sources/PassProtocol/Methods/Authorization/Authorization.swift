// The two calls that ask whether a resource may be played. If the play is permitted, both calls return a new media token. If
// needed, `getAuthorization` first begins a login. passd does not parse the resource. If the resource is empty, or the service
// finds it malformed, the answer is the status Z130. Contract: access-enabler.md §13; rpc.md §4.

public import PassJSON

public enum CheckAuthorization: RPCMethod {
    public typealias Params = AuthorizationQuestion
    public typealias Result = AuthorizationAnswer

    public static let definition = MethodDefinition(
        "checkAuthorization",
        "Authorizes a resource and returns a media token. If the viewer is not logged in, the result says "
            + "so, and no login begins.",
        params: AuthorizationQuestion.members, result: .object(AuthorizationAnswer.members),
        statuses: AuthorizationAnswer.statuses, capability: .entitlement, needsRequestor: true,
        callbacks: AuthorizationAnswer.callbacks,
        example: .init(
            ["resource": "NEWS24"],
            ["authorized": false, "resource": "NEWS24", "errorCode": "USER_NOT_AUTHENTICATED_ERROR"]))
}

public enum GetAuthorization: RPCMethod {
    public typealias Params = AuthorizationQuestion

    public static let definition = MethodDefinition(
        "getAuthorization",
        "Authorizes a resource and returns a media token. If the viewer is not logged in, a login begins, and the "
            + "result has pending and the members of getAuthentication's result. After the login, setToken or "
            + "tokenRequestFailed follows. If the login fails, only setAuthenticationStatus follows.",
        params: AuthorizationQuestion.members,
        result: .object(
            AuthorizationAnswer.members + [
                .optional(
                    "pending", .boolean, summary: "True: the viewer has to log in first; callbacks tell the outcome."),
                .optional("state", .enumeration(["selectProvider", "secondScreen", "browser", "platformDialog"])),
                .optional("code", .string, summary: "The code that the viewer types."),
                LoginInvitation.linkMember,
                .optional(
                    "url", .string(format: "uri"),
                    summary: "The page where the viewer types the code, or the login page for a browser."),
                QRPicture.member,
                .optional("providers", .array(.component(MVPD.component)), summary: "The providers to choose from."),
            ]),
        statuses: AuthorizationAnswer.statuses + [.N130, .N500, .REG500], errors: [.flowConflict],
        capability: .entitlement, needsRequestor: true,
        callbacks: AuthorizationAnswer.callbacks
            + GetAuthentication.callbacks.filter {
                !AuthorizationAnswer.callbacks.contains($0)
            },
        example: .init(
            ["resource": "NEWS24"],
            ["authorized": true, "resource": "NEWS24", "token": "PHNpZ25hdHVyZUluZm8+", "source": "mvpd"]))

    public enum Result: MethodResult {
        case answered(AuthorizationAnswer)
        /// The viewer has to log in first. The `LoginAnswer` is never `.authenticated`.
        case pending(resource: String, LoginAnswer)

        public var json: JSONValue {
            switch self {
            case .answered(let answer): answer.json
            case .pending(let resource, let login):
                .object(
                    JSONObject(
                        [
                            JSONObject.Member(name: "authorized", value: false),
                            .init(name: "resource", value: .string(resource)),
                            .init(name: "pending", value: true),
                        ] + (login.json.object?.members ?? [])))
            }
        }
    }
}

/// The params and the answer that both authorization calls share. rpc.md §4.
public struct AuthorizationQuestion: MethodParams {
    /// A plain ID or MRSS (Media RSS, an XML text). The answer repeats the resource byte for byte.
    public var resource: String
    public var data: [String: String]

    public init(resource: String, data: [String: String] = [:]) {
        self.resource = resource
        self.data = data
    }

    /// The max size of a resource in bytes. No MRSS item is larger, and a service accepts no more in a URL.
    public static let maxResourceSize = 8 << 10
    /// The max size of all names and values in `data` together, in bytes. There is a limit, because `data` is kept during a
    /// login.
    public static let maxDataSize = 16 << 10

    public init(params: JSONValue) throws(SchemaFault) {
        try params.limit("data", to: Self.maxDataSize)
        try params.limit("resource", to: Self.maxResourceSize)
        resource = try params.text("resource")
        data = params.textMap("data")
    }

    public var json: JSONValue { .members(["resource": .string(resource), "data": JSONValue.textMap(data)]) }

    static let members: [Member] = [
        .required("resource", .string, summary: "A plain ID or MRSS, which passd does not change."),
        .optional("data", .map(.string), summary: "Data that passd sends to the service."),
    ]
}

public struct AuthorizationAnswer: MethodResult {
    public var resource: String
    public var outcome: Outcome
    /// The box's sentence for a refusal if the provider has no words. Nil means the code's own sentence.
    public var sentence: BoxSentence?
    /// Metadata of the viewer from the permit; nil if the permit has none.
    public var metadata: JSONObject?

    public enum Outcome: Sendable, Equatable {
        /// The play is permitted. `token` is the serialized media token, unchanged. `source` is the backend's word for the
        /// party that decided, such as mvpd.
        case authorized(token: String, expires: Int64?, source: String?)
        case refused(FlowErrorCode, source: String?, EnhancedError?)
    }

    public init(
        resource: String, outcome: Outcome, saying sentence: BoxSentence? = nil, metadata: JSONObject? = nil
    ) {
        self.metadata = metadata
        self.sentence = sentence == .signIn ? nil : sentence
        self.resource = resource
        self.outcome = outcome
    }

    static let members: [Member] =
        [
            .required("authorized", .boolean),
            .required("resource", .string, summary: "The resource, as the app wrote it."),
            .optional("token", .string, summary: "The serialized media token."), .optional("expires", .time),
            .optional("source", .string, summary: "Who decided, e.g. mvpd, degradation, temppass."),
            .optional(
                "metadata", .map(.any),
                summary: "User metadata that came with a permit, by name. getMetadata returns it too."),
            .optional("errorCode", .component(FlowErrorCode.component)),
            .optional("error", .component(EnhancedError.component)),
        ] + RefusalWords.members

    static let statuses: [SDKStatus] = SDKStatus.ofAnyQuestion + [.Z120, .Z130, .Z500]

    static let callbacks = ["setToken", "tokenRequestFailed", "setAuthenticationStatus", "sendTrackingData", "status"]

    public var json: JSONValue {
        switch outcome {
        case .authorized(let token, let expires, let source):
            .members([
                "authorized": true, "resource": .string(resource), "token": .string(token),
                "expires": expires.map { .int($0) }, "source": source.map(JSONValue.string),
                "metadata": metadata.map(JSONValue.object),
            ])
        case .refused(let code, let source, let error):
            JSONValue.members([
                "authorized": false, "resource": .string(resource), "source": source.map(JSONValue.string),
                "errorCode": code.json, "error": error?.json,
            ]).adding(RefusalWords(code, error, saying: sentence).json)
        }
    }
}
