// One row of the method table, with everything that the router, policy and the OpenRPC document need.

import PassJSON

/// What `may` in an app stanza grants.
public enum Capability: String, Sendable, CaseIterable { case entitlement, observe, admin }

public enum SocketKind: String, Sendable, CaseIterable { case api, admin }

public struct MethodDefinition: Sendable {
    public let name: String
    public let summary: String
    public let params: [Member]
    public let result: Schema
    /// The errors in addition to those that every method may return.
    public let ownErrors: [ErrorName]
    /// Nil if every peer may call it.
    public let capability: Capability?
    public let socket: SocketKind
    public let needsRequestor: Bool
    public let since: String
    public let deprecatedSince: String?
    /// The names of callbacks that this call may cause.
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
        statuses: [SDKStatus] = [], errors: [ErrorName] = [], capability: Capability?, socket: SocketKind = .api,
        needsRequestor: Bool = false, since: String = "1.0", deprecatedSince: String? = nil,
        callbacks: [String] = [], example: Example
    ) {
        self.name = name
        self.summary = summary
        self.params = params
        self.result = result
        ownErrors = errors + statuses.map(ErrorName.unanswered)
        self.capability = capability
        self.socket = socket
        self.needsRequestor = needsRequestor
        self.since = since
        self.deprecatedSince = deprecatedSince
        self.callbacks = callbacks
        self.example = example
    }

    public var schema: Schema { .object(params) }

    /// In the order of the checks: params, peer and policy, state, backend.
    public var errors: [ErrorName] {
        [.invalidParams, .internalError, .limit, .notReady] + (capability == nil ? [] : [.denied])
            + (needsRequestor ? [.requestorNotSet] : []) + ownErrors
    }
}
