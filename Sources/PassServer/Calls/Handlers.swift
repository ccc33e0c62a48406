// The table of handlers. It has one handler for each method of the protocol.

import AccessEnabler
import CDescription
import PassJSON
import PassProtocol
import PassWire

@EngineActor struct Handlers {
    typealias Handler = @EngineActor (CheckedCall, ConnectedClient, Grant) async -> Result<CallResult, RPCError>

    /// A method with its handler.
    struct Offer {
        let type: any RPCMethod.Type
        let method: MethodDefinition
        /// Whether the call only reads. Such a call changes nothing in the engine, and sessions with the same state get the
        /// same answer.
        let onlyReads: Bool
        let handler: Handler
    }

    private var byName: [String: Offer] = [:]

    static func all(
        parts: ServerParts, reports: Reports, policyInForce: PolicyInForce, hub: EventHub, log: DecisionLog
    ) -> Handlers {
        var handlers = Handlers()
        handlers.offerEntitlement(engine: parts.engine, log: log)
        handlers.offerSession(reports: reports, policyInForce: policyInForce, hub: hub)
        handlers.offerAdmin(parts: parts, reports: reports, policyInForce: policyInForce, log: log)
        handlers.offerDocument()
        return handlers
    }

    /// Registers the handler of a method. `body` may throw only `RPCError`; any other error is answered as an internal
    /// error.
    mutating func on<Method: RPCMethod>(
        _ method: Method.Type, onlyReads: Bool = false,
        _ body: @escaping @EngineActor (Method.Params, ConnectedClient, Grant) async throws -> Method.Result
    ) {
        offer(method, onlyReads: onlyReads) { call, client, grant in
            guard let params = call.params(of: method) else { return .failure(.internalError()) }
            do {
                return .success(.value(try await body(params, client, grant).json))
            } catch {
                return .failure(error as? RPCError ?? .internalError())
            }
        }
    }

    private mutating func offer(
        _ type: any RPCMethod.Type, onlyReads: Bool = false, _ handler: @escaping Handler
    ) {
        let method = type.definition
        byName[method.name] = Offer(type: type, method: method, onlyReads: onlyReads, handler: handler)
    }

    /// Registers `rpc.discover`. The document is the same for all clients.
    mutating func offerDocument() {
        offer(Discover.self) { _, _, _ in
            // A newline follows the document.
            .success(.written(WrittenJSON(text: Array(String(cString: pass_description()).utf8.dropLast()))))
        }
    }

    /// The offer of a method; nil if the method does not exist.
    subscript(name: String) -> Offer? { byName[name] }
}
