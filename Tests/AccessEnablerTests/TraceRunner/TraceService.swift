// The scripted service of a trace. It writes each request with all its values into the trace. Each call can fail, or
// its answer can be held back.

import AccessEnabler
import PassProtocol
import PassTestKit

@EngineActor final class TraceService: EntitlementBackend {
    private nonisolated let fake = FakeBackend()
    nonisolated let address: String?
    private let tell: (String) -> Void
    private let now: () -> ServerTime
    private var verdicts: [ResourceID: ServiceDecision] = [:]
    private var faults: [String: BackendFault] = [:]
    private var held: [String: [CheckedContinuation<Void, Never>]] = [:]
    private var tokenCount = 0
    /// The number of requests whose answers are pending.
    private(set) var underWay = 0

    init(_ address: String? = nil, now: @escaping () -> ServerTime, tell: @escaping (String) -> Void) {
        self.address = address
        self.now = now
        self.tell = tell
    }

    // MARK: Settings by the trace

    func script(_ change: (inout FakeBackend.Script) -> Void) { fake.script(change) }

    func decide(_ decision: ServiceDecision) {
        verdicts[decision.resource] = decision
        let verdicts = verdicts
        let verdict: @Sendable (ResourceID) -> Result<ServiceDecision, BackendFault> = { resource in
            .success(verdicts[resource] ?? ServiceDecision(resource: resource, isAuthorized: false, source: .mvpd))
        }
        fake.script {
            $0.authorize = verdict
            $0.preauthorize = verdict
        }
    }

    /// The name of a call, possibly with its first words, is given as `call`.
    func fail(_ call: String, _ fault: BackendFault) { faults[call] = fault }

    func mend() { faults = [:] }

    func hold(_ call: String) { held[call] = held[call] ?? [] }

    func release(_ call: String) throws {
        guard let waiting = held.removeValue(forKey: call) else { throw TraceWordUnknown(word: call) }
        underWay += waiting.count
        for waiter in waiting { waiter.resume() }
    }

    // MARK: Requests

    private func ask<Answer: Sendable>(
        _ words: String?..., of caller: BackendCaller,
        answer: @Sendable () async throws(BackendFault) -> Answer
    ) async throws(BackendFault) -> Answer {
        let call = words.compactMap { $0 }.joined(separator: " ")
        var line = address.map { "⇄ \($0) \(call)" } ?? "⇄ \(call)"
        for text in [SetOptions.Text.visitorID, .deviceInfo, .applicationProfile] {
            if let value = caller.options.texts[text] { line += " \(text.rawValue)=\(value)" }
        }
        for (name, value) in caller.options.temporaryIdentity.sorted(by: { $0.key < $1.key }) {
            line += " identity \(name)=\(value)"
        }
        tell(line)
        underWay += 1
        defer { underWay -= 1 }
        func isMeant(_ key: String) -> Bool { call == key || call.hasPrefix(key + " ") }
        if let key = held.keys.first(where: isMeant) {
            underWay -= 1
            await withCheckedContinuation { held[key, default: []].append($0) }
        }
        if let fault = faults.first(where: { isMeant($0.key) })?.value { throw fault }
        return try await answer()
    }

    nonisolated var traits: BackendTraits { fake.traits }

    nonisolated func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        var key = fake.registration(of: app, statement: statement)
        if let address { key.origin = address }
        return key
    }

    func prepare(_ caller: BackendCaller) async throws(BackendFault) {
        try await ask("prepare", caller.requestor.rawValue, of: caller) { [fake] () async throws(BackendFault) in
            try await fake.prepare(caller)
        }
    }

    func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] {
        try await ask("providers", caller.requestor.rawValue, of: caller) { [fake] () async throws(BackendFault) in
            try await fake.providers(caller)
        }
    }

    func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        let what =
            switch query {
            case .all: "all"
            case .provider(let provider): provider.rawValue
            case .login(let login): login.code.rawValue
            }
        return try await ask("profiles", caller.requestor.rawValue, what, of: caller) {
            [fake] () async throws(BackendFault) in try await fake.profiles(query, caller)
        }
    }

    func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep {
        let data = request.data.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let step = try await ask(
            "beginLogin", caller.requestor.rawValue, request.provider?.rawValue ?? "-",
            request.style == .browser ? "browser" : nil, data.isEmpty ? nil : data.joined(separator: " "), of: caller
        ) { [fake] () async throws(BackendFault) in try await fake.beginLogin(request, caller) }
        switch step {
        case .showCode(var login), .openURL(var login):
            login.provider = request.provider
            return request.style == .browser ? .openURL(login) : .showCode(login)
        case .alreadyIn: return step
        }
    }

    func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll {
        try await ask("pollLogin", login.code.rawValue, of: caller) { [fake] () async throws(BackendFault) in
            try await fake.pollLogin(login, caller)
        }
    }

    func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {
        _ = try? await ask("abandonLogin", login.code.rawValue, of: caller) { [fake] () async throws(BackendFault) in
            await fake.abandonLogin(login, caller)
        }
    }

    func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        let names = resources.map(\.rawValue).joined(separator: " ")
        var decisions = try await ask("authorize", names, "at", provider.rawValue, of: caller) {
            [fake] () async throws(BackendFault) in try await fake.authorize(resources, at: provider, caller)
        }
        for index in decisions.indices where decisions[index].isAuthorized {
            tokenCount += 1
            decisions[index].token = MediaToken(
                serialized: Secret("t\(tokenCount)"), notAfter: now().advanced(by: .seconds(7 * 60)))
            decisions[index].notAfter = now().advanced(by: .seconds(86400))
        }
        return decisions
    }

    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        let names = resources.map(\.rawValue).joined(separator: " ")
        return try await ask("preauthorize", names, "at", provider.rawValue, of: caller) {
            [fake] () async throws(BackendFault) in try await fake.preauthorize(resources, at: provider, caller)
        }
    }

    func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        try await ask("logout", caller.requestor.rawValue, provider.rawValue, of: caller) {
            [fake] () async throws(BackendFault) in try await fake.logout(provider, caller)
        }
    }
}

/// The box's own service, and the services that an app may name.
struct TraceServices: ServiceDirectory {
    let own: TraceService
    let others: [TraceService]

    var standard: any EntitlementBackend { own }

    func service(at addresses: [String]) -> (any EntitlementBackend)? {
        others.first { $0.address == addresses.first }
    }

    func service(of registration: RegistrationKey) -> any EntitlementBackend {
        others.first { $0.address == registration.origin } ?? own
    }
}
