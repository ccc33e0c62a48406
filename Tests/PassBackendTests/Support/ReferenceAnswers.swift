// The answers of the service as types for Foundation's decoder. The tests compare the daemon's reading with
// Foundation's.

import AccessEnabler
import PassJSON

@testable import PassBackend

enum Reference {
    struct Lenient<Value: Decodable>: Decodable {
        let value: Value?
        init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
    }

    struct Milliseconds: Decodable {
        private static let last: Int64 = 253_402_300_799_999

        let time: ServerTime

        init(_ number: Int64) { time = ServerTime(milliseconds: min(max(0, number), Self.last)) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int64.self) {
                self.init(number)
            } else if let text = try? container.decode(String.self), let number = Int64(text) {
                self.init(number)
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time in milliseconds")
            }
        }
    }

    struct AnyMetadata: Decodable {
        let value: JSONValue

        private struct Key: CodingKey {
            let stringValue: String
            let intValue: Int? = nil
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            if let container = try? decoder.container(keyedBy: Key.self) {
                var members: [String: JSONValue] = [:]
                for key in container.allKeys {
                    members[key.stringValue] = try container.decode(AnyMetadata.self, forKey: key).value
                }
                value = .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
            } else if var container = try? decoder.unkeyedContainer() {
                var items: [JSONValue] = []
                while !container.isAtEnd { items.append(try container.decode(AnyMetadata.self).value) }
                value = .array(items)
            } else {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    value = .null
                } else if let flag = try? container.decode(Bool.self) {
                    value = .bool(flag)
                } else if let number = try? container.decode(Double.self) {
                    value = JSONNumber(number).flatMap { JSONValue.number($0).canonical } ?? .null
                } else {
                    value = .string(try container.decode(String.self))
                }
            }
        }
    }

    struct ErrorAnswer: Decodable {
        let error: ServiceError

        private enum CodingKeys: CodingKey { case status, code, action, message, details, helpUrl, trace, error }

        init(from decoder: any Decoder) throws {
            var container = try decoder.container(keyedBy: CodingKeys.self)
            if let inner = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .error) {
                container = inner
            }
            func text(_ key: CodingKeys) -> String? { try? container.decodeIfPresent(String.self, forKey: key) }
            error = ServiceError(
                status: (try? container.decodeIfPresent(Int.self, forKey: .status)) ?? 0,
                code: try container.decode(String.self, forKey: .code), actionName: text(.action) ?? "none",
                message: text(.message), details: text(.details), helpURL: text(.helpUrl), trace: text(.trace))
        }
    }

    struct ProviderAnswer: Decodable {
        var id: String
        var displayName: String?
        var logoUrl: String?
        var isTempPass: Bool?
        var isProxy: Bool?
        var authPerAggregator: Bool?
        var enablePlatformServices: Bool?
        var displayInPlatformPicker: Bool?
        var enforcePlatformPermissions: Bool?
        var boardingStatus: String?
        var platformMappingId: String?
        var requiredMetadataFields: [String]?

        var provider: Provider {
            var provider = Provider(
                id: ProviderID(rawValue: id), displayName: displayName ?? id, logoURL: logoUrl ?? "")
            provider.isTempPass = isTempPass ?? false
            provider.isProxy = isProxy ?? false
            provider.loginPerRequestor = authPerAggregator ?? false
            provider.enablePlatformServices = enablePlatformServices ?? false
            provider.displayInPlatformPicker = displayInPlatformPicker ?? false
            provider.enforcePlatformPermissions = enforcePlatformPermissions ?? false
            provider.boardingStatus = boardingStatus.flatMap(Provider.BoardingStatus.init)
            provider.platformMappingID = platformMappingId
            provider.requiredMetadataFields = requiredMetadataFields ?? []
            return provider
        }
    }

    struct DomainAnswer: Decodable {
        private struct Named: Decodable { var name: String }

        let name: String

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                name = text
            } else {
                name = try Named(from: decoder).name
            }
        }
    }

    struct ConfigurationAnswer: Decodable {
        private struct Requestor: Decodable {
            var mvpds: [Lenient<ProviderAnswer>]?
            var domains: Lenient<[Lenient<DomainAnswer>]>?
        }

        let providers: [Provider]
        let domains: [String]

        private enum CodingKeys: CodingKey { case requestor, mvpds }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let requestor = try container.decodeIfPresent(Requestor.self, forKey: .requestor)
            domains = requestor?.domains?.value?.compactMap { $0.value?.name } ?? []
            let outer = try container.decodeIfPresent([Lenient<ProviderAnswer>].self, forKey: .mvpds)
            guard let list = requestor?.mvpds ?? outer else {
                throw DecodingError.dataCorruptedError(
                    forKey: .mvpds, in: container, debugDescription: "there is no list of providers")
            }
            providers = list.compactMap { $0.value?.provider }
        }
    }

    struct ProviderListAnswer: Decodable {
        private struct Name: CodingKey {
            let stringValue: String
            let intValue: Int? = nil
            init(_ name: String) { stringValue = name }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        private static let names = ["mvpds", "mvpd"]

        let providers: [Provider]
        /// The registered domains, if they are beside the providers.
        let domains: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            let found = try? container.decode([Lenient<DomainAnswer>].self, forKey: Name("domains"))
            let beside = found?.compactMap { $0.value?.name } ?? []
            for name in Self.names {
                let key = Name(name)
                if let list = try? container.decode([Lenient<ProviderAnswer>].self, forKey: key) {
                    providers = list.compactMap { $0.value?.provider }.filter { !$0.id.rawValue.isEmpty }
                    domains = beside
                    return
                }
                if let one = try? container.decode(ProviderAnswer.self, forKey: key), !one.id.isEmpty {
                    providers = [one.provider]
                    domains = beside
                    return
                }
            }
            for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                guard let inner = try? container.decode(ProviderListAnswer.self, forKey: key) else { continue }
                providers = inner.providers
                domains = beside.isEmpty ? inner.domains : beside
                return
            }
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "there is no list of providers"))
        }
    }

    struct ProfilesAnswer: Decodable {
        private struct Entry: Decodable {
            struct Attribute: Decodable {
                var value: AnyMetadata?
                var state: String?
            }

            var notBefore: Milliseconds
            var notAfter: Milliseconds
            var issuer: String?
            var type: String
            var attributes: [String: Lenient<Attribute>]?
        }

        /// The profile that ends last comes first.
        let profiles: [Profile]

        private enum CodingKeys: CodingKey { case profiles }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let entries = try container.decode([String: Lenient<Entry>].self, forKey: .profiles)
            profiles = entries.compactMap { mvpd, lenient in
                lenient.value.map { entry in
                    Profile(
                        provider: ProviderID(rawValue: mvpd), kind: Profile.Kind(entry.type),
                        issuer: entry.issuer ?? mvpd,
                        notBefore: entry.notBefore.time, notAfter: entry.notAfter.time,
                        attributes: (entry.attributes ?? [:]).compactMapValues { attribute in
                            attribute.value.flatMap { attribute in
                                attribute.value.map {
                                    Profile.Attribute(value: $0.value, isEncrypted: attribute.state == "enc")
                                }
                            }
                        })
                }
            }.sorted { ($0.notAfter, $1.provider) > ($1.notAfter, $0.provider) }
            if profiles.isEmpty, !entries.isEmpty {
                throw DecodingError.dataCorruptedError(
                    forKey: .profiles, in: container, debugDescription: "none of the profiles can be read")
            }
        }
    }

    struct DecisionsAnswer: Decodable {
        private struct Item: Decodable {
            struct Token: Decodable {
                var serializedToken: String
                var notAfter: Milliseconds?
            }

            var resource: String
            var authorized: Bool
            var source: String?
            var token: Token?
            var notAfter: Milliseconds?
            var error: ErrorAnswer?
            // The service's pages do not name the member (E20).
            var metadata: Lenient<DecisionMetadata>?
            var userMetadata: Lenient<DecisionMetadata>?
            var attributes: Lenient<DecisionMetadata>?

            var decision: ServiceDecision {
                let token = authorized ? token : nil
                return ServiceDecision(
                    resource: ResourceID(rawValue: resource), isAuthorized: authorized,
                    source: ServiceDecision.Source(source ?? "mvpd"),
                    token: token.map { token in
                        MediaToken(
                            serialized: Secret(token.serializedToken),
                            notAfter: token.notAfter?.time ?? ServerTime(milliseconds: 0))
                    }, notAfter: notAfter?.time, error: error?.error,
                    metadata: [metadata, userMetadata, attributes].lazy.compactMap { $0?.value?.attributes }
                        .first { !$0.isEmpty } ?? [:])
            }
        }

        private let decisions: [Lenient<Item>]?

        /// Returns one decision for each requested resource, in that order.
        func decisions(for resources: [ResourceID]) -> [ServiceDecision] {
            (decisions ?? []).compactMap { $0.value?.decision }.echoing(resources)
        }
    }

    struct DecisionMetadata: Decodable {
        private struct Entry: Decodable {
            private enum Keys: CodingKey { case value, state, error }

            let attribute: Profile.Attribute?

            init(from decoder: any Decoder) throws {
                let container = try? decoder.container(keyedBy: Keys.self)
                let isDescribed = container.map { $0.contains(.value) || $0.contains(.state) || $0.contains(.error) }
                let value: JSONValue?
                var state: String?
                if let container, isDescribed == true {
                    value = try? container.decodeIfPresent(AnyMetadata.self, forKey: .value)?.value
                    state = try? container.decodeIfPresent(String.self, forKey: .state)
                } else {
                    value = try AnyMetadata(from: decoder).value
                }
                attribute = value.flatMap { $0 == .null ? nil : .init(value: $0, isEncrypted: state == "enc") }
            }
        }

        let attributes: [String: Profile.Attribute]

        init(from decoder: any Decoder) throws {
            attributes = try decoder.singleValueContainer().decode([String: Lenient<Entry>].self)
                .compactMapValues { $0.value?.attribute }
        }
    }

    struct SessionAnswer: Decodable {
        var actionName: String
        var reasonType: String?
        var url: String?
        var code: String?
        var sessionId: String?
        var mvpd: String?
        var notBefore: Milliseconds?
        var notAfter: Milliseconds?
    }

    struct LogoutAnswer: Decodable {
        private struct Entry: Decodable {
            var actionName: String
            var mvpd: String?
            var url: String?
        }

        private let logouts: [String: Entry]
    }

    struct RegistrationCodeAnswer: Decodable {
        private struct Info: Decodable { var registrationURL: String? }

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
    }

    struct AuthenticationAnswer: Decodable {
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
                throw DecodingError.dataCorruptedError(
                    forKey: .provider, in: container, debugDescription: "no provider")
            }
        }
    }

    struct MediaTokenAnswer: Decodable {
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

    struct PreauthorizationAnswer: Decodable {
        private struct Item: Decodable {
            var id: String
            var authorized: Bool
            var error: ErrorAnswer?
        }

        private let resources: [Lenient<Item>]?

        /// Returns one decision for each requested resource, in that order.
        func decisions(for asked: [ResourceID]) -> [ServiceDecision] {
            let items = (resources ?? []).compactMap(\.value).map { item in
                var error = item.authorized ? nil : item.error?.error
                if let code = error?.code { error?.code = ServiceError.v2Codes[code] ?? code }
                return ServiceDecision(
                    resource: ResourceID(rawValue: item.id), isAuthorized: item.authorized, source: .mvpd, error: error)
            }
            return items.echoing(asked)
        }
    }

    struct MetadataAnswer: Decodable {
        /// The answer gives seconds here, unlike all other times. Contract: open-questions.md OQ-45.
        let updated: ServerTime?
        let attributes: [String: Profile.Attribute]

        private enum CodingKeys: CodingKey { case updated, encrypted, data }

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

    struct BasicErrorAnswer: Decodable {
        let message: String?
        let details: String?

        private enum CodingKeys: CodingKey { case status, message, details }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            message = try? container.decodeIfPresent(String.self, forKey: .message)
            let text = try? container.decodeIfPresent(String.self, forKey: .details)
            details = text.flatMap { $0.isEmpty ? nil : $0 }
            guard message != nil || (try? container.decode(Int.self, forKey: .status)) != nil else {
                throw DecodingError.dataCorruptedError(
                    forKey: .status, in: container, debugDescription: "not an error of the service")
            }
        }
    }

    struct ClientAnswer: Decodable {
        let id: String
        let secret: Secret

        private enum CodingKeys: String, CodingKey { case id = "client_id", secret = "client_secret" }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            let text = try container.decode(String.self, forKey: .secret)
            // OAuth allows only printable characters here. Without this check, unusable credentials would be tried for
            // a minute, or forever if the service does not report them as the reason.
            guard !id.isEmpty, !text.isEmpty, (id + text).utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .id, in: container, debugDescription: "no usable credentials")
            }
            secret = Secret(text)
        }
    }

    struct TokenAnswer: Decodable {
        /// A week, in seconds. Longer lives are shortened, so that no number in an answer can overflow.
        private static let longest = 7 * 24 * 3600.0

        let token: Secret
        let life: Duration

        private enum CodingKeys: String, CodingKey {
            case token = "access_token", life = "expires_in", type = "token_type"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let text = try container.decode(String.self, forKey: .token)
            let type = try container.decodeIfPresent(String.self, forKey: .type) ?? "bearer"
            let seconds =
                try (try? container.decode(Double.self, forKey: .life))
                ?? Double(container.decode(String.self, forKey: .life)) ?? 0
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), type.lowercased() == "bearer",
                seconds > 0
            else {
                throw DecodingError.dataCorruptedError(
                    forKey: .token, in: container, debugDescription: "no usable token")
            }
            token = Secret(text)
            life = .milliseconds(Int64(min(seconds, Self.longest) * 1000))
        }
    }
}
