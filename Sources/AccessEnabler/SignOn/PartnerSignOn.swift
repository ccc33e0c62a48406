// The sign-on with the platform's TV account, as a state machine. It takes the result of its last move and returns the next
// move. It does no work itself and never waits. Every failure leads to the regular login. `PlatformVisit` owns the state
// machine and performs its moves. Contract: access-enabler.md §17; the steps have the numbers of §17.1.

import PassProtocol

struct PartnerSignOn: Sendable {
    enum Manner: Hashable, Sendable {
        /// During `setRequestor`: without asking the viewer.
        case silent
        /// During `getAuthentication`: the platform may ask the viewer for permission and show its picker.
        case interactive
    }

    /// The next step, which `PlatformVisit` performs.
    enum Move: Sendable {
        case askPermission(mayPrompt: Bool)
        case fetchProviders
        case askAccount(PlatformQuery)
        case requestProfile(Provider)
        case exchange(Secret, Provider)
        case end(Ending)
    }

    enum Event: Sendable {
        case permission(Result<PlatformPermission, PlatformFault>)
        case providers([Provider]?)
        case account(Result<PlatformAccount, PlatformFault>)
        /// Nil if the service gave no answer.
        case request(PartnerStep?)
        case exchanged(Profile?)
    }

    enum Ending: Sendable {
        case signedIn(Profile)
        case alreadyIn(ProviderID, LoginReason)
        /// In the platform's picker, the viewer chose a provider whose logins the platform does not handle. The regular login
        /// begins with this provider, without our own picker.
        case selected(Provider)
        case regular(Obstacle?)
    }

    /// The reason why the viewer has to log in the regular way. Only reasons with a code in the contract are listed: §17.3 to
    /// §17.5.
    enum Obstacle: Hashable, Sendable {
        case denied, undetermined, otherProvider, unsupportedProvider, cancelled
        case failed(String)
    }

    private enum Phase {
        case permission
        /// Step 2: the TV account is asked without a dialog.
        case quietAccount
        /// Step 3: the requestor's providers are fetched.
        case providers(PlatformAccount?)
        /// Step 4: the platform shows its picker.
        case picker
        /// Step 6: the service writes a request. The platform will send this request to the provider.
        case request(Provider)
        /// Step 7: the platform sends this request to the provider.
        case forwarding(Provider)
        /// Step 8: the service turns the provider's response into a login.
        case exchange
        case over
    }

    let manner: Manner
    let app: AppID
    let requestor: RequestorID
    private var providers: [Provider]?
    /// The app's filter for the platform's picker.
    private let filter: GetAuthentication.Filter?
    private var phase = Phase.permission
    /// The platform's answers so far.
    private(set) var permission: PlatformPermission?
    private(set) var account: PlatformAccount?

    /// `providers` is the requestor's list, if it is known already.
    init(
        _ manner: Manner, app: AppID, requestor: RequestorID, providers: [Provider]? = nil,
        filter: GetAuthentication.Filter? = nil
    ) {
        self.filter = filter
        self.manner = manner
        self.app = app
        self.requestor = requestor
        self.providers = providers
    }

    var firstMove: Move { .askPermission(mayPrompt: manner == .interactive) }

    /// Takes the result of the last move. An event that does not belong to the last move ends the sign-on.
    mutating func handle(_ event: Event, at now: ServerTime) -> Move {
        switch (phase, event) {
        case (.permission, .permission(let answer)): permitted(answer)
        case (.quietAccount, .account(let answer)): accountFound(answer, now)
        case (.providers(let account), .providers(let list)): listed(list, account)
        case (.picker, .account(let answer)): picked(answer, now)
        case (.request(let provider), .request(let step)): requested(step, provider)
        case (.forwarding(let provider), .account(let answer)): forwarded(answer, provider, at: now)
        case (.exchange, .exchanged(let profile)): exchanged(profile, now)
        default: end(.regular(nil))
        }
    }

    private mutating func end(_ ending: Ending) -> Move {
        phase = .over
        return .end(ending)
    }

    private mutating func failed(_ reason: String) -> Move { end(.regular(.failed(reason))) }
}

// MARK: - The platform

extension PartnerSignOn {
    private mutating func permitted(_ answer: Result<PlatformPermission, PlatformFault>) -> Move {
        switch answer {
        case .failure(let fault): return end(.regular(fault.obstacle))
        case .success(let permission):
            self.permission = permission
            switch permission {
            case .granted: break
            case .denied: return end(.regular(.denied))
            case .notDetermined: return end(.regular(.undetermined))
            // The viewer cannot grant this permission.
            case .restricted: return end(.regular(nil))
            }
            phase = .quietAccount
            return .askAccount(query())
        }
    }

    /// Step 2: checks whether a viewer is already signed in on the platform.
    private mutating func accountFound(_ answer: Result<PlatformAccount, PlatformFault>, _ now: ServerTime) -> Move {
        switch answer {
        case .failure(let fault): return end(.regular(fault.obstacle))
        case .success(let account):
            self.account = account
            let signedIn = account.isSignedIn(at: now) ? account : nil
            // Ends here if no viewer is signed in and passd must not ask the viewer now.
            guard signedIn != nil || manner == .interactive else { return end(.regular(nil)) }
            phase = .providers(signedIn)
            if let providers { return listed(providers, signedIn) }
            return .fetchProviders
        }
    }

    private mutating func listed(_ list: [Provider]?, _ signedIn: PlatformAccount?) -> Move {
        guard let list else { return failed("The service's list of providers could not be read.") }
        providers = list
        if let signedIn { return use(signedIn) }
        guard manner == .interactive, list.contains(where: \.isOnPlatform) else { return end(.regular(nil)) }
        phase = .picker
        return .askAccount(query(mayInterrupt: true))
    }

