// From a call to its answer, by the checks in their order: parse, method, whether the peer may call it at all, params,
// policy for what it names, state, backend. rpc.md §2. State and backend are the engine's. Who may not call a method is
// refused before its params are looked at, since checking them is the larger part of the work.

import AccessEnabler
import PassProtocol
import PassWire

@EngineActor final class Router {
    let handlers: Handlers
    let policyInForce: PolicyInForce
    /// Nil: calls are taken.
    var readiness = RPCError.Readiness?.none
    let counts: CallCounter
    private var pending: [ObjectIdentifier: PendingCall] = [:]
    private let audit: (Audit) -> Void
    private let answered: (CallMark, Result<CallResult, RPCError>) -> Void

    init(
        _ handlers: Handlers, policyInForce: PolicyInForce, counts: CallCounter,
        audit: @escaping (Audit) -> Void,
        answered: @escaping (CallMark, Result<CallResult, RPCError>) -> Void
    ) {
        self.handlers = handlers
        self.policyInForce = policyInForce
        self.counts = counts
        self.audit = audit
        self.answered = answered
    }

    /// The daemon ends before these are done: their clients hear so, instead of nothing.
    func giveUpPending() {
        for pending in pending.values { pending.call.answer(.failure(.notReady(.stopping))) }
        pending = [:]
    }

    /// Takes the call at once, so that pipelined calls begin in their order; the answer comes when it is there.
    func take(_ call: Call, from client: ConnectedClient) {
        counts.taken += 1
        do throws(RPCError) {
            let (checked, handler, grant) = try admit(call.request, client)
            let mark = CallMark(request: counts.taken, method: checked.method.name, app: grant.app)
            let place = ObjectIdentifier(call)
            pending[place] = PendingCall(
                call: call, client: client, mark: mark, method: checked.method,
                requestor: checked.params(of: SetRequestor.self)?.requestorID)
            call.dropParams()
            // At once, so that what a call costs counts in its owner's turn; it goes on later if it has to wait.
            let task = Task.immediate { @EngineActor in
                let outcome = await CallMark.$current.withValue(mark) { await handler(checked, client, grant) }
                // Refused meanwhile: nobody hears what came of it.
                guard pending.removeValue(forKey: place) != nil else { return }
                answered(mark, outcome)
                if case .failure(let error) = outcome { counts.count(error) } else { client.setup.learn(checked) }
                call.answer(result: outcome)
            }
            pending[place]?.task = task
        } catch {
            counts.count(error)
            call.answer(.failure(error))
        }
    }

    /// A call that the client made before the daemon was started anew, by today's policy. Whether it succeeded.
    func repeatCall(_ request: Request, for client: ConnectedClient) async -> Bool {
        guard let (checked, handler, grant) = try? admit(request, client),
            case .success = await handler(checked, client, grant)
        else { return false }
        client.setup.learn(checked)
        return true
    }

    private func admit(
        _ request: Request, _ client: ConnectedClient
    ) throws(RPCError) -> (CheckedCall, Handlers.Handler, Grant) {
        let name = request.method
        // Before anything else is said of it, which nobody could make right.
        if let type = MethodTable.find(name), !handlers.offers(type.definition) { throw .methodNotFound(name) }
        let standing = policyInForce.standing(of: client)
        let type = try request.type(on: client.socket, suggesting: !standing.isStranger)
        guard let handler = handlers.handler(of: type.definition) else { throw .methodNotFound(name) }
        if !standing.may(type.definition.capability) {
            // The reason may be told better by what it asked for, which has not been checked.
            let wanted = request.params?["requestorID"]?.string ?? client.requestor
            _ = try grant(type.definition, client: client, wanted: wanted)
        }
        let checked = try request.check(against: type)
        let setup = checked.params(of: SetRequestor.self)
        if let fault = setup?.fault { throw .invalidParams(fault) }
        let grant = try grant(type.definition, client: client, wanted: setup?.requestorID ?? client.requestor)
        if let readiness { throw .notReady(readiness) }
        return (checked, handler, grant)
    }

