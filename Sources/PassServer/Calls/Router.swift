// Checks a call in the order of rpc.md §2. The steps are: parse, method, the peer's right to the method, params, policy for the
// call's requestor, state, backend. The engine makes the last two checks. The right to the method is checked before the params,
// because the check of the params is the most expensive.

import AccessEnabler
import PassJSON
import PassProtocol
import PassSystem
import PassWire

@EngineActor final class Router {
    let handlers: Handlers
    let policyInForce: PolicyInForce
    /// The reason for refusing every call; nil while calls are accepted.
    var readiness = RPCError.Readiness?.none
    let counts: CallCounter
    let memory: AnswerMemory
    private var pending: [ObjectIdentifier: PendingCall] = [:]
    private let audit: (Audit) -> Void
    private let answered: (CallMark, Result<CallResult, RPCError>) -> Void

    init(
        _ handlers: Handlers, policyInForce: PolicyInForce, counts: CallCounter, memory: AnswerMemory,
        audit: @escaping (Audit) -> Void,
        answered: @escaping (CallMark, Result<CallResult, RPCError>) -> Void
    ) {
        self.handlers = handlers
        self.policyInForce = policyInForce
        self.counts = counts
        self.memory = memory
        self.audit = audit
        self.answered = answered
    }

    /// Answers the pending calls with an error when the daemon stops.
    func giveUpPending() {
        for pending in pending.values {
            pending.isOver = true
            pending.call.answer(.failure(pending.method.worded(.notReady(.stopping), for: pending.client)))
        }
        pending = [:]
    }

    /// Returns the answer to a message if `AnswerMemory` has it.
    func recall(_ message: UnsafeRawBufferPointer, for client: ConnectedClient) -> KnownCall.Match? {
        guard let match = memory.recall(message, for: client) else { return nil }
        counts.taken += 1
        return match
    }

    /// Starts the call immediately, so that calls begin in the order of their arrival, even if a client sends several at once.
    /// The answer follows when it is ready.
    func take(_ call: Call, from client: ConnectedClient) {
        counts.taken += 1
        do throws(RPCError) {
            let (checked, offer, grant) = try admit(call.request, client)
            client.count(as: grant.app)
            let reading = offer.onlyReads ? memory.begin(call, of: client) : nil
            if !offer.onlyReads { EngineActor.noteChange() }
            let mark = CallMark(
                request: counts.taken, method: checked.method.name, app: grant.app, title: grant.title)
            let begun = PendingCall(
                call, from: client, mark: mark, method: checked.method,
                requestor: checked.params(of: SetRequestor.self)?.requestorID)
            call.dropParams()
            // The task begins immediately, because it is now the turn of this connection's owner, and the work has to count in
            // this turn. If the call has to wait, the task is suspended and `take` continues.
            let task = Task.immediate { @EngineActor in
                let outcome = await CallMark.$current.withValue(mark) { await offer.handler(checked, client, grant) }
                    .map { checked.method.worded($0, for: client) }
                // If the call was refused in the meantime, its outcome is dropped.
                guard !begun.isOver else { return }
                end(begun)
                if let reading, begun.task == nil { memory.end(reading, outcome, of: client) }
                answered(mark, outcome)
                if case .failure(let error) = outcome {
                    counts.count(error)
                } else {
                    client.setup.learn(checked)
                    if !offer.onlyReads, offer.method.needsRequestor { client.session.noteUse() }
                }
                call.answer(result: outcome.mapError { checked.method.worded($0, for: client) })
            }
            // Most calls have an answer by now. Only calls that have to wait are kept as pending calls.
            guard !begun.isOver else { return }
            EngineActor.noteChange()
            if let reading { memory.end(reading, nil, of: client) }
            begun.task = task
            pending[ObjectIdentifier(begun)] = begun
        } catch {
            counts.count(error)
            call.answer(.failure(handlers[call.request.method]?.method.worded(error, for: client) ?? error))
        }
    }

    private func end(_ call: PendingCall) {
        call.isOver = true
        if call.task != nil { pending[ObjectIdentifier(call)] = nil }
    }

    /// Repeats a call from before the daemon's restart, under the present policy. Returns whether the call succeeded.
    func repeatCall(_ request: Request, for client: ConnectedClient) async -> Bool {
        guard let (checked, offer, grant) = try? admit(request, client),
            case .success = await offer.handler(checked, client, grant)
        else { return false }
        client.setup.learn(checked)
        return true
    }

    private func admit(
        _ request: Request, _ client: ConnectedClient
    ) throws(RPCError) -> (CheckedCall, Handlers.Offer, Grant) {
        client.calls += 1
        let name = request.method
        if client.isGateway, name != SpeakFor.definition.name {
            client.isGateway = false
            if client.connection.isServing { client.server?.tellOpened(client) }
        }
        let offer = handlers[name]
        let standing = policyInForce.standing(of: client)
        guard let offer, client.socket == .admin || offer.method.socket == .api else {
            _ = try request.type(on: client.socket, suggesting: !standing.isStranger)
            throw .methodNotFound(name)
        }
        if !standing.may(offer.method.capability) {
            // The params have not been checked yet, but their requestor makes the reason more precise.
            let wanted = request.params?["requestorID"]?.string ?? client.requestor
            _ = try grant(offer.method, client: client, wanted: wanted)
        }
        let checked = try request.check(against: offer.type)
        let setup = checked.params(of: SetRequestor.self)
        if let fault = setup?.fault { throw .invalidParams(fault) }
        let grant = try grant(offer.method, client: client, wanted: setup?.requestorID ?? client.requestor)
        if let readiness { throw .notReady(readiness) }
        return (checked, offer, grant)
    }

