// Tells whether the viewer is logged in, from memory. Contract: access-enabler.md §7.1; rpc.md §4.

public import PassJSON

public enum CheckAuthentication: RPCMethod {
    public static let definition = MethodDefinition(
        "checkAuthentication", "Tells whether the viewer is logged in. Does not ask the service.",
        result: .object(
            [
                .required("status", .integer(0...1)), .required("authenticated", .boolean),
                .required("errorCode", .component(FlowErrorCode.component)),
                .optional("provider", .string, summary: "The ID of the viewer's provider."),
                .optional("expires", .time), .optional("type", .string, summary: "e.g. regular, temporary, degraded."),
                .optional(
                    "openLogin", LoginAnswer.openLogin, summary: "The login that this session has open, if any."),
            ] + ViewerWords.members("If nobody is signed in")),
        capability: .entitlement, needsRequestor: true,
        callbacks: ["setAuthenticationStatus", "sendTrackingData", "status"],
        example: .init([:], ["status": 0, "authenticated": false, "errorCode": "USER_NOT_AUTHENTICATED_ERROR"]))

    public enum Result: MethodResult {
        case authenticated(provider: String, expires: Int64?, type: String?, openLogin: LoginAnswer? = nil)
        /// Nobody is logged in. `saying` is the sentence for the viewer.
        case notAuthenticated(FlowErrorCode, openLogin: LoginAnswer? = nil, saying: BoxSentence = .signIn)

        public var json: JSONValue {
            switch self {
            case .authenticated(let provider, let expires, let type, let openLogin):
                .members([
                    "status": 1, "authenticated": true, "errorCode": "", "provider": .string(provider),
                    "expires": expires.map { .int($0) }, "type": type.map(JSONValue.string),
                    "openLogin": openLogin?.json,
                ])
            case .notAuthenticated(let code, let openLogin, let sentence):
                JSONValue.members([
                    "status": 0, "authenticated": false, "errorCode": code.json, "openLogin": openLogin?.json,
                ])
                .adding(ViewerWords(sentence).json)
            }
        }
    }
}
