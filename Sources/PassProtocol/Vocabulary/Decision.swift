// A provider's decision about one resource, as a hint. Contract: access-enabler.md §14.2.

public import PassJSON

public struct Decision: Sendable, Equatable {
    public var id: String
    public var authorized: Bool
    public var error: EnhancedError?
    /// For the viewer, as a play would be refused.
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
                .optional("error", .component(EnhancedError.component), summary: "Why not."),
            ] + ViewerWords.members("If it is not permitted")))

    public var json: JSONValue {
        JSONValue.members([
            "id": .string(id), "authorized": .bool(authorized), "error": error?.json,
        ]).adding(words?.json ?? [])
    }
}
