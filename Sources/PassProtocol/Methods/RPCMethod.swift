// A method is its definition plus the types of its params and its result. Every method has a file of its own; the
// table lists them all.

import PassJSON

public protocol RPCMethod: Sendable {
    associatedtype Params: MethodParams
    associatedtype Result: MethodResult

    static var definition: MethodDefinition { get }
}

public protocol MethodParams: Sendable, Equatable {
    /// From a value that the definition's schema has accepted; what a schema cannot say is refused here.
    init(params: JSONValue) throws(SchemaFault)

    /// For clients.
    var json: JSONValue { get }
}

public protocol MethodResult: Sendable, Equatable {
    var json: JSONValue { get }
}

public struct NoParams: MethodParams {
    public init() {}

    public init(params: JSONValue) {}

    public var json: JSONValue { [:] }
}

/// `{}`: done, nothing to say.
public struct EmptyResult: MethodResult {
    public init() {}

    public var json: JSONValue { [:] }
}
