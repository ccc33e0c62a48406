// A method is its definition and the types of its params and its result. `MethodTable` lists all of them.

public import PassJSON

public protocol RPCMethod: Sendable {
    associatedtype Params: MethodParams
    associatedtype Result: MethodResult

    static var definition: MethodDefinition { get }
}

public protocol MethodParams: Sendable, Equatable {
    /// Reads params that the definition's schema has accepted, and refuses what a schema cannot express.
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

/// A result that is made in one place is JSON. The tests of the router check it against the method's schema.
extension JSONValue: MethodResult {
    public var json: JSONValue { self }
}

/// The result `{}` of a call that has nothing to return.
public struct EmptyResult: MethodResult {
    public init() {}

    public var json: JSONValue { [:] }
}
