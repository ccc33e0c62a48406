// Which code answers which method. A method without an entry is not offered: neither found nor described.

import AccessEnabler
import PassJSON
import PassProtocol
import PassWire

@EngineActor struct Handlers {
    typealias Handler = @EngineActor (CheckedCall, ConnectedClient, Grant) async -> Result<CallResult, RPCError>

    private var byName: [String: Handler] = [:]

    static func all(
        parts: ServerParts, reports: Reports, policyInForce: PolicyInForce, hub: EventHub
    ) -> Handlers {
        var handlers = Handlers()
        handlers.offerEntitlement()
        handlers.offerSession(reports: reports, policyInForce: policyInForce, hub: hub)
        handlers.offerAdmin(parts: parts, reports: reports, policyInForce: policyInForce)
        handlers.offerDocument()
        return handlers
    }

    /// `body` throws nothing but `RPCError`.
    mutating func on<Method: RPCMethod>(
        _ method: Method.Type,
        _ body: @escaping @EngineActor (Method.Params, ConnectedClient, Grant) async throws -> Method.Result
    ) {
        byName[method.definition.name] = { call, client, grant in
            guard let params = call.params(of: method) else { return .failure(.internalError()) }
            do {
                return .success(.value(try await body(params, client, grant).json))
            } catch {
                return .failure(error as? RPCError ?? .internalError())
            }
        }
    }

    /// After all others: the document is of what is offered. It is the same for everybody, and made and written when
    /// somebody asks for the first time.
    mutating func offerDocument() {
        let offered = Set(byName.keys).union([Discover.definition.name])
        var document: WrittenJSON?
        byName[Discover.definition.name] = { _, _, _ in
            let made =
                document ?? WrittenJSON(OpenRPCDocument.json(version: PassdVersion.text) { offered.contains($0.name) })
            document = made
            return .success(.written(made))
        }
    }

    func handler(of method: MethodDefinition) -> Handler? { byName[method.name] }

    func offers(_ method: MethodDefinition) -> Bool { byName[method.name] != nil }
}
