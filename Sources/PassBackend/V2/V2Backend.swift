// Makes REST V2 usable through the engine's protocol `EntitlementBackend`. The other files of this directory extend this
// class. Contract: rest-v2.md §21.

public import AccessEnabler

public final class V2Backend: EntitlementBackend {
    public static let interface = "v2"

    public static let traits = BackendTraits(
        multipleProfiles: true, cancellableCode: false, headerSignOn: true, temporaryPassByCall: false,
        forcedLoginEndsFormer: true)

    public var traits: BackendTraits { Self.traits }

    let parts: ServiceParts

    public init(_ parts: ServiceParts) { self.parts = parts }

    public func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        parts.registration(of: app, statement: statement, interface: Self.interface)
    }

    public func prepare(_ caller: BackendCaller) async throws(BackendFault) { try await parts.prepare(caller) }

    public func forgetProviders(_ caller: BackendCaller) { parts.forgetProviders(caller) }

    public func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] {
        try await parts.providers(caller) { [self] timeLimit in
            let answer = try await ask(
                ConfigurationAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .freely, signOn: false
            ) {
                $0.configuration()
            }
            return RequestorConfiguration(answer.providers, domains: answer.domains)
        }
    }

    public func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        do {
            switch query {
            case .all: return try await profiles(.profiles, caller: caller, signOn: true) { $0.profiles() }
            case .provider(let provider):
                _ = try TemporaryIdentity(caller.options.temporaryIdentity)
                return try await profiles(.profile(provider), caller: caller, signOn: true) { $0.profile(of: provider) }
            case .login(let login): return try await profiles(of: login, caller)
            }
        } catch {
            // If no viewer is logged in, the answer is either an error or an empty map.
            guard error.meansNoProfile else { throw error }
            return []
        }
    }

    /// Sends the request P3 of rest-v2.md. The engine polls at intervals, so a failed poll is not repeated here.
    func profiles(of login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        _ = try TemporaryIdentity(caller.options.temporaryIdentity)
        return try await profiles(.login(login.code), caller: caller, repeating: .never, signOn: false) {
            $0.profile(of: login.code)
        }
    }

    private func profiles(
        _ subject: ServiceQuestion.Subject, caller: BackendCaller,
        repeating repetition: Repetition.Policy = .freely,
        signOn: Bool, call: @escaping @Sendable (V2Calls) -> HTTPRequest
    ) async throws(BackendFault) -> [Profile] {
        let question = ServiceQuestion(subject, caller, after: parts.logoutCount)
        return try await parts.profileLists.value(for: question, by: caller.deadline, caller.urgency) {
            [self] timeLimit in
            try await ask(
                ProfilesAnswer.self, caller: caller, timeLimit: timeLimit, repeating: repetition, signOn: signOn,
                call: call
            ).profiles
        }
    }

    // MARK: Calls

    /// Makes a call with an access token. `signOn` says whether the call has the box's tokens for single sign-on.
    func ask<Answer: ServiceAnswer>(
        _ type: Answer.Type, caller: BackendCaller, timeLimit: TimeLimit, repeating repetition: Repetition.Policy,
        signOn: Bool, call: @Sendable (V2Calls) -> HTTPRequest
    ) async throws(BackendFault) -> Answer {
        try await parts.make(caller, timeLimit, repeating: repetition) { token in
            var calls = V2Calls(service: parts.configuration, caller: caller, accessToken: token.value)
            if signOn {
                let now = parts.sender.time.now
                async let identity = parts.token(timeLimit) { await $0.identityToken(at: now) }
                async let service = parts.token(timeLimit) { await $0.serviceToken(at: now) }
                (calls.platformIdentity, calls.serviceToken) = await (identity, service)
            }
            return calls
        } call: {
            call($0)
        } reading: {
            Answer.read($0)
        }
    }
}
