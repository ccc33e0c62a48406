// A callback on its way: a method's name, and unchecked params. rpc.md §2.

public import PassJSON

public struct Notification: Sendable, Equatable {
    public let method: String
    public let params: JSONValue

    public init(method: String, params: JSONValue) {
        self.method = method
        self.params = params
    }
}
