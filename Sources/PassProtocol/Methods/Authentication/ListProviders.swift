// A TV provider as apps see it, and the list of a requestor's providers. Contract: access-enabler.md §8; rpc.md §4.

public import PassJSON

public enum ListProviders: RPCMethod {
    public static let definition = MethodDefinition(
        "listProviders", "Lists the providers that this requestor works with.",
        params: [.optional("includeTempPass", .boolean, summary: "Include temporary passes.", default: false)],
        result: .object([.required("providers", .array(.component(MVPD.component)))]),
        statuses: SDKStatus.ofAnyQuestion + [.N500], capability: .entitlement, needsRequestor: true,
        example: .init([:], ["providers": [["id": "cablevista", "displayName": "CableVista", "logoURL": ""]]]))

    public struct Params: MethodParams {
        public var includeTempPass: Bool

        public init(includeTempPass: Bool = false) { self.includeTempPass = includeTempPass }

        public init(params: JSONValue) { includeTempPass = params.flag("includeTempPass", default: false) }

        public var json: JSONValue { ["includeTempPass": .bool(includeTempPass)] }
    }

    public struct Result: MethodResult {
        public var providers: [MVPD]

        public init(providers: [MVPD]) { self.providers = providers }

        public var json: JSONValue { ["providers": .array(providers.map(\.json))] }
    }
}

/// A TV provider as apps see it. Contract: access-enabler.md §8; rpc.md §4.
public struct MVPD: Sendable, Equatable {
    public enum BoardingStatus: String, Sendable, CaseIterable {
        case picker = "PICKER"
        case supported = "SUPPORTED"
    }

    public var id: String
    public var displayName: String
    public var logoURL: String
    public var enablePlatformServices: Bool?
    public var boardingStatus: BoardingStatus?
    public var isTempPass: Bool?

    public init(
        id: String, displayName: String, logoURL: String = "", enablePlatformServices: Bool? = nil,
        boardingStatus: BoardingStatus? = nil, isTempPass: Bool? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.logoURL = logoURL
        self.enablePlatformServices = enablePlatformServices
        self.boardingStatus = boardingStatus
        self.isTempPass = isTempPass
    }

    public static let component = Component(
        "MVPD", summary: "A TV provider.",
        schema: .object([
            .required("id", .string, summary: "Case-sensitive."),
            .required("displayName", .string, summary: "The name that viewers see."),
            .required("logoURL", .string, summary: "Empty if there is no logo."),
            .optional(
                "enablePlatformServices", .boolean, summary: "Sign-on through the platform works for this provider."),
            .optional(
                "boardingStatus", .words(BoardingStatus.self),
                summary:
                    "PICKER: viewers choose the provider in the platform's list, but log in as usual. SUPPORTED: "
                    + "the platform does "
                    + "the login."),
            .optional(
                "isTempPass", .boolean,
                summary: "A temporary pass: viewers can watch for a limited time without a login."),
        ]))

    public var json: JSONValue {
        .members([
            "id": .string(id), "displayName": .string(displayName), "logoURL": .string(logoURL),
            "enablePlatformServices": enablePlatformServices.map(JSONValue.bool),
            "boardingStatus": boardingStatus.map { .string($0.rawValue) },
            "isTempPass": isTempPass.map(JSONValue.bool),
        ])
    }
}