    /// Step 5: evaluates the viewer's action in the platform's picker.
    private mutating func picked(_ answer: Result<PlatformAccount, PlatformFault>, _ now: ServerTime) -> Move {
        switch answer {
        case .success(let account):
            self.account = account
            guard account.isSignedIn(at: now) else { return failed("The platform's account has expired.") }
            // Refuses a provider that the picker was not asked to show.
            guard account.providerID.map(query(mayInterrupt: true).supported.contains) == true else {
                return end(.regular(.unsupportedProvider))
            }
            return use(account)
        case .failure(.unsupportedProvider(let id)):
            guard let provider = provider(id) else { return end(.regular(.unsupportedProvider)) }
            return end(.selected(provider))
        case .failure(let fault): return end(.regular(fault.obstacle))
        }
    }

    /// Continues with the account's provider, if the requestor offers it and the platform handles its logins.
    private mutating func use(_ account: PlatformAccount) -> Move {
        let provider = account.providerID.flatMap(provider)
        let obstacle: Obstacle? = manner == .interactive ? .unsupportedProvider : nil
        guard let provider else { return end(.regular(obstacle)) }
        if provider.isOnPlatform {
            phase = .request(provider)
            return .requestProfile(provider)
        }
        // The platform lists the provider but does not handle its logins. Contract: §17.5, §17.6.
        let isInPicker = provider.enablePlatformServices && provider.boardingStatus == .picker
        return end(manner == .interactive && isInPicker ? .selected(provider) : .regular(obstacle))
    }

    private func provider(_ id: String) -> Provider? { providers?.first { $0.platformMappingID == id } }

    private func query(mayInterrupt: Bool = false) -> PlatformQuery {
        var query = PlatformQuery(app: app, requestor: requestor, mayInterrupt: mayInterrupt)
        guard mayInterrupt else { return query }
        let known = (providers ?? []).filter(\.enablePlatformServices)
        let shown = filter?.shown(of: known) ?? known
        let featured = filter?.featured(of: shown) ?? shown.filter(\.displayInPlatformPicker)
        query.supported = shown.compactMap(\.platformMappingID)
        query.featured = featured.compactMap(\.platformMappingID)
        return query
    }
}

/// The providers that an app wants in the platform's picker, and their order. Contract: §7.2.
extension GetAuthentication.Filter {
    /// The known providers that the filter shows. Nil if there are none; then the filter is ignored.
    func shown(of known: [Provider]) -> [Provider]? { Self.named(providers, among: known) }

    /// The featured providers among the shown ones; nil if there are none.
    func featured(of shown: [Provider]) -> [Provider]? { Self.named(featured, among: shown) }

    private static func named(_ names: [String], among known: [Provider]) -> [Provider]? {
        let found = names.compactMap { name in known.first { $0.id == ProviderID(rawValue: name) } }
        return found.isEmpty ? nil : found
    }
}

// MARK: - The service

extension PartnerSignOn {
    private mutating func requested(_ step: PartnerStep?, _ provider: Provider) -> Move {
        switch step {
        case nil: return failed("The service sent no request for the platform.")
        case .regular(let reason): return failed(reason)
        case .alreadyIn(let found, let reason):
            return found == provider.id
                ? end(.alreadyIn(found, reason))
                : failed(
                    "The service named a provider other than the one that "
                        + "was asked for.")
        case .forward(let request):
            phase = .forwarding(provider)
            var query = query()
            query.attributes = request.attributes.isEmpty ? provider.requiredMetadataFields : request.attributes
            query.verificationToken = request.verificationToken
            return .askAccount(query)
        }
    }

    private mutating func forwarded(
        _ answer: Result<PlatformAccount, PlatformFault>, _ provider: Provider, at now: ServerTime
    ) -> Move {
        switch answer {
        case .failure(let fault): return end(.regular(fault.obstacle))
        case .success(let account):
            guard account.providerID ?? provider.platformMappingID == provider.platformMappingID else {
                return failed("The platform answered for a provider other than the one that was asked for.")
            }
            guard account.expires.map({ now < $0 }) ?? true else {
                return failed("The platform's account has expired.")
            }
            guard let response = account.samlResponse else { return failed("The platform returned no SAML response.") }
            phase = .exchange
            return .exchange(response, provider)
        }
    }

    private mutating func exchanged(_ profile: Profile?, _ now: ServerTime) -> Move {
        guard let profile else { return failed("The service did not accept the platform's SAML response.") }
        guard now < profile.end else { return failed("The service's login has expired already.") }
        return end(.signedIn(profile))
    }
}

extension PlatformAccount {
    /// Whether the account names a provider and has not expired. Contract: §17.1 step 5.
    func isSignedIn(at now: ServerTime) -> Bool {
        guard let providerID, !providerID.isEmpty, let expires else { return false }
        return now < expires
    }
}

extension Provider {
    /// Whether the platform handles logins at this provider. Contract: §17.6.
    var isOnPlatform: Bool { enablePlatformServices && boardingStatus == .supported && platformMappingID != nil }
}

extension PlatformFault {
    fileprivate var obstacle: PartnerSignOn.Obstacle {
        switch self {
        case .unavailable(let reason): .failed(reason)
        case .failed(let code, let message): .failed(message.isEmpty ? code : message)
        case .cancelled: .cancelled
        case .otherProvider: .otherProvider
        case .unsupportedProvider: .unsupportedProvider
        }
    }
}
