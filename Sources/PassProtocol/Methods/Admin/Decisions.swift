// Lists the last decisions and their reasons. The decisions show what was watched, so only callers on the admin socket may see
// them. The number of decisions is limited. rpc.md §7.

public import PassJSON

public enum Decisions: RPCMethod {
    public static let maxLimit = 256

    public static let definition = MethodDefinition(
        "passd.decisions",
        "Lists the last decisions; the newest comes last. The list has all plays. It also has menu entries "
            + "that are not permitted, ends of logins, refused logouts, calls that policy denied, and apps and logins that "
            + "could not start. After a restart, the list still has refusals and ends of logins of the last seven days, at most "
            + "50. In these older decisions, resource is a hash, unless the param about is the name of the resource.",
        params: [
            .optional(
                "about", .string,
                summary:
                    "Only decisions about this resource, app or requestor, or about the RESOURCE_HASH of the journal."),
            .optional(
                "limit", .integer(1...Int64(maxLimit)), summary: "The max number of decisions.",
                default: .int(Int64(maxLimit))),
        ],
        result: .object([.required("decisions", .array(.object(members)))]),
        capability: .admin,
        example: .init(
            ["about": "film-1"],
            [
                "decisions": [
                    [
                        "time": 1_795_564_800_000, "kind": "play", "outcome": "denied", "requestorID": "NEWS24",
                        "resource": "film-1", "decidedBy": "service",
                        "code": "authorization_denied_by_parental_controls",
                        "reason": "The provider's parental controls do not permit this play.",
                        "remedy": "Change the viewer's limit at the provider.",
                    ]
                ]
            ]))

    public struct Params: MethodParams {
        /// The max size of `about`, in bytes. It may be large, because the text is only compared and not kept.
        private static let maxAboutSize = 8192

        public var about: String?
        public var limit: Int

        public init(about: String? = nil, limit: Int = Decisions.maxLimit) {
            self.about = about
            self.limit = limit
        }

        public init(params: JSONValue) throws(SchemaFault) {
            try params.limit("about", to: Self.maxAboutSize)
            about = params.optionalText("about")
            limit = params["limit"]?.int64.map { Int($0) } ?? Decisions.maxLimit
        }

        public var json: JSONValue {
            .members(["about": about.map(JSONValue.string), "limit": .int(Int64(limit))])
        }
    }

    public enum Kind: String, CaseIterable, Sendable {
        case play, hint
        case login = "login-ended"
        case call = "call-denied"
        case start = "start-failed"
        case loginStart = "login-failed"
        case logout = "logout-refused"
    }

    /// `memory`: the daemon decided from memory and did not ask the service.
    public enum Decider: String, CaseIterable, Sendable { case service, memory, policy }

    static let members: [Member] = [
        .required("time", .time, summary: "The last time, if the decision was repeated."),
        .optional("times", .integer(2...Int64.max), summary: "The number of equal decisions. Absent: one."),
        .optional("since", .time, summary: "The first time, if the decision was repeated."),
        .required("kind", .words(Kind.self)),
        .required("outcome", .string, summary: "A verdict, the cause of an end, denied, or failed."),
        .optional("decidedBy", .words(Decider.self)), .optional("app", .string),
        .optional("title", .string, summary: "The title in the app's stanza."), .optional("requestorID", .string),
        .optional("provider", .string, summary: "The provider's ID."),
        .optional("resource", .string), .optional("by", .string, summary: "Who ended a login."),
        .optional("source", .string), .optional("code", .string), .optional("trace", .string),
        .optional("text", .string, summary: "The provider's text for viewers."),
        .optional("message", .string, summary: "The service's message for developers."),
        .required("reason", .string, summary: "In plain words."),
        .optional("remedy", .string, summary: "What to do."),
    ]
}
