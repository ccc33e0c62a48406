// The answers of REST V1; the § of each is the section of its call. Times are numbers in some answers and strings in
// others; both are accepted anywhere. Contract: rest-v1.md §3, §6.

import AccessEnabler

/// §6.1
struct RegistrationCodeAnswer: Decodable, Sendable {
    private struct Info: Decodable { var registrationURL: String? }

    /// The maximum life that may be requested for a code.
    private static let longestLife = Duration.seconds(36_000)

    let code: String
    let generated: Milliseconds
    let expires: Milliseconds
    let registrationURL: String?

    private enum CodingKeys: CodingKey { case code, generated, expires, info }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(String.self, forKey: .code)
        generated = try container.decode(Milliseconds.self, forKey: .generated)
        expires = try container.decode(Milliseconds.self, forKey: .expires)
        registrationURL = (try? container.decodeIfPresent(Info.self, forKey: .info))?.registrationURL
        guard (1...64).contains(code.utf8.count), code.utf8.allSatisfy(isUnreserved) else {
            throw DecodingError.dataCorruptedError(forKey: .code, in: container, debugDescription: "no usable code")
        }
    }

    func login(_ url: String, at provider: ProviderID?, besides former: String?) -> OpenLogin {
        let begins = generated.time
        return OpenLogin(
            code: RegistrationCode(rawValue: code), url: url, provider: provider, notBefore: begins,
            notAfter: min(max(begins, expires.time), begins.advanced(by: Self.longestLife)), sessionID: former)
    }
}

/// §6.7
struct AuthenticationAnswer: Decodable, Sendable {
    let requestor: String?
    let provider: ProviderID
    let userID: String?
    let expires: ServerTime

    private enum CodingKeys: String, CodingKey { case requestor, provider = "mvpd", userID = "userId", expires }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        requestor = try? container.decodeIfPresent(String.self, forKey: .requestor)
        provider = ProviderID(rawValue: try container.decode(String.self, forKey: .provider))
        userID = try? container.decodeIfPresent(String.self, forKey: .userID)
        expires = try container.decode(Milliseconds.self, forKey: .expires).time
        guard !provider.rawValue.isEmpty else {
            throw DecodingError.dataCorruptedError(forKey: .provider, in: container, debugDescription: "no provider")
        }
    }

    /// Tells this token from later ones.
    var mark: String { "\(expires.milliseconds) \(provider.rawValue)" }
}

/// §6.8
struct V1AuthorizationAnswer: Decodable, Sendable {
    var expires: Milliseconds
}

/// §6.10. A media token can be used once, so it is never stored.
struct MediaTokenAnswer: Decodable, Sendable {
    let token: MediaToken

    private enum CodingKeys: CodingKey { case serializedToken, expires }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .serializedToken)
        guard !text.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: .serializedToken, in: container, debugDescription: "no token")
        }
        token = MediaToken(
            serialized: Secret(text), notAfter: try container.decode(Milliseconds.self, forKey: .expires).time)
    }
}

/// §6.11
struct PreauthorizationAnswer: Decodable, Sendable, MayBeEmpty {
    private struct Item: Decodable, Sendable {
        var id: String
        var authorized: Bool
        var error: ErrorAnswer?
    }

    private let resources: [Lenient<Item>]?

    static let empty = PreauthorizationAnswer(resources: nil)

    /// Returns one decision for each resource that was asked about, in that order.
    func decisions(for asked: [ResourceID]) -> [ServiceDecision] {
        let items = echoed((resources ?? []).compactMap(\.value), for: asked, \.id)
        return asked.map { resource in
            guard let item = items[ExactText(resource)] else { return .missing(resource) }
            var error = item.authorized ? nil : item.error?.error
            if let code = error?.code { error?.code = ServiceError.v2Codes[code] ?? code }
            return ServiceDecision(resource: resource, isAuthorized: item.authorized, source: .mvpd, error: error)
        }
    }
}

/// §6.12. Encrypted values are kept as they are, since only the programmer has the key.
struct MetadataAnswer: Decodable, Sendable {
    /// The answer gives seconds here, unlike all other times. Contract: open-questions.md OQ-45.
    let updated: ServerTime?
    let attributes: [String: Profile.Attribute]

    static let none = MetadataAnswer()

    private enum CodingKeys: CodingKey { case updated, encrypted, data }

    private init() {
        updated = nil
        attributes = [:]
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let seconds = (try? container.decodeIfPresent(Milliseconds.self, forKey: .updated))?.time.milliseconds
        updated = seconds.map { Milliseconds($0 * 1000).time }
        let encrypted = Set(try container.decodeIfPresent([String].self, forKey: .encrypted) ?? [])
        let data = try container.decode([String: AnyMetadata].self, forKey: .data)
        attributes = Dictionary(
            uniqueKeysWithValues: data.map { name, value in
                (name, Profile.Attribute(value: value.value, isEncrypted: encrypted.contains(name)))
            })
    }
}
