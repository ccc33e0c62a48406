// The two calls that ask whether a resource may be played. Both return a new media token if so; getAuthorization first
// logs in if needed. The resource is opaque; Z130 reports an empty or malformed one. Contract: access-enabler.md §13;
// rpc.md §4.

public import PassJSON

public enum CheckAuthorization: RPCMethod {
    public typealias Params = AuthorizationQuestion
    public typealias Result = AuthorizationAnswer

    public static let definition = MethodDefinition(
        "checkAuthorization",
        "Authorizes a resource and returns a media token. If the viewer is not logged in, the result says so; no login begins.",
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
        "Authorizes a resource and returns a media token. If the viewer is not logged in, a login begins: the result then has "
            + "pending, and the members of getAuthentication's. When the viewer is logged in, setToken or tokenRequestFailed "
            + "follows; if the login fails, setAuthenticationStatus alone.",
        params: AuthorizationQuestion.members,
        result: .object(
            AuthorizationAnswer.members + [
                .optional(
                    "pending", .boolean, summary: "True: the viewer has to log in first; callbacks tell the outcome."),
                .optional("state", .enumeration(["selectProvider", "secondScreen", "browser", "platformDialog"])),
                .optional("code", .string, summary: "The code that the viewer types."),
                LoginInvitation.linkMember, .optional("url", .string(format: "uri"), summary: "Where."),
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
        /// The viewer has to log in first. The inner result is never `.authenticated`.
        case pending(resource: String, GetAuthentication.Result)

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
