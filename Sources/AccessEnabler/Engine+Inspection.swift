// The engine's data for operators: names and times, but no secrets. The method `rehearse` tests whether the service accepts an
// app. rpc.md §7.

public import PassProtocol

extension Engine {
    public typealias StoredLogin = (key: ProfileKey, value: Profile)

    /// All stored logins, including ended logins, sorted by requestor and provider.
    public var inventory: [StoredLogin] {
        logins.profiles.sorted { ($0.key.requestor, $0.key.provider) < ($1.key.requestor, $1.key.provider) }
    }

    /// The valid logins at configured services.
    public var currentLogins: [StoredLogin] {
        inventory.filter { logins.profile(at: $0.key) != nil && context.hasService($0.key.registration) }
    }

    /// The date on which the login ends.
    public func end(of login: StoredLogin) -> ServerTime { loginEnds.end(of: login.value, login.key, context.now) }

    /// The time of the service's last answer that contained this login; nil if there was none since the start.
    public func confirmed(_ key: ProfileKey) -> BootTime? { logins.answers(under: key)?.confirmed }

    /// The time when the app last used this login; nil if the app has not used the login since the start. `setRequestor` and
    /// calls that only read do not count.
    public func lastUse(of key: ProfileKey) -> BootTime? { logins.answers(under: key)?.used }

    /// The provider of the login, as apps see it.
    public func provider(of key: ProfileKey) -> MVPD { logins.knownProvider(key.provider, for: key.login).mvpd }

    /// The apps with open codes. For each app, the date on the box's clock when the last of its codes expires.
    public var openCodes: [(app: AppID, end: Int64)] {
        let codes = openLogins.pollers.map { ($0.key.registration.app, boxDate($0.value.login.end)) }
        return Dictionary(codes, uniquingKeysWith: max).sorted { $0.key < $1.key }.map { (app: $0.key, end: $0.value) }
    }

    /// Converts a date of the service to the box's clock, in milliseconds since 1970.
    public func boxDate(_ date: ServerTime) -> Int64 { context.boxDate(date) }

    /// The provider's display name, or its ID if passd does not know the name.
    public func name(of provider: ProviderID, for requestor: RequestorID) -> String {
        let selected = logins.selection(of: requestor)?.provider
        return selected.flatMap { $0.id == provider ? $0.displayName : nil } ?? provider.rawValue
    }

    /// The providers that passd knows for the requestor: from the service's last list, from the selection and from stored
    /// logins.
    public func knownProviders(of requestor: RequestorID) -> [ProviderID] {
        let selected = logins.selection(of: requestor).map { [$0.provider.id] } ?? []
        let stored = logins.profiles.keys.filter { $0.requestor == requestor }.map(\.provider)
        return Set(offers.providers(of: requestor) + selected + stored).sorted()
    }

    public var openLoginKeys: [LoginKey] { openLogins.keys.sorted { $0.requestor < $1.requestor } }

    /// The requestors whose last login had no page on which the viewer could type a code or log in.
    public var requestorsWithoutPage: [RequestorID] { openLogins.withoutPage.sorted() }

    /// The requestors whose last login could not begin, because the service refused it. Also returns the provider and the
    /// reason.
    public var refusedLogins: [(requestor: RequestorID, provider: ProviderID?, fault: BackendFault)] {
        openLogins.refused.map { ($0.key, $0.value.provider, $0.value.fault) }.sorted { $0.requestor < $1.requestor }
    }

    /// Call this after a reload that has changed the addresses of login pages.
    public func addressesHaveChanged() { openLogins.addressesHaveChanged() }

    /// The requestors whose last code had no link for phones because of `reason`. Such a link leads a phone directly to the
    /// provider's login.
    public func requestors(missingLink reason: OpenLogin.MissingLink) -> [RequestorID] {
        openLogins.withoutLink.filter { $0.value == reason }.keys.sorted()
    }

