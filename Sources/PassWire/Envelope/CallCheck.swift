// The first checks of every call: parse, method, params (rpc.md §2). The envelope did the first, and policy may refuse
// a call between the other two. A call that passes has typed params, and goes on to the checks of policy, state and
// backend.

import PassJSON
import PassProtocol

public struct CheckedCall: Sendable {
    public let type: any RPCMethod.Type
    public let params: any MethodParams

    public var method: MethodDefinition { type.definition }

    /// Nil if this is a call of another method.
    public func params<Method: RPCMethod>(of method: Method.Type) -> Method.Params? {
        type == method ? params as? Method.Params : nil
    }
}

extension Request {
    /// The method of this name, if this kind of socket has it. Finding a suggestion for an unknown name compares it
    /// with all methods.
    public func type(on socket: SocketKind, suggesting: Bool = true) throws(RPCError) -> any RPCMethod.Type {
        guard let type = MethodTable.find(method) else {
            throw .methodNotFound(method, nearest: suggesting ? MethodTable.nearest(to: method) : nil)
        }
        guard socket == .admin || type.definition.socket == .api else { throw .otherSocket(method) }
        return type
    }

    /// Checks the params against the method, and returns the call with typed params.
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
