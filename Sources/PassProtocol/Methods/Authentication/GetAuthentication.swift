// Starts a login, or joins one that is already open. Contract: access-enabler.md §7.2; rpc.md §4.

public import PassJSON

public enum GetAuthentication: RPCMethod {
    public typealias Result = LoginAnswer

    public static let statuses: [SDKStatus] = SDKStatus.ofAnyQuestion + [.N111, .N130, .N500, .REG500]

    public static let callbacks = [
        "setAuthenticationStatus", "displayProviderDialog", "presentTvProviderDialog", "dismissTvProviderDialog",
        "navigateToUrl", "sendTrackingData", "status",
    ]

    public static let definition = MethodDefinition(
        "getAuthentication",
        "Starts a login, and does not wait for the viewer. In the result, state says what the app must do next. "
            + "authenticated: nothing. selectProvider: show providers and call setSelectedProvider. secondScreen: show "
            + "link as a QR code, and show code with url. browser: open url. platformDialog: nothing, because the box "
            + "itself asks the viewer. The callback setAuthenticationStatus tells the outcome of the login.",
        params: [
            .optional(
                "forceAuthentication", .boolean, summary: "Start a login even if the viewer is logged in.",
                default: false),
            .optional("data", .map(.string), summary: "Data that passd sends to the service."),
            .optional(
                "filter",
                .object([
                    .optional(
                        "TV_PROVIDERS", .array(.string),
                        summary: "IDs of providers for the platform's list of providers, in order."),
                    .optional(
                        "FEATURED_TV_PROVIDERS", .array(.string),
                        summary: "The providers to show first, a subset of TV_PROVIDERS."),
                ]), summary: "For the platform's list of providers."),
        ],
        result: .object(
            [
                .required(
                    "state",
                    .enumeration(
                        ["authenticated", "selectProvider", "secondScreen", "browser", "platformDialog"])),
                .optional("providers", .array(.component(MVPD.component)), summary: "The providers to choose from."),
            ] + LoginInvitation.members),
        statuses: statuses, errors: [.flowConflict], capability: .entitlement, needsRequestor: true,
        callbacks: callbacks,
        example: .init(
            [:],
            [
                "state": "secondScreen", "code": "K7MPQ2", "url": "https://activate.example/?code=K7MPQ2",
                "expires": 1_795_564_800_000,
            ]))

    public struct Filter: Sendable, Equatable {
        public var providers: [String]
        public var featured: [String]

        public init(providers: [String], featured: [String] = []) {
            self.providers = providers
            self.featured = featured
        }
    }

    public struct Params: MethodParams {
        public var force: Bool
        public var data: [String: String]
        public var filter: Filter?

        public init(force: Bool = false, data: [String: String] = [:], filter: Filter? = nil) {
            self.force = force
            self.data = data
            self.filter = filter
        }

        public init(params: JSONValue) throws(SchemaFault) {
            try params.limit("data", to: AuthorizationQuestion.maxDataSize)
            force = params.flag("forceAuthentication", default: false)
            data = params.textMap("data")
            filter = params["filter"].map {
                Filter(
                    providers: $0.optionalTexts("TV_PROVIDERS") ?? [],
                    featured: $0.optionalTexts("FEATURED_TV_PROVIDERS") ?? [])
            }
        }

        public var json: JSONValue {
            .members([
                "forceAuthentication": .bool(force), "data": JSONValue.textMap(data),
                "filter": filter.map {
                    ["TV_PROVIDERS": .strings($0.providers), "FEATURED_TV_PROVIDERS": .strings($0.featured)]
                },
            ])
        }
    }
}

extension LoginInvitation {
    /// The members of the invitation in results and callbacks.
    var members: [(String, JSONValue)] {
        let all: [(String, JSONValue?)] = [
            ("code", code.map(JSONValue.string)), ("link", link.map(JSONValue.string)),
            ("url", url.map(JSONValue.string)),
            ("expires", expires.map { .int($0) }), ("qr", qr?.json),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }
}
