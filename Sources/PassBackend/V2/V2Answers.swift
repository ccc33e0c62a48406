// The answers of REST V2, each with the name of its calls in the contract. Contract: rest-v2.md §4, §5, §9, §20.

import AccessEnabler
import PassJSON

/// C1. In the service's documentation, the table and the sample have the providers in different places. passd accepts both.
struct ConfigurationAnswer: ServiceAnswer {
    let providers: [Provider]
    let domains: [String]

    var excess: String? { providers.lazy.compactMap(\.excess).first }

    init(_ json: JSONValue) throws {
        let requestor = try json.optional("requestor") { $0.object.map(JSONValue.object) }
        let outer = try json.optional("mvpds", \.providers)
        guard let list = try requestor?.optional("mvpds", \.providers) ?? outer else { throw AnswerFault() }
        providers = list
        domains = requestor?.domains ?? []
    }
}

/// S1.
struct SessionAnswer: ServiceAnswer {
    /// The max life of a code. If the life in an answer is longer, passd uses this value instead.
    private static let longestLife = Duration.seconds(24 * 3600)

    let actionName: String
    let reasonType: String?
    let url: String?
    let code: String?
    let sessionId: String?
    let mvpd: String?
    let notBefore: ServerTime?
    let notAfter: ServerTime?

    init(_ json: JSONValue) throws {
        actionName = try json.member("actionName", \.string)
        reasonType = try json.optional("reasonType", \.string)
        url = try json.optional("url", \.string)
        code = try json.optional("code", \.string)
        sessionId = try json.optional("sessionId", \.string)
        mvpd = try json.optional("mvpd", \.string)
        notBefore = try json.optional("notBefore", \.time)
        notAfter = try json.optional("notAfter", \.time)
    }

    /// Returns the step that the action of the answer means. With `authorize`, the viewer is already logged in. An unknown
    /// action makes the answer unusable. Relative URLs are resolved against the origin.
    func step(_ origin: Origin, style: LoginStyle) throws(BackendFault) -> LoginStep {
        switch actionName {
        case "authorize":
            guard let mvpd else { throw BackendFault(.unusableAnswer) }
            return .alreadyIn(ProviderID(rawValue: mvpd), reason)
        case "authenticate", "resume":
            guard let code, !code.isEmpty, let notAfter else { throw BackendFault(.unusableAnswer) }
            let begins = notBefore ?? notAfter
            var login = OpenLogin(
                code: RegistrationCode(rawValue: code), url: page(origin),
                provider: mvpd.map(ProviderID.init), notBefore: begins,
                notAfter: min(max(begins, notAfter), begins.advanced(by: Self.longestLife)), sessionID: sessionId)
            if style == .browser { return actionName == "authenticate" ? .openURL(login) : .showCode(login) }
            // passd never invents a page for a code. With `resume`, the address in the answer may be any address, so it is not
            // shown. Ruling 43.
            login.link = actionName == "authenticate" ? login.page : nil
            login.url = ""
            return .showCode(login)
        default: throw BackendFault(.unusableAnswer)
        }
    }

    /// The page for the viewer. Empty if there is none. With `resume`, `url` may be the address of the call S2, which a browser
    /// cannot open.
    private func page(_ origin: Origin) -> String {
        guard let url = url.flatMap({ absolute($0, origin) }) else { return "" }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return actionName == "resume" && path.hasSuffix("/sessions/" + (code ?? "")) ? "" : url
    }

    var reason: LoginReason {
        switch reasonType {
        case "authenticatedSSO": .signOn
        case "temporary": .temporary
        case "degraded": .degraded
        default: .regular
        }
    }
}

/// P1 to P3. An empty map means that no viewer is logged in.
struct ProfilesAnswer: ServiceAnswer {
    /// The profile with the latest end comes first.
    let profiles: [Profile]

    var excess: String? {
        guard profiles.count <= ValueLimits.logins else {
            return "the answer has \(profiles.count) logins; the limit is \(ValueLimits.logins)"
        }
        return profiles.lazy.compactMap(\.excess).first
    }

    init(_ json: JSONValue) throws {
        let entries = try json.member("profiles", \.object).values(\.self)
        profiles = entries.compactMap { try? Self.profile($1, at: $0) }
            .sorted { ($0.end, $1.provider) > ($1.end, $0.provider) }
        if profiles.isEmpty, !entries.isEmpty { throw AnswerFault() }
    }

    private static func profile(_ json: JSONValue, at mvpd: String) throws -> Profile {
        Profile(
            provider: ProviderID(rawValue: mvpd), kind: Profile.Kind(try json.member("type", \.string)),
            issuer: try json.optional("issuer", \.string) ?? mvpd, notBefore: try json.member("notBefore", \.time),
            notAfter: try json.member("notAfter", \.time),
            attributes: try json.optional("attributes", \.object)?.values { try? attribute($0) } ?? [:])
    }

    private static func attribute(_ json: JSONValue) throws -> Profile.Attribute? {
        let state = try json.optional("state", \.string)
        return try json.optional("value", \.canonical).map { .init(value: $0, isEncrypted: state == "enc") }
    }
}

