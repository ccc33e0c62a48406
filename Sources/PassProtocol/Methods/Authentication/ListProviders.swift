// Lists the requestor's providers without starting a login. rpc.md §4.

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
