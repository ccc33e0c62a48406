// From a call to its answer, by the checks in their order: parse, method, params, peer, policy, state, backend.
// rpc.md §2. The first three have happened when a call is checked; state and backend are the engine's.

import AccessEnabler
import PassProtocol
import PassWire

@EngineActor final class Router {
    let handlers: Handlers
    var policy: Policy
    var readiness = RPCError.Readiness?.none
    private(set) var counts = CallCounts()
    /// Calls that wait for their answers.
    private var pending: [ObjectIdentifier: Call] = [:]
    private let audit: (Audit) -> Void
    private let answered: (CallMark, Result<JSONValue, RPCError>) -> Void

    init(
        _ handlers: Handlers, _ policy: Policy, audit: @escaping (Audit) -> Void,
        answered: @escaping (CallMark, Result<JSONValue, RPCError>) -> Void = { _, _ in }
    ) {
        self.handlers = handlers
        self.policy = policy
        self.audit = audit
        self.answered = answered
    }

    /// The daemon ends before these are done: their clients hear so, instead of nothing.
    func giveUpPending() {
        for call in pending.values { call.answer(.failure(.notReady(.stopping))) }
        pending = [:]
    }

    /// Takes the call at once, so that pipelined calls begin in their order; the answer comes when it is there.
    func take(_ call: Call, from client: Client) {
        counts.taken += 1
        do throws(RPCError) {
            let (checked, handler, grant) = try admit(call.request, client)
            pending[ObjectIdentifier(call)] = call
            let mark = CallMark(request: counts.taken, method: checked.method.name, app: grant.app)
            Task { @EngineActor in
                let outcome = await CallMark.$current.withValue(mark) { await handler(checked, client, grant) }
                answered(mark, outcome)
                if case .failure(let error) = outcome { counts.count(error) } else { client.setup.learn(call.request) }
                pending[ObjectIdentifier(call)] = nil
                call.answer(outcome)
            }
        } catch {
            counts.count(error)
            call.answer(.failure(error))
        }
    }

    /// A call that the client made before the daemon was started anew, by today's policy. Whether it succeeded.
    func repeatCall(_ request: Request, for client: Client) async -> Bool {
        guard let (checked, handler, grant) = try? admit(request, client),
            case .success = await handler(checked, client, grant)
        else { return false }
        client.setup.learn(request)
        return true
    }

    private func admit(_ request: Request, _ client: Client) throws(RPCError) -> (CheckedCall, Handlers.Handler, Grant)
    {
        let name = request.method
        // Before its params are looked at, which nobody could make right.
        if let type = MethodTable.find(name), !handlers.offers(type.definition) { throw .methodNotFound(name) }
        let checked = try request.check(on: client.socket)
        guard let handler = handlers.handler(of: checked.method) else { throw .methodNotFound(name) }
        let setup = checked.params(of: SetRequestor.self)
        if let fault = setup?.fault { throw .invalidParams(fault) }
        let wanted = setup?.requestorID ?? client.session.requestor?.rawValue
        let capability = checked.method.capability
        switch policy.decide(
            client.facts, on: client.socket, needs: capability,
            requestor: capability == .entitlement ? wanted.flatMap { $0.isEmpty ? nil : $0 } : nil)
        {
        case .denied(let reason):
            audit(Audit(client, checked.method, wanted, rule: reason, isAllowed: false, request: counts.taken))
            throw .denied(reason)
        case .allowed(let grant):
            if let readiness { throw .notReady(readiness) }
            return (checked, handler, grant)
        }
    }
}

/// One decision of policy, for the log.
struct Audit: Sendable {
    let process: Int32
    let user: UInt32
    let method: String
    let requestor: String?
    let rule: String
    let isAllowed: Bool
    /// As in `CallMark`.
    let request: Int

    @EngineActor init(
        _ client: Client, _ method: MethodDefinition, _ requestor: String?, rule: String, isAllowed: Bool, request: Int
    ) {
        process = client.process
        user = client.facts.user
        self.method = method.name
        self.requestor = requestor
        self.rule = rule
        self.isAllowed = isAllowed
        self.request = request
    }
}

struct CallCounts: Sendable {
    var taken = 0
    private(set) var denied = 0
    private(set) var failed: [String: Int] = [:]

    mutating func count(_ error: RPCError) {
        if error.name == .denied { denied += 1 }
        // The names are our own, and few.
        failed[error.name.text, default: 0] += 1
    }
}
