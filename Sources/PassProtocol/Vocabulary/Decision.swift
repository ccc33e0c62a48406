// A provider's decision about one resource, as a hint. Contract: access-enabler.md §14.2.

import PassJSON

public struct Decision: Sendable, Equatable {
    public var id: String
    public var authorized: Bool
    public var error: EnhancedError?

    public init(id: String, authorized: Bool, error: EnhancedError? = nil) {
        self.id = id
        self.authorized = authorized
        self.error = error
    }

    public static let component = Component(
        "Decision", summary: "One resource, one hint.",
        schema: .object([
            .required("id", .string, summary: "The resource as it was asked for."),
            .required("authorized", .boolean),
            .optional("error", .component(EnhancedError.component), summary: "Why not."),
        ]))

    public var json: JSONValue {
        .members(["id": .string(id), "authorized": .bool(authorized), "error": error?.json])
    }
}
