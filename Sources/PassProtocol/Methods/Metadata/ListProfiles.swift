// Lists all logins of the requestor on this device. rpc.md §4.

public import PassJSON

public enum ListProfiles: RPCMethod {
    public typealias Params = NoParams

    public static let definition = MethodDefinition(
        "listProfiles", "Lists the logins of this requestor.",
        result: .object([.required("profiles", .array(.component(ProfileSummary.component)))]),
        statuses: [.R401, .CFG404, .CFG429, .CFG5xx, .SEC420, .N500], capability: .entitlement, needsRequestor: true,
        example: .init([:], ["profiles": []]))

    public struct Result: MethodResult {
        public var profiles: [ProfileSummary]

        public init(profiles: [ProfileSummary]) { self.profiles = profiles }

        public var json: JSONValue { ["profiles": .array(profiles.map(\.json))] }
    }
}
