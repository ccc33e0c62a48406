// Wraps a backend, records each question in the journal, and counts it for the metrics. A record has the outcome of the
// question, and the call that caused it. A record has no codes, tokens, resources or addresses. operations.md §3.

package import AccessEnabler
package import PassSystem
import Synchronization

package struct RecordedBackend: EntitlementBackend {
    let backend: any EntitlementBackend
    let journal: Journal
    let meter: Meter
    private let refusals = RefusedRegistrations()

    package init(_ backend: any EntitlementBackend, _ journal: Journal, meter: Meter) {
        self.backend = backend
        self.journal = journal
        self.meter = meter
    }

    package var traits: BackendTraits { backend.traits }

    package func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        backend.registration(of: app, statement: statement)
    }

    package func prepare(_ caller: BackendCaller) async throws(BackendFault) {
        try await recorded("prepare", caller) { try await backend.prepare(caller) }
    }

    package func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] {
        try await recorded("providers", caller) { try await backend.providers(caller) }
    }

    package func forgetProviders(_ caller: BackendCaller) { backend.forgetProviders(caller) }

    package func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        try await recorded("profiles", caller) { try await backend.profiles(query, caller) }
    }

    package func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep {
        try await recorded("beginLogin", caller) { try await backend.beginLogin(request, caller) }
    }

    package func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll {
        do throws(BackendFault) {
            let poll = try await recorded("pollLogin", caller) { try await backend.pollLogin(login, caller) }
            meter.count { $0.poll(MetricCounts.Poll(poll)) }
            return poll
        } catch {
            meter.count { $0.poll(.failed) }
            throw error
        }
    }

    package func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {
        await backend.abandonLogin(login, caller)
        record("abandonLogin", caller: caller, fault: nil)
    }

    package func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        let decisions = try await recorded("authorize", caller) {
            try await backend.authorize(resources, at: provider, caller)
        }
        meter.count { $0.decided(decisions) }
        return decisions
    }

    package func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        try await recorded("preauthorize", caller) { try await backend.preauthorize(resources, at: provider, caller) }
    }

    package func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        try await recorded("logout", caller) { try await backend.logout(provider, caller) }
    }

    package func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep {
        try await recorded("partnerRequest", caller) { try await backend.partnerRequest(provider, of: partner, caller) }
    }

    package func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile {
        try await recorded("exchange", caller) {
            try await backend.exchange(response, at: provider, of: partner, caller)
        }
    }

    private func recorded<Answer: Sendable>(
        _ question: String, _ caller: BackendCaller, _ ask: () async throws -> Answer
    ) async throws(BackendFault) -> Answer {
        do {
            let answer = try await ask()
            record(question, caller: caller, fault: nil)
            return answer
        } catch {
            let fault = error as? BackendFault ?? BackendFault(.cancelled)
            record(question, caller: caller, fault: fault)
            throw fault
        }
    }

    private func record(_ question: String, caller: BackendCaller, fault: BackendFault?) {
        meter.count { $0.question(question, fault: fault?.kind) }
        var fields = [
            JournalField("QUESTION", question), JournalField("REQUESTOR", caller.requestor.rawValue),
            JournalField("OUTCOME", fault?.kind.name ?? "ok"),
        ]
        // Every call of a refused app fails in the same way, so only the first refusal is recorded.
        guard refusals.isNews(fault, of: caller.registration) else { return }
        if let fault, fault.code != fault.kind.name { fields.append(JournalField("CODE", fault.code)) }
        if let trace = fault?.trace { fields.append(JournalField("TRACE", trace)) }
        let event: JournalEvent = fault.map { $0.kind.isTrouble ? .backendTrouble : .backendRefused } ?? .backendAsked
        journal.record(event, fields + (CallMark.current?.fields ?? []))
    }
}

/// The registrations that the service refused, each with its error code. A refusal is news only the first time. It is news
/// again after the service has accepted the app or refused it for another reason. May be used from any thread.
private final class RefusedRegistrations: Sendable {
    private static let maxCodes = 256
    private let codes = Mutex<[RegistrationKey: String]>([:])

    func isNews(_ fault: BackendFault?, of registration: RegistrationKey) -> Bool {
        codes.withLock { codes in
            switch fault?.kind {
            case nil:
                codes[registration] = nil
                return true
            case .registrationRefused, .tokenRefused:
                let code = fault?.code
                guard codes[registration] != code else { return false }
                if codes.count >= Self.maxCodes { codes.removeAll() }
                codes[registration] = code
                return true
            default: return true
            }
        }
    }
}

extension MetricCounts.Poll {
    fileprivate init(_ poll: LoginPoll) {
        switch poll {
        case .pending: self = .pending
        case .done: self = .done
        case .gone: self = .gone
        }
    }
}

extension BackendFault.Kind {
    /// Whether a person may have to act. The other faults need no action, because they are decisions of the service or limits
    /// of passd.
    fileprivate var isTrouble: Bool {
        switch self {
        case .registrationRefused, .tokenRefused, .unreachable, .insecure, .deadline, .serverError, .unusableAnswer:
            true
        case .noService, .overloaded, .throttled, .refused, .cancelled: false
        }
    }
}
