// A method consists of its definition and the types of its params and its result. The definition has all facts for the router,
// policy and the OpenRPC document. `MethodTable` lists all methods.

public import PassJSON

public protocol RPCMethod: Sendable {
    associatedtype Params: MethodParams = NoParams
    associatedtype Result: MethodResult = JSONValue

    static var definition: MethodDefinition { get }
}

public protocol MethodParams: Sendable, Equatable {
    /// Reads params that the definition's schema has accepted. Throws for faults that a schema cannot express.
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

/// A result that is made in only one place is plain JSON and has no type of its own. The tests of the router check such results
/// against the schema.
extension JSONValue: MethodResult {
    public var json: JSONValue { self }
}

/// The values of `may` in an app stanza. No stanza can have `admin`: it is for the methods of the admin socket.
public enum Capability: String, Sendable, CaseIterable { case entitlement, observe, household, admin }

public enum SocketKind: String, Sendable, CaseIterable { case api, admin }

public final class MethodDefinition: Sendable {
    public let name: String
    public let summary: String
    public let params: [Member]
    /// The schema of the params.
    public let schema: Schema
    public let result: Schema
    /// The errors of this method beyond those that all methods may have.
    public let ownErrors: [ErrorName]
    /// The statuses for a question without an answer; a part of `ownErrors`.
    public let statuses: [SDKStatus]
    /// Nil means that every peer may call the method.
    public let capability: Capability?
    public let needsRequestor: Bool
    public let since: String
    public let deprecatedSince: String?
    /// The names of callbacks that the call may cause.
    public let callbacks: [String]
    public let example: Example

    public struct Example: Sendable {
        public let params: JSONValue
        public let result: JSONValue

        public init(_ params: JSONValue, _ result: JSONValue) {
            self.params = params
            self.result = result
        }
    }

    public init(
        _ name: String, _ summary: String, params: [Member] = [], result: Schema = .empty,
        statuses: [SDKStatus] = [], errors: [ErrorName] = [], capability: Capability?, needsRequestor: Bool = false,
        since: String = "1.0", deprecatedSince: String? = nil,
        callbacks: [String] = [], example: Example
    ) {
        self.name = name
        self.summary = summary
        self.params = params
        schema = .object(params)
        self.result = result
        self.statuses = statuses
        ownErrors = errors + statuses.map(ErrorName.unanswered)
        self.capability = capability
        self.needsRequestor = needsRequestor
        self.since = since
        self.deprecatedSince = deprecatedSince
        self.callbacks = callbacks
        self.example = example
    }

    /// The methods of operators exist on the admin socket only.
    public var socket: SocketKind { capability == .admin ? .admin : .api }

    /// All errors of the method, with its own errors last.
    public var errors: [ErrorName] {
        [.invalidParams, .internalError, .limit, .notReady] + (capability == nil ? [] : [.denied])
            + (needsRequestor ? [.requestorNotSet] : []) + ownErrors
    }
}
