// The calls that only read. They are answered from memory, but `listProviders` may also ask the service. Contract:
// access-enabler.md §7.1, §7.9, §15; open-questions.md OQ-22, OQ-23.

import PassJSON
public import PassProtocol

extension Session {
    /// Contract: §7.1.
    public func checkAuthentication() async throws(RPCError) -> CheckAuthentication.Result {
        let asker = try await settledAsker(failing: unconfigured)
        guard let profile = login(for: asker) else {
            let sentence = signInSentence(for: asker)
            emit(.userNotAuthenticated, saying: sentence)
            track(Tracking.authenticationFailed)
            if let obstacle = conversation.platformObstacle { report(obstacle, .check) }
            report(engine.logins.hasUsedUpPass(selection(for: asker), of: asker.key) ? .N111 : .N000)
            return .notAuthenticated(
                .userNotAuthenticated, openLogin: openLogin(), saying: sentence)
        }
        emit(.authenticated)
        track(Tracking.authentication(profile.provider, guid: guid(profile), isCached: true))
        return .authenticated(
            provider: profile.provider.rawValue, expires: engine.context.boxDate(profile.end),
            type: profile.kind.name, openLogin: openLogin())
    }

    /// The answer about the open login; nil if none is open. The viewer chooses from `providers`.
    func openLogin(offering providers: [MVPD]? = nil) -> LoginAnswer? {
        switch conversation.phase {
        case .idle: nil
        case .listing, .beginning: .beginning
        case .onPlatform: .platformDialog
        case .choosing: .selectProvider(providers)
        case .secondScreen(let login): .secondScreen(invitation(login))
        // The answer has no code, because the app shows the page itself and the viewer types nothing.
        case .browser(let login), .completing(let login):
            .browser(LoginInvitation(url: login.url, expires: engine.context.boxDate(login.end)))
        }
    }

    /// Contract: access-enabler.md §7.9.
    public func getSelectedProvider() throws(RPCError) -> GetSelectedProvider.Result {
        guard let requestor else {
            emit(.selectedProvider(.init(provider: nil, state: .newUser)))
            throw .requestorNotSet()
        }
        let provider = (currentAsker.flatMap(selection(for:)) ?? engine.logins.selection(of: requestor))?.provider
        let isIn = asker.flatMap(login(for:)) != nil
        let result = GetSelectedProvider.Result(
            provider: provider?.mvpd, state: isIn ? .authenticated : provider == nil ? .newUser : .notAuthenticated)
        emit(.selectedProvider(result))
        return result
    }

    // MARK: Metadata and lists

    public func getMetadata(_ question: GetMetadata.Params) async throws(RPCError) -> GetMetadata.Result {
        let asker = try await settledAsker { absence in
            emit(.setMetadataStatus(.init(question: question, metadata: .null)))
            return absence
        }
        let result = metadata(question, asker)
        emit(.setMetadataStatus(result))
        return result
    }

    private func metadata(_ question: GetMetadata.Params, _ asker: Asker) -> GetMetadata.Result {
        let profile = login(for: asker)
        switch question {
        case .authentication: return .init(question: question, metadata: milliseconds(profile?.end))
        case .authorization(let resource):
            let key = profile.map { asker.key.profileKey(at: $0.provider) }
            let end = key.flatMap { engine.logins.answers(under: $0)?.end(of: ResourceID(rawValue: resource)) }
            return .init(
                question: question, metadata: milliseconds(end.flatMap { engine.context.isAhead($0) ? $0 : nil }))
        case .deviceID:
            let isReadable = engine.settings.deviceIDIsReadable
            return .init(question: question, metadata: isReadable ? .string(engine.device.rawValue) : .null)
        case .userMetadata("tokenSource"):
            let partner = profile?.kind == .appleSSO ? engine.context.ports.platform.partner?.name ?? "Apple" : nil
            return .init(question: question, metadata: partner.map { .string($0) } ?? .null)
        case .userMetadata(let name):
            guard let attribute = profile?.attributes[name] else { return .init(question: question, metadata: .null) }
            return .init(question: question, metadata: attribute.value, encrypted: attribute.isEncrypted)
        }
    }

    private func milliseconds(_ time: ServerTime?) -> JSONValue {
        time.map { .string(String(engine.context.boxDate($0))) } ?? .null
    }

    /// All valid logins of the requestor. rpc.md §4.
    public func listProfiles() async throws(RPCError) -> ListProfiles.Result {
        let asker = try await settledAsker()
        return .init(profiles: engine.logins.profiles(of: asker.key).map { $0.summary(engine.context) })
    }

    public func listProviders(_ params: ListProviders.Params) async throws(RPCError) -> ListProviders.Result {
        let asker = try await settledAsker()
        do throws(BackendFault) {
            let providers = try await fetchedProviders(for: asker)
            // Does not keep the list if the app has set another requestor in the meantime, which has another list.
            if currentAsker?.key == asker.key { conversation.offered = providers }
            return .init(
                providers: providers.filter { params.includeTempPass || !$0.isTempPass }.map(\.mvpd))
        } catch {
            throw error.error(.configuration)
        }
    }
}

// MARK: - The data on which an answer depends, so that the daemon can repeat the answer. docs/decisions/0019.

extension Session {
    /// The values that decide the answers of reading calls. Sessions with equal values get equal answers.
    public struct Reader: Hashable, Sendable {
        fileprivate let login: LoginKey
        fileprivate let wantsCallbacks: Bool
        fileprivate let signedOut: BoxSentence?
        fileprivate let language: String?
    }

    /// The values that decide the answers of this session. Nil while work is in progress in this session, such as a login, or
    /// while the session has state of its own, such as the choice of a provider.
    public var reader: Reader? {
        guard let asker = setup.ready, !setup.isBusy, !isClosed, !conversation.isOpen, conversation.ownChoice == nil,
            conversation.platformObstacle == nil
        else { return nil }
        return Reader(
            login: asker.key, wantsCallbacks: options.callbacks != false, signedOut: signedOut,
            language: options.language)
    }
}

extension Engine {
    /// The range of dates in which answers since `beginReading` stay valid, if nothing else changes.
    public var horizon: Horizon { context.horizon }

    public func beginReading() { context.noteHorizon() }

    /// The date at the service, and the number of milliseconds by which the box's date is ahead.
    public var dates: (now: ServerTime, shift: Int64) {
        let now = context.now
        return (now, now.duration(to: context.ports.clock.wall).inMilliseconds)
    }
}
