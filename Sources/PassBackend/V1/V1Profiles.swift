// Reads who is logged in: the device's token, and by a second call the viewer's metadata.
// Contract: rest-v1.md §6.7, §6.12; rest-v2.md §21.

import AccessEnabler

extension V1Backend {
    struct Login: Sendable {
        let answer: AuthenticationAnswer
        let origin: V1Origin?
    }

    /// Nil if nobody is logged in.
    func profile(
        _ caller: BackendCaller, repeating repetition: RequestSender.Repetition, besides former: String? = nil,
        code: RegistrationCode? = nil
    ) async throws(BackendFault) -> Profile? {
        let urgency = code == nil ? RequestPriority.profile : .poll
        let question = ServiceQuestion(code.map { .login($0) } ?? .profiles, caller, after: parts.logouts.count)
        let found = try await parts.profileLists.value(for: question, by: caller.deadline) { [self] timeLimit in
            let profile = try await readProfile(
                caller, timeLimit: timeLimit, repeating: repetition, urgency: urgency, besides: former)
            return [profile].compactMap(\.self)
        }
        return found.first
    }

    /// Never shared with an identical call, which may have begun before a login and not know of it.
    func readProfile(
        _ caller: BackendCaller, timeLimit: TimeLimit, repeating repetition: RequestSender.Repetition,
        urgency: RequestPriority, besides former: String? = nil
    ) async throws(BackendFault) -> Profile? {
        guard let login = try await login(caller, timeLimit: timeLimit, repeating: repetition, urgency: urgency),
            login.answer.mark != former,
            let metadata = try await metadata(caller, timeLimit: timeLimit, repeating: repetition, urgency: urgency)
        else { return nil }
        let isPass = await isPass(login.answer.provider, caller)
        let profile = Self.profile(login, metadata: metadata, isPass: isPass, partner: caller.partner)
        if let excess = profile.excess { throw .excessive(excess) }
        return profile
    }

    /// The device's token; nil if there is none.
    func login(
        _ caller: BackendCaller, timeLimit: TimeLimit, repeating repetition: RequestSender.Repetition,
        urgency: RequestPriority
    ) async throws(BackendFault) -> Login? {
        do throws(BackendFault) {
            let login = try await ask(caller, timeLimit: timeLimit, repeating: repetition) {
                $0.authentication(urgency)
            } reading: {
                response in
                V1Reading.read(AuthenticationAnswer.self, response, from: .authentication)
                    .map { Login(answer: $0, origin: V1Origin(response)) }
            }
            // The token belongs to another requestor.
            guard login.answer.requestor.map({ $0 == caller.requestor.rawValue }) ?? true else {
                throw BackendFault(.unusableAnswer)
            }
            return login
        } catch {
            if case .refused(let refusal) = error.kind, refusal.meansNoProfile { return nil }
            throw error
        }
    }

    /// The viewer's metadata: empty if nothing is known, nil if the login has ended meanwhile.
    private func metadata(
        _ caller: BackendCaller, timeLimit: TimeLimit, repeating repetition: RequestSender.Repetition,
        urgency: RequestPriority
    ) async throws(BackendFault) -> MetadataAnswer? {
        do throws(BackendFault) {
            return try await ask(caller, timeLimit: timeLimit, repeating: repetition) {
                $0.metadata(urgency)
            } reading: { response in
                if response.status == 404, BasicErrorAnswer(response.body) != nil { return .success(.none) }
                return V1Reading.read(MetadataAnswer.self, response, from: .metadata)
            }
        } catch {
            if case .refused(let refusal) = error.kind, refusal.meansNoProfile { return nil }
            throw error
        }
    }

    /// Whether the provider is a temporary pass. If the list cannot be fetched, it is not treated as one.
    func isPass(_ provider: ProviderID, _ caller: BackendCaller) async -> Bool {
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
            // Contract: open-questions.md OQ-23. The field names a partner, and is missing for regular logins.
            case .partner: .appleSSO
            case _ where isPartner: .appleSSO
            case .hba, nil: .regular
            }
        // The service does not say when the login began: no later than the last change of the metadata.
        return Profile(
            provider: login.answer.provider, kind: kind, issuer: login.answer.provider.rawValue,
            notBefore: min(metadata.updated ?? ServerTime(milliseconds: 0), login.answer.expires),
            notAfter: login.answer.expires, attributes: attributes)
    }
}