    /// The requestors whose last code had no link for phones, whatever the reason was.
    public var requestorsWithoutLink: [RequestorID] { openLogins.withoutLink.keys.sorted() }

    /// The hosts to which the links of open codes lead, as `https://host`. The rest of a link is left out, because it is a
    /// secret.
    public var linkHosts: [String] {
        let links = openLogins.pollers.values.compactMap(\.login.link)
        let hosts = links.map { link in
            link.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//")
        }
        return Set(hosts).filter { $0.hasPrefix("https://") && !$0.utf8.contains(UInt8(ascii: "@")) }.sorted()
    }

    /// The pages on which viewers type the open codes. The query of an address is left out, because it has the code.
    public var codePages: [String] {
        let pages = openLogins.pollers.values.compactMap { poller -> String? in
            guard let page = poller.login.page?.prefix(while: { $0 != "?" && $0 != "#" }) else { return nil }
            return page.split(separator: "/").contains { $0 == poller.login.code.rawValue } ? nil : String(page)
        }
        return Set(pages).filter { $0.hasPrefix("https://") && !$0.utf8.contains(UInt8(ascii: "@")) }.sorted()
    }

    public typealias OwedLogout = (requestor: RequestorID, provider: ProviderID, fault: BackendFault)

    /// The logouts that the service refuses, by requestor and provider, with the service's reason. The service still has
    /// these logins.
    public var refusedLogouts: [OwedLogout] { logoutDelivery.refusals }

    /// The logouts that the service could not process yet.
    public var untakenLogouts: [OwedLogout] { logoutDelivery.untaken }

    public var nextPoll: BootTime? { openLogins.nextPoll }

    /// Whether a poll is late by at least this time. If so, the timers or the queue have failed.
    public func hasMissedPoll(by delay: Duration) -> Bool { openLogins.hasMissedPoll(by: delay) }

    /// The names of the providers with a valid login at a configured service.
    public var signedInWith: [String] {
        Set(currentLogins.map { name(of: $0.key.provider, for: $0.key.requestor) }).sorted()
    }

    /// How far the service's date is ahead of the box's date; nil if this is unknown.
    public var clockOffset: Duration? { context.serverClock.offset }
    public var clockIsWrong: Bool { context.serverClock.isClearlyWrong }
    /// The number of changes that the vault has not written.
    public var unsavedChanges: Int { memory.unsavedCount }
}

extension Session {
    /// The step of the open login; nil if no login is open.
    public var openStep: Sessions.Open? {
        switch conversation.phase {
        case .idle: nil
        case .listing, .choosing: .choice
        case .onPlatform: .platform
        case .beginning, .secondScreen: .code
        case .browser, .completing: .browser
        }
    }

    /// The provider with which the app's viewer is signed in.
    public var signedInWith: (id: ProviderID, name: String)? {
        guard let asker, let login = login(for: asker) else { return nil }
        return (login.provider, engine.name(of: login.provider, for: asker.key.requestor))
    }
}

extension Engine {
    /// Checks for an operator whether the box's own service accepts an app. Registers the app if necessary; the app will use
    /// this registration. If `requestor` is not nil, also asks for the requestor's providers. Returns the number of these
    /// providers, or 0 if `requestor` is nil.
    public func rehearse(
        _ app: AppID, statement: Secret, requestor: RequestorID?, until deadline: BootTime
    ) async -> Result<Int, BackendFault> {
        let backend = context.ports.services.standard
        let registration = backend.registration(of: app, statement: statement)
        let key = LoginKey(registration: registration, requestor: requestor ?? RequestorID(rawValue: ""))
        let asker = Asker(key: key, statement: statement, backend: backend)
        let caller = context.caller(for: asker, until: deadline)
        do throws(BackendFault) {
            try await backend.prepare(caller)
            guard requestor != nil else { return .success(0) }
            // The list must come from the service now, and not from memory.
            backend.forgetProviders(caller)
            return .success(try await backend.providers(caller).count)
        } catch {
            return .failure(error)
        }
    }
}