    private func grant(
        _ method: MethodDefinition, client: ConnectedClient, wanted: String?
    ) throws(RPCError) -> Grant {
        switch decide(method, client: client, wanted: wanted) {
        case .denied(let reason): throw denial(reason, of: client, method, wanted: wanted, request: counts.taken)
        case .allowed(let grant): return grant
        }
    }

    /// Records a refusal by policy, and returns the error for the client.
    private func denial(
        _ reason: String, of client: ConnectedClient, _ method: MethodDefinition, wanted: String?, request: Int
    ) -> RPCError {
        audit(
            Audit(
                client, app: policyInForce.identity(of: client).app, method: method, requestor: wanted,
                rule: policyInForce.wholeReason(reason, of: client, using: wanted), request: request))
        return policyInForce.policy.denial(reason, of: policyInForce.standing(of: client)).error
    }

    /// Records the refusal of `passd.speakFor`, and returns the error. The caller of this function gives the reason, because
    /// the client's own stanzas do not decide this call. The origin is recorded only if the client is the gateway, because
    /// other clients may claim any origin.
    func refusal(
        of app: SpeakFor.Params, from client: ConnectedClient, _ denial: Denial, isGateway: Bool = false
    ) -> RPCError {
        var refused = Audit(
            client, app: nil, method: SpeakFor.definition, requestor: nil,
            rule: "\(denial.reason); the web app is of user \(app.uid), origin \(app.origin)",
            request: counts.taken)
        if isGateway { refused.peer.append(JournalField("ORIGIN", app.origin.description)) }
        audit(refused)
        return denial.error
    }

    private func decide(_ method: MethodDefinition, client: ConnectedClient, wanted: String?) -> PolicyDecision {
        let requestor = method.capability == .entitlement ? wanted.flatMap { $0.isEmpty ? nil : $0 } : nil
        return policyInForce.decide(on: client, needs: method.capability, requestor: requestor)
    }
}

// MARK: Pending calls when policy changes

extension Router {
    /// Refuses the pending calls that policy no longer allows. Returns the clients that lost their requestor. All pending
    /// entitlement calls of these clients are refused, because they belong to the lost requestor.
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
            // The client loses its session. Otherwise, the work of earlier calls for the refused requestor would continue in
            // this session.
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
        // The answer to another refused call may have closed the connection. In that case, this call has already ended.
        guard let refused = pending[place] else { return }
        end(refused)
        let error = denial(
            reason, of: refused.client, refused.method, wanted: refused.wanted, request: refused.mark.request)
        answered(refused.mark, .failure(error))
        counts.count(error)
        refused.call.answer(.failure(refused.method.worded(error, for: refused.client)))
        // The service's answer is no longer needed, so the task is cancelled. The task of a logout continues, because a logout
        // has to be completed.
        if ![Logout.definition.name, SignOut.definition.name].contains(refused.method.name) { refused.task?.cancel() }
    }
}

extension MethodDefinition {
    /// Returns the error. If apps make this call for a viewer, the error gets a text for the viewer. Ruling 45.
    @EngineActor fileprivate func worded(_ error: RPCError, for client: ConnectedClient) -> RPCError {
        capability == .entitlement ? error.forViewers(in: client.session.options.language) : error
    }

    @EngineActor fileprivate func worded(_ result: CallResult, for client: ConnectedClient) -> CallResult {
        guard capability == .entitlement, let language = client.session.options.language,
            case .value(let json) = result
        else { return result }
        return .value(json.translated(to: language))
    }
}

/// A call that has no answer yet, with the facts that policy needs to decide about it again.
@EngineActor private final class PendingCall {
    let call: Call
    let client: ConnectedClient
    let mark: CallMark
    let method: MethodDefinition
    /// The requestor that the call itself names; nil for all calls except `setRequestor`.
    let requestor: String?
    /// The suspended task of a call that has to wait.
    var task: Task<Void, Never>?
    /// Whether the call has been answered or refused.
    var isOver = false

    init(_ call: Call, from client: ConnectedClient, mark: CallMark, method: MethodDefinition, requestor: String?) {
        self.call = call
        self.client = client
        self.mark = mark
        self.method = method
        self.requestor = requestor
    }

    var wanted: String? { requestor ?? client.requestor }
}

/// What the journal and other reports say about a call that policy has refused.
struct Audit: Sendable {
    let session: Int64
    let user: UInt32
    /// The name and version from `passd.hello`.
    let client: String?
    /// The process or the web app that called.
    let who: String
    /// The fields that identify the peer in the journal.
    var peer: [JournalField]
    /// The peer's app, according to policy.
    let app: String?
    let method: String
    let requestor: String?
    let rule: String
    /// The number of the call, as in `CallMark`.
    let request: Int

    @EngineActor init(
        _ client: ConnectedClient, app: String?, method: MethodDefinition, requestor: String?, rule: String,
        request: Int
    ) {
        (session, user, self.client) = (client.number, client.facts.user, client.introduction)
        who = client.facts.origin.map { "the web app \($0)" } ?? "process \(client.process)"
        peer = client.journalFields
        self.app = app
        self.method = method.name
        self.requestor = requestor
        self.rule = rule
        self.request = request
    }
}

/// Counts all calls, the calls refused by policy, and the errors by name.
@EngineActor final class CallCounter {
    var taken = 0
    private(set) var denied = 0
    private(set) var failed: [String: Int] = [:]

    func count(_ error: RPCError) {
        if error.name == .denied { denied += 1 }
        // The names come from a fixed list, so the dictionary stays small.
        failed[error.name.family, default: 0] += 1
    }
}