    private func grant(
        _ method: MethodDefinition, client: ConnectedClient, wanted: String?
    ) throws(RPCError) -> Grant {
        switch decide(method, client: client, wanted: wanted) {
        case .denied(let reason):
            audit(
                Audit(client, method: method, requestor: wanted, rule: reason, isAllowed: false, request: counts.taken))
            throw .denied(policyInForce.explanation(of: reason, to: client))
        case .allowed(let grant): return grant
        }
    }

    private func decide(_ method: MethodDefinition, client: ConnectedClient, wanted: String?) -> PolicyDecision {
        let requestor = method.capability == .entitlement ? wanted.flatMap { $0.isEmpty ? nil : $0 } : nil
        return policyInForce.decide(on: client, needs: method.capability, requestor: requestor)
    }
}

// MARK: What is under way when policy changes

extension Router {
    /// Answers the calls under way that policy does not allow any more, and says who may not speak for their requestor any
    /// more. Of those every call for a requestor is refused: what they were asked for is over.
    func withdraw(from clients: some Sequence<ConnectedClient>) -> [ConnectedClient] {
        var lost: [ObjectIdentifier: String] = [:]
        for client in clients {
            guard let requestor = client.session.requestor?.rawValue else { continue }
            if case .denied(let reason) = policyInForce.decide(on: client, needs: .entitlement, requestor: requestor) {
                lost[ObjectIdentifier(client)] = reason
            }
        }
        var refused: [(ObjectIdentifier, String)] = []
        let waiting = pending.sorted { $0.value.mark.request < $1.value.mark.request }
        for (place, pending) in waiting {
            guard case .denied(let reason) = decide(pending.method, client: pending.client, wanted: pending.wanted)
            else { continue }
            refused.append((place, reason))
            // It would set the requestor all the same, or go on with what was begun.
            if pending.method.capability == .entitlement {
                lost[ObjectIdentifier(pending.client)] = lost[ObjectIdentifier(pending.client)] ?? reason
            }
        }
        let denied = Set(refused.map(\.0))
        for (place, pending) in waiting where !denied.contains(place) && pending.method.capability == .entitlement {
            if let reason = lost[ObjectIdentifier(pending.client)] { refused.append((place, reason)) }
        }
        for (place, reason) in refused { refuse(place, reason) }
        return clients.filter { lost[ObjectIdentifier($0)] != nil }
    }

    private func refuse(_ place: ObjectIdentifier, _ reason: String) {
        // Answering one may end a connection.
        guard let refused = pending.removeValue(forKey: place) else { return }
        audit(
            Audit(
                refused.client, method: refused.method, requestor: refused.wanted, rule: reason, isAllowed: false,
                request: refused.mark.request))
        let error = RPCError.denied(policyInForce.explanation(of: reason, to: refused.client))
        answered(refused.mark, .failure(error))
        counts.count(error)
        refused.call.answer(.failure(error))
        // What waits for the service need not be asked; a logout stands.
        if refused.method.name != Logout.definition.name { refused.task?.cancel() }
    }
}

/// A call that waits for its answer, and what policy was asked for it.
private struct PendingCall {
    let call: Call
    let client: ConnectedClient
    let mark: CallMark
    let method: MethodDefinition
    /// That it brought along.
    let requestor: String?
    var task: Task<Void, Never>?

    @EngineActor var wanted: String? { requestor ?? client.requestor }
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
        _ client: ConnectedClient, method: MethodDefinition, requestor: String?, rule: String, isAllowed: Bool,
        request: Int
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

/// How many calls there were, and what became of them.
@EngineActor final class CallCounter {
    var taken = 0
    private(set) var denied = 0
    private(set) var failed: [String: Int] = [:]

    func count(_ error: RPCError) {
        if error.name == .denied { denied += 1 }
        // The names are our own, and few.
        failed[error.name.text, default: 0] += 1
    }
}
