// The answers of P1 to P3. An empty map means that nobody is logged in. Contract: rest-v2.md P1, §9.

import AccessEnabler

struct ProfilesAnswer: Decodable, Sendable, BoundedAnswer {
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

    var excess: String? {
        guard profiles.count <= ValueLimits.logins else {
            return "the answer has \(profiles.count) logins; the limit is \(ValueLimits.logins)"
        }
        return profiles.lazy.compactMap(\.excess).first
    }

    private enum CodingKeys: CodingKey { case profiles }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let entries = try container.decode([String: Lenient<Entry>].self, forKey: .profiles)
        profiles = entries.compactMap { mvpd, lenient in
            lenient.value.map { entry in
                Profile(
                    provider: ProviderID(rawValue: mvpd), kind: Profile.Kind(entry.type), issuer: entry.issuer ?? mvpd,
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
