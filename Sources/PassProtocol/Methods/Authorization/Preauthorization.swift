// Hints for menus. They must not decide about playback. Contract: access-enabler.md §14; rpc.md §4.

public import PassJSON

public enum CheckPreauthorizedResources: RPCMethod {
    public static let definition = MethodDefinition(
        "checkPreauthorizedResources",
        "Returns the resources that would be permitted, for a menu. Before a play, call getAuthorization or "
            + "checkAuthorization.",
        params: [
            .required("resources", .array(.string)),
            .optional("cache", .boolean, summary: "Whether to answer from the cache where possible.", default: true),
        ],
        result: .object(
            [.required("resources", .array(.string), summary: "The resources that would be permitted.")]
                + ViewerWords.members("If nobody is signed in")),
        statuses: SDKStatus.ofAnyQuestion + [.P100], capability: .entitlement, needsRequestor: true,
        callbacks: ["preauthorizedResources", "setAuthenticationStatus", "status"],
        example: .init(["resources": ["NEWS24", "SPORT1"]], ["resources": ["NEWS24"]]))

    public struct Params: MethodParams {
        public var resources: [String]
        public var cache: Bool

        public init(resources: [String], cache: Bool = true) {
            self.resources = resources
            self.cache = cache
        }

        public init(params: JSONValue) throws(SchemaFault) {
            try params.limit("resources", to: AuthorizationQuestion.maxResourceSize)
            resources = try params.texts("resources")
            cache = params.flag("cache", default: true)
        }

        public var json: JSONValue { ["resources": .strings(resources), "cache": .bool(cache)] }
    }

    public struct Result: MethodResult {
        public var resources: [String]
        /// The words for the viewer, if nobody is signed in.
        public var words: ViewerWords?

        public init(resources: [String], words: ViewerWords? = nil) {
            self.resources = resources
            self.words = words
        }

        public var json: JSONValue {
            JSONValue.members(["resources": .strings(resources)]).adding(words?.json ?? [])
        }
    }
}

public enum Preauthorize: RPCMethod {
    public enum Feature: String, Sendable, CaseIterable {
        case localCache = "LOCAL_CACHE"
        case remoteCache = "REMOTE_CACHE"
    }

    public static let definition = MethodDefinition(
        "preauthorize",
        "Returns a decision for each resource, for a menu, with the reason for each refusal. The reason "
            + "decision_missing means that the service's answer has no decision about the resource.",
        params: [
            .required("resources", .array(.string)),
            .optional("disabledFeatures", .array(.words(Feature.self))),
        ],
        result: .object(
            [
                .required("decisions", .array(.component(Decision.component))),
                .optional("status", .component(EnhancedError.component), summary: "Why there are no decisions."),
            ] + ViewerWords.members("With status")),
        statuses: SDKStatus.ofAnyQuestion + [.P100], capability: .entitlement, needsRequestor: true,
        callbacks: ["setAuthenticationStatus", "status"],
        example: .init(
            ["resources": ["NEWS24"], "disabledFeatures": ["LOCAL_CACHE"]],
            ["decisions": [["id": "NEWS24", "authorized": true]]]))

    public struct Params: MethodParams {
        public var resources: [String]
        public var disabledFeatures: Set<Feature>

        public init(resources: [String], disabledFeatures: Set<Feature> = []) {
            self.resources = resources
            self.disabledFeatures = disabledFeatures
        }

        public init(params: JSONValue) throws(SchemaFault) {
            try params.limit("resources", to: AuthorizationQuestion.maxResourceSize)
            resources = try params.texts("resources")
            disabledFeatures = Set(params.optionalTexts("disabledFeatures")?.compactMap(Feature.init(rawValue:)) ?? [])
        }

        public var json: JSONValue {
            ["resources": .strings(resources), "disabledFeatures": .strings(disabledFeatures.map(\.rawValue).sorted())]
        }
    }

    public struct Result: MethodResult {
        public var decisions: [Decision]
        /// The reason for missing decisions; set if nobody is logged in.
        public var status: EnhancedError?
        /// The words for the viewer about this reason.
        public var words: ViewerWords?

        public init(decisions: [Decision]) { self.decisions = decisions }

        /// Makes the result for the case that nobody is signed in; `status` is the reason.
        public init(signedOut status: EnhancedError, saying sentence: BoxSentence? = nil) {
            decisions = []
            self.status = status
            words = RefusalWords(.userNotAuthenticated, status, saying: sentence).viewer
        }

        public var json: JSONValue {
            JSONValue.members(["decisions": .array(decisions.map(\.json)), "status": status?.json])
                .adding(words?.json ?? [])
        }
    }
}

/// A provider's decision about one resource, as a hint. Contract: access-enabler.md §14.2.
public struct Decision: Sendable, Equatable {
    public var id: String
    public var authorized: Bool
    public var error: EnhancedError?
    /// The words for the viewer. If a play of the resource is refused, the viewer gets the same words.
    public var words: ViewerWords?

    public init(id: String, authorized: Bool, error: EnhancedError? = nil, words: ViewerWords? = nil) {
        self.id = id
        self.authorized = authorized
        self.error = error
        self.words = words
    }

    public static let component = Component(
        "Decision", summary: "The provider's probable decision about one resource.",
        schema: .object(
            [
                .required("id", .string, summary: "The resource as it was asked for."),
                .required("authorized", .boolean),
                .optional("error", .component(EnhancedError.component), summary: "Why it is not permitted."),
            ] + ViewerWords.members("If it is not permitted")))

    public var json: JSONValue {
        JSONValue.members([
            "id": .string(id), "authorized": .bool(authorized), "error": error?.json,
        ]).adding(words?.json ?? [])
    }
}
