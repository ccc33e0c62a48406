// Checks a call with a correct envelope (see `Envelope`): first the method, then the params (rpc.md §2). Between the two
// checks, policy may refuse the call. The result is a `CheckedCall` with typed params. At this point, neither the session nor
// the backend has decided about the call.

import PassJSON
public import PassProtocol

public struct CheckedCall: Sendable {
    public let type: any RPCMethod.Type
    public let params: any MethodParams

    public var method: MethodDefinition { type.definition }

    /// Returns the params; nil if the call is for another method.
    public func params<Method: RPCMethod>(of method: Method.Type) -> Method.Params? {
        type == method ? params as? Method.Params : nil
    }
}

extension Request {
    /// Returns the method with this name; throws if the socket does not have it. If `suggesting`, the error names the most
    /// similar method. The search for this method takes time.
    public func type(on socket: SocketKind, suggesting: Bool = true) throws(RPCError) -> any RPCMethod.Type {
        guard let type = MethodTable.find(method) else {
            throw .methodNotFound(method, nearest: suggesting ? MethodTable.nearest(to: method) : nil)
        }
        guard socket == .admin || type.definition.socket == .api else { throw .otherSocket(method) }
        return type
    }

    /// Checks the params against the schema and reads them into a Swift type.
    public func check(against type: any RPCMethod.Type) throws(RPCError) -> CheckedCall {
        if params?.array != nil { throw .positionalParams() }
        do throws(SchemaFault) {
            return CheckedCall(type: type, params: try type.read(params ?? [:]))
        } catch {
            throw .invalidParams(error)
        }
    }
}

extension RPCMethod {
    fileprivate static func read(_ value: JSONValue) throws(SchemaFault) -> any MethodParams {
        try definition.schema.check(value)
        return try Params(params: value)
    }
}
