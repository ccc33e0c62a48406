// Authorization to play a resource. Both calls return a new media token; getAuthorization logs in first if necessary.
// The resource is opaque, and an empty or malformed one is Z130. Contract: access-enabler.md §13; rpc.md §4.

import PassJSON

public enum CheckAuthorization: RPCMethod {
    public typealias Params = AuthorizationQuestion
    public typealias Result = AuthorizationAnswer

    public static let definition = MethodDefinition(
        "checkAuthorization", "Authorizes a resource if the viewer is logged in, and never starts a login.",
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
        "getAuthorization", "Authorizes a resource; starts a login first where one is needed.",
        params: AuthorizationQuestion.members,
        result: .object(
            AuthorizationAnswer.members + [
                .optional("pending", .boolean, summary: "True: a login comes first, the outcome comes by callback."),
                .optional("state", .enumeration(["selectProvider", "secondScreen", "browser", "platformDialog"])),
                .optional("code", .string, summary: "What the viewer types."),
                .optional("url", .string(format: "uri"), summary: "Where."),
                .optional("providers", .array(.component(MVPD.component)), summary: "To choose from."),
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
        /// The viewer has to log in first. `.authenticated` does not occur.
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
