// Decides whether a viewer may watch one resource. The decision depends on degradation rules, logins and the provider. A
// degradation rule answers in place of a provider that has failed. Contract: rest-v2.md D1, D2, §14.

import PassJSON

/// The reason why a resource is not permitted.
struct DecisionError: Error, Sendable {
    var code: ErrorCode
    /// The text of the provider or of the programmer's degradation rule.
    var details: String?
}

struct Decision: Sendable {
    enum Source: String, Sendable { case mvpd, degradation, temppass }

    var source: Source
    var error: DecisionError?
    /// The time for which the service keeps the decision; nil if it is not kept.
    var validity: (begins: Instant, ends: Instant)?
    /// The id of the viewer, for the media token.
    var viewer: String

    var isAuthorized: Bool { error == nil }

    static func deny(_ code: ErrorCode, _ source: Source = .mvpd, details: String? = nil) -> Decision {
        Decision(source: source, error: DecisionError(code: code, details: details), viewer: "")
    }
}

/// The facts for a decision, without the resource.
struct DecisionContext: Sendable {
    enum Question: Sendable { case authorize, preauthorize }

    let question: Question
    let owner: Owner
    let provider: Provider
    let integration: Integration
    let identities: [String]
    let call: Call
    /// The keys of the records about the use of the temporary pass. Nil if the provider is not a temporary pass.
    let trial: TrialKeys?

    var now: Instant { call.now }
}

extension World {
    /// Decides in the order of the contract: temporary pass, degradation, login, then the provider.
    mutating func decide(_ resource: RequestedResource, _ context: DecisionContext) -> Decision {
        let provider = context.provider
        if let pass = provider.tempPass, let trial = context.trial {
            return decideTemporary(pass, keys: trial, resource: resource, context: context)
        }
        let serviceProvider = context.owner.serviceProvider
        if let rule = degradation(.authorizeNone, serviceProvider, provider.id, at: context.now) {
            return .deny(.deniedByDegradation, .degradation, details: rule.message)
        }
        let login = login(of: context.owner, provider.id, context.identities, at: context.now)
        if admitsEveryone(serviceProvider, provider.id, at: context.now) {
            let viewer = if case .success(let login) = login { login.user } else { "degraded" }
            return Decision(
                source: .degradation,
                validity: (context.now, context.now + settings.degradedLifetime.milliseconds), viewer: viewer)
        }
        switch login {
        case .failure(let absence): return .deny(absence)
        case .success(let login):
            if degradation(.authorizeAll, serviceProvider, provider.id, at: context.now) != nil {
                return Decision(source: .degradation, viewer: login.user)
            }
            return askProvider(resource, login: login, context: context)
        }
    }

    private mutating func decideTemporary(
        _ pass: TempPass, keys: TrialKeys, resource: RequestedResource, context: DecisionContext
    ) -> Decision {
        if context.question == .preauthorize {
            let code = exhaustion(pass, trial(keys)?.trial, at: context.now)
            return Decision(
                source: .temppass, error: code.map { DecisionError(code: $0) }, viewer: "")
        }
        switch useTemporaryPass(pass, keys, title: resource.id, at: context.now) {
        case .failure(let error): return Decision(source: .temppass, error: error, viewer: "")
        case .success(let trial):
            return Decision(
                source: .temppass, validity: (context.now, trial.ends), viewer: keys.person ?? keys.device)
        }
    }

    /// Returns the stored decision if it is still valid. Otherwise asks the provider, and stores a permit or a denial.
    private mutating func askProvider(
        _ resource: RequestedResource, login: Profile, context: DecisionContext
    ) -> Decision {
        guard let subscriber = context.provider.subscriber(login.user) else { return .deny(.identityNotRecognized) }
        if let home = login.home, home != context.call.request.address {
            return .deny(.deniedByHomePolicies, details: subscriber.denialText)
        }
        let key = decisionKey(context, resource: resource, login: login)
        if context.question == .authorize, let kept = state.decisions[key], context.now < kept.ends {
            return Decision(
                source: .mvpd, error: kept.error.map { DecisionError(code: $0, details: kept.details) },
                validity: (kept.begins, kept.ends), viewer: login.user)
        }
        let answer = providerAnswer(resource, subscriber: subscriber, context: context)
        if answer == .deniedBySessionInvalidated { invalidate(login, context) }
        let isHint = context.question == .preauthorize
        let code = isHint && answer == .authorizationDenied ? .preauthorizationDenied : answer
        let details = code == nil ? nil : subscriber.denialText
        var decision = Decision(
            source: .mvpd, error: code.map { DecisionError(code: $0, details: details) }, viewer: login.user)
        // Only these answers are stored: a permit, a denial by the provider, and a denial by its parental controls. After any
        // other answer, the sandbox asks the provider again, or a new login follows.
        guard !isHint, code == nil || code == .authorizationDenied || code == .deniedByParentalControls else {
            return decision
        }
        let life = code == nil ? context.integration.authorizationLifetime : settings.denialLifetime
        let ends = min(context.now + life.milliseconds, login.ends)
        decision.validity = (context.now, ends)
        state.decisions[key] = StoredDecision(
            isAuthorized: code == nil, error: code, details: details, begins: context.now, ends: ends)
        return decision
    }

    private func decisionKey(_ context: DecisionContext, resource: RequestedResource, login: Profile) -> String {
        // The resource's text may be long, so the key contains a digest of the text.
        context.owner.key(context.provider.id) + " " + rowKey(login.user, hexadecimal(sha256(resource.text.utf8)))
    }

