// The answers of REST V1, each with the section of its call. Times are numbers in some answers and strings in others.
// Both forms are accepted everywhere. Contract: rest-v1.md §3, §6.

import AccessEnabler
import PassJSON

/// §6.1
struct RegistrationCodeAnswer: ServiceAnswer {
    /// The max life that may be requested for a code.
    private static let longestLife = Duration.seconds(36_000)

    let code: String
    let generated: ServerTime
    let expires: ServerTime
    let registrationURL: String?

    init(_ json: JSONValue) throws {
        code = try json.member("code", \.string)
        generated = try json.member("generated", \.time)
        expires = try json.member("expires", \.time)
        registrationURL = json["info"]?["registrationURL"]?.string
        guard (1...64).contains(code.utf8.count), code.utf8.allSatisfy(isUnreserved) else { throw AnswerFault() }
    }

    func login(_ url: String, at provider: ProviderID?, besides former: String?) -> OpenLogin {
        OpenLogin(
            code: RegistrationCode(rawValue: code), url: url, provider: provider, notBefore: generated,
            notAfter: min(max(generated, expires), generated.advanced(by: Self.longestLife)), sessionID: former)
    }
}

/// §6.3. The list of providers is found by its name at any depth, because the form of this answer is not published. The list
/// may be an array, a single provider, or an element that contains one of these. Contract: open-questions.md OQ-38.
struct ProviderListAnswer: ServiceAnswer {
    let providers: [Provider]
    /// The registered domains. The answer may list them next to the providers.
    let domains: [String]

    var excess: String? { providers.lazy.compactMap(\.excess).first }

    init(_ json: JSONValue) throws {
        guard let object = json.object else { throw AnswerFault() }
        let beside = json.domains
        for list in ["mvpds", "mvpd"].compactMap({ object[$0] }) {
            let found = list.providers ?? (try? [Provider(list)])
            guard let named = found?.filter({ !$0.id.rawValue.isEmpty }), list.array != nil || !named.isEmpty else {
                continue
            }
            (providers, domains) = (named, beside)
            return
        }
        for member in object.members.sorted(by: { $0.name < $1.name }) {
            guard let inner = try? ProviderListAnswer(member.value) else { continue }
            (providers, domains) = (inner.providers, beside.isEmpty ? inner.domains : beside)
            return
        }
        throw AnswerFault()
    }
}

/// §6.7
struct AuthenticationAnswer: ServiceAnswer {
    let requestor: String?
    let provider: ProviderID
    let userID: String?
    let expires: ServerTime

    init(_ json: JSONValue) throws {
        requestor = json["requestor"]?.string
        provider = ProviderID(rawValue: try json.member("mvpd", \.string))
        userID = json["userId"]?.string
        expires = try json.member("expires", \.time)
        guard !provider.rawValue.isEmpty else { throw AnswerFault() }
    }

    /// A text that identifies this login. Later logins have other texts.
    var mark: String { "\(expires.milliseconds) \(provider.rawValue)" }
}

/// §6.8
struct V1AuthorizationAnswer: ServiceAnswer {
    let expires: ServerTime

    init(_ json: JSONValue) throws { expires = try json.member("expires", \.time) }
}

/// §6.10. A media token can be used only once, so it is never stored.
struct MediaTokenAnswer: ServiceAnswer {
    let token: MediaToken

    init(_ json: JSONValue) throws {
        let text = try json.member("serializedToken", \.string)
        guard !text.isEmpty else { throw AnswerFault() }
        token = MediaToken(serialized: Secret(text), notAfter: try json.member("expires", \.time))
    }
}

/// §6.11
struct PreauthorizationAnswer: ServiceAnswer {
    private let items: [ServiceDecision]

    static let empty: PreauthorizationAnswer? = try? PreauthorizationAnswer([:])

    init(_ json: JSONValue) throws {
        items = try json.optional("resources", \.array)?.compactMap { try? Self.decision($0) } ?? []
    }

    private static func decision(_ json: JSONValue) throws -> ServiceDecision {
        let isAuthorized = try json.member("authorized", \.bool)
        var error = try json.optional("error", ServiceError.init)
        error?.useV2Code()
        return ServiceDecision(
            resource: ResourceID(rawValue: try json.member("id", \.string)), isAuthorized: isAuthorized, source: .mvpd,
            error: isAuthorized ? nil : error)
    }

    func decisions(for asked: [ResourceID]) -> [ServiceDecision] { items.echoing(asked) }
}

/// §6.12. Encrypted values are kept unchanged, because only the programmer has the key.
struct MetadataAnswer: ServiceAnswer {
    /// The last change of the data. The service sends this time in seconds, and all other times in milliseconds. Contract:
    /// open-questions.md OQ-45.
    var updated: ServerTime?
    var attributes: [String: Profile.Attribute] = [:]

    init() {}

    init(_ json: JSONValue) throws {
        updated = (json["updated"]?.time?.milliseconds).map { ServerTime(clamping: $0 * 1000) }
        let encrypted = Set(try json.optional("encrypted", \.strings) ?? [])
        for (name, value) in try json.member("data", \.object).values(\.self) {
            guard let value = value.canonical else { throw AnswerFault() }
            attributes[name] = .init(value: value, isEncrypted: encrypted.contains(name))
        }
    }
}
