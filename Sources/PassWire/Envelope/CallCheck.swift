// The first checks of every call: parse, method, params (rpc.md §2). The envelope did the first; between the other two
// policy may refuse already. What comes out here has typed params and goes on to policy, state and backend.

import PassJSON
import PassProtocol

public struct CheckedCall: Sendable {
    public let type: any RPCMethod.Type
    public let params: any MethodParams

    public var method: MethodDefinition { type.definition }

    /// Nil if the call is of another method.
    public func params<Method: RPCMethod>(of method: Method.Type) -> Method.Params? {
        type == method ? params as? Method.Params : nil
    }
}

extension Request {
    /// The method, if there is one of this name on a socket of that kind. A suggestion in place of one that there is not
    /// costs a comparison with all of them.
    public func type(on socket: SocketKind, suggesting: Bool = true) throws(RPCError) -> any RPCMethod.Type {
        guard let type = MethodTable.find(method) else {
            throw .methodNotFound(method, nearest: suggesting ? MethodTable.nearest(to: method) : nil)
        }
        guard socket == .admin || type.definition.socket == .api else { throw .otherSocket(method) }
        return type
    }

    /// The call with its params typed.
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