    mutating func forgetDecisions(of owner: Owner, _ mvpd: String) {
        let prefix = owner.key(mvpd) + " "
        for key in state.decisions.rows.keys where key.hasPrefix(prefix) { state.decisions[key] = nil }
    }

    /// The provider's refusal; nil for a permit.
    private mutating func providerAnswer(
        _ resource: RequestedResource, subscriber: Subscriber, context: DecisionContext
    ) -> ErrorCode? {
        let name = subscriber.answers[resource.id] == nil ? "*" : resource.id
        if let script = subscriber.answers[name] {
            let key = rowKey(context.provider.id, subscriber.user, "\(context.question)", name)
            let given = state.answers[key]?.given ?? 0
            state.answers[key] = AnswerCount(given: min(given + 1, script.count))
            if let code = ErrorCode(rawValue: script[min(given, script.count - 1)]) { return code }
        }
        guard subscriber.channels.contains(resource.id) else { return .authorizationDenied }
        let known = catalogue.programmers.lazy.flatMap(\.serviceProviders).flatMap(\.resources)
            .first { $0.id == resource.id }
        let ratings = resource.ratings.isEmpty ? known?.ratings ?? [:] : resource.ratings
        return Rating.exceeds(ratings, limit: subscriber.maxRatings) ? .deniedByParentalControls : nil
    }

    /// Marks logins as invalid after the provider has ended the session: the caller's own login, and the shared logins of the
    /// call's identities (platform or service token).
    private mutating func invalidate(_ login: Profile, _ context: DecisionContext) {
        state.profiles[context.owner.key(context.provider.id)]?.isInvalidated = true
        for identity in context.identities {
            state.sharedLogins[SharedLogin.key(identity, context.provider.id)]?.isInvalidated = true
        }
    }
}

// Degradation rules, which answer in place of a provider that has failed. Contract: rest-v2.md §14.

extension World {
    /// The active degradation rule of this kind for a service provider and a provider. Nil if there is none.
    func degradation(
        _ kind: DegradationRule.Kind, _ serviceProvider: String, _ provider: String, at now: Instant
    ) -> DegradationRule? {
        state.degradations.rows.values.first { rule in
            rule.isActive && rule.kind == kind && rule.provider == provider
                && (rule.serviceProvider == nil || rule.serviceProvider == serviceProvider)
                && rule.ends.map { now < $0 } ?? true
        }
    }

    /// Whether a rule lets viewers in without a login.
    func admitsEveryone(_ serviceProvider: String, _ provider: String, at now: Instant) -> Bool {
        degradation(.authenticateAll, serviceProvider, provider, at: now) != nil
    }
}

// A resource in a request: a plain id or MRSS (Media RSS, an XML text). In MRSS, the id is the channel's title. MRSS may have
// ratings. Contract: rest-v2.md D1, D2.

struct RequestedResource: Sendable {
    static let longest = 8 * 1024

    /// The text of the request. The answer repeats this text unchanged.
    let text: String
    /// The id of the channel in the catalogue.
    let id: String
    /// The ratings by their scheme.
    let ratings: [String: String]

    /// Reads a resource; nil if the text is empty or is unreadable MRSS.
    init?(_ text: String) {
        let bare = text.trimmed
        // Media tokens are XML, and XML cannot contain control characters.
        guard !bare.isEmpty, text.utf8.count <= Self.longest,
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\t" || $0 == "\n" || $0 == "\r" })
        else { return nil }
        self.text = text
        guard bare.begins(with: "<") else {
            id = bare
            ratings = [:]
            return
        }
        guard bare.begins(with: "<rss"), let channel = Self.content(of: "channel", in: bare),
            let title = Self.content(of: "title", in: channel)?.trimmed, !title.isEmpty
        else { return nil }
        id = title
        ratings = Self.ratings(in: channel)
    }

    /// The decoded text of the first element with this name.
    private static func content(of name: String, in text: String) -> String? {
        guard let start = text.place(of: "<" + name),
            let inner = text[start.upperBound...].between(">", "</\(name)>")?.text
        else { return nil }
        if inner.trimmed.begins(with: "<![CDATA["), let data = inner.between("<![CDATA[", "]]>") { return data.text }
        return inner.holds("<") ? inner : unescapedXML(inner)
    }

    /// Reads elements such as `<media:rating scheme="urn:v-chip">tv-pg</media:rating>`.
    private static func ratings(in text: String) -> [String: String] {
        let schemes = ["urn:v-chip": "VCHIP", "urn:mpaa": "MPAA"]
        var found: [String: String] = [:]
        var rest = text[...]
        while let start = rest.place(of: "<media:rating"),
            let opened = rest[start.upperBound...].place(of: ">"),
            let end = rest[opened.upperBound...].place(of: "</media:rating>")
        {
            let attributes = rest[start.upperBound..<opened.lowerBound].lowercased()
            let scheme = schemes.first { attributes.holds($0.key) }?.value ?? "VCHIP"
            found[scheme] = rest[opened.upperBound..<end.lowerBound].trimmed.uppercased()
            rest = rest[end.upperBound...]
        }
        return found
    }
}

extension ServiceProvider {
    /// Whether the answers of preauthorizations omit the resource, because the resource needs no login. Contract: rest-v2.md
    /// D2; rest-v1.md §6.11.
    func leavesOut(_ resource: RequestedResource) -> Bool { resources.contains { $0.id == resource.id && !$0.isGated } }
}
