// A fake service at an origin of its own. It records the registration in each request.

import AccessEnabler
import PassTestKit

struct Station: EntitlementBackend {
    let origin: String
    let fake = FakeBackend()
    let callers = Recorder<BackendCaller>()
    /// The lists of providers that it has sent.
    let lists = Recorder<Int>()

    var traits: BackendTraits { fake.traits }
    /// The requests that it has received, without those for lists of providers.
    var questions: [String] { fake.calls.elements.filter { !$0.hasPrefix("providers") } }

    func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        RegistrationKey(app: app, statement: "d-\(statement.reveal())", origin: origin, interface: "v2")
    }

    func offers(_ providers: String...) {
        fake.script {
            $0.providers = .success(
                providers.map { Provider(id: ProviderID(rawValue: $0), displayName: "\($0) of \(origin)", logoURL: "") }
            )
        }
    }

    func knows(_ profiles: Profile...) {
        fake.script { $0.profiles[RequestorID(rawValue: "NEWS24")] = .success(profiles) }
    }

    func isDown(_ kind: BackendFault.Kind = .unreachable) {
        let fault = BackendFault(kind)
        fake.script { script in
            script.prepare = .failure(fault)
            script.providers = .failure(fault)
            script.profiles[RequestorID(rawValue: "NEWS24")] = .failure(fault)
            script.beginLogin = .failure(fault)
            script.polls = [.failure(fault)]
            script.authorize = { _ in .failure(fault) }
            script.preauthorize = { _ in .failure(fault) }
            script.logout = .failure(fault)
        }
    }

    func prepare(_ caller: BackendCaller) async throws(BackendFault) {
        callers.append(caller)
        try await fake.prepare(caller)
    }

    func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] {
        callers.append(caller)
        let providers = try await fake.providers(caller)
        lists.append(providers.count)
        return providers
    }

    func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        callers.append(caller)
        return try await fake.profiles(query, caller)
    }

    func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep {
        callers.append(caller)
        return try await fake.beginLogin(request, caller)
    }

    func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll {
        callers.append(caller)
        return try await fake.pollLogin(login, caller)
    }

    func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {
        callers.append(caller)
        await fake.abandonLogin(login, caller)
    }

    func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        callers.append(caller)
        return try await fake.authorize(resources, at: provider, caller)
    }

    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        callers.append(caller)
        return try await fake.preauthorize(resources, at: provider, caller)
    }

    func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        callers.append(caller)
        return try await fake.logout(provider, caller)
    }
}
