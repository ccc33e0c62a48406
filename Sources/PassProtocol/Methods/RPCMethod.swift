// A method consists of its definition and the types of its params and result. Every method has a file of its own, and
// the table lists them all.

import PassJSON

public protocol RPCMethod: Sendable {
    associatedtype Params: MethodParams
    associatedtype Result: MethodResult

    static var definition: MethodDefinition { get }
}

public protocol MethodParams: Sendable, Equatable {
    /// Reads a value that the definition's schema has accepted. What a schema cannot express is checked here.
    init(params: JSONValue) throws(SchemaFault)

    /// The params as a client sends them.
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

/// `{}`: success without further content.
public struct EmptyResult: MethodResult {
    public init() {}

    public var json: JSONValue { [:] }
}
