// Makes REST V1 usable through the protocol `EntitlementBackend`. One call of that protocol can need several calls of V1,
// because the protocol has fewer and larger calls. `traits` says what V1 cannot do. Contract: rest-v1.md §6; rest-v2.md §19,
// §21.

public import AccessEnabler

public final class V1Backend: EntitlementBackend {
    public static let interface = "v1"

    public static let traits = BackendTraits(
        multipleProfiles: false, cancellableCode: true, headerSignOn: false, temporaryPassByCall: true)

    public var traits: BackendTraits { Self.traits }

    let parts: ServiceParts
    let permits: PermitBook
    /// How long an entry stays in `absences` and `providersWithPage`. During that time passd does not ask the service
    /// again. Contract: rest-v1.md §6.4, §6.7; rest-v2.md §15.
    static let absenceLife = Duration.seconds(60)
    /// The apps that had no login when passd last asked. If such an app asks for a code soon after its start, passd does not
    /// ask again whether there is a login. If a viewer has logged in after that, the first poll finds this login.
    let absences = BoundedCache<LoginKey, Void, BootTime>(capacity: 64)
    /// The providers that had a login page when passd last looked. Such a provider does not let everybody in without a login.
    let providersWithPage = BoundedCache<ProviderID, Void, BootTime>(capacity: 64)

    /// `formerLogins` are the logins from before this start of the daemon.
    public init(_ parts: ServiceParts, formerLogins: some Sequence<ProfileKey> = []) {
        self.parts = parts
        permits = PermitBook(formerLogins: formerLogins)
    }

    public func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        parts.registration(of: app, statement: statement, interface: Self.interface)
    }

    public func prepare(_ caller: BackendCaller) async throws(BackendFault) { try await parts.prepare(caller) }

    public func forgetProviders(_ caller: BackendCaller) { parts.forgetProviders(caller) }

    public func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] {
        try await parts.providers(caller) { [self] timeLimit in
            let answer = try await ask(
                ProviderListAnswer.self, from: .configuration, caller, timeLimit: timeLimit, repeating: .freely
            ) {
                $0.configuration(deviceType: caller.partner?.deviceType)
            }.answer
            return RequestorConfiguration(answer.providers, domains: answer.domains)
        }
    }

    /// Returns at most one profile. The service finds the profile by the device, so the profile may come from another
    /// requestor's login.
    public func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        let former: String? = if case .login(let login) = query { login.sessionID } else { nil }
        let profile = try await profile(caller, repeating: .freely, besides: former)
        return [profile].compactMap(\.self).filter { profile in
            if case .provider(let provider) = query { profile.provider == provider } else { true }
        }
    }

    // MARK: Calls

    /// Makes a call with an access token. Also returns how the login or permit came about, if the answer says so
    /// (`V1Origin`).
    func ask<Answer: ServiceAnswer>(
        _ type: Answer.Type, from endpoint: V1Endpoint, _ caller: BackendCaller, timeLimit: TimeLimit,
        repeating repetition: Repetition.Policy, call: @Sendable (V1Calls) -> HTTPRequest
    ) async throws(BackendFault) -> (answer: Answer, origin: V1Origin?) {
        try await ask(caller, timeLimit: timeLimit, repeating: repetition, call: call) { response in
            Answer.read(response, refusal: endpoint.refusal).map { ($0, V1Origin(response)) }
        }
    }

    func ask<Answer: Sendable>(
        _ caller: BackendCaller, timeLimit: TimeLimit, repeating repetition: Repetition.Policy,
        call: @Sendable (V1Calls) -> HTTPRequest,
        reading: @Sendable (HTTPResponse) -> Result<Answer, CallTrouble>
    ) async throws(BackendFault) -> Answer {
        _ = try TemporaryIdentity(caller.options.temporaryIdentity)
        return try await parts.make(caller, timeLimit, repeating: repetition) { token in
            var calls = V1Calls(service: parts.configuration, caller: caller, accessToken: token.value)
            calls.platformIdentity = await parts.token(timeLimit) { [now = parts.sender.time.now] in
                await $0.identityToken(at: now)
            }
            return calls
        } call: {
            call($0)
        } reading: {
            reading($0)
        }
    }
}