/// D1 and D2. A resource that is missing in the list is neither permitted nor denied. If the answer is empty, this applies
/// to all resources.
struct DecisionsAnswer: ServiceAnswer {
    private let items: [ServiceDecision]

    static let empty: DecisionsAnswer? = try? DecisionsAnswer([:])

    init(_ json: JSONValue) throws {
        items = try json.optional("decisions", \.array)?.compactMap { try? Self.decision($0) } ?? []
    }

    func decisions(for resources: [ResourceID]) -> [ServiceDecision] { items.echoing(resources) }

    private static func decision(_ json: JSONValue) throws -> ServiceDecision {
        let token = try json.optional("token") { json in
            MediaToken(
                serialized: Secret(try json.member("serializedToken", \.string)),
                notAfter: try json.optional("notAfter", \.time) ?? ServerTime(milliseconds: 0))
        }
        let isAuthorized = try json.member("authorized", \.bool)
        // The documentation does not say which member has the metadata (E20), so three names are tried.
        let metadata = ["metadata", "userMetadata", "attributes"].lazy.map { attributes(json[$0]) }.first {
            !$0.isEmpty
        }
        return ServiceDecision(
            resource: ResourceID(rawValue: try json.member("resource", \.string)), isAuthorized: isAuthorized,
            source: ServiceDecision.Source(try json.optional("source", \.string) ?? "mvpd"),
            token: isAuthorized ? token : nil, notAfter: try json.optional("notAfter", \.time),
            error: try json.optional("error", ServiceError.init), metadata: metadata ?? [:])
    }

    /// The viewer's metadata in a decision. A value is either plain or `{value, state}`, as in a profile. Missing
    /// values are left out, so that the profile's earlier values stay.
    private static func attributes(_ json: JSONValue?) -> [String: Profile.Attribute] {
        json?.object?.values { json in
            let isDescribed = ["value", "state", "error"].contains { json[$0] != nil }
            let plain = isDescribed ? json["value"] : json
            guard let plain, !plain.isNull, let value = plain.canonical else { return nil }
            return .init(value: value, isEncrypted: json["state"]?.string == "enc")
        } ?? [:]
    }
}

extension ServiceDecision.Source {
    init(_ name: String) {
        self =
            switch name {
            case "mvpd": .mvpd
            case "degradation": .degradation
            case "temppass": .tempPass
            case "dummy": .dummy
            default: .other(name)
            }
    }
}

/// L1. The member `mvpd` names the provider. If it is missing, the key of the map names the provider. An unknown action counts
/// as a finished logout.
struct LogoutAnswer: ServiceAnswer {
    private struct Entry {
        let actionName: String
        let mvpd: String?
        let url: String?
    }

    private let logouts: [String: Entry]

    init(_ json: JSONValue) throws {
        logouts = try json.member("logouts", \.object).values { json in
            Entry(
                actionName: try json.member("actionName", \.string), mvpd: try json.optional("mvpd", \.string),
                url: try json.optional("url", \.string))
        }
    }

    func step(for provider: ProviderID, _ origin: Origin) -> LogoutStep {
        let named = logouts.first { ($0.value.mvpd ?? $0.key) == provider.rawValue }
        guard let entry = named?.value ?? logouts.first?.value else { return .nothingToDo }
        switch entry.actionName {
        case "logout": return entry.url.flatMap { absolute($0, origin) }.map(LogoutStep.openURL) ?? .finished
        case "partner_logout": return .systemSettings
        case "invalid": return .nothingToDo
        default: return .finished
        }
    }
}

/// X1. With `partner_profile`, the answer has a request for the platform. With `authorize`, the viewer is already logged in.
/// With `authenticate` or `resume`, an ordinary login follows.
struct PartnerSessionAnswer: ServiceAnswer {
    private let session: SessionAnswer
    private let type: String?
    private let request: PartnerRequest?

    init(_ json: JSONValue) throws {
        session = try SessionAnswer(json)
        let asked = try json.optional("authenticationRequest") { $0.object.map(JSONValue.object) }
        type = try asked?.optional("type", \.string)
        request = try asked.map { asked in
            PartnerRequest(
                verificationToken: Array(try asked.member("request", \.string).utf8),
                attributes: try asked.optional("attributesNames", \.strings) ?? [])
        }
    }

    func step() throws(BackendFault) -> PartnerStep {
        switch session.actionName {
        case "partner_profile":
            guard let request, !request.verificationToken.isEmpty, type == nil || type == "saml" else {
                throw BackendFault(.unusableAnswer)
            }
            return .forward(request)
        case "authorize":
            guard let mvpd = session.mvpd else { throw BackendFault(.unusableAnswer) }
            return .alreadyIn(ProviderID(rawValue: mvpd), session.reason)
        case "authenticate", "resume": return .regular(session.reasonType ?? session.actionName)
        default: throw BackendFault(.unusableAnswer)
        }
    }
}
