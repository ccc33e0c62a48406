// Reads the login: the token of the device with one call, and the data about the viewer with a second call. Contract:
// rest-v1.md §6.7, §6.12; rest-v2.md §21.

import AccessEnabler
import PassJSON

extension V1Backend {
    typealias Login = (answer: AuthenticationAnswer, origin: V1Origin?)

    /// Reads the profile. Returns nil if no viewer is logged in, or if the found login is the one that `former` identifies.
    func profile(
        _ caller: BackendCaller, repeating repetition: Repetition.Policy, besides former: String? = nil,
        code: RegistrationCode? = nil
    ) async throws(BackendFault) -> Profile? {
        let question = ServiceQuestion(code.map { .login($0) } ?? .profiles, caller, after: parts.logoutCount)
        let found = try await parts.profileLists.value(for: question, by: caller.deadline, caller.urgency) {
            [self] timeLimit in
            let profile = try await readProfile(
                caller, timeLimit: timeLimit, repeating: repetition, besides: former, endsLogin: code != nil)
            return [profile].compactMap(\.self)
        }
        return found.first
    }

    /// Reads the profile with its own requests. This read does not join a read that began earlier, because an earlier read
    /// could miss a new login. `endsLogin` says whether a viewer with a code waits for the login. If so, the requests that
    /// follow are urgent as soon as the login is found.
    func readProfile(
        _ caller: BackendCaller, timeLimit: TimeLimit, repeating repetition: Repetition.Policy,
        besides former: String? = nil, endsLogin: Bool = false
    ) async throws(BackendFault) -> Profile? {
        guard let login = try await login(caller, timeLimit: timeLimit, repeating: repetition),
            login.answer.mark != former
        else { return nil }
        let timeLimit = endsLogin ? TimeLimit(timeLimit.deadline, Urgency(.viewer)) : timeLimit
        guard let metadata = try await metadata(caller, timeLimit: timeLimit, repeating: repetition) else { return nil }
        let isPass = await isPass(login.answer.provider, for: caller, within: timeLimit)
        let profile = Self.profile(login, metadata: metadata, isPass: isPass, partner: caller.partner)
        if let excess = profile.excess { throw .unusable(excess) }
        return profile
    }

    /// Reads the login of the device. Returns nil if no viewer is logged in.
    func login(
        _ caller: BackendCaller, timeLimit: TimeLimit, repeating repetition: Repetition.Policy
    ) async throws(BackendFault) -> Login? {
        let key = LoginKey(registration: caller.registration, requestor: caller.requestor)
        let asked = parts.sender.clock.boot
        do throws(BackendFault) {
            let login = try await ask(
                AuthenticationAnswer.self, from: .authentication, caller, timeLimit: timeLimit, repeating: repetition
            ) { $0.authentication() }
            // A token of another requestor is not a login of this requestor.
            guard login.answer.requestor.map({ $0 == caller.requestor.rawValue }) ?? true else {
                throw BackendFault(.unusableAnswer)
            }
            absences.remove(key)
            return login
        } catch {
            guard error.meansNoProfile else { throw error }
            absences.keep((), key, until: asked.advanced(by: Self.absenceLife))
            return nil
        }
    }

    /// Reads the data about the viewer. Returns an empty answer if there is no data, and nil if the login has ended.
    private func metadata(
        _ caller: BackendCaller, timeLimit: TimeLimit, repeating repetition: Repetition.Policy
    ) async throws(BackendFault) -> MetadataAnswer? {
        let half = half(of: timeLimit)
        do throws(BackendFault) {
            return try await parts.sender.clock.alone(until: half.deadline, half.urgency) { [self] half in
                try await ask(caller, timeLimit: half, repeating: repetition) {
                    $0.metadata()
                } reading: { response in
                    if response.status == 404, BasicErrorAnswer(body: response.body) != nil {
                        return .success(MetadataAnswer())
                    }
                    return MetadataAnswer.read(response, refusal: V1Endpoint.metadata.refusal)
                }
            }
        } catch {
            switch error.kind {
            case .refused(let refusal) where refusal.meansNoProfile: return nil
            // The login is valid without metadata, and the next read of the login asks for the metadata again.
            case .refused, .serverError, .unusableAnswer, .unreachable, .deadline, .throttled, .overloaded:
                return MetadataAnswer()
            default: throw error
            }
        }
    }

    /// Half of the remaining time, for questions that the login does not need. If the service does not answer these questions,
    /// there is still time for the login.
    func half(of timeLimit: TimeLimit, atMost maximum: Duration? = nil) -> TimeLimit {
        let now = parts.sender.clock.boot
        let left = now < timeLimit.deadline ? now.duration(to: timeLimit.deadline) : .zero
        return TimeLimit(now.advanced(by: maximum.map { min($0, left / 2) } ?? left / 2), timeLimit.urgency)
    }

    /// Whether the provider is a temporary pass. False if the list of providers cannot be read, because the login must not fail
    /// for this reason.
    private func isPass(
        _ provider: ProviderID, for caller: BackendCaller, within timeLimit: TimeLimit
    ) async -> Bool {
        var caller = caller
        (caller.deadline, caller.urgency) = (half(of: timeLimit).deadline, timeLimit.urgency)
        let list = try? await providers(caller)
        return list?.contains { $0.id == provider && $0.isTempPass } ?? false
    }

    private static func profile(
        _ login: Login, metadata: MetadataAnswer, isPass: Bool, partner: Partner?
    ) -> Profile {
        var attributes = metadata.attributes
        if attributes["userID"] == nil, let user = login.answer.userID {
            attributes["userID"] = Profile.Attribute(value: .string(user), isEncrypted: false)
        }
        let source = attributes["tokenSource"]?.value
        let isPartner = source == .string("Apple") || partner.map { source == .string($0.name) } ?? false
        let kind: Profile.Kind =
            switch login.origin {
            case .authnall, .authzall: .degraded
            case .temppass: .temporary
            case _ where isPass: .temporary
            // If a partner issued the login, the partner's name is expected here. Regular logins have no such value. Contract:
            // open-questions.md OQ-23.
            case .partner: .appleSSO
            case _ where isPartner: .appleSSO
            case .hba, nil: .regular
            }
        // The service does not report when the login began. The login began no later than the last change of the viewer's data.
        return Profile(
            provider: login.answer.provider, kind: kind, issuer: login.answer.provider.rawValue,
            notBefore: min(metadata.updated ?? ServerTime(milliseconds: 0), login.answer.expires),
            notAfter: login.answer.expires, attributes: attributes)
    }
}
